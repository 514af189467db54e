"""Published pairs that exclude one another, beside the truth by enumeration."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings

from rankwright.reverse.bound import contradictions, find_contradictions
from rankwright.reverse.clock import Clock
from rankwright.reverse.problem.statistic import bound_without_pairs
from rankwright.reverse.search.directions import UNDECIDED, leave_open
from tiny_ratings import make_problem, tiny_ratings


@settings(max_examples=40, deadline=None)
@given(rating=tiny_ratings())
def test_no_formula_exceeds_what_contradictions_leave(best_by_enumeration, rating):
    X, levels, groups, tops = rating
    problem = make_problem(*rating)
    opened = leave_open(problem, np.full(len(problem.directions), UNDECIDED))
    with Clock(60.0) as clock:
        found = find_contradictions(opened, 100, clock)
    best = max(
        best_by_enumeration((np.array(X) * np.array(signs)).tolist(), levels, groups, tops)
        for signs in product((1, -1), repeat=len(X[0]))
    )
    assert best <= (bound_without_pairs(opened) - found.worth) / opened.rates.scale
    assert found.pairs <= found.worth


def test_two_orders_of_one_factor_contradict_each_other():
    problem = make_problem([[0], [1], [0], [1]], [0, 1, 1, 0], [0, 0, 1, 1], {0: 1, 1: 1})
    opened = leave_open(problem, np.array([UNDECIDED]))
    with Clock(60.0) as clock:
        assert find_contradictions(opened, 100, clock).pairs == 1
        assert (
            find_contradictions(make_problem([[0], [1]], [0, 1], [0, 0], {0: 1}), 9, clock).pairs
            == 0
        )


def contradicted(most=100, copies=1, **options):
    """Return what is found where groups of two order one factor in opposite ways."""
    X, levels = [[0], [1], [0], [1]] * copies, [0, 1, 1, 0] * copies
    groups = [group for group in range(2 * copies) for _ in range(2)]
    problem = make_problem(X, levels, groups, dict.fromkeys(range(2 * copies), 1), **options)
    opened = leave_open(problem, np.full(1, UNDECIDED))
    with Clock(60.0) as clock:
        return find_contradictions(opened, most, clock), opened


def test_a_contradiction_is_worth_its_cheapest_pair():
    found, problem = contradicted(weights={0: 1.0, 1: 0.1}, cats={0: 0, 1: 1})
    units = sorted(set(problem.aims.unit.tolist()))
    assert len(units) == 2
    assert (found.pairs, found.worth) == (1, units[0])


def test_pairs_of_a_category_without_weight_contradict_nobody():
    found, _ = contradicted(weights={0: 1.0, 1: 0.0}, cats={0: 0, 1: 1})
    assert (found.pairs, found.worth) == (0, 0)


def test_each_pair_is_in_one_contradiction_and_so_many_are_found_as_are_asked_for():
    assert [contradicted(most, copies=2)[0].pairs for most in (0, 1, 2, 100)] == [0, 1, 2, 2]


def test_twins_are_lost_to_everybody_and_contradict_nobody():
    problem = make_problem([[1, 2], [1, 2], [0, 3]], [0, 1, 2], [0, 0, 0], {0: 1})
    with Clock(60.0) as clock:
        assert find_contradictions(problem, 100, clock).pairs == 0


def test_position_errors_are_not_asked_for_pairs():
    found, _ = contradicted(by_position=True)
    assert (found.pairs, found.worth) == (0, 0)


def found_in(problem, most=100):
    with Clock(60.0) as clock:
        return find_contradictions(problem, most, clock).pairs


def opposed(rows):
    """Return groups of two, each of which orders one of these differences, of any signs."""
    X = [side for row in rows for side in (np.maximum(row, 0), np.maximum(-row, 0))]
    groups, levels = np.repeat(np.arange(len(rows)), 2), [1, 0] * len(rows)
    problem = make_problem(X, levels, groups, dict.fromkeys(range(len(rows)), 1), free=True)
    return replace(problem, factors=replace(problem.factors, whole=np.array(X)))


def test_contradictions_that_leave_room_for_no_rounding_are_proved():
    rng = np.random.default_rng(0)
    for _ in range(5):
        one, other = rng.integers(10**14, 10**15, (2, 2)) * [[1, 1], [-1, 1]]
        third = np.array([rng.integers(-(10**13), 10**13), -rng.integers(10**14, 10**15)])
        assert found_in(opposed([one, other, third])) == 1
        assert found_in(opposed([one, other, -third])) == 0


def test_twins_do_not_hide_what_others_contradict():
    X, levels = [[0], [1], [0], [1], [2], [2]], [0, 1, 1, 0, 0, 1]
    problem = make_problem(X, levels, [0, 0, 1, 1, 2, 2], dict.fromkeys(range(3), 1))
    assert found_in(problem) == 1


def test_pairs_that_are_equal_in_a_factor_contradict_others():
    X = [[0, 5], [1, 5], [0, 3], [1, 3]]
    assert found_in(make_problem(X, [0, 1, 1, 0], [0, 0, 1, 1], {0: 1, 1: 1})) == 1


@pytest.mark.parametrize("freed", range(4))
def test_a_freed_product_contradicts_nobody(freed):
    X = [[0], [1], [0], [1]]
    problem = make_problem(X, [0, 1, 1, 0], [0, 0, 1, 1], {0: 1, 1: 1}, free=True)
    assert found_in(problem) == 1
    assert found_in(problem.freeing(freed)) == 0


def test_ratings_with_too_many_neighbours_are_not_asked(monkeypatch):
    problem = make_problem([[0], [1], [0], [1]], [0, 1, 1, 0], [0, 0, 1, 1], {0: 1, 1: 1})
    monkeypatch.setattr(contradictions, "MOST_NEIGHBOURS", 2)
    assert found_in(problem) == 1
    monkeypatch.setattr(contradictions, "MOST_NEIGHBOURS", 1)
    assert found_in(problem) == 0


@pytest.mark.parametrize("freed", [4, 5])
def test_without_a_freed_product_others_contradict_each_other_still(freed):
    X, levels = [[0], [1]] * 3, [0, 1, 1, 0, 0, 1]
    tops = dict.fromkeys(range(3), 1)
    problem = make_problem(X, levels, [0, 0, 1, 1, 2, 2], tops, free=True)
    assert found_in(problem.freeing(freed)) == 1
