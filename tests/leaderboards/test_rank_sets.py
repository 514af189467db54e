import numpy as np
import pytest

from rankwright.kernels.differences import largest_differences
from rankwright.leaderboards.rank_sets import (
    Bonferroni,
    MaxT,
    differences,
    draw_strengths,
    marginal_sets,
    simultaneous_sets,
)
from rankwright.leaderboards.tiers import tiers


@pytest.fixture
def drawn():
    rng = np.random.default_rng(0)
    root = rng.normal(size=(7, 7))
    covariance = root @ root.T / 10
    strengths = np.array([3.0, 2.5, 1.0, 0.0, -0.5, -2.0, -6.0])
    studentised, inverse = differences(strengths, covariance)
    draws = draw_strengths(covariance, 500, rng)
    return studentised, MaxT(draws, inverse, np.inf, 0.9)


def quantile(critical, tests):
    """Return the quantile of the largest of the tests (row above column), by brute force."""
    largest = [
        max((draw[i] - draw[k]) * critical.inverse_errors[i, k] for i, k in tests)
        for draw in critical.draws.T
    ]
    place = int(np.ceil(critical.level * (len(largest) + 1))) - 1
    return np.sort(largest)[place]


def stepped_down(studentised, critical, tests):
    """Return the rejected tests (row above column), step by step."""
    left, rejected = set(tests), set()
    while left:
        bound = quantile(critical, left)
        new = {test for test in left if studentised[test] > bound}
        if not new:
            break
        rejected, left = rejected | new, left - new
    return rejected


def test_marginal_sets_are_those_of_brute_force(drawn):
    studentised, critical = drawn
    found = marginal_sets(studentised, critical)
    for item in range(7):
        others = [k for k in range(7) if k != item]
        tests = [(item, k) for k in others] + [(k, item) for k in others]
        rejected = stepped_down(studentised, critical, tests)
        assert found.low[item] == 1 + sum(below == item for _, below in rejected)
        assert found.high[item] == 7 - sum(above == item for above, _ in rejected)


def test_simultaneous_sets_are_those_of_brute_force(drawn):
    studentised, critical = drawn
    found = simultaneous_sets(studentised, critical)
    tests = [(i, k) for i in range(7) for k in range(7) if i != k]
    rejected = stepped_down(studentised, critical, tests)
    for item in range(7):
        assert found.low[item] == 1 + sum(below == item for _, below in rejected)
        assert found.high[item] == 7 - sum(above == item for above, _ in rejected)


def test_sets_for_all_items_contain_those_for_each(drawn):
    studentised, critical = drawn
    each, everybody = marginal_sets(studentised, critical), simultaneous_sets(studentised, critical)
    assert (everybody.low <= each.low).all()
    assert (each.high <= everybody.high).all()


def test_max_t_sets_are_no_longer_than_bonferronis(drawn):
    studentised, critical = drawn
    ours = simultaneous_sets(studentised, critical)
    bound = simultaneous_sets(studentised, Bonferroni(np.inf, 0.9))
    assert (ours.high - ours.low).sum() <= (bound.high - bound.low).sum()


def test_the_first_tier_holds_the_items_below_which_nobody_is_shown_to_be(drawn):
    studentised, critical = drawn
    found = tiers(studentised, critical, 0.9, np.inf)
    for item in range(7):
        others = [k for k in range(7) if k != item]
        bound = quantile(critical, [(k, item) for k in others])
        assert (found[item] == 1) == (max(studentised[k, item] for k in others) <= bound)


def test_tiers_go_on_among_the_rest(drawn):
    studentised, critical = drawn
    found = tiers(studentised, critical, 0.9, np.inf)
    rest = np.flatnonzero(found > 1)
    again = MaxT(
        np.ascontiguousarray(critical.draws[rest]),
        critical.inverse_errors[np.ix_(rest, rest)],
        np.inf,
        0.9,
    )
    below = tiers(studentised[np.ix_(rest, rest)], again, 0.9, np.inf)
    assert (found[rest] - 1).tolist() == below.tolist()


def test_few_clusters_make_the_bound_of_one_test_that_of_student():
    covariance = np.diag([0.5, 0.5])
    _, inverse = differences(np.zeros(2), covariance)
    draws = draw_strengths(covariance, 200_000, np.random.default_rng(0))
    one = np.array([False, True])
    bounds = [MaxT(draws, inverse, df, 0.95).of_item(0, one, one) for df in (np.inf, 5)]
    assert bounds == pytest.approx([1.96, 2.571], abs=0.02)


def test_draws_have_the_covariance_even_a_singular_one():
    covariance = np.array([[1.0, -1.0], [-1.0, 1.0]])
    draws = draw_strengths(covariance, 20_000, np.random.default_rng(0))
    assert np.allclose(np.cov(draws), covariance, atol=0.03)


def test_items_without_any_error_between_them_are_not_told_apart():
    studentised, inverse = differences(np.array([1.0, 1.0, 0.0]), np.diag([0.0, 0.0, 1.0]))
    assert studentised[0, 1] == inverse[0, 1] == 0


def test_the_kernel_takes_the_largest_of_what_is_marked():
    rng = np.random.default_rng(0)
    draws, inverse = rng.normal(size=(4, 6)), np.array([1.0, 2.0, 0.5, 3.0])
    above, below = np.array([0, 1, 0, 1], dtype=bool), np.array([0, 1, 1, 0], dtype=bool)
    for compiled in (largest_differences, largest_differences.py_func):
        largest = np.full(6, -np.inf)
        compiled(draws, 0, inverse, above, below, largest)
        gaps = (draws[0] - draws) * inverse[:, None]
        assert np.allclose(largest, np.maximum(gaps[above].max(0), (-gaps[below]).max(0)))
