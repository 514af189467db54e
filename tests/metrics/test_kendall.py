import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.metrics import (
    UndefinedMetricError,
    auc,
    kendall_tau,
    probabilistic_kendall_tau,
    somers_d,
)
from rankwright.metrics.kendall import count_pairs

quick = settings(max_examples=100, deadline=None)
grades = st.integers(0, 4)
tied_pairs = st.lists(st.tuples(grades, grades), min_size=2, max_size=12)
weighted_pairs = st.lists(st.tuples(grades, grades, st.integers(1, 3)), min_size=2, max_size=12)


def sign(value):
    return (value > 0) - (value < 0)


def brute_tau_b(x, y, w):
    top = left = right = 0
    for i in range(len(x)):
        for j in range(i):
            pair = w[i] * w[j]
            top += pair * sign(x[i] - x[j]) * sign(y[i] - y[j])
            left += pair * (x[i] != x[j])
            right += pair * (y[i] != y[j])
    return top / math.sqrt(left * right) if left * right else 0.0


def brute_probabilistic(x, y, w):
    disagreement = total = 0
    for i in range(len(x)):
        for j in range(i):
            pair = w[i] * w[j]
            total += pair
            opposite = (x[i] - x[j]) * (y[i] - y[j]) < 0
            one_tie = (x[i] == x[j]) != (y[i] == y[j])
            disagreement += pair * (opposite + one_tie / 2)
    return 1 - 2 * disagreement / total


@given(tied_pairs)
@quick
def test_tau_b_is_the_sum_over_pairs(pairs):
    x, y = zip(*pairs, strict=True)
    assert kendall_tau(x, y) == pytest.approx(brute_tau_b(x, y, [1] * len(x)), abs=1e-14)


@given(weighted_pairs)
@quick
def test_weighted_tau_b_multiplies_the_weights_of_a_pair(pairs):
    x, y, w = zip(*pairs, strict=True)
    assert kendall_tau(x, y, sample_weight=w) == pytest.approx(brute_tau_b(x, y, w), abs=1e-14)


extreme_pairs = st.lists(st.tuples(grades, grades, st.integers(-99, 99)), min_size=2, max_size=8)


def exact_taus(x, y, w):
    """Return tau-b, Somers' D and the probabilistic tau in rational numbers, but for a root."""
    w = [Fraction(weight) for weight in w]
    top = left = right = total = split = Fraction(0)
    for i in range(len(x)):
        for j in range(i):
            pair = w[i] * w[j]
            total += pair
            top += pair * sign(x[i] - x[j]) * sign(y[i] - y[j])
            left += pair * (x[i] != x[j])
            right += pair * (y[i] != y[j])
            split += pair * ((x[i] == x[j]) != (y[i] == y[j]))
            split += 2 * pair * ((x[i] - x[j]) * (y[i] - y[j]) < 0)
    tau = math.copysign(math.sqrt(top / left * top / right), top) if top else 0.0
    return tau, float(top / left) if left else 0.0, float(1 - split / total)


@given(extreme_pairs)
@quick
def test_weights_of_very_different_sizes_lose_no_digits(rows):
    x, y, exponents = zip(*rows, strict=True)
    w = [10.0**exponent for exponent in exponents]
    taus = [f(x, y, sample_weight=w) for f in (kendall_tau, somers_d, probabilistic_kendall_tau)]
    assert taus == pytest.approx(exact_taus(x, y, w), rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("metric", [kendall_tau, somers_d, probabilistic_kendall_tau, auc])
@pytest.mark.parametrize("size", [1e-99, 1e12, 1e99])
def test_one_weight_size_for_all_items_changes_nothing(metric, size):
    assert metric([0, 1, 1], [0, 1, 2], sample_weight=[size] * 3) == pytest.approx(
        metric([0, 1, 1], [0, 1, 2])
    )
    with pytest.raises(ValueError, match=r"sample_weight is 1e\+300 in row 1; give"):
        metric([0, 1, 1], [0, 1, 2], sample_weight=[1, 1e300, 1])


@given(tied_pairs)
@quick
def test_probabilistic_tau_counts_single_ties_half(pairs):
    x, y = zip(*pairs, strict=True)
    expected = brute_probabilistic(x, y, [1] * len(x))
    assert probabilistic_kendall_tau(x, y) == pytest.approx(expected, abs=1e-14)


@given(weighted_pairs)
@quick
def test_weighted_probabilistic_tau_multiplies_the_weights_of_a_pair(pairs):
    x, y, w = zip(*pairs, strict=True)
    expected = brute_probabilistic(x, y, w)
    tau = probabilistic_kendall_tau(x, y, sample_weight=w)
    assert tau == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("n_values", [3, 50, 10**9])
@pytest.mark.parametrize("n", [2, 10, 100, 5000, 100_000])
def test_tau_b_agrees_with_scipy(n, n_values):
    rng = np.random.default_rng(n)
    x, y = rng.integers(0, n_values, (2, n)).astype(float)
    x[:2], y[:2] = (0, 1), (0, 1)
    assert kendall_tau(x, y) == pytest.approx(scipy.stats.kendalltau(x, y).statistic, abs=1e-14)


def test_unit_weights_change_nothing():
    x, y = np.random.default_rng(0).integers(0, 9, (2, 200))
    assert kendall_tau(x, y, sample_weight=np.ones(200)) == pytest.approx(kendall_tau(x, y))


@pytest.mark.parametrize("weight", [None, [0.1, 0.2, 0.3, 0.7]])
def test_tau_b_of_a_constant_ranking_is_zero(weight):
    constant, order = [5, 5, 5, 5], [1, 2, 3, 4]
    assert kendall_tau(constant, order, sample_weight=weight) == 0.0
    assert kendall_tau(order, constant, sample_weight=weight) == 0.0
    assert kendall_tau(constant, constant, sample_weight=weight) == 0.0


def test_probabilistic_tau_of_constant_rankings():
    assert probabilistic_kendall_tau([5, 5, 5], [1, 2, 3]) == 0.0
    assert probabilistic_kendall_tau([5, 5, 5], [2, 2, 2]) == 1.0


def test_the_zeros_of_both_signs_are_tied():
    assert kendall_tau([0.0, -0.0, 1.0], [1, 1, 2]) == 1.0


def test_proposition_8_links_probabilistic_tau_and_auc():
    # With the U-statistics over distinct pairs, P{Y != Y'} takes the place of 2p(1 - p).
    rng = np.random.default_rng(1)
    y, s = rng.integers(0, 2, 60), rng.integers(0, 9, 60)
    distinct = ~np.eye(60, dtype=bool)
    differ = np.not_equal.outer(y, y)[distinct].mean()
    split = (np.not_equal.outer(s, s) & np.equal.outer(y, y))[distinct].mean()
    left = (1 - probabilistic_kendall_tau(y, s)) / 2
    assert left == pytest.approx(differ * (1 - auc(y, s)) + split / 2)


@pytest.mark.parametrize("metric", [kendall_tau, probabilistic_kendall_tau, somers_d])
def test_one_item_has_no_tau(metric):
    with pytest.raises(UndefinedMetricError, match="needs two items"):
        metric([1], [2])
    with pytest.raises(UndefinedMetricError, match="needs two items"):
        metric([1, 2], [2, 1], sample_weight=[0, 3])


def test_where_there_is_no_list_there_are_no_pairs():
    empty = np.empty(0)
    assert len(count_pairs(empty, empty, np.array([0])).total) == 0


@given(weighted_pairs)
@quick
def test_somers_d_counts_the_pairs_that_the_first_ranking_orders(rows):
    x, y, w = zip(*rows, strict=True)
    pairs = [(i, j) for i in range(len(x)) for j in range(i) if x[i] != x[j]]
    total = sum(w[i] * w[j] for i, j in pairs)
    excess = sum(w[i] * w[j] * sign(x[i] - x[j]) * sign(y[i] - y[j]) for i, j in pairs)
    found = somers_d(x, y, sample_weight=w)
    assert found == pytest.approx(excess / total if total else 0.0, abs=1e-14)


def test_somers_d_agrees_with_scipy():
    x, y = np.random.default_rng(0).integers(0, 9, (2, 200))
    assert somers_d(x, y) == pytest.approx(scipy.stats.somersd(x, y).statistic, abs=1e-14)
