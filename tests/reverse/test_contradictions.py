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
