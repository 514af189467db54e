import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau

from rankwright.aggregation.distances import DISTANCES, distances_to
from rankwright.aggregation.votes import read_votes


@pytest.mark.parametrize("weighted", [True, False])
def test_kendall_equals_its_definition(weighted, kendall):
    @settings(max_examples=50, deadline=None)
    @given(st.integers(0, 2**32), st.integers(1, 12), st.sampled_from([0, 0.3, 0.5, 1]))
    def check(seed, n, penalty):
        rng = np.random.default_rng(seed)
        first, second = rng.integers(0, n, (2, n)).astype(float)
        weights = rng.integers(1, 5, n).astype(float) if weighted else np.ones(n)
        found = DISTANCES["kendall"](first, second, weights, penalty)
        assert found == pytest.approx(kendall(first, second, weights, penalty))

    check()


def test_kendall_without_ties_is_that_of_scipy():
    rng = np.random.default_rng(0)
    first, second = rng.random(200), rng.random(200)
    discordant = (1 - kendalltau(first, second).statistic) / 2 * (200 * 199 / 2)
    assert DISTANCES["kendall"](first, second, np.ones(200), 0.5) == pytest.approx(discordant)


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
