from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explored_cells import GO, explore_all
from rankwright.kernels.rating.cells import unassessed
from rankwright.kernels.rating.planes import NOTHING
from rankwright.reverse.bound.cells import (
    Turn,
    allocate,
    enlarge,
    explore_cell,
    first_cells,
    widen,
)
from rankwright.reverse.bound.large_cells import explore_large
from rankwright.reverse.bound.milp import RatingProgram
from rankwright.reverse.bound.proof import prove, whole_space
from rankwright.reverse.clock import Clock
from rankwright.reverse.problem.planes import _greatest_divisors, _number_rows
from rankwright.reverse.progress import Progress
from rankwright.reverse.whole_numbers import as_whole
from tiny_ratings import make_problem, tiny_ratings


def solve(problem, n_jobs=1):
    progress = Progress(problem, Clock(np.inf))
    progress.limit(whole_space(problem, Clock(np.inf)))
    with ThreadPoolExecutor(n_jobs) as pool:
        prove(progress, gap=0, pool=pool)
    assert progress.is_proved
    assert problem.value(progress.weights) == progress.value
    return progress


@settings(max_examples=150, deadline=None)
@given(tiny_ratings())
def test_proved_statistic_equals_the_enumeration_of_all_cells(best_by_enumeration, rating):
    X, levels, groups, tops = rating
    best = best_by_enumeration(X, levels, groups, tops)
    problem = make_problem(X, levels, groups, tops)
    assert Fraction(solve(problem).value) / problem.rates.scale == best


@settings(max_examples=60, deadline=None)
@given(tiny_ratings(), st.booleans(), st.booleans())
def test_whole_space_is_what_the_kernel_bounds_before_any_cut(rating, by_position, free):
    problem = make_problem(*rating, by_position=by_position)
    problem = replace(problem, free=np.full(len(problem.free), free))
    found = [explore_cell(problem, cell, NOTHING, 0, GO) for cell in first_cells(problem, -NOTHING)]
    bounds = [max([one.value, *(cell.bound for cell in one.left)]) for one in found]
    assert whole_space(problem, Clock(np.inf)) == max(
        bounds
    )  # nobody looks for rivals: there is nothing to beat


@settings(max_examples=60, deadline=None)
@given(tiny_ratings(min_groups=2), st.sampled_from([0.0, 0.5, 0.1]))
def test_proved_statistic_of_two_categories_equals_the_enumeration(
    best_by_enumeration, rating, weight
):
    X, levels, groups, tops = rating
    cats = {g: int(g > 0) for g in tops}
    weights = {0: 1.0, 1: weight}
    exact = {name: Fraction(repr(value)) for name, value in weights.items()}
    best = best_by_enumeration(X, levels, groups, tops, weights=exact, cats=cats)
    problem = make_problem(X, levels, groups, tops, weights=weights, cats=cats)
    assert Fraction(solve(problem).value) / problem.rates.scale == best


@settings(max_examples=150, deadline=None)
@given(tiny_ratings())
def test_proved_position_error_equals_the_enumeration_with_ties(best_by_enumeration, rating):
    X, levels, groups, tops = rating
    best = best_by_enumeration(X, levels, groups, tops, by_position=True)
    assert solve(make_problem(X, levels, groups, tops, by_position=True)).value == best


@settings(max_examples=60, deadline=None)
@given(tiny_ratings(), st.booleans())
def test_numbers_of_any_size_prove_the_same_as_the_kernel(rating, by_position):
    X, levels, groups, tops = rating
    problem = make_problem(X, levels, groups, tops, by_position=by_position)
    best, cells = solve(problem).value, list(first_cells(problem, -NOTHING))
    assert explore_all(problem, map(enlarge, cells), explore_large) == best
    assert explore_all(problem, [widen(problem, cell) for cell in cells], explore_cell) == best


def fresh_look(problem, cell):
    """Return a cell as it is found when nothing is known of it."""
    (found,) = explore_cell(problem, replace(cell, known=unassessed()), NOTHING, 0, GO).left
    return found.known


@settings(max_examples=60, deadline=None)
@given(tiny_ratings(), st.booleans())
def test_what_is_known_of_a_cell_that_waits_is_what_a_fresh_look_finds(rating, by_position):
    problem = make_problem(*rating, by_position=by_position)
    for first in first_cells(problem, -NOTHING):
        for cell in explore_cell(problem, first, NOTHING, 3, GO).left:
            known, fresh = cell.known, fresh_look(problem, cell)
            assert known.facts[0] in known.undecided
            assert known.undecided.tolist() == fresh.undecided.tolist()
            assert known.counts.tolist() == fresh.counts.tolist()


def test_a_cell_that_is_stopped_is_assessed_again():
    problem = make_problem([[0, 3], [2, 1], [1, 0], [2, 3]], [2, 1, 3, 0], [0] * 4, {0: 1})
    (cell,) = first_cells(problem, -NOTHING)
    (left,) = explore_cell(problem, cell, NOTHING, 10**6, np.array([True])).left
    assert left.known.facts[0] == -1
    assert explore_cell(problem, left, NOTHING, 10**6, GO).value == solve(problem).value


def test_parts_that_others_are_ahead_of_are_left():
    rng = np.random.default_rng(0)
    problem = make_problem(rng.integers(0, 9, (30, 4)), rng.permutation(30), [0] * 30, {0: 8})
    (cell,) = first_cells(problem, -NOTHING)
    space, most = allocate(problem, cell), 10**6
    whole = explore_cell(problem, cell, NOTHING, 0, GO).left[0].bound
    found = explore_cell(problem, cell, 0, most, GO, turn=Turn(space, whole))
    assert found.left  # the budget would be enough for all
    best = explore_all(problem, found.left, explore_cell)
    assert max(best, found.value) == solve(problem).value


def without_objects(problem, cell, incumbent, budget, stop):
    found = explore_cell(problem, cell, incumbent, budget, stop)
    assert all(left.rays.dtype != object for left in found.left)
    return found


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 4), st.booleans(), st.booleans())
def test_near_ties_of_large_numbers_are_told_apart_by_digits(seed, d, by_position, free):
    rng = np.random.default_rng(seed)
    near = rng.integers(0, 3, (7, d)) * 10 ** rng.integers(0, 15, d) + rng.integers(0, 2, (7, d))
    levels, top = rng.integers(0, 5, 7), {0: 3}
    problem = make_problem(near, levels, [0] * 7, top, by_position=by_position, free=free)
    cells = list(first_cells(problem, -NOTHING))
    best = explore_all(problem, map(enlarge, cells), explore_large)
    assert explore_all(problem, [widen(problem, c) for c in cells], without_objects) == best
    assert solve(problem).value == best


def test_real_valued_factors_are_proved_in_numbers_of_any_size():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(12, 3))
    levels = rng.permutation(12)
    progress = solve(make_problem(X, levels, [0] * 12, {0: 4}))
    assert np.abs(progress.problem.factors.whole).max() > 2**37
    directions = rng.dirichlet(np.ones(3), size=2000) / np.ptp(X, axis=0)
    assert max(progress.problem.value(as_whole(w)) for w in directions) <= progress.value


@settings(max_examples=60, deadline=None)
@given(tiny_ratings())
def test_the_integer_program_reaches_the_proved_statistic(rating):
    X, levels, groups, tops = rating
    problem = make_problem(X, levels, groups, tops)
    solution = RatingProgram(problem).solve(None, Clock(600.0), 0.0)
    assert round(-solution.objective) == round(-solution.bound) == solve(problem).value


def test_the_integer_program_starts_from_a_formula():
    rng = np.random.default_rng(0)
    problem = make_problem(rng.integers(0, 5, (8, 3)), rng.permutation(8), [0] * 8, {0: 3})
    best = solve(problem)
    program = RatingProgram(problem)
    point = program.point_of(best.weights)
    assert round(float(program.build().solve(time_limit=600.0).bound)) == -best.value
    assert point[:3].sum() == pytest.approx(1.0)
    assert len(point) == program.build().n_columns


@pytest.mark.parametrize("by_position", [False, True])
def test_a_proof_that_is_broken_off_keeps_valid_bounds(by_position):
    rng = np.random.default_rng(0)
    X, levels = rng.integers(0, 9, (25, 4)), rng.permutation(25)
    problem = make_problem(X, levels, [0] * 25, {0: 8}, by_position=by_position)
    best = solve(problem).value
    for seconds in np.geomspace(1e-4, 0.3, 20):
        with Clock(seconds) as clock, ThreadPoolExecutor(2) as pool:
            progress = Progress(problem, clock)
            progress.limit(whole_space(problem, Clock(np.inf)))
            prove(progress, gap=0, pool=pool)
        assert progress.value <= best <= progress.bound


def test_a_stopped_exploration_leaves_the_cell_as_it_is():
    rng = np.random.default_rng(0)
    problem = make_problem(rng.integers(0, 9, (12, 3)), rng.permutation(12), [0] * 12, {0: 4})
    (cell,) = first_cells(problem, -NOTHING)
    for explore, one in [(explore_cell, cell), (explore_large, enlarge(cell))]:
        found = explore(problem, one, 0, 10**6, np.array([True]))
        assert found.weights is None
        assert [left.rays.tolist() for left in found.left] == [cell.rays.tolist()]


def test_the_bound_of_single_pairs_needs_all_orthants():
    rng = np.random.default_rng(0)
    problem = make_problem(rng.integers(0, 9, (9, 3)), rng.permutation(9), [0] * 9, {0: 4})
    problem = replace(problem, free=np.ones(3, dtype=bool))
    clock = Clock(1.0)
    clock.end()
    assert whole_space(problem, clock) == -NOTHING


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.integers(-6, 6), min_size=3, max_size=3), min_size=2, max_size=30))
def test_planes_are_numbered_as_rows_compare(rows):
    normals = np.array(rows)
    expected = np.unique(normals, axis=0, return_inverse=True)[1].ravel()
    found = _number_rows(normals)
    assert np.unique(found, return_inverse=True)[1].tolist() == expected.tolist()


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.integers(-60, 60), min_size=3, max_size=3), min_size=1, max_size=30))
def test_greatest_divisors_are_those_of_numpy(rows):
    normals = np.array(rows)
    assert _greatest_divisors(normals).tolist() == np.gcd.reduce(normals, axis=1).tolist()
