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
