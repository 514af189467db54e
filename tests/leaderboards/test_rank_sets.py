import numpy as np
import pytest

from rankwright.leaderboards.critical import (
    Bonferroni,
    DrawnErrors,
    MaxT,
    draw_strengths,
    draw_studentised,
    selected,
)
from rankwright.leaderboards.rank_sets import differences, marginal_sets, simultaneous_sets
from rankwright.leaderboards.tiers import tiers

STRENGTHS = np.array([3.0, 2.5, 1.0, 0.0, -0.5, -2.0, -6.0])


@pytest.fixture(params=["max-t", "drawn errors"])
def drawn(request):
    rng = np.random.default_rng(0)
    root = rng.normal(size=(7, 7))
    covariance = root @ root.T / 10
    studentised, inverse = differences(STRENGTHS, covariance)
    none = np.zeros((7, 7))
    if request.param == "max-t":
        critical = MaxT(draw_strengths(covariance, 500, rng), inverse, np.inf, 0.9, none)
    else:
        critical = DrawnErrors(draw_studentised(covariance, 30, 500, rng), 0.9, none)
    return studentised, selected(critical, studentised)


def drawn_differences(critical):
    """Return studentised differences by draw, row minus column."""
    if isinstance(critical, DrawnErrors):
        return critical.draws.astype(np.float64)
    return np.array([(draw[:, None] - draw) * critical.inverse_errors for draw in critical.draws.T])


def quantile(critical, tests):
    """Return the quantile of the largest of the tests (row above column), by brute force."""
    largest = [
        max(draw[i, k] + critical.slack[i, k] for i, k in tests)
        for draw in drawn_differences(critical)
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
    plain = Bonferroni(np.inf, 0.9, np.zeros((7, 7)))
    bound = simultaneous_sets(studentised, plain)
    assert (ours.high - ours.low).sum() <= (bound.high - bound.low).sum()


def test_the_first_tier_holds_the_items_below_which_nobody_is_shown_to_be(drawn):
    studentised, critical = drawn
    found = tiers(studentised, critical, np.inf)
    for item in range(7):
        others = [k for k in range(7) if k != item]
        bound = quantile(critical, [(k, item) for k in others])
        assert (found[item] == 1) == (max(studentised[k, item] for k in others) <= bound)


def test_tiers_go_on_among_the_rest(drawn):
    studentised, critical = drawn
    found = tiers(studentised, critical, np.inf)
    assert found.max() > 1
    for tier in range(2, found.max() + 1):
        left = np.flatnonzero(found >= tier)
        for item in left:
            others = [k for k in left if k != item]
            is_best = not others or max(studentised[k, item] for k in others) <= quantile(
                critical, [(k, item) for k in others]
            )
            assert (found[item] == tier) == is_best


def test_items_without_any_error_between_them_are_not_told_apart():
    studentised, inverse = differences(np.array([1.0, 1.0, 0.0]), np.diag([0.0, 0.0, 1.0]))
    assert studentised[0, 1] == inverse[0, 1] == 0
