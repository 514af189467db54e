import numpy as np
import pandas as pd
import pytest

from rankwright.data import UnratedItems, read_items, read_numbers


def test_items_come_with_the_factors_in_the_order_asked_for(tmp_path):
    path = tmp_path / "new.csv"
    path.write_text("model;zoom;price;kind\nA1;3,5;100;p\nB2;10;;q\n", encoding="utf-8-sig")
    items = read_items(path, item="model", factors=["price", "zoom"], group="kind")
    assert items.X.columns.tolist() == ["price", "zoom"]
    assert items.X.loc["A1"].tolist() == [100, 3.5]
    assert items.groups.tolist() == ["p", "q"]
    assert any("'price' is missing in 1 row (row 3)" in note for note in items.notes)


def test_names_of_factors_may_come_in_an_index():
    frame = pd.DataFrame({"model": ["A1", "B2"], "zoom": [3, 5], "price": [9, 8]})
    items = read_items(frame, item="model", factors=frame.columns[1:])
    assert items.X.columns.tolist() == ["zoom", "price"]


def test_a_missing_factor_column_is_named():
    with pytest.raises(ValueError, match="has no column 'zoom'"):
        read_items(pd.DataFrame({"model": ["A"]}), item="model", factors=["zoom"])


def test_votes_are_positions_by_item_and_voter(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("film,ann,bob\nUp,1,2\nHer,2,\n")
    votes = read_numbers(path)
    assert votes.index.tolist() == ["Up", "Her"]
    assert votes["ann"].tolist() == [1, 2]
    assert votes["bob"].isna().tolist() == [False, True]


def test_a_vote_that_is_no_number_is_named_by_file_row_and_column(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("film,ann\nUp,1\nHer,second\n")
    with pytest.raises(ValueError, match=r"votes.csv, column 'ann'.*'second' in row 3"):
        read_numbers(path)


def test_an_item_named_twice_is_refused():
    with pytest.raises(ValueError, match="'Up' more than once"):
        read_numbers(pd.DataFrame({"film": ["Up", "Up"], "ann": [1, 2]}))


def test_a_cost_that_may_be_thousands_is_warned_of(tmp_path):
    path = tmp_path / "changes.csv"
    path.write_text("change,cost\nPolish,4.761\nPaint,3\n")
    with pytest.warns(UserWarning, match=r"changes.csv: '4.761' \(row 2.*was read as 4.761"):
        assert read_numbers(path)["cost"].tolist() == [4.761, 3]


TWICE = pd.DataFrame({"model": ["A", "B", "A"], "zoom": [1, 2, None]}, index=[2, 3, 4])


def test_a_name_of_several_rows_is_refused_with_the_rows_and_a_row_is_taken(tmp_path):
    path = tmp_path / "twice.csv"
    TWICE.to_csv(path, index=False)
    items = read_items(path, item="model", factors=["zoom"])
    with pytest.raises(ValueError, match="2 items called 'A', in row 2, row 4; give 'row 2' or"):
        items.find("A")
    assert items.find("row 4") == items.find("4") == 2
    with pytest.raises(ValueError, match="no item in row 9, or it was left out"):
        items.find("row 9")


def test_an_item_called_like_a_number_is_itself_rather_than_a_row(tmp_path):
    path = tmp_path / "numbers.csv"
    path.write_text("model,zoom\n3,1\nB,2\n")
    items = read_items(path, item="model", factors=["zoom"])
    assert (items.find("3"), items.find("row 3")) == (0, 1)


def test_leaving_out_one_of_two_rows_of_a_name_says_which_is_meant(tmp_path):
    path = tmp_path / "twice.csv"
    TWICE.to_csv(path, index=False)
    items = read_items(path, item="model", factors=["zoom"])
    left = items.keep(items.X["zoom"].notna().to_numpy())
    assert left.rows == (2, 3)
    assert left.notes[-1].startswith("'A' appears in several rows, of which only row 2 is left")
    assert not items.keep(np.ones(3, dtype=bool)).notes[len(items.notes) :]


def test_of_a_name_in_two_rows_both_of_which_are_left_nothing_is_said():
    frame = pd.DataFrame(
        {"model": ["A", "A", "A", "B"], "kind": list("ppqq"), "zoom": [1, 2, 3, 4]}
    )
    items = read_items(frame, item="model", factors=["zoom"], group="kind")
    left = items.keep(np.array([True, True, False, True]))
    assert left.notes == items.notes
    assert left.rows == (0, 1, 3)
    assert left.groups.tolist() == ["p", "p", "q"]
    assert left.X["zoom"].tolist() == [1, 2, 4]


def test_rows_that_are_not_known_are_named_by_their_place():
    items = UnratedItems(pd.DataFrame({"zoom": [1, 2, 3]}, index=list("BAA")), None, "here", ())
    with pytest.raises(ValueError, match="here has 2 items called 'A', in place 1, place 2; give"):
        items.find("A")
    assert items.competitors(1).index.tolist() == ["B", "A"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("row x", "has no item 'row x'$"),
        ("9", "has no item '9'$"),
        ("Alfa", "has no item 'Alfa'; did you mean 'Alf' or 'Alpha'[?]$"),
    ],
)
def test_a_name_that_is_not_there_is_told_with_names_like_it(name, said):
    frame = pd.DataFrame({"model": ["Alpha", "Beta", "Alf"], "zoom": [1, 2, 3]})
    with pytest.raises(ValueError, match=said):
        read_items(frame, item="model", factors=["zoom"]).find(name)


@pytest.mark.parametrize(
    "read", [lambda frame: read_items(frame, item="film", factors=["ann"]),
             lambda frame: read_items(frame, item="name", factors=["ann"], group="film"),
             lambda frame: read_numbers(frame, item="film")],
)  # fmt: skip
def test_a_missing_column_of_names_or_groups_is_named(read):
    with pytest.raises(ValueError, match="has no column 'film'"):
        read(pd.DataFrame({"name": ["Up", "Her"], "ann": [1, 2]}))


def test_the_names_may_stand_in_any_column_and_tell_the_header(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("2019,open,air\nann,film,bob\n1,Up,2\n2,Her,1\n")
    votes = read_numbers(path, item="film")
    assert votes.columns.tolist() == ["ann", "bob"]
    assert votes.index.tolist() == ["Up", "Her"]


def test_a_warning_points_to_the_line_that_reads(tmp_path):
    path = tmp_path / "changes.csv"
    path.write_text("change,cost\nPolish,4.761\nPaint,3\n")
    with pytest.warns(UserWarning, match="4.761") as caught:
        read_numbers(path)
    assert [one.filename for one in caught] == [__file__]


def test_what_was_understood_to_read_numbers_is_warned_of(tmp_path):
    path = tmp_path / "votes.csv"
    rows = [
        *(f"{name},{name * 3}%,{place}" for place, name in enumerate("12345", start=1)),
        "9,x,x",
    ]
    path.write_text("\n".join(["Votes 2026", "film,share,ann", *rows, "", "Average,,3"]))
    with pytest.warns(UserWarning, match=r"^(votes|t)\.csv: ") as warned:
        votes = read_numbers(path)
    said = [str(one.message).removeprefix("votes.csv: ") for one in warned]
    assert votes.index.tolist() == ["1", "2", "3", "4", "5", "9"]
    assert said == [
        "Row 2 is the header; above it: 'Votes 2026'.",
        "Blank rows skipped: 1.",
        "Rows left out as totals below the table: row 10 ('Average').",
        "Percentages read as fractions (5% is 0.05): share.",
        "Column 'share': 1 cell is not a number and counts as missing: 'x' in row 8.",
        "Column 'ann': 1 cell is not a number and counts as missing: 'x' in row 8.",
    ]
