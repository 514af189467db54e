"""What is said of a table: names, ties, groups, gaps, and a target that looks wrong."""

import numpy as np
import pandas as pd
import pytest

from rankwright.data import read_table
from rankwright.data.observations import (
    begun_again,
    count,
    direction,
    doubts,
    duplicates,
    examples,
    gone_from_top,
    lone_items,
    missing_factors,
    stand_ins,
    ties,
)
from rankwright.data.sheet import numbers
from rankwright.data.sources import as_sheet

GROUPS = np.array([*"ppqq"])


def test_numbers_are_written_with_their_noun():
    assert [count(n, "row") for n in (0, 1, 2, 1234)] == ["0 rows", "1 row", "2 rows", "1,234 rows"]


@pytest.mark.parametrize(
    ("values", "total", "said"),
    [("ab", 2, "a, b"), ("abc", 3, "a, b, c"), ("abcd", 4, "a, b, c and 1 more"), ("", 0, "")],
)
def test_three_of_many_are_shown(values, total, said):
    assert examples(values, total) == said


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["1,234", "5"], "'1,234' (row 0, column 'x') was read as 1234: nothing in the table "
         "settles whether the comma is a decimal mark or separates thousands."),
        (["5", "4.761"], "'4.761' (row 1, column 'x') was read as 4.761: nothing in the table "
         "settles whether the point is a decimal mark or separates thousands."),
        (["5", "6"], None),
    ],
)  # fmt: skip
def test_marks_in_doubt_are_told_with_their_cell(texts, said):
    sheet = as_sheet(pd.DataFrame({"x": texts}), [])
    assert doubts(sheet, {"x": numbers(sheet, "x")}) == ([] if said is None else [said])


@pytest.mark.parametrize(
    ("names", "groups", "said"),
    [
        ("ABCD", None, None),
        ("ABAB", None, "2 item names used more than once, such as 'A' (rows 2, 4); all these"),
        ("AAAA", None, "1 item name used more than once, such as 'A' (rows 2, 3, 4); all these"),
        ("ABAB", GROUPS, None),
        ("AABC", GROUPS, "1 item name used more than once within a group, such as 'A' (rows 2, 3)"),
        ("ABBB", GROUPS, "such as 'B' (rows 4, 5);"),  # not the one of another group
    ],
)
def test_names_are_repeated_within_their_group(names, groups, said):
    found = duplicates(pd.Index([*names]), range(2, 6), groups)
    assert len(found) == (said is not None)
    assert said is None or said in found[0]


@pytest.mark.parametrize(
    ("y", "groups", "said"),
    [
        ([4, 3, 2, 1], None, None),
        ([4, 3, 3, 1], None, "2 items tied with another ('B', 'C' share a place)"),
        ([4, 3, 4, 3], None, "4 items tied with another ('A', 'C' share a place)"),
        ([3, 3, 3, 3], None, "nothing to learn"),
        ([4, 3, 4, 3], GROUPS, None),
        ([4, 4, 4, 3], GROUPS, "2 items tied with another ('A', 'B' share a place)"),
        ([4, 4, 3, 3], GROUPS, "nothing to learn"),
    ],
)
def test_ties_are_told_within_groups(y, groups, said):
    found = ties(np.array(y, dtype=float), pd.Index([*"ABCD"]), groups)
    assert len(found) == (said is not None)
    assert said is None or said in found[0]


def test_a_group_of_one_does_not_make_all_items_tied():
    (said,) = ties(np.array([4.0, 4.0, 3.0]), pd.Index([*"ABC"]), np.array([*"ppq"]))
    assert said.startswith("2 items tied")
    groups = np.array([*"ppqqqq"])
    (said,) = ties(np.array([4.0, 4.0, 3.0, 3.0, 2.0, 2.0]), pd.Index([*"ABCDEF"]), groups)
    assert said.startswith("6 items tied")


def test_places_of_other_groups_share_nothing():
    groups = np.array([*"pqppp"])
    (said,) = ties(np.array([9.0, 9.0, 9.0, 2.0, 1.0]), pd.Index([*"ABCDE"]), groups)
    assert said.startswith("2 items tied with another ('A', 'C' share")


@pytest.mark.parametrize(
    ("groups", "said"),
    [
        (None, []),
        (GROUPS, []),
        (np.array([*"pr"]), ["2 groups with a single item ('p', 'r'): nothing to compare there."]),
    ],
)
def test_groups_of_one_are_named(groups, said):
    assert lone_items(groups) == said


def test_gaps_are_told_by_factor_and_row():
    X = pd.DataFrame({"a": [1, np.nan, 3], "b": [1.0, 2, 3], "c": [np.nan, np.nan, 1]})
    assert missing_factors(X, [2, 3, 4]) == [
        "Factor 'a' is missing in 1 row (row 3).",
        "Factor 'c' is missing in 2 rows (row 2, 3).",
        "Missing factors are NaN in X; .complete() leaves their rows out.",
    ]
    assert missing_factors(X[["b"]], [2, 3, 4]) == []


@pytest.mark.parametrize(
    ("n", "gone", "said"),
    [
        (9, [1], None),  # no tenth of a place
        (10, [1, 2], "'item 1' (place 1)"),
        (29, [3], None),
        (30, [1, 3, 4], "'item 1' (place 1), 'item 3' (place 3)"),
        (150, [10, 11, 15], "'item 10' (place 10)"),  # ten at most
        (90, [5, 2, 8, 3], "'item 2' (place 2), 'item 3' (place 3), 'item 5' (place 5) and 1 more"),
    ],
)
def test_items_of_the_first_tenth_that_are_left_out_are_named(n, gone, said):
    order = [*gone, *(place for place in range(1, n + 1) if place not in gone)]
    places = pd.Series(order, index=[f"item {place}" for place in order])
    found = gone_from_top(places, None, places.isin(gone).to_numpy())
    told = f"Published at the top, but left out: {said}. What is found says nothing of them."
    assert found == ([] if said is None else [told])


def test_the_top_is_that_of_each_group_and_equals_are_named_as_they_stand():
    groups = np.repeat([f"list {i}" for i in range(40)], 20)
    places = pd.Series([*range(1, 21)] * 40, index=[f"item {i}" for i in range(800)])
    (said,) = gone_from_top(places, groups, np.ones(800, dtype=bool))
    assert "'item 0' (place 1), 'item 20' (place 1), 'item 40' (place 1) and 77 more" in said


REMEDIES = {
    "rank": ("a rank (1 is best)", "larger is better, pass target_is='score'"),
    "score": ("a score (larger is better)", "1 is best, pass target_is='rank'"),
}


@pytest.mark.parametrize(
    ("target_is", "target", "values", "said"),
    [
        ("rank", "rank", [1, 2, 3], None),
        ("rank", "rank", [1.5, 1.5, 3], None),  # shared places
        ("rank", "rank", [2, 2, 2, 4], None),
        ("rank", "rank", [1, 2.4, 3], "2.4 (row 3) is not a whole number"),
        ("rank", "rank", [2, 3, 4], "the smallest value is 2"),
        ("rank", "rank", [1.5, 3, 4], "the smallest value is 1.5"),
        ("rank", "rank", [2, 0, 1], "0 (row 3) is below 1"),
        (
            "rank",
            "rank",
            [2, 3.2, 0.5],
            "3.2 (row 3) is not a whole number and 0.5 (row 4) is below 1",
        ),
        ("rank", "Stars", [1, 2, 3], "its name suggests a score"),
        ("rank", "graduates", [1, 2, 3], None),
        ("score", "pay", [3, 1, 2], "it holds each of 1 to 3 once, as ranks do"),
        ("score", "pay", [2, 1], None),
        ("score", "pay", [3, 1, 1], None),
        ("score", "World Rank", [3, 1, 1], "its name suggests a rank"),
        ("score", "frank", [3, 1, 1], None),
        ("score", "range", [3, 1, 1], None),
    ],
)
def test_ranks_that_look_like_scores_and_scores_that_look_like_ranks_are_told(
    target_is, target, values, said
):
    found = direction(target, target_is, np.array(values, dtype=float), range(2, 9))
    read_as, remedy = REMEDIES[target_is]
    told = f"Column {target!r} was read as {read_as}, but {said}; if {remedy}."
    assert found == ([] if said is None else [told])


@pytest.mark.parametrize(
    ("ranks", "begins"),
    [
        ([1, 2, 3, 1, 2, 3], "row 5"),
        ([1, 2, 2, 1, 1, 3, 1, 2], "row 5, 8"),
        ([1, 1, 3, 4], None),
        ([1, 2, 3, 1], None),  # a last item may share the first place
        ([2, 1, 3, 1, 2], None),  # rows that do not stand by their ranks
        ([1, 3, 2, 1, 2, 3], None),
        ([2, 3, 1, 2], None),
        ([1], None),
    ],
)
def test_ranks_that_run_up_from_1_again_may_be_of_another_list(ranks, begins):
    notes = begun_again("rank", np.array(ranks, dtype=float), pd.RangeIndex(2, len(ranks) + 2))
    said = [f"Ranks in 'rank' begin again at 1 in {begins}: if these are"] if begins else []
    assert [note[: len(said[0])] if said else note for note in notes] == said


@pytest.mark.parametrize(("group", "is_told"), [(None, True), ("list", False)])
def test_ranks_begin_again_only_where_no_group_tells_them_apart(group, is_told):
    frame = pd.DataFrame({"name": list("abcdef"), "zoom": [5, 3, 1, 6, 4, 2], "list": [*"pppqqq"]})
    table = read_table(frame.assign(rank=[1, 2, 3] * 2), item="name", target="rank", group=group)
    assert any("begin again at 1 in row 3" in note for note in table.notes) is is_told


@pytest.mark.parametrize(
    ("some", "others", "said"),
    [
        ([-999, -999], range(20_000, 20_010), "-999 in column 'x' (2 rows: 0, 1)"),
        ([999], range(70, 80), "999 in column 'x' (1 row: 0)"),
        ([-99], range(10), "-99 in column 'x' (1 row: 0)"),
        ([9999, -9999], range(10), "-9999 in column 'x' (1 row: 1)"),
        ([-99], range(-40, -30), None),
        ([-999], range(-40, -30), "-999 in column 'x'"),
        ([999], range(900, 910), None),
        ([99], range(10), None),  # may well be a value
        ([999], range(9), None),
    ],
)
def test_nines_far_outside_of_a_column_may_stand_for_missing(some, others, said):
    sheet = as_sheet(pd.DataFrame({"x": [*some, *others]}), [])
    notes = stand_ins(sheet, {"x": numbers(sheet, "x")})
    assert [note[: len(said or "")] for note in notes][:1] == ([said] if said else [])


def test_nines_are_told_of_in_factors_and_in_the_target():
    frame = pd.DataFrame({"name": list("abcdefghijkl"), "zoom": [-999, *range(70, 81)]})
    table = read_table(frame.assign(size=range(12)), item="name", target="zoom", target_is="score")
    assert any(note.startswith("-999 in column 'zoom'") for note in table.notes)
    table = read_table(frame.assign(rank=range(1, 13)), item="name", target="rank")
    assert any(note.startswith("-999 in column 'zoom'") for note in table.notes)


def nines_of(*values):
    sheet = as_sheet(pd.DataFrame({"x": values}, dtype=float), [])
    notes = stand_ins(sheet, {"x": numbers(sheet, "x")})
    return [int(note.split()[0]) for note in notes]


@pytest.mark.parametrize(
    ("value", "is_told"),
    [
        *[(value, True) for value in (-99, -999, 999, -9999, 9999, -99_999, 99_999)],
        *[(value, True) for value in (-999_999, 999_999)],
        *[(value, False) for value in (-9, 99, -98, 998, 1000, -9_999_999, 9_999_999)],
    ],
)
def test_two_nines_below_zero_and_three_to_six_of_either_sign_may_stand_for_missing(value, is_told):
    assert nines_of(value, *range(10)) == ([value] if is_told else [])


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ([999, *range(323, 333)], [999]),
        ([999, *range(324, 334)], []),  # three times the largest
        ([-999, -1, *range(324, 333)], [-999]),
        ([-999, -333, *range(324, 333)], []),
        ([-99, *range(30, 40)], [-99]),
        ([-99, *range(91, 101)], [-99]),
        ([-99, 0, *range(91, 100)], [-99]),
        ([-99, -1, *range(91, 100)], []),
        ([-999, *range(10), 999], [-999, 999]),
        ([999, *range(10), 1000], []),  # there are larger ones
        ([-999, *range(9)], []),
        ([-999, *range(9), np.nan], []),
        ([-999, *range(9), 999], []),
        ([-999, np.nan, *range(10), np.inf], [-999]),
        ([-999] * 12, []),
        ([np.nan] * 12, []),
        ([], []),
    ],
)
def test_nines_are_told_of_if_ten_other_values_are_far_or_none_of_them_is_below_zero(values, told):
    assert nines_of(*values) == told


def test_rows_of_nines_are_counted_and_named():
    frame = pd.DataFrame({"x": [-999.0, *range(10), -999.0]}, index=range(2, 14))
    sheet = as_sheet(frame, [])
    assert stand_ins(sheet, {"x": numbers(sheet, "x")}) == [
        "-999 in column 'x' (2 rows: 2, 13) is far from all other values: if it stands for "
        "missing, clear these cells."
    ]


def test_lists_that_begin_again_are_counted_and_their_rows_named():
    ranks = np.array([1.0, 2, 1, 1, 3, 1, 2])
    assert begun_again("rank", ranks, pd.RangeIndex(2, 9)) == [
        "Ranks in 'rank' begin again at 1 in row 4, 7: if these are 3 lists, name a column that "
        "tells them apart by group=...; until then all rows are compared."
    ]
