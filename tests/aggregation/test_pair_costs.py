import numpy as np
import pytest

from rankwright.aggregation.distances import distances_to
from rankwright.aggregation.pair_costs import pair_costs
from rankwright.aggregation.votes import read_votes
from rankwright.kernels import pair_costs as kernels


@pytest.fixture
def votes():
    rng = np.random.default_rng(0)
    matrix = rng.integers(0, 6, (9, 5)).astype(float)
    matrix[rng.random(matrix.shape) < 0.2] = np.nan
    return read_votes(matrix, voter_weights=[1, 2, 0.5, 1, 3], item_weights=rng.random(9) + 0.5)


@pytest.mark.parametrize("penalty", [0.5, 0.2, 1])
def test_the_cost_of_a_ranking_is_the_weighted_distance_to_its_voters(votes, penalty):
    costs = pair_costs(votes, penalty, ties=True)
    for seed in range(5):
        bucket = np.unique(np.random.default_rng(seed).integers(0, 9, 9), return_inverse=True)[1]
        distances = distances_to(bucket.astype(float), votes, "kendall", penalty)
        assert costs.cost_of(bucket) == pytest.approx(votes.voter_weights @ distances)


def test_the_kernel_gives_the_same_uncompiled(votes):
    costs = pair_costs(votes, 0.5, ties=True)
    before, tied = np.zeros((9, 9)), np.zeros((9, 9))
    weights = votes.voter_weights, votes.item_weights
    kernels.pair_costs.py_func(votes.positions, *weights, 0.5, (0, 9), before, tied)
    np.testing.assert_allclose(costs.before, before)
    np.testing.assert_allclose(costs.tied, tied)


def test_the_bound_is_below_every_ranking(votes, every_ranking_cost):
    few = read_votes(votes.positions.T[:5], missing="last")
    _, costs = every_ranking_cost(few.positions.T)
    assert pair_costs(few, 0.5, ties=True).bound() <= costs.min()


def test_without_ties_a_tie_costs_more_than_any_order(votes):
    costs = pair_costs(votes, 0.5, ties=False)
    assert costs.tied.min() > costs.cost_of(np.arange(9))
    assert costs.tied.min() > costs.cost_of(np.arange(9)[::-1])
