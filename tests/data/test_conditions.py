import pandas as pd
import pytest

from rankwright.data import read_table

FRAME = pd.DataFrame(
    {
        "name": list("ABCD"),
        "year": ["2014", "2015", "2015", "2016"],
        "a <= b": [1, 2, 3, 4],
        "land": ["Chile", "Peru", "peru", ""],
        "pay": [9, 8, 7, 6],
        "rank": [1, 2, 3, 4],
    }
)


def names_where(*conditions):
    table = read_table(FRAME, item="name", target="rank", factors=["pay"], where=conditions)
    return "".join(table.items), table.notes


@pytest.mark.parametrize(
    ("condition", "names"),
    [
        ("year = 2015", "BC"),
        ("year=2015", "BC"),
        ("year == '2015'", "BC"),
        ("year != 2015", "AD"),
        ("year <= 2014", "A"),
        ("year > 2014.5", "BCD"),
        ("land = Peru", "BC"),
        ("land != Chile", "BCD"),
        ("a <= b >= 3", "CD"),
        ('"a <= b" < 2', "A"),
    ],
)
def test_rows_that_meet_a_condition_are_kept(condition, names):
    found, notes = names_where(condition)
    assert found == names
    assert f"{len(names)} row" in notes[0]


def test_conditions_hold_together():
    assert names_where("year = 2015", "rank > 2")[0] == "C"


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("year = 1999", r"no row of the frame meets 'year = 1999'; 'year' holds '2014', '2015'"),
        ("yaer = 2015", r"no column 'yaer' \(did you mean 'year'"),
        ("lnad != '<= 3'", r"no column 'lnad' \(did you mean 'land'"),
        ("year 2015", "is not a condition; write a column"),
        ("land < Peru", "can't be compared as numbers; use = or !="),
    ],
)
def test_a_condition_that_can_not_be_met_is_refused_with_the_remedy(condition, message):
    with pytest.raises(ValueError, match=message):
        names_where(condition)


@pytest.mark.parametrize(
    ("condition", "names"), [("land == peru", "BC"), ("land = 'PERU'", "BC"), ("land == ''", "D")]
)
def test_texts_are_compared_without_regard_to_capitals(condition, names):
    assert names_where(condition)[0] == names


def test_a_question_mark_is_no_quotation_mark():
    frame = FRAME.assign(**{"ok?": ["yes?", "yes", "no", "no"]})
    table = read_table(frame, item="name", target="rank", factors=["pay"], where=["ok? = yes?"])
    assert list(table.items) == ["A"]


def test_a_number_among_texts_is_compared_as_text():
    frame = FRAME.assign(code=["12", "x", "y", "z"])
    table = read_table(frame, item="name", target="rank", factors=["pay"], where=["code = 12"])
    assert list(table.items) == ["A"]
    with pytest.raises(ValueError, match="can't be compared as numbers"):
        read_table(frame, item="name", target="rank", factors=["pay"], where=["code < 20"])


def test_one_condition_needs_no_list():
    table = read_table(FRAME, item="name", target="rank", factors=["pay"], where="year >= 2015")
    assert "".join(table.items) == "BCD"


@pytest.mark.parametrize(("condition", "names"), [("zoom != 8", "CD"), ("zoom = n/a", "A")])
def test_a_cell_without_a_number_meets_no_number_and_its_own_word(condition, names):
    frame = FRAME.assign(zoom=["n/a", "8", "7", "6"])
    table = read_table(frame, item="name", target="rank", factors=["pay"], where=condition)
    assert "".join(table.items) == names
