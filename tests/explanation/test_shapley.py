from itertools import permutations

import numpy as np
import pytest

from rankwright.explanation.shapley import enumerate_hybrids, sample_orders


def game(n, seed=0):
    """Return the scores of all 2^n hybrids at random, as a function of which features are in."""
    scores = np.random.default_rng(seed).normal(size=2**n)
    return lambda from_item: scores[from_item @ (1 << np.arange(n))]


def brute_force(worth, n):
    total = np.zeros(n)
    orders = list(permutations(range(n)))
    for order in orders:
        path = np.array([[j in order[:step] for j in range(n)] for step in range(n + 1)])
        total[list(order)] += np.diff(worth(path))
    return total / len(orders)


@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_all_hybrids_give_the_mean_over_all_orders(n):
    worth = game(n)
    np.testing.assert_allclose(enumerate_hybrids(worth, n), brute_force(worth, n), atol=1e-14)


def test_random_orders_are_right_within_their_standard_errors():
    worth = game(8)
    exact = enumerate_hybrids(worth, 8)
    off = [
        (np.subtract(values, exact) / errors)
        for values, errors in (sample_orders(worth, 8, 100, seed) for seed in range(40))
    ]
    assert np.std(off) == pytest.approx(1.0, abs=0.15)
    assert abs(np.mean(off)) < 0.2


def test_random_orders_add_up_to_the_difference():
    worth = game(9)
    values, _ = sample_orders(worth, 9, 3, 0)
    ends = worth(np.array([[False] * 9, [True] * 9]))
    assert values.sum() == pytest.approx(ends[1] - ends[0])


def test_random_orders_are_exact_for_a_score_without_interactions():
    weights = np.arange(1.0, 15.0)
    values, errors = sample_orders(lambda from_item: from_item @ weights, 14, 5, 0)
    np.testing.assert_allclose(values, weights)
    np.testing.assert_allclose(errors, 0, atol=1e-13)


def test_hybrids_are_scored_in_blocks():
    sizes = []

    def worth(from_item):
        sizes.append(len(from_item))
        return from_item.sum(axis=1) ** 2.0

    sample_orders(worth, 999, 20, 0)
    assert sum(sizes) == 20 * 2 * 1000
    assert max(sizes) <= 8192
