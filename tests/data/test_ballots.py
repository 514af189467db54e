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
    with pytest.warns(UserWarning, match="1,234"):
        found = read_ballots(votes("film;ann;bob\nUp;1st;1,234\nHer;2nd;2,345\n"))
    assert found["bob"].tolist() == [1.234, 2.345]


def test_how_printed_positions_were_read_is_warned_of(votes):
    with pytest.warns(UserWarning, match=r"'ann' read as printed: 2 such as '2-3' as a band"):
        read_ballots(votes("film,ann\nUp,1\nHer,2-3\nJaws,2-3\n"))
