import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.metrics import UndefinedMetricError, spearman_footrule, spearman_rho

quick = settings(max_examples=100, deadline=None)
grades = st.integers(0, 4)
tied_pairs = st.lists(st.tuples(grades, grades), min_size=2, max_size=12)


def brute_ranks(values):
    """Appendix A of the ranking forests paper: items below, plus half the tied ones."""
    return [sum((other < v) + (other == v) / 2 for other in values) + 0.5 for v in values]


@given(tied_pairs)
@quick
def test_footrule_is_the_l1_distance_of_mid_ranks(pairs):
    x, y = (brute_ranks(side) for side in zip(*pairs, strict=True))
    distance = sum(abs(a - b) for a, b in zip(x, y, strict=True))
    expected = 1 - 3 * distance / (len(x) ** 2 - 1)
    assert spearman_footrule(*zip(*pairs, strict=True)) == pytest.approx(expected, abs=1e-14)


@given(tied_pairs)
@quick
def test_rho_is_the_correlation_of_mid_ranks(pairs):
    x, y = (brute_ranks(side) for side in zip(*pairs, strict=True))
    mean = (len(x) + 1) / 2
    cross = sum((a - mean) * (b - mean) for a, b in zip(x, y, strict=True))
    spread = sum((a - mean) ** 2 for a in x) * sum((b - mean) ** 2 for b in y)
    expected = cross / spread**0.5 if spread else 0.0
    assert spearman_rho(*zip(*pairs, strict=True)) == pytest.approx(expected, abs=1e-14)


def test_rho_agrees_with_scipy_on_ties():
    x, y = np.random.default_rng(0).integers(0, 9, (2, 300))
    assert spearman_rho(x, y) == pytest.approx(scipy.stats.spearmanr(x, y).statistic)


@given(st.permutations(range(9)))
@quick
def test_rho_without_ties_is_the_formula_of_appendix_b(order):
    squares = sum((i - value) ** 2 for i, value in enumerate(order))
    assert spearman_rho(range(9), order) == pytest.approx(1 - 6 * squares / (9 * 80))


def test_rho_of_a_constant_ranking_is_zero():
    assert spearman_rho([1, 1, 1], [1, 2, 3]) == spearman_rho([2, 2], [3, 3]) == 0.0


@pytest.mark.parametrize("n", [2, 3, 4, 7, 8])
def test_footrule_of_a_constant_ranking_is_as_documented(n):
    expected = 1 / 4 if n % 2 else (n * n - 4) / (4 * (n * n - 1))
    assert spearman_footrule([0] * n, range(n)) == pytest.approx(expected)
    assert spearman_footrule([0] * n, [1] * n) == 1.0


@pytest.mark.parametrize("metric", [spearman_rho, spearman_footrule])
def test_one_item_has_no_order(metric):
    with pytest.raises(UndefinedMetricError, match="two items"):
        metric([1], [1])
