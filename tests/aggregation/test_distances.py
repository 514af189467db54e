from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau, rankdata

from rankwright.aggregation.distances import DISTANCES, distances_to
from rankwright.aggregation.votes import read_votes


def test_kendall_without_ties_is_that_of_scipy():
    rng = np.random.default_rng(0)
    first, second = rng.random((2, 200))
    discordant = (1 - kendalltau(first, second).statistic) / 2 * (200 * 199 / 2)
    votes = read_votes(np.column_stack([second, first]))
    np.testing.assert_allclose(distances_to(first, votes, "kendall", 0.5), [discordant, 0])


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 12), st.sampled_from(sorted(DISTANCES)))
def test_distances_equal_their_definitions_among_the_items_ranked(seed, n, distance):
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, n, (n, 5)).astype(float)
    matrix[rng.random(matrix.shape) < 0.3] = np.nan
    matrix[:, 0] = rng.permutation(n)
    weights = rng.integers(0, 5, n) + rng.choice([0.0, 0.3])
    weights[0] += 1
    ranking = rankdata(rng.integers(0, n, n))
    found = distances_to(ranking, read_votes(matrix, item_weights=weights), distance, 0.3)
    for vote, value in zip(matrix.T, found, strict=True):
        ranked = ~np.isnan(vote)
        if distance == "kendall":
            expected = _kendall(ranking, vote, weights, 0.3)
        else:
            apart = np.abs(rankdata(ranking[ranked]) - rankdata(vote[ranked]))
            expected = weights[ranked] @ apart ** {"footrule": 1, "squared": 2}[distance]
        assert value == pytest.approx(expected, rel=1e-12, abs=1e-12)


def _kendall(ranking, vote, weights, penalty):
    total = 0.0
    for i, j in combinations(np.flatnonzero(~np.isnan(vote)), 2):
        ours, theirs = np.sign(ranking[i] - ranking[j]), np.sign(vote[i] - vote[j])
        charge = 1.0 if ours * theirs < 0 else penalty * (ours != theirs)
        total += charge * weights[i] * weights[j]
    return total


def test_a_voter_who_agrees_is_at_no_distance_whatever_the_weights():
    rng = np.random.default_rng(0)
    vote = rng.integers(0, 30, 100).astype(float)
    votes = read_votes(np.column_stack([vote, vote]), item_weights=rng.random(100))
    assert distances_to(rankdata(vote), votes, "kendall", 0.5).tolist() == [0, 0]


def test_voters_are_compared_on_the_items_they_rank():
    votes = read_votes([["a", "b", "c", "d"], ["d", "b"]])
    ranking = np.array([1.0, 2, 3, 4])
    np.testing.assert_allclose(distances_to(ranking, votes, "kendall", 0.5), [0, 1])
    np.testing.assert_allclose(distances_to(ranking, votes, "footrule", 0.5), [0, 2])
    np.testing.assert_allclose(distances_to(ranking, votes, "squared", 0.5), [0, 2])


def test_item_weights_multiply_footrule_and_squares():
    votes = read_votes([["a", "b", "c"], ["c", "b", "a"]], item_weights=[1, 1, 5])
    ranking = np.array([1.0, 2, 3])
    np.testing.assert_allclose(distances_to(ranking, votes, "footrule", 0.5), [0, 12])
    np.testing.assert_allclose(distances_to(ranking, votes, "squared", 0.5), [0, 24])


@pytest.mark.parametrize("distance", sorted(DISTANCES))
def test_a_voter_without_ranked_items_or_weight_is_at_no_distance(distance):
    matrix = np.array([[1, np.nan, 2], [2, np.nan, 1], [np.nan, np.nan, 3]])
    votes = read_votes(matrix, item_weights=[0, 0, 1])
    found = distances_to(np.array([1.0, 2, 3]), votes, distance, 0.5)
    np.testing.assert_array_equal(found, [0, 0, 0])
