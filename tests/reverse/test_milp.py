"""The integer program, beside the truth by enumeration and the formulas that it has points for."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import lcm

import numpy as np
import pytest

from rankwright.programs import Program, Solution, Status
from rankwright.reverse.bound import milp
from rankwright.reverse.bound.milp import MARGIN, RatingProgram, check_milp, solve_milp
from rankwright.reverse.clock import Clock
from rankwright.reverse.progress import Progress
from rankwright.reverse.whole_numbers import as_floats, as_whole
from tiny_ratings import constrained, make_problem


@cache
def two_groups():
    """Return a rating of two groups, in which some published ranks are shared."""
    rng = np.random.default_rng(5)
    X, levels = rng.integers(0, 30, (9, 3)), [4, 4, 3, 2, 1, 3, 3, 1, 0]
    return make_problem(X, levels, [0] * 5 + [1] * 4, {0: 2, 1: 1})


@cache
def clear_formulas():
    """Return weights by which no two products nearly tie."""
    problem = two_groups()
    found = []
    for weights in np.random.default_rng(0).integers(1, 40, (60, 3)):
        scores = RatingProgram(problem).factors @ (weights * problem.spans)
        scores /= (weights * problem.spans).sum()
        if np.diff(np.sort(scores)).min() > 0.01:
            found.append(weights.astype(object))
    return found[:6]


def fixed_at(columns, values):
    """Return the program with some of its columns fixed."""
    program = RatingProgram(two_groups()).build()
    program.set_bounds(columns, values, values)
    return program


def test_the_program_reaches_the_best_statistic_there_is(solved_statistics):
    for problem, best in solved_statistics:
        solution = RatingProgram(problem).solve(None, Clock(600.0), 0.0)
        assert round(-solution.objective) == round(-solution.bound) == best


def test_a_formula_is_worth_its_statistic():
    problem = two_groups()
    formulas = clear_formulas()
    assert len(formulas) == 6
    for weights in formulas:
        point = RatingProgram(problem).point_of(weights)
        solution = fixed_at(np.arange(3), point[:3]).solve()
        assert round(-solution.objective) == problem.value(weights)


def test_the_point_of_a_formula_is_feasible_and_worth_its_statistic():
    problem = two_groups()
    for weights in clear_formulas():
        point = RatingProgram(problem).point_of(weights)
        solution = fixed_at(np.arange(len(point)), point).solve()
        assert solution.status is Status.OPTIMAL
        assert round(-solution.objective) == problem.value(weights)
        assert set(np.unique(point[3:])) <= {0.0, 1.0}
        assert len(point) == RatingProgram(problem).build().n_columns


def test_the_point_of_a_formula_holds_shares_of_weights_by_spans():
    rng = np.random.default_rng(3)
    problem = make_problem(
        rng.integers(0, 90, (6, 2)) * [1, 70] + [[0, 1]], range(6), [0] * 6, {0: 2}
    )
    spans = problem.spans
    assert spans[0] != spans[1]
    point = RatingProgram(problem).point_of(np.array([4, 3], dtype=object))
    assert point[:2] == pytest.approx([4 * spans[0], 3 * spans[1]] / (4 * spans[0] + 3 * spans[1]))


def columns_of(problem):
    """Return where the columns of pairs, products and bonuses begin."""
    d, n_pairs = len(problem.spans), len(problem.planes.better)
    return d, d + 2 * n_pairs, d + 2 * n_pairs + len(problem.levels)


def most(columns, program):
    """Return the largest sum of some columns, whole or not."""
    program.set_costs(np.arange(program.n_columns), 0.0)
    program.set_costs(columns, -1.0)
    return -program.solve(relaxed=True).objective


def test_weights_sum_to_one():
    assert most(np.arange(3), RatingProgram(two_groups()).build()) == pytest.approx(1.0)
    program = RatingProgram(two_groups()).build()
    program.set_costs(np.arange(program.n_columns), 0.0)
    program.set_costs(np.arange(3), 1.0)
    assert program.solve(relaxed=True).objective == pytest.approx(1.0)


def test_all_but_weights_and_bonuses_must_be_whole():
    program, problem = RatingProgram(two_groups()).build(), two_groups()
    z, _, u = columns_of(problem)
    whole = np.zeros(program.n_columns)
    whole[z:u] = 1
    assert program._integer.tolist() == whole.tolist()


def test_of_a_pair_one_product_is_above_even_by_parts():
    problem = two_groups()
    z, t, _ = columns_of(problem)
    n_pairs = (t - z) // 2
    for pair in range(n_pairs):
        program = RatingProgram(problem).build()
        assert most([z + pair, z + n_pairs + pair], program) <= 1 + 1e-9


def test_a_group_has_so_many_top_places_even_by_parts():
    problem = two_groups()
    _, t, _ = columns_of(problem)
    for group, slots in enumerate(problem.aims.slots.tolist()):
        members = t + np.flatnonzero(problem.group_of_row == group)
        assert slots < len(members)
        assert most(members, RatingProgram(problem).build()) <= slots + 1e-9


def test_a_pair_is_not_won_by_parts_where_it_is_lost_by_most():
    problem = two_groups()
    program = RatingProgram(problem)
    upper, lower = program.pairs
    z, _, _ = columns_of(problem)
    differences = program.factors[upper] - program.factors[lower]
    for pair in np.flatnonzero(differences.min(axis=1) < 0)[:8]:
        weights = np.eye(3)[differences[pair].argmin()]
        assert most([z + pair], fixed_at(np.arange(3), weights)) <= 1e-9
        if differences[pair].max() > MARGIN:
            best = np.eye(3)[differences[pair].argmax()]
            assert most([z + pair], fixed_at(np.arange(3), best)) == pytest.approx(1.0)


def test_a_pair_is_won_from_the_margin_on():
    problem = make_problem([[0, 1], [1, 0]], [0, 1], [0, 0], {0: 1})
    z, _, _ = columns_of(problem)
    won = []
    for share in (0.5, 0.5 + MARGIN):  # which differ by twice the margin in their scores
        program = RatingProgram(problem).build()
        program.set_bounds([0, 1], [share, 1 - share], [share, 1 - share])
        won.append(most([z], program))
    assert won == pytest.approx([1 / (1 + MARGIN), 1.0], abs=1e-6)


def test_a_bonus_needs_the_pair_and_the_top():
    problem = two_groups()
    z, t, u = columns_of(problem)
    strict = np.flatnonzero(problem.planes.strict)
    for number, pair in enumerate(strict):
        for column in (z + pair, t + problem.planes.better[pair]):
            for part in (0.0, 0.25):
                program = fixed_at([column], [part])
                assert most([u + number], program) <= part + 1e-9


def test_a_product_at_the_top_is_above_enough_others():
    problem = two_groups()
    z, t, _ = columns_of(problem)
    upper, _ = RatingProgram(problem).pairs
    for product in np.flatnonzero(problem.aims.threshold > 0):
        wins = z + np.flatnonzero(upper == product)
        assert (
            most([t + product], fixed_at(wins[1:], 0.0))
            <= 1 / problem.aims.threshold[product] + 1e-9
        )


def test_points_win_what_clearly_exceeds_the_margin():
    problem = make_problem([[0, 1], [1, 0]], [0, 1], [0, 0], {0: 1})
    won = []
    for tenths in (14, 16):  # of a margin, so much do the scores differ
        more = Fraction(1, 2) + Fraction(tenths, 20) * Fraction(MARGIN)
        share = [more, 1 - more]
        scale = lcm(*(part.denominator for part in share))
        weights = np.array([int(part * scale) for part in share], dtype=object)
        won.append(RatingProgram(problem).point_of(weights)[2])
    assert won == [0.0, 1.0]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda p: replace(p, objective=replace(p.objective, by_position=True)), "top_auc"),
        (lambda p: replace(p, free=np.array([False, True, False])), "decided signs"),
        (lambda p: constrained(p, "a >= 1%"), "can't handle constraints"),
    ],
)
def test_what_the_program_can_not_state_is_refused(change, words):
    check_milp(two_groups())
    with pytest.raises(ValueError, match=words):
        check_milp(change(two_groups()))


def test_what_is_too_large_for_the_program_is_refused(monkeypatch):
    monkeypatch.setattr(milp, "MOST_PAIRS", 16)
    check_milp(two_groups())  # 10 and 6 pairs
    monkeypatch.setattr(milp, "MOST_PAIRS", 15)
    with pytest.raises(ValueError, match=r"at most 15 pairs .* there are 16"):
        check_milp(two_groups())


def test_the_program_starts_from_a_formula_in_the_time_that_is_left(monkeypatch):
    solved, started = [], []
    monkeypatch.setattr(Program, "solve", lambda self, **options: solved.append(options))
    monkeypatch.setattr(Program, "start_from", lambda self, point: started.append(point))
    clock, program = Clock(50.0), RatingProgram(two_groups())
    program.solve(None, clock, 0.0)
    assert not started
    weights = clear_formulas()[0]
    program.solve(weights, clock, 7.0)
    assert started[0].tolist() == program.point_of(weights).tolist()
    assert [options["gap"] for options in solved] == [0.5, 7.0]
    assert all(0 < options["time_limit"] <= 50.0 for options in solved)
    assert all(options["stop"] is clock.over for options in solved)


def answer(monkeypatch, x, bound):
    """Let HiGHS find a point and claim a bound."""
    asked = []

    def solve(self, *given):
        asked.append(given)
        return Solution(Status.OPTIMAL, x=x, objective=bound, bound=bound)

    monkeypatch.setattr(RatingProgram, "solve", solve)
    return asked


def test_what_highs_finds_is_offered_and_climbed_from(monkeypatch):
    problem = two_groups()
    x = np.r_[0.2, 0.3, 0.5, np.zeros(9)]
    asked = answer(monkeypatch, x, -float(problem.rates.scale))
    progress, climbed = Progress(problem, Clock(50.0)), []

    def climb(given, weights, *rest):
        climbed.append(weights)
        return weights

    monkeypatch.setattr(milp, "climb_from", climb)
    words = solve_milp(progress, 0.25)
    assert asked == [(None, progress.clock, 0.25 * problem.rates.scale)]
    assert np.allclose(climbed[0], x[:3] / problem.spans)
    assert progress.value == problem.value(as_whole(x[:3] / problem.spans))
    assert words.endswith("that none exceeds 1")


@pytest.mark.parametrize(("found", "climbed"), [(min, max), (max, min)])
def test_the_better_of_what_highs_finds_and_a_climb_ends_at_is_offered(monkeypatch, found, climbed):
    problem = two_groups()
    values = [(problem.value(w), w) for w in clear_formulas()]
    first, second = (pick(values, key=lambda one: one[0]) for pick in (found, climbed))
    assert first[0] != second[0]
    answer(monkeypatch, as_floats(first[1]) * problem.spans, -1.0)
    monkeypatch.setattr(milp, "climb_from", lambda *given: as_floats(second[1]))
    progress = Progress(problem, Clock(50.0))
    solve_milp(progress, 0.0)
    assert progress.value == max(first[0], second[0])


def test_a_formula_without_some_factors_is_offered(monkeypatch):
    problem = two_groups()
    answer(monkeypatch, np.r_[0.0, 1.0, 0.0], -1.0)
    monkeypatch.setattr(milp, "climb_from", lambda problem, weights, *rest: weights)
    progress = Progress(problem, Clock(50.0))
    solve_milp(progress, 0.0)
    assert [bool(weight) for weight in progress.weights] == [False, True, False]


@pytest.mark.parametrize("x", [None, np.zeros(9)])
def test_without_a_formula_nothing_is_offered_and_any_bound_is_claimed(monkeypatch, x):
    answer(monkeypatch, x, -np.inf)
    progress = Progress(two_groups(), Clock(50.0))
    assert solve_milp(progress, 0.0).endswith("none exceeds inf")
    assert progress.weights is None


def test_factors_span_zero_to_one_whatever_their_directions():
    problem = replace(two_groups(), directions=np.array([1, -1, -1]))
    factors = RatingProgram(problem).factors
    assert factors.min(axis=0).tolist() == [0.0] * 3
    assert factors.max(axis=0).tolist() == [1.0] * 3
