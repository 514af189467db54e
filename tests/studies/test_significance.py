import numpy as np
import pandas as pd
import pytest

from rankwright.studies.significance import paired_tests, trend_tests


def test_a_difference_counts_only_after_the_adjustment_for_many_cells():
    gains = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]  # p = 1/32 by the exact signed-rank test
    one = pd.DataFrame({"cell": 0, "gain": gains})
    two = pd.concat([one, one.assign(cell=1)])
    assert paired_tests(one, ["cell"], "gain")["sign"].tolist() == [1]
    both = paired_tests(two, ["cell"], "gain")
    assert both["p"].tolist() == [pytest.approx(1 / 32)] * 2
    assert both["sign"].tolist() == [0, 0]


def test_no_difference_at_all_is_undecided():
    tests = paired_tests(pd.DataFrame({"cell": [0] * 9, "gain": 0.0}), ["cell"], "gain")
    assert tests[["p", "sign"]].values.tolist() == [[1.0, 0.0]]


@pytest.mark.parametrize(("slope", "sign"), [(1.0, 1), (-1.0, -1), (0.0, 0)])
def test_trends_are_found_in_their_direction(slope, sign):
    noise = np.random.default_rng(0).normal(size=60)
    size = np.repeat([2, 5, 10], 20)
    frame = pd.DataFrame({"method": "a", "size": size, "tau": slope * size + noise})
    assert trend_tests(frame, ["method"], "size", "tau")["sign"].tolist() == [sign]
