"""Votes as people print them."""

import pandas as pd
import pytest

from rankwright.data.ballots import read_ballots
from rankwright.data.preflib import VoterOrders

VOTES = "film,ann,bob,cid\nUp,1st,2,1\nHer,=2,n/a,2\nJaws,T-2,1,3\n"


@pytest.fixture
def votes(tmp_path):
    def written(text):
        path = tmp_path / "votes.csv"
        path.write_text(text)
        return path

    return written


def test_positions_are_read_as_they_are_printed(votes):
    found = read_ballots(votes(VOTES))
    assert found.index.tolist() == ["Up", "Her", "Jaws"]
    assert found.columns.tolist() == ["ann", "bob", "cid"]
    assert found["ann"].tolist() == [1, 2, 2]
    assert found["bob"].isna().tolist() == [False, True, False]
    assert found["cid"].tolist() == [1, 2, 3]


def test_the_column_of_names_can_be_said(votes):
    found = read_ballots(votes("ann,film,bob\n1st,Up,2\n=2,Her,1\n"), item="film")
    assert isinstance(found, pd.DataFrame)
    assert found.index.tolist() == ["Up", "Her"]
    assert found["ann"].tolist() == [1, 2]


def test_names_that_look_like_places_are_names(votes):
    found = read_ballots(votes("film,ann\n1st,2nd\n2nd,1st\n7,3rd\n"))
    assert found.index.tolist() == ["1st", "2nd", "7"]
    assert found["ann"].tolist() == [2, 1, 3]


def test_a_place_that_can_not_be_read_is_refused_with_its_cell(votes):
    with pytest.raises(ValueError, match=r"'ann'.*'won' in row 2"):
        read_ballots(votes("film,ann\nUp,won\nHer,2nd\n"))


@pytest.mark.parametrize("ending", ["soc", "TOI"])
def test_the_ending_says_that_a_file_holds_orders_of_preflib(tmp_path, ending):
    path = tmp_path / f"votes.{ending}"
    names = "# ALTERNATIVE NAME 1: Up\n# ALTERNATIVE NAME 2: Her\n"
    path.write_text(f"# NUMBER ALTERNATIVES: 2\n{names}3: 1,2\n")
    found = read_ballots(path)
    assert isinstance(found, VoterOrders)


def test_the_header_is_found_by_the_column_of_names(votes):
    found = read_ballots(votes("2019,open,air\nfilm,ann,bob\nUp,1st,2\nHer,2nd,1\n"), item="film")
    assert found.columns.tolist() == ["ann", "bob"]


def test_numbers_with_a_mark_in_doubt_are_warned_of_beside_places(votes):
    table = votes("film;ann;bob\nUp;1st;1,234\nHer;2nd;2,345\n")
    with pytest.warns(UserWarning, match="1,234"):
        found = read_ballots(table, scores=False)
    assert found["bob"].tolist() == [1.234, 2.345]


def test_how_printed_positions_were_read_is_warned_of(votes):
    with pytest.warns(UserWarning, match=r"'ann' read as printed: 2 such as '2-3' as a band"):
        read_ballots(votes("film,ann\nUp,1\nHer,2-3\nJaws,2-3\n"))


SKATE = "Name,J1,J2,J3,Total\nAnn,9.5,9,8.5,27\nBob,9,9.25,9,27.25\nCy,7,7,6,20\n"


@pytest.mark.parametrize(
    ("text", "voters", "left"),
    [
        (SKATE, ["J1", "J2", "J3"], "'Total'"),
        ("Rank,Name,A,B\n1,Ann,1,2\n2,Bob,2,1\n", ["A", "B"], "'Rank'"),
        ("Year,Name,A,B\n2020,Ann,1,2\n2021,Bob,2,1\n", ["A", "B"], "'Year'"),
        ("Name,A,B,Notes\nAnn,1,2,x\nBob,2,1,\n", ["A", "B"], "'Notes'"),
        ("#,Name,A,B,Mean (all),Place\n1,Ann,1,2,1.5,1\n2,Bob,2,1,1.5,1\n", ["A", "B"],
         "'#', 'Mean (all)', 'Place'"),
    ],
)  # fmt: skip
def test_summaries_and_texts_do_not_vote_which_is_said(votes, text, voters, left):
    with pytest.warns(UserWarning, match="Voters are") as said:
        found = read_ballots(votes(text), scores=text == SKATE)
    assert found.columns.tolist() == voters
    assert "Ann" in found.index
    assert f"Voters are {', '.join(map(repr, voters))}; left out: {left} " in str(said[0].message)


def test_voters_that_are_named_vote_alone_even_summaries(votes):
    found = read_ballots(votes(SKATE), voters=["J2", "Total"], scores=True)
    assert found.columns.tolist() == ["J2", "Total"]


def test_voters_that_are_named_leave_columns_for_the_names(votes):
    table = votes("ann,film,bob\n1,Up,2\n2,Her,1\n")
    assert read_ballots(table, voters=["ann", "bob"]).index.tolist() == ["Up", "Her"]
    with pytest.raises(ValueError, match="no column of names beside the voters"):
        read_ballots(table, voters=["ann", "film", "bob"])
    with pytest.raises(ValueError, match=r"no column 'anne'.*did you mean 'ann'"):
        read_ballots(table, voters=["anne"])


def test_orders_have_no_columns_of_voters(tmp_path):
    path = tmp_path / "votes.soc"
    path.write_text("# NUMBER ALTERNATIVES: 2\n3: 1,2\n")
    with pytest.raises(ValueError, match="no columns of voters"):
        read_ballots(path, voters=["ann"])


UNLIKE_PLACES = {
    "film,ann,bob\nUp,1.25,1\nHer,2,2\n": "1.25 for 'Up' in 'ann' is a fraction",
    "film,ann,bob\nUp,1.5,1\nHer,2,2\n": "1.5 for 'Up' in 'ann' is a fraction",
    "film,ann,bob\nUp,-1,1\nHer,1,2\n": "-1 for 'Up' in 'ann' is below 1",
    "film,ann,bob\nUp,1,1\nHer,8,2\n": "8 for 'Her' in 'ann' is larger than the number of items",
    "film,ann,bob\nUp,2,2\nHer,3,3\nM,3,3\n": "the smallest number in 'ann' is 2",
    "film,ann,bob\nUp,1/5,2/5\nHer,2/5,1/5\n": "'1/5' in row 2 of 'ann' is a grade",
    "film,ann,bob\nUp,★★,★\nHer,★,★★\n": "'★★' in row 2 of 'ann' is a grade",
}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("text", UNLIKE_PLACES)
def test_numbers_that_look_like_scores_are_refused_with_the_remedies(votes, text):
    table = votes(text)
    with pytest.raises(ValueError, match="--scores if larger is better, --positions") as refusal:
        read_ballots(table)
    assert UNLIKE_PLACES[text] in str(refusal.value)
    assert len(read_ballots(table, scores=True)) == len(read_ballots(table, scores=False))


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    "text",
    [
        "film,ann,bob\nUp,1.5,1\nHer,1.5,2\nM,3,3\n",  # tied by halves
        "film,ann,bob\nUp,2,1\nHer,2,2\nM,2,3\n",  # all tied: (1 + 3) / 2
        "film,ann,bob\nUp,1,2\nHer,2,\nM,3,3\n",  # one voter leaves the best one out
        "film,ann,bob\nUp,1,1\nHer,3+,2\nM,3+,3\n",  # a band without an end
    ],
)
def test_places_with_ties_and_gaps_are_places(votes, text):
    assert read_ballots(votes(text)).shape == (len(text.splitlines()) - 1, 2)


def test_scores_are_not_read_as_ranks_are_printed(votes):
    table = votes("wine,ann,bob\nUp,91+,95\nHer,93,94\nM,94,91\n")
    with pytest.warns(UserWarning, match="a score without an upper end") as said:
        found = read_ballots(table, scores=True)
    assert found["ann"].tolist() == [91.5, 93, 94]
    assert not any("Ranks in" in str(one.message) for one in said)
    with pytest.raises(ValueError, match="not a number: '1st'"):
        read_ballots(votes("wine,ann,bob\nUp,1st,95\nHer,2nd,94\n"), scores=True)


def test_a_voter_who_is_the_column_of_names_too_does_not_vote(votes):
    table = votes("film,ann,bob\nUp,1,2\nHer,2,1\n")
    found = read_ballots(table, item="film", voters=["film", "ann"])
    assert found.to_dict() == {"ann": {"Up": 1, "Her": 2}}


def test_the_voters_are_told_before_anything_else(votes):
    table = votes("2019,,\nfilm,ann,bob\nUp,1,2\nHer,2,1\n")
    with pytest.warns(UserWarning, match="Voters") as said:
        read_ballots(table, item="film")
    assert [str(one.message) for one in said] == [
        "votes.csv: Voters are 'ann', 'bob'.",
        "votes.csv: Row 2 is the header; above it: '2019'.",
    ]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    ("text", "names", "voters"),
    [
        ("row,Name,A,B\n1,Ann,1,2\n2,Bob,2,1\n", "Name", [*"AB"]),
        ("Place,Name,A,B\ngold,Ann,1,2\nsilver,Bob,2,1\n", "Name", [*"AB"]),
        ("Rank,Club,Name,A,B\n1,x,Ann,1,2\n2,x,Bob,2,1\n", "Name", [*"AB"]),
        ("Rank,A,Name,B\n1,1,Ann,2\n2,2,Bob,1\n", "Name", [*"AB"]),
        ("Year,Rank,A\n1,1,2\n2,2,1\n", "Year", ["Rank", "A"]),  # nothing else names them
        ("Name,A,B,index\nAnn,1,2,1\nBob,2,1,2\n", "Name", [*"AB"]),
        ("Name,A,Total\nAnn,1,2\nBob,2,1\n", "Name", ["A", "Total"]),  # one alone is no vote
        ("Name,A,B,Total\nAnn,1,2,1\nBob,2,1,2\n", "Name", [*"AB"]),
    ],
)
def test_names_are_different_texts_and_voters_neither_texts_nor_summaries(
    votes, text, names, voters
):
    found = read_ballots(votes(text))
    assert found.index.name == names
    assert found.columns.tolist() == voters


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("film,ann,bob,cid\nUp,1,2,\nHer,2,1,\n", "column 'cid': every value is missing"),
        ("film,ann,bob\nUp,won,1\nHer,2nd,2\n", "column 'ann': not a number: 'won' in row 2"),
    ],
)
def test_voters_who_name_no_place_or_not_always_are_refused_and_not_left_out(votes, text, said):
    with pytest.raises(ValueError, match=said):
        read_ballots(votes(text))


@pytest.mark.parametrize(
    ("cells", "others"),
    [("91+ 93 94", " was"), ("91+ 93+ 94", " and others like it were")],
)
def test_scores_without_an_upper_end_are_shown_by_the_first(votes, cells, others):
    one, other, last = cells.split()
    table = votes(f"wine,ann,bob\nUp,{one},95\nHer,{other},94\nM,{last},91\n")
    with pytest.warns(UserWarning, match="upper end") as said:
        read_ballots(table, scores=True)
    shown = f"'91+' (row 2, column 'ann'){others} read as 91.5: a score without an upper end."
    assert str(said[-1].message) == f"votes.csv: {shown}"


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ("1.25,1 1.75,2", "1.25 for 'a' in 'ann' is a fraction"),
        ("0,1 1,2", "0 for 'a' in 'ann' is below 1"),
        ("1,1 2,2 4,3", "4 for 'c' in 'ann' is larger than the number of items, 3"),
        ("1,1 2,2 3,3", None),
        ("2,2 2,2 3,3", "the smallest number in 'ann' is 2"),
        ("1.5,1.5 1.5,1.5 3,3", None),  # the mean place of the first two
    ],
)
def test_numbers_are_positions_up_to_the_edges_of_what_ties_explain(votes, cells, said):
    rows = (f"{name},{row}\n" for name, row in zip("abc", cells.split(), strict=False))
    table = votes(f"film,ann,bob\n{''.join(rows)}")
    if said is None:
        assert len(read_ballots(table)) == 3
    else:
        with pytest.raises(ValueError, match=f"rather than positions: {said}"):
            read_ballots(table)


def test_a_table_of_words_alone_has_voters_who_are_refused_with_a_cell(votes):
    with pytest.raises(ValueError, match="column 'ann': not a number: 'won' in row 2"):
        read_ballots(votes("film,ann,bob\nUp,won,lost\nHer,lost,won\n"))
