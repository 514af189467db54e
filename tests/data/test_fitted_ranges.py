"""Factors in another unit than a model was fitted in."""

import numpy as np
import pandas as pd
import pytest

from rankwright.data.fitted_ranges import other_units

RANGES = np.array([[0.5, 2.7], [133.0, 972.0], [0.0, 1.0], [4.0, 4.0]])


def said(**columns):
    rest = {"clock": [1.0, 2.0], "mass": [200.0, 300.0], "share": [0.2, 0.3], "same": [9.0, 9.0]}
    return other_units(pd.DataFrame(rest | columns), RANGES)


def test_values_of_the_range_and_of_what_never_varied_are_not_doubted():
    assert said() == []
    assert other_units(pd.DataFrame({"clock": [1e9]}), None) == []


def test_a_factor_far_above_or_below_is_named_with_both_ranges():
    assert said(clock=[2000.0, 3500.0]) == [
        "'clock' runs from 2000 to 3500 here, from 0.5 to 2.7 where the model was fitted: "
        "another unit?"
    ]
    assert len(said(mass=[0.2, 0.3])) == 1  # kilograms
    assert len(said(share=[20.0, 30.0], mass=[-800.0, -900.0])) == 2


@pytest.mark.parametrize("mass", [[1e6, 300.0], [np.nan, 300.0], [np.nan, np.nan], [1000.0, 1800]])
def test_single_rows_gaps_and_what_is_not_far_are_not_doubted(mass):
    assert said(mass=mass) == []


@pytest.mark.parametrize(
    ("low", "high", "value", "is_far"),
    [
        (100.0, 200.0, 300.0, False),
        (100.0, 200.0, 300.5, True),
        (100.0, 200.0, 50.0, False),  # a half, as the least is of the largest
        (100.0, 200.0, 49.5, True),
        (100.0, 200.0, 0.25, True),
        (100.0, 200.0, 0.0, False),  # no ratio tells how far that is
        (100.0, 200.0, -0.5, True),
        (150.0, 200.0, 100.0, True),
        (150.0, 200.0, 112.5, False),
        (0.0, 1.0, -1.0, False),
        (0.0, 1.0, -1.5, True),
        (0.0, 1.0, 2.0, False),
        (0.0, 1.0, 2.5, True),
        (0.0, 1.0, 1e-9, False),
        (0.5, 1.0, 0.25, False),
        (0.5, 1.0, 0.125, True),
        (-2.0, -1.0, -3.0, False),
        (-2.0, -1.0, -3.5, True),
        (-2.0, -1.0, 0.0, False),
        (-2.0, -1.0, 0.5, True),
        (100.0, 300.0, -0.5, False),
        (-0.5, 1.0, 0.125, False),  # a ratio to what is negative tells nothing
        (-2.0, 1.0, 0.5, False),
        (-1.0, 0.0, 0.5, False),
        (4.0, 4.0, 9e9, False),
        (0.0, 0.0, -9e9, False),
    ],
)
def test_far_is_by_more_than_the_fitted_range_in_differences_or_in_ratios(low, high, value, is_far):
    found = other_units(pd.DataFrame({"x": [value]}), np.array([[low, high]]))
    assert len(found) == is_far


@pytest.mark.parametrize(("n_far", "n_near", "is_told"), [(1, 1, False), (2, 1, True)])
def test_more_than_half_of_the_rows_have_to_be_far(n_far, n_near, is_told):
    frame = pd.DataFrame({"x": [9.0] * n_far + [0.5] * n_near + [np.nan]})
    assert len(other_units(frame, np.array([[0.0, 1.0]]))) == is_told


def test_the_range_is_that_of_known_values():
    found = other_units(pd.DataFrame({"x": [np.nan, 9.0, 8.0]}), np.array([[0.0, 1.0]]))
    assert found == [
        "'x' runs from 8 to 9 here, from 0 to 1 where the model was fitted: another unit?"
    ]
