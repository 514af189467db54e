"""Impurities of label counts against sums over pairs of rows, and the paper's theorems."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.kernels.trees import impurity

COUNTS = st.lists(st.integers(0, 6), min_size=1, max_size=6).filter(sum)


def labels_of(counts, values):
    return np.repeat(values, counts)


def brute_force_cost(criterion, labels):
    """Each criterion by its definition on the labels themselves."""
    n = len(labels)
    distances = np.abs(labels[:, np.newaxis] - labels)
    shares = np.unique(labels, return_counts=True)[1] / n
    return {
        impurity.RANKING: distances.sum() / 2,
        impurity.ORDINAL_GINI: distances.sum() / 2 / n,
        impurity.ABSOLUTE: distances.sum(axis=1).min() + 1e-6 * distances.sum() / 2 / n,
        impurity.GINI: n * (1 - (shares**2).sum()),
        impurity.ENTROPY: -n * sum(share * math.log(share) for share in shares),
    }[criterion]


@pytest.mark.parametrize("criterion", range(5))
@pytest.mark.parametrize("compiled", [True, False])
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_both_sides_of_a_cut_cost_what_their_rows_cost(criterion, compiled, data):
    right = np.array(data.draw(COUNTS), dtype=float)
    left = np.array(data.draw(st.permutations(right)), dtype=float)
    gaps = np.array(data.draw(st.lists(st.integers(1, 5), min_size=len(left), max_size=len(left))))
    values = np.cumsum(gaps).astype(float)
    statistics, cost = impurity.side_statistics, impurity.node_cost
    if not compiled:
        statistics, cost = statistics.py_func, cost.py_func
    found = statistics(criterion, left, left + right, np.diff(values), left.sum(), right.sum())
    for counts, statistic in zip((left, right), found, strict=True):
        expected = brute_force_cost(criterion, labels_of(counts.astype(int), values))
        assert cost(criterion, statistic, counts.sum()) == pytest.approx(expected, abs=1e-10)


def decrease(left, total, values):
    """What a split takes from the ranking impurity, (4) of the paper: the pairs that it parts."""
    right = np.subtract(total, left)
    sides = (labels_of(counts, values) for counts in (left, right))
    return np.abs(np.subtract.outer(*sides)).sum()


def fast_decrease(left, total, values):
    left, total = np.asarray(left, dtype=float), np.asarray(total, dtype=float)
    gaps = np.diff(np.asarray(values, dtype=float))
    whole, _ = impurity.side_statistics(impurity.RANKING, total, total, gaps, total.sum(), 0.0)
    n_left = left.sum()
    parts = impurity.side_statistics(
        impurity.RANKING, left, total, gaps, n_left, total.sum() - n_left
    )
    return whole - sum(parts)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_proposition_1_a_split_decreases_the_ranking_impurity_iff_it_parts_two_labels(data):
    total = data.draw(COUNTS)
    left = [data.draw(st.integers(0, count)) for count in total]
    right = [count - taken for count, taken in zip(total, left, strict=True)]
    values = np.arange(len(total))
    parted = any(left[i] and right[j] for i, j in itertools.permutations(range(len(total)), 2))
    found = fast_decrease(left, total, values)
    assert found == decrease(left, total, values)
    assert found >= 0
    assert (found > 0) == parted


def best_splits(total, values):
    """All unconstrained splits of the counts with the largest decrease."""
    splits = list(itertools.product(*(range(count + 1) for count in total)))
    gains = np.array([fast_decrease(left, total, values) for left in splits])
    return [split for split, gain in zip(splits, gains, strict=True) if gain == gains.max()]


@pytest.mark.parametrize("tau", [1, 2, 3])
@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_theorem_1_equal_counts_part_the_upper_from_the_lower_half(k, tau):
    best = best_splits([tau] * k, np.arange(1, k + 1))
    half = k // 2
    if k % 2 == 0:
        expected = {(0,) * half + (tau,) * half, (tau,) * half + (0,) * half}
        assert set(best) == expected
    else:  # the middle label may go anywhere
        expected = {
            side
            for middle in range(tau + 1)
            for side in (
                (0,) * half + (middle,) + (tau,) * half,
                (tau,) * half + (middle,) + (0,) * half,
            )
        }
        assert set(best) == expected


@settings(max_examples=60, deadline=None)
@given(counts=st.tuples(*[st.integers(1, 6)] * 3))
def test_theorem_2_three_labels_of_any_counts(counts):
    first, second, third = counts
    best = set(best_splits(counts, np.array([1, 2, 3])))
    assert ((0, second, third) in best) == (second <= 2 * first and third <= first)
    assert ((0, 0, third) in best) == (second <= 2 * third and first <= third)
    assert ((0, second, 0) in best) == (second >= 2 * first and second >= 2 * third)
