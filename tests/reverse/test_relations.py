"""Formulas with given relations, and proofs that there is none, on problems solved by hand."""

from threading import Event

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.programs import Solution, Status
from rankwright.reverse.bound.relations import (
    Crowd,
    Kind,
    Relation,
    Witness,
    find_formula,
    refutes,
    solve_nearby,
    unwinnable,
)
from tiny_ratings import make_problem

ABOVE, AT_LEAST, LEVEL = Kind


def problem_of(X, free=False):
    return make_problem(X, range(len(X)), [0] * len(X), {0: 1}, by_position=True, free=free)


def relations_of(*triples):
    return [Relation(*triple) for triple in triples]


# Each case: rows, how many must be positive, up to which they may not be negative, multipliers,
# and whether these prove that no weights have them all.
PROOFS = {
    "two that must be positive, opposite": ([[1, -1], [-1, 1]], 2, 2, [1, 1], True),
    "one is positive, its opposite not negative": ([[1, -1], [-1, 1]], 1, 2, [1, 1], True),
    "neither has to be positive": ([[1, -1], [-1, 1]], 0, 2, [1, 1], False),
    "positive by nothing of it": ([[1, -1], [0, 0]], 1, 2, [0, 1], False),
    "nowhere positive": ([[-1, 0]], 1, 1, [1], True),
    "negative in every factor": ([[-1, -2]], 0, 1, [1], True),
    "negative in one factor, zero in the other": ([[-1, 0]], 0, 1, [1], False),
    "somewhere positive": ([[-1, 1]], 1, 1, [1], False),
    "not by a negative multiplier": ([[1, 1]], 1, 1, [-1], False),
    "not by one of the last inequality": ([[1, 1]], 0, 1, [-1], False),
    "some by nothing": ([[1, -1], [-1, 1], [5, 5]], 3, 3, [1, 1, 0], True),
    "an equation by any": ([[1, 1]], 0, 0, [-1], True),
    "an equation with what is positive": ([[1, -1], [1, -1]], 1, 1, [1, -1], True),
    "an equation is not positive": ([[1, -1], [1, -1]], 0, 0, [1, -1], False),
}


@pytest.mark.parametrize("case", PROOFS)
def test_multipliers_prove_what_they_add_up_to(case):
    rows, n_above, n_sided, multipliers, is_proof = PROOFS[case]
    every = np.arange(len(rows))
    assert refutes(np.array(rows), n_above, n_sided, every, multipliers) is is_proof


def test_multipliers_belong_to_the_rows_of_the_support():
    rows = np.array([[5, 5], [1, -1], [7, 7], [-1, 1]])
    assert refutes(rows, 2, 4, np.array([1, 3]), [1, 1])
    assert not refutes(rows, 1, 4, np.array([1, 3]), [1, 1])
    assert not refutes(rows, 2, 4, np.array([0, 3]), [1, 1])


small_rows = st.lists(st.lists(st.integers(-3, 3), min_size=2, max_size=2), min_size=1, max_size=4)


@settings(max_examples=80, deadline=None)
@given(small_rows, st.lists(st.integers(-2, 3), min_size=4, max_size=4), st.data())
def test_no_weights_have_rows_that_are_refuted(rows, multipliers, data):
    n_above = data.draw(st.integers(0, len(rows)))
    n_sided = data.draw(st.integers(n_above, len(rows)))
    rows = np.array(rows)
    if refutes(rows, n_above, n_sided, np.arange(len(rows)), multipliers[: len(rows)]):
        for weights in [(a, 12 - a) for a in range(13)]:
            values = rows @ weights
            positive = (values[:n_above] > 0).all() and (values[n_above:n_sided] >= 0).all()
            assert not (positive and (values[n_sided:] == 0).all())


def nearby(rows, guess, units=1.0):
    """Return the solution near a guess, in units."""
    guess = np.array(guess)
    return solve_nearby(np.array(rows).reshape(-1, len(guess)), guess, units * np.ones(len(guess)))


def test_whole_numbers_near_a_guess_solve_equations():
    rows = np.array([[3, -1, -7, 0], [0, 2, -1, -5]])
    guess = np.array([0.83, 0.4101, 0.2976, 0.10452])
    x = nearby(rows, guess)
    assert not (rows @ np.array(x, dtype=object)).any()
    assert np.allclose(np.array(x, float) / max(x), guess / guess.max(), rtol=0.01)


def test_the_largest_entries_are_solved_for_and_the_others_are_as_guessed():
    x = nearby([[1, -1, -1]], [0.7, 0.4, 0.2])
    assert x == [3, 2, 1]
    assert nearby([[-1, 1, 1]], [0.2, 0.4, 0.7]) == [1, 2, -1]


def test_what_is_guessed_to_be_nothing_is_nothing():
    assert nearby([[1, -2, 5]], [0.8, 0.4, 1e-12]) == [2, 1, 0]
    assert nearby([[1, -2, 5]], [-0.8, -0.4, 1e-12]) == [-2, -1, 0]


def test_equations_that_leave_nothing_free_have_no_solution():
    assert nearby([[1, 1], [1, -1]], [0.5, 0.5]) is None
    assert nearby([[1, -1, 9]], [0.5, 0.0, 0.0]) is None


def test_equations_may_be_repeated_and_empty():
    rows = np.array([[0, 0], [1, -2], [2, -4], [1, -2]])
    assert nearby(rows, [0.61, 0.3]) == [2, 1]


def test_without_equations_the_guess_is_written_in_whole_numbers():
    nothing = np.zeros((0, 2), dtype=np.int64)
    assert nearby(nothing, [0.5, 0.75]) == [2, 3]
    near = nearby(nothing, [1.0, 0.1234567891234])
    assert abs(near[1] / near[0] - 0.1234567891234) < 1e-15
    assert near[0] <= 10**9


def test_what_is_nothing_depends_on_the_units():
    units = np.array([1.0, 1e12])
    assert nearby([], [0.5, 0.25], units) == [2 * 10**12, 1]
    assert nearby([[3, -(10**12)]], [0.5, 0.25], units) == [10**12, 3]
    assert nearby([], [2.0, 3e-10], units) == [1, 0]
    assert nearby([], [2e-9, 1e-9]) == [2, 1]


def scores_of(problem, found):
    assert isinstance(found, Witness)
    assert {type(weight) for weight in found.weights} == {int}
    scores = problem.exact_places(found.weights)
    assert found.places.tolist() == scores.tolist()
    return problem.factors.whole.astype(object) @ found.weights


def test_a_formula_is_far_from_every_plane_if_it_can_be():
    problem = problem_of([[4, 0], [0, 4], [3, 3], [0, 0]])
    relations = relations_of((ABOVE, 0, 1), (AT_LEAST, 2, 0))
    weights = find_formula(problem, (1, 1), relations).weights.astype(float)
    share = weights[0] / weights.sum()  # from 1/2 on product 0 wins, from 3/4 on it is the first
    assert 0.55 < share < 0.7


def test_products_may_tie_only_where_no_formula_keeps_them_apart():
    problem = problem_of([[4, 0], [0, 3], [0, 0]])
    found = find_formula(problem, (1, 1), relations_of((AT_LEAST, 0, 1), (AT_LEAST, 1, 0)))
    first, second, _ = scores_of(problem, found)
    assert first == second > 0


@pytest.mark.parametrize("scale", [1, 999_983])
def test_products_that_must_be_level_are_exactly(scale):
    problem = problem_of([[7919 * scale, 0], [0, 104729], [1, 0], [0, 0]])
    found = find_formula(problem, (1, 1), relations_of((LEVEL, 0, 1), (ABOVE, 2, 3)))
    first, second, third, last = scores_of(problem, found)
    assert first == second > third > last


# Differences of which no fractions with short denominators make products tie.
PRIMES = [
    [999_983, 104_729, 611_953],
    [224_737, 899_981, 7_919],
    [1_299_709, 15_485_863, 3],
    [0] * 3,
]
TIES = [[(LEVEL, 0, 1)], [(LEVEL, 1, 0)], [(AT_LEAST, 0, 1), (AT_LEAST, 1, 0)]]


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize("above", [[], [(ABOVE, 2, 3)], [(ABOVE, 2, 0), (AT_LEAST, 1, 3)]])
def test_products_tie_exactly_whatever_their_numbers(tie, above):
    problem = problem_of(PRIMES)
    found = find_formula(problem, (1, 1, 1), relations_of(*tie, *above))
    scores = scores_of(problem, found)
    assert scores[0] == scores[1] > 0
    assert all(scores[one] > scores[other] for _, one, other in above)


def test_where_no_whole_numbers_tie_the_formula_is_the_nearest_float():
    # Each is above the other by a part in 10^12 of what the weights are worth.
    large = 10**12
    X = [[large, 0], [0, 3 * large], [0, 3 * large + 3], [large, 0], [0, 0]]
    problem = problem_of([*X, [1, 0], [0, 1]])
    near = relations_of((AT_LEAST, 0, 1), (AT_LEAST, 2, 3))
    found = find_formula(problem, (1, 1), near)
    first, second = found.weights.astype(float)
    assert first / second == pytest.approx(3.0, rel=1e-9)


def test_what_is_barely_possible_is_not_refuted():
    large = 10**12
    problem = problem_of([[large, 0], [0, large], [0, large + 1], [large, 0]])
    barely = relations_of((ABOVE, 0, 1), (ABOVE, 2, 3))
    assert isinstance(find_formula(problem, (1, 1), barely), Witness)


def test_a_formula_has_the_signs_of_its_orthant():
    problem = problem_of([[4, 1, 0], [0, 3, 1], [1, 1, 1]], free=True)
    relations = relations_of((ABOVE, 0, 1), (ABOVE, 1, 2))
    found = find_formula(problem, (1, 1, -1), relations)
    assert (found.weights * np.array([1, 1, -1]) >= 0).all()
    first, second, third = scores_of(problem, found)
    assert first > second > third
    refuted = find_formula(problem, (-1, 1, 1), relations_of((ABOVE, 2, 1), (AT_LEAST, 0, 2)))
    assert refuted == relations_of((ABOVE, 2, 1), (AT_LEAST, 0, 2))


def test_products_that_are_alike_are_level_and_none_is_above():
    problem = problem_of([[2, 1], [2, 1], [0, 0]])
    relations = relations_of((AT_LEAST, 0, 1), (LEVEL, 1, 0), (ABOVE, 0, 2))
    first, second, third = scores_of(problem, find_formula(problem, (1, 1), relations))
    assert first == second > third
    assert find_formula(problem, (1, 1), relations_of((ABOVE, 0, 1))) == [Relation(ABOVE, 0, 1)]


# Of the products below, 3 is above all others and 4 below, whatever the formula.
CLASHES = [
    relations_of((ABOVE, 0, 1), (ABOVE, 1, 0)),
    relations_of((ABOVE, 0, 1), (AT_LEAST, 1, 0)),
    relations_of((ABOVE, 0, 1), (LEVEL, 0, 1)),
    relations_of((ABOVE, 0, 1), (LEVEL, 1, 0)),
    relations_of((AT_LEAST, 0, 1), (ABOVE, 1, 0)),
    relations_of((LEVEL, 3, 2)),
    relations_of((LEVEL, 2, 3)),
    relations_of((AT_LEAST, 2, 3)),
    relations_of((ABOVE, 4, 0)),
]


@pytest.mark.parametrize("clash", CLASHES)
def test_relations_that_exclude_each_other_are_named(clash):
    problem = problem_of([[4, 0], [0, 4], [3, 3], [5, 5], [0, 0]])
    assert sorted(find_formula(problem, (1, 1), clash)) == sorted(clash)
    harmless = relations_of((ABOVE, 3, 4), (AT_LEAST, 3, 0), (LEVEL, 4, 4))
    named = find_formula(problem, (1, 1), [*harmless, *clash])
    assert {*clash} <= {*named} <= {*clash, *harmless}


def test_a_crowd_is_a_relation_with_each_of_it():
    problem = problem_of([[4, 0], [0, 4], [3, 3], [5, 5], [0, 0]])
    crowd = Crowd(0, np.array([1, 4]))
    first, second, *_ = scores_of(problem, find_formula(problem, (1, 1), [], [crowd]))
    assert first >= second
    found = find_formula(problem, (1, 1), relations_of((ABOVE, 1, 0)), [crowd])
    assert sorted(found) == relations_of((ABOVE, 1, 0), (AT_LEAST, 0, 1))
    both = [crowd, Crowd(4, np.array([3]))]
    assert find_formula(problem, (1, 1), [], both) == relations_of((AT_LEAST, 4, 3))


def test_refutations_whose_sum_must_vanish_are_found():
    # Multipliers that are rounded do not add up to zero: they are in proportion of 3, 7 and 11.
    whole = [[3, 0, 0], [0, 7, 0], [0, 0, 11], [13, 0, 0]]
    circle = relations_of((AT_LEAST, 1, 0), (AT_LEAST, 2, 1), (ABOVE, 0, 2))
    assert sorted(find_formula(problem_of(whole), (1, 1, 1), circle)) == sorted(circle)
    # The differences are (3, -7, -1) and (-9, 21, -1): by 3 and 1 the sum vanishes in two factors.
    problem = problem_of([[3, 0, 0], [0, 7, 1], [0, 21, 0], [9, 0, 1]])
    both = relations_of((ABOVE, 0, 1), (ABOVE, 2, 3))
    assert find_formula(problem, (1, 1, 1), both) == both


def test_who_is_stopped_says_nothing():
    stop = Event()
    stop.set()
    problem = problem_of([[4, 0], [0, 4]])
    assert find_formula(problem, (1, 1), relations_of((ABOVE, 0, 1)), stop=stop) is None
    assert unwinnable(np.array([[1, -1], [-1, 1]]), np.ones(2), stop) is None


def test_rows_that_no_weights_win_are_as_few_as_prove_it():
    rows = np.array([[1, 1], [2, -3], [5, -1], [-2, 1]])
    assert unwinnable(rows, np.ones(2)).tolist() == [1, 3]
    assert unwinnable(rows[[0, 2, 3]], np.ones(2)) is None
    assert unwinnable(np.array([[3, 1], [0, -2]]), np.ones(2)).tolist() == [1]


def test_units_of_factors_do_not_change_what_is_unwinnable():
    rows = np.array([[1, 1], [2, -3], [5, -1], [-2, 1]])
    units = np.array([1, 10**9])
    assert unwinnable(rows * units, units.astype(float)).tolist() == [1, 3]
    assert unwinnable(rows[[0, 2, 3]] * units, units.astype(float)) is None


def test_a_solver_without_an_answer_refutes_nothing(monkeypatch):
    nothing = Solution(Status.NO_ANSWER, None, np.inf, -np.inf)
    monkeypatch.setattr("rankwright.programs.program.Program.solve", lambda *_, **__: nothing)
    problem = problem_of([[1, 0], [0, 1], [2, 2]])
    impossible = relations_of((ABOVE, 0, 1), (ABOVE, 1, 0))
    assert isinstance(find_formula(problem, [1, 1], impossible), Witness)
    assert unwinnable(np.array([[1, -1], [-1, 1]]), np.ones(2)) is None
