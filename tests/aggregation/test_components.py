import numpy as np
import pytest

from rankwright.aggregation.components import components
from rankwright.aggregation.pair_costs import pair_costs
from rankwright.aggregation.votes import read_votes


def parts(orders, *, strict=False):
    costs = pair_costs(read_votes(orders), 0.5, ties=True)
    return [part.tolist() for part in components(costs, strict=strict)]


def test_voters_who_agree_leave_single_items_in_their_order():
    assert parts([[2, 0, 1], [2, 0, 1]]) == [[2], [0], [1]]


def test_a_majority_cycle_is_one_component():
    cycle = [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    assert parts([[4, *order, 3] for order in cycle]) == [
        [4],
        [0, 1, 2],
        [3],
    ]
    assert parts(cycle) == [[0, 1, 2]]


def test_items_that_are_best_tied_stay_together():
    assert parts([[[0, 1], 2], [[0, 1], 2]]) == [[0, 1], [2]]


def test_items_of_equal_merit_stay_together_only_when_all_optima_are_wanted():
    halves = [[0, 1], [1, 0]]
    assert len(parts(halves)) == 2
    assert parts(halves, strict=True) == [[0, 1]]


@pytest.mark.parametrize("seed", range(5))
def test_every_cross_pair_is_placed_at_its_least_cost(seed):
    rng = np.random.default_rng(seed)
    matrix = np.arange(30)[:, None] + rng.normal(0, 4, (30, 5)).round()
    costs = pair_costs(read_votes(matrix), 0.5, ties=True)
    found = components(costs, strict=False)
    assert sorted(np.concatenate(found).tolist()) == list(range(30))
    assert len(found) > 1
    for a, first in enumerate(found):
        for second in found[a + 1 :]:
            cross = np.ix_(first, second)
            assert (costs.before[cross] <= costs.before.T[cross]).all()
            assert (costs.before[cross] <= costs.tied[cross]).all()
