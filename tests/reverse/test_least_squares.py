"""Least squares of few factors: of many ways to choose them, those that there is time for."""

import numpy as np
import pytest

from rankwright.reverse.clock import Clock
from rankwright.reverse.search import least_squares, least_squares_starts
from rankwright.reverse.search.baselines import _distinct
from tiny_ratings import constrained, make_problem


def rating_of_three():
    """Return a rating that is 5 a + 3 b, where c is noise."""
    X = np.random.default_rng(0).integers(0, 50, (40, 3)).astype(float)
    target = X @ [5.0, 3.0, 0.0]
    levels = np.unique(target, return_inverse=True)[1]
    return make_problem(X, levels, [0] * 40, {0: 3}), target


def starts_of(problem, target, clock):
    # A problem has its products in their groups' order, which is that of the rows here.
    return list(least_squares_starts(problem, [target], clock))


def test_the_ways_that_come_nearest_are_first():
    problem, target = rating_of_three()
    first, *others = starts_of(constrained(problem, "at most 2 factors"), target, Clock(99.0))
    assert first == pytest.approx([5, 3, 0])
    assert len(others) == 2


@pytest.mark.parametrize("most", [1, 2])
def test_a_late_clock_still_gives_the_way_of_the_factors_that_weigh_most(most):
    problem, target = rating_of_three()
    seconds = iter(range(0, 1000, 50))
    clock = Clock(99.0, now=lambda: next(seconds))
    (found,) = starts_of(constrained(problem, f"at most {most} factors"), target, clock)
    assert np.flatnonzero(found).tolist() == [0, 1][:most]


@pytest.mark.parametrize(("limit", "n_tried"), [(9.0, 1), (28.0, 2), (99.0, 3)])
def test_time_for_some_ways_gives_these(limit, n_tried, monkeypatch):
    problem, target = rating_of_three()
    solve, hours = least_squares.nonnegative_least_squares, [0.0]

    def slow(*args):
        hours[0] += 4.0  # a quarter of the time left must do for all ways
        return solve(*args)

    monkeypatch.setattr(least_squares, "nonnegative_least_squares", slow)
    clock = Clock(limit, now=lambda: hours[0])
    found = starts_of(constrained(problem, "at most 1 factor"), target, clock)
    assert len(found) == n_tried


def test_only_so_many_ways_are_looked_at_more_closely(monkeypatch):
    monkeypatch.setattr(least_squares, "MOST_WAYS", 2)
    problem, target = rating_of_three()
    assert len(starts_of(constrained(problem, "at most 1 factor"), target, Clock(99.0))) == 2


def test_equal_starts_count_once():
    one, other = np.array([2.0, 4.0]), np.array([1.0, 0.0])
    found = _distinct([one, np.zeros(2), other, one / 3, other * (1 + 1e-12)])
    assert np.array(found).tolist() == [[0.5, 1.0], [1.0, 0.0]]
