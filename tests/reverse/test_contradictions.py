"""Published pairs that exclude one another, beside the truth by enumeration."""

from itertools import product

import numpy as np
from hypothesis import given, settings

from rankwright.reverse.bound import find_contradictions
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
