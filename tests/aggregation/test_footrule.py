from itertools import permutations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from rankwright.aggregation import aggregate
from rankwright.kernels.assignment import assign


@pytest.mark.parametrize("seed", range(5))
def test_the_assignment_is_the_best_order_of_all(seed):
    rng = np.random.default_rng(seed)
    votes = np.array([rng.permutation(6) + 1.0 for _ in range(4)]).T
    weights, masses = rng.integers(1, 4, 4), rng.integers(1, 4, 6)
    best = min(
        (masses[:, None] * np.abs(votes - np.array(order)[:, None])).sum(axis=0) @ weights
        for order in permutations(range(1, 7))
    )
    consensus = aggregate(
        votes,
        "footrule",
        distance="footrule",
        ties=False,
        voter_weights=weights,
        item_weights=masses,
    )
    assert consensus.cost == pytest.approx(best)
    assert consensus.optimal


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("values", [1, 4, 1000])
def test_rows_are_assigned_as_scipy_does_and_the_multipliers_prove_it(values, compiled):
    rng = np.random.default_rng(values)
    costs = rng.integers(0, values, (30, 30)).astype(float)
    u, v = np.zeros(30), np.zeros(30)
    column_of, row_of = np.full(30, -1), np.full(30, -1)
    for row in range(30):
        (assign if compiled else assign.py_func)(row, costs, u, v, column_of, row_of)
        assert (costs - u[:, None] - v).min() >= -1e-9
        np.testing.assert_array_equal(row_of[column_of[: row + 1]], np.arange(row + 1))
    np.testing.assert_array_equal(column_of, linear_sum_assignment(costs)[1])
    assert u.sum() + v.sum() == pytest.approx(costs[np.arange(30), column_of].sum())


def test_with_ties_allowed_the_bound_is_that_of_the_medians():
    consensus = aggregate([[["a", "b"]]] * 3, "footrule", distance="footrule")
    assert (consensus.cost, consensus.bound, consensus.optimal) == (3.0, 0.0, False)


def test_auto_takes_the_footrule_for_the_footrule_and_the_mean_for_squares():
    votes = [["a", "b", "c"], ["b", "a", "c"], ["a", "b", "c"]]
    assert aggregate(votes, distance="footrule").method == "footrule"
    squared = aggregate(votes, distance="squared")
    assert (squared.method, squared.cost) == ("mean", 2.0)
    assert squared.bound == pytest.approx(4 / 3)


def test_voters_who_leave_items_out_are_stretched():
    votes = [["a", "b", "c", "d"], ["c", "d"], ["a", "d"]]
    consensus = aggregate(votes, "footrule", distance="footrule")
    assert consensus.order == ["a", "b", "c", "d"]
    assert consensus.cost == 0.0
