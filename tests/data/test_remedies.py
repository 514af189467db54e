import pandas as pd
import pytest

from rankwright.data import read_items, read_table
from rankwright.data.remedies import filled_where_marked

FRAME = pd.DataFrame(
    {"name": list("ABCD"), "zoom": [5, None, 3, 2], "pay": [9, 8, 7, 6], "rank": [1, 2, 3, 4]}
)
TABLE = read_table(FRAME, item="name", target="rank")


@pytest.mark.parametrize(
    ("missing", "items", "factors", "said"),
    [
        ("rows", "ACD", ["zoom", "pay"], "1 row left out because a factor is missing: 'B'"),
        ("factors", "ABCD", ["pay"], "1 factor left out because of gaps: zoom"),
        ("medians", "ABCD", ["zoom", "pay"], "1 gap filled with the factor's median, in zoom"),
        ("indicators", "ABCD", ["zoom", "pay", "zoom is missing"], "where each was missing"),
    ],
)
def test_each_remedy_leaves_no_gap_and_says_what_it_did(missing, items, factors, said):
    table = TABLE.complete(missing)
    assert "".join(table.items) == items
    assert list(table.X.columns) == factors
    assert not table.X.isna().to_numpy().any()
    assert len(table.y) == len(table.printed) == len(items)
    assert said in table.notes[-1]


def test_gaps_are_filled_with_the_median_and_marked():
    table = TABLE.complete("indicators")
    assert table.X["zoom"].tolist() == [5, 3, 3, 2]
    assert table.X["zoom is missing"].tolist() == [0, 1, 0, 0]


def test_an_unknown_remedy_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match="missing='zero'; choose from rows, factors, medians, ind"):
        TABLE.complete("zero")


def test_leaving_out_every_factor_is_refused():
    frame = FRAME.drop(columns="pay")
    with pytest.raises(ValueError, match="every factor of the frame is missing somewhere"):
        read_table(frame, item="name", target="rank").complete("factors")


def test_a_factor_that_marks_gaps_is_made_again_where_it_is_asked_for():
    factors = ["zoom", "pay", "zoom is missing"]
    X = read_items(FRAME, item="name", factors=factors).X
    assert X["zoom is missing"].tolist() == [0, 1, 0, 0]
    filled, (note,) = filled_where_marked(X, {"zoom": 4.0}, "m.rw")
    assert filled["zoom"].tolist() == [5, 4, 3, 2]
    assert "1 gap in 'zoom' filled with 4, as in the fit of m.rw" in note
    filled, (note,) = filled_where_marked(X, {}, "m.rw")
    assert filled["zoom"].tolist() == [5, 3, 3, 2]
    assert "m.rw does not keep that of its fit" in note


PAY = ["pay", "pay is missing"]


def test_gaps_that_no_factor_marks_stay():
    X = read_items(FRAME, item="name", factors=["zoom", "pay"]).X
    filled, notes = filled_where_marked(X, {"zoom": 4.0}, "m.rw")
    assert filled is X
    assert not notes
    X = read_items(FRAME.assign(pay=[9, None, 7, 6]), item="name", factors=["zoom", *PAY]).X
    filled, (note,) = filled_where_marked(X, {"zoom": 4.0, "pay": 1.0}, "m.rw")
    assert filled["zoom"].isna().tolist() == [False, True, False, False]
    assert filled["pay"].tolist() == [9, 1, 7, 6]
    assert note == "1 gap in 'pay' filled with 1, as in the fit of m.rw."


def test_a_factor_that_nobody_has_can_not_be_filled():
    X = pd.DataFrame({"pay": [float("nan")] * 4, "pay is missing": [1.0] * 4})
    with pytest.raises(ValueError, match=r"'pay' is missing in every row, and m\.rw does not keep"):
        filled_where_marked(X, {}, "m.rw")
    assert filled_where_marked(X, {"pay": 2.0}, "m.rw")[0]["pay"].tolist() == [2] * 4


def test_leaving_out_every_row_is_refused():
    frame = FRAME.assign(pay=[None, 8, None, None])
    with pytest.raises(ValueError, match="every row of the frame has a missing factor"):
        read_table(frame, item="name", target="rank", factors=["zoom", "pay"]).complete("rows")


def test_an_answer_that_is_missing_is_marked_too():
    frame = FRAME.assign(kind=["p", "q", None, "p"])
    X = read_items(frame, item="name", factors=["kind = q", "kind = q is missing"]).X
    assert X["kind = q is missing"].tolist() == [0, 0, 1, 0]


def few(**columns):
    frame = pd.DataFrame({"name": range(10), "rank": range(1, 11)} | columns)
    return read_table(frame, item="name", target="rank", factors=list(columns)).complete("few")


def test_few_values_are_lost_to_a_factor_that_hardly_anybody_has():
    table = few(a=range(10), b=[1, *[None] * 9], c=[*range(9), None])
    assert list(table.X.columns) == ["a", "c"]
    assert len(table) == 9
    assert "'b' (9 gaps)" in table.notes[-1]


def test_rows_from_before_anything_was_measured_do_not_cost_the_factors():
    half = [None] * 6 + [4, 3, 2, 1]
    table = few(a=half, b=half, c=half)
    assert table.X.shape == (4, 3)
    assert any("6 rows left out" in note for note in table.notes)


def test_of_factors_with_as_many_gaps_the_first_is_kept_if_half_of_what_is_known_is_left():
    table = few(a=[None] * 4 + [1, 2, 3, 4, 5, 6], b=[7, 8, 9, 1] + [None] * 4 + [2, 3])
    assert list(table.X.columns) == ["a"]
    assert table.X["a"].tolist() == [1, 2, 3, 4, 5, 6]


def test_of_many_factors_with_as_many_gaps_the_first_are_kept():
    early, late = [1, 2, 3, 4, 5, 6, *[None] * 4], [None] * 4 + [1, 2, 3, 4, 5, 6]
    columns = {}
    for j in range(15):
        columns |= {f"q{j}": early if j < 10 else late, f"rare {j}": [1, *[None] * 9]}
    assert list(few(**columns).X.columns) == [f"q{j}" for j in range(10)]


def test_gaps_are_filled_where_most_of_what_is_known_would_be_lost():
    table = few(a=[5, 5, 5, 5, *[None] * 6], b=[*[None] * 4, 1, 2, 3, 4, None, None],
                c=[*[None] * 8, 1, 2])  # fmt: skip
    assert table.X.shape == (10, 3)
    assert "20 gaps filled" in table.notes[-1]
    table = few(**{f"q{j}": [None if i // 2 == j else i for i in range(10)] for j in range(5)})
    assert table.X.shape == (10, 5)
    assert "10 gaps filled" in table.notes[-1]


def test_as_many_values_with_more_factors_are_better():
    table = few(a=range(10), b=[1, 2, 3, 4, 5, *[None] * 5], c=range(3, 13))
    assert list(table.X.columns) == ["a", "c"]  # 20 values, beside 15 with b and 10 of one factor
    assert table.notes[-1] == "1 factor left out because of gaps: 'b' (5 gaps)."
    table = few(a=range(10), b=[1, 2, 3, 4, 5, *[None] * 5])
    assert list(table.X.columns) == ["a", "b"]  # 10 values either way
    assert table.notes[-1].startswith("5 rows left out")


@pytest.fixture
def guide():
    """A guide of 40 schools, of which the best and one in the middle have no survey."""
    frame = pd.DataFrame({"name": [f"school {i + 1}" for i in range(40)], "rank": range(1, 41)})
    frame["pay"], frame["survey"] = range(90, 50, -1), [None, *range(38, 19, -1), None] + [5.5] * 19
    return read_table(frame, item="name", target="rank")


def test_items_at_the_top_that_are_left_out_are_named(guide):
    *_, rows, top = guide.complete("few").notes
    assert rows.startswith("2 rows left out")
    assert top == (
        "Published at the top, but left out: 'school 1' (place 1). What is found says nothing of "
        "them."
    )
    assert not any("at the top" in note for note in guide.complete("medians").notes)


def test_a_table_without_gaps_is_not_said_to_have_some(guide):
    assert any("NaN" in note for note in guide.notes)
    assert not any("NaN" in note for note in guide.complete("medians").notes)
