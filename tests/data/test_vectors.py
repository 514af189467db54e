import datetime
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankwright as rw
from rankwright.data import check_target
from rankwright.data.vectors import as_array, one_for_each, weight_of_each


@pytest.mark.parametrize(
    ("values", "n", "said"),
    [
        ([1, 2], 3, r"costs have shape \(2,\); give one for each item, 3 in all$"),
        ([[1], [2]], 2, r"costs have shape \(2, 1\); give one for each item, 2 in all$"),
        ([[1], [2]], None, r"costs have shape \(2, 1\); give one for each item$"),
        (1.0, None, r"costs have shape \(\); give one for each item$"),
        (["dear"], 1, "costs holds .dear., which is not a number; give one for each item$"),
    ],
)
def test_what_is_no_list_of_numbers_is_refused_in_words(values, n, said):
    with pytest.raises(ValueError, match=said):
        one_for_each("costs", values, n, "item")


def test_numbers_come_back_as_they_are():
    assert one_for_each("costs", [2, -1, np.inf], None, "item").tolist() == [2, -1, np.inf]
    assert one_for_each("costs", np.array([], dtype=int), None, "item").tolist() == []


def test_weights_may_be_small_and_zero():
    assert weight_of_each("weights", [0.0, 0.5, 2.0], 3, "voter").tolist() == [0, 0.5, 2]


@pytest.mark.parametrize("wrong", [-0.5, np.inf, -np.inf, np.nan])
def test_the_first_weight_that_is_none_is_named(wrong):
    with pytest.raises(ValueError, match=f"voter 1 has weight {wrong} in weights; weights are fin"):
        weight_of_each("weights", [1.0, wrong, -1.0], 3, "voter")


DATES = "give numbers, such as the days since a date"
TIMES = [
    (np.array(["2020", "NaT"], dtype="datetime64[D]"), DATES),
    (pd.Series(pd.to_datetime(["2020", None])), DATES),
    (pd.Series(pd.to_datetime(["2020", None])).dt.tz_localize("UTC"), DATES),
    (pl.Series([datetime.date(2020, 1, 1), None]), DATES),
    ([pd.Timestamp("2020"), pd.NaT], DATES),
    ([datetime.date(2020, 1, 1)] * 2, DATES),
    (np.array([np.datetime64("NaT"), np.datetime64("2020", "D")], dtype=object), DATES),
    (np.array([1, "NaT"], dtype="timedelta64[s]"), "give numbers, such as their seconds"),
    ([datetime.timedelta(days=1), 2.0], "give numbers, such as their seconds"),
    (np.array([1 + 2j, 3]), "give real numbers"),
]


@pytest.mark.parametrize(("values", "remedy"), TIMES)
def test_times_of_every_kind_are_refused_by_every_door_with_the_remedy(values, remedy):
    doors = (
        lambda: one_for_each("scores", values, None, "row"),
        lambda: rw.positions(values),
        lambda: rw.metrics.kendall_tau([1, 2], values),
        lambda: rw.Rankings.from_rows(np.zeros((2, 1)), values),
        lambda: rw.aggregate(np.column_stack([np.asarray(values), np.asarray(values)])),
    )
    for door in doors:
        with pytest.raises(ValueError, match=remedy):
            door()


def test_the_first_time_among_numbers_is_named():
    with pytest.raises(ValueError, match=r"scores holds datetime\.timedelta\(days=1\), which is"):
        one_for_each("scores", [2.0, datetime.timedelta(days=1)], None, "row")


WHOLE = [2**60 + place for place in range(5)]


@pytest.mark.parametrize(
    "values",
    [
        WHOLE,
        np.array(WHOLE),
        np.array(WHOLE, dtype=np.uint64),
        np.array(WHOLE, dtype=object),
        pd.Series(WHOLE, dtype="Int64"),
        pl.Series(WHOLE),
        [*WHOLE[1:], -1.5],
        [2**63 + 1, 2**53 + 1, -1],
        [10**400, 1],
        [10**5000, 1],
        [-(2**53) - 1, 0],
        [Fraction(2**54 + 1), 0],
        list(map(str, WHOLE)),
        np.array(list(map(str, WHOLE)), dtype=object),
    ],
)
def test_a_whole_number_that_floats_would_round_is_refused_and_not_tied(values):
    for door in (rw.positions, lambda scores: rw.metrics.kendall_tau(scores, scores)):
        with pytest.raises(ValueError, match=r"holds .* in row [01], which floats can't tell from"):
            door(values)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([1, 10**400], "a number of more than 40 digits in row 1"),
        ([1, 10**40], "a number of more than 40 digits in row 1"),
        ([10**40 - 1, 1], "9{40} in row 0"),
        ([1, 2**53 + 1], "9007199254740993 in row 1"),
    ],
)
def test_a_whole_number_that_is_refused_is_shown_with_its_row(values, said):
    with pytest.raises(ValueError, match=f"scores holds {said}, which floats can't tell from"):
        one_for_each("scores", values, None, "row")


@pytest.mark.parametrize(
    "values", [[2**53, -(2**53)], [1e300, 2.0**60], [2**60, 2**61], [np.inf, -np.inf], [10**20, 1]]
)
def test_large_numbers_that_floats_hold_stay_what_they_are(values):
    assert one_for_each("scores", values, None, "row").tolist() == values
    assert one_for_each("scores", np.array(values), None, "row").tolist() == values


def test_numbers_of_a_list_that_numpy_would_round_stay_as_they_are():
    assert as_array("y", [2**63, -1]).tolist() == [2**63, -1]
    assert as_array("y", [2**53 + 1, 0.5]).tolist() == [2**53 + 1, 0.5]
    assert as_array("y", [1, 2.5]).dtype == np.float64


def test_an_array_of_large_floats_is_no_array_of_objects():
    large = np.array([1e300, 2.0])
    assert as_array("y", large) is large


def test_measurements_are_rounded_to_floats_however_they_are_written():
    thirds = np.array([2**60, 2**61], dtype=np.longdouble) / 3
    assert one_for_each("scores", thirds, None, "row").tolist() == [2**60 / 3, 2**61 / 3]
    digits = ["9" * 400, f" {2**60} "]
    assert one_for_each("scores", digits, None, "row").tolist() == [np.inf, 2**60]
    texts = np.array(["1e300", 2.0], dtype=object)
    assert one_for_each("scores", texts, None, "row").tolist() == [1e300, 2]


def test_what_a_ranker_keeps_of_y_is_its_own():
    y = np.array([1.0, 2.0])
    assert not np.shares_memory(check_target(y, 2), y)
