import numpy as np
import pytest

from rankwright.aggregation.pair_costs import pair_costs
from rankwright.aggregation.positional import borda, copeland, mean, median
from rankwright.aggregation.votes import read_votes


def test_borda_of_complete_votes_sorts_like_the_mean_position():
    votes = read_votes(np.random.default_rng(0).random((30, 7)))
    np.testing.assert_allclose(borda(votes), (mean(votes) - 1) / 29)


def test_borda_counts_the_share_of_the_weight_ahead():
    votes = read_votes([["a", "b", "c"], ["c", ["a", "b"]]], item_weights=[1, 2, 3])
    # a: nothing and 3 + 2/2 of 5 ahead; b: 1 and 3 + 1/2 of 4; c: 3 and nothing of 3.
    np.testing.assert_allclose(borda(votes), [0.4, (1 / 4 + 3.5 / 4) / 2, 0.5])


def test_voters_count_for_the_items_they_rank():
    votes = read_votes([["a", "b", "c"], ["c"], ["c", "b"]], voter_weights=[1, 5, 3])
    np.testing.assert_allclose(mean(votes), [1, (2 + 6) / 4, (3 + 5 + 3) / 9])
    np.testing.assert_allclose(borda(votes), [0, (0.5 + 3) / 4, (1 + 5 * 0.5) / 9])
    np.testing.assert_allclose(median(votes), [1, 2, 1])


def test_median_is_that_of_numpy_for_equal_weights():
    votes = read_votes(np.random.default_rng(0).integers(0, 9, (20, 6)).astype(float))
    np.testing.assert_allclose(median(votes), np.median(votes.positions, axis=0))


def test_median_of_weights_is_that_of_repeated_voters():
    rng = np.random.default_rng(0)
    matrix, repeats = rng.integers(0, 9, (15, 6)).astype(float), rng.integers(1, 5, 6)
    weighted = read_votes(matrix, voter_weights=repeats)
    repeated = read_votes(np.repeat(matrix, repeats, axis=1))
    np.testing.assert_allclose(median(weighted), median(repeated))


def test_an_item_ranked_only_by_voters_of_no_weight_goes_last():
    votes = read_votes([["a", "b"], ["c", "a"]], voter_weights=[1, 0])
    assert mean(votes).argmax() == borda(votes).argmax() == 2


def test_copeland_counts_duels():
    votes = read_votes([["a", "b", "c"], ["a", "c", "b"], ["b", "a", "c"]])
    costs = pair_costs(votes, 0.5, ties=True)
    np.testing.assert_allclose(copeland(costs, votes.item_weights), [-2, 0, 2])
    assert copeland(costs, np.array([1.0, 1, 5]))[0] == pytest.approx(-6)
