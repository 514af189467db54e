"""What is said of rows that were skipped or left out."""

import pytest

from rankwright.data.remarks import nameless_notes, reading_notes, row_name


@pytest.mark.parametrize(
    ("remarks", "said"),
    [
        ([["* tied", "", "in 2015"]], "from row 8 on: '* tied in 2015'."),
        ([["* tied"], ["", ""], ["Source: us"]], "from row 8 on: '* tied' and 1 more."),
        ([["* tied"], ["a"], ["b"]], "from row 8 on: '* tied' and 2 more."),
        ([["x" * 70], ["y"]], f"on: '{'x' * 60}...' and 1 more."),
        ([["y"], ["x" * 70]], "on: 'y' and 1 more."),
        ([["x" * 60]], f"on: '{'x' * 60}'."),
        ([["x" * 59 + " y"]], f"on: '{'x' * 59}...'."),
    ],
)
def test_remarks_are_told_by_the_first_of_them_and_their_number(remarks, said):
    (note,) = reading_notes(0, [], remarks, 7)
    assert note.endswith(said)


def test_nothing_is_said_of_nothing():
    assert reading_notes(0, [], [["", ""], []], 7) == []
    assert nameless_notes([], [["a"]]) == []


def test_row_names_get_a_name_that_is_free():
    assert row_name(["mpg"]) == "row name"
    assert row_name(["mpg", "row name"]) == "row name (2)"
