from itertools import permutations

import numpy as np
import pytest

from rankwright.aggregation import aggregate


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
