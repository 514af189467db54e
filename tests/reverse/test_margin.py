"""Linear programs for central formulas: whole numbers of any size, and no answer."""

import numpy as np
import pandas as pd
import pytest

import rankwright as rw
from rankwright.programs import Program, Solution, Status
from rankwright.reverse.search import margin
from rankwright.reverse.search.margin import central_weights, separating_weights
from rankwright.reverse.whole_numbers import as_whole
from tiny_ratings import a_rating, constrained, make_problem


def unwilling(program, **_):
    return Solution(Status.NO_ANSWER, None, np.inf, -np.inf)


def five_real_factors():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(30, 5)), columns=[f"x{i}" for i in range(5)])
    return X, X.to_numpy() @ rng.normal(size=5) + 0.1 * rng.normal(size=30)


def test_programs_about_factors_of_many_digits_have_coefficients_of_one_size(monkeypatch):
    sizes, add_rows = [], Program.add_rows

    def noted(program, matrix, *bounds, **named):
        sizes.extend(np.abs(np.asarray(matrix)).max(axis=1, initial=0.0))
        add_rows(program, matrix, *bounds, **named)

    monkeypatch.setattr("rankwright.programs.program.Program.add_rows", noted)
    X, y = five_real_factors()
    formula = rw.RatingFormula(constraints=["x0 >= x1"], random_state=0).fit(X, y)
    assert formula.rating_.problem.cone.contains(
        formula.solution_.whole_weights(formula.rating_.problem)
    )
    assert max(sizes) < 100


def test_a_formula_is_kept_where_the_solver_has_no_answer(monkeypatch):
    monkeypatch.setattr("rankwright.programs.program.Program.solve", unwilling)
    X, y = five_real_factors()
    formula = rw.RatingFormula(constraints=["x0 >= x1"], random_state=0).fit(X[:12], y[:12])
    problem = formula.rating_.problem
    weights = formula.solution_.whole_weights(problem)
    assert problem.cone.contains(weights)
    assert formula.status_ == "optimal"  # the proof needs no program
    assert problem.value(weights) == formula.solution_.value


def test_a_solver_without_an_answer_finds_no_margin(monkeypatch):
    monkeypatch.setattr("rankwright.programs.program.Program.solve", unwilling)
    problem = a_rating()
    assert separating_weights(problem, 9.0) is None
    assert central_weights(problem, np.array([1, 1, 1], dtype=object), 9.0) is None


def test_a_factor_of_many_digits_keeps_its_weight_beside_factors_of_few():
    a = [0.123456789012, 0.234567890123, 0.345678901234]
    problem = make_problem(np.c_[a, [1, 3, 2], [4, 4, 5]], [0, 1, 2], [0, 0, 0], {0: 2})
    problem = constrained(problem, "share(b) = share(c)")
    # A step of a is so small that its weight is next to nothing, and its share is not.
    near = np.array([0.4, 0.3, 0.3 * (1 + 1e-12)]) / problem.spans
    found = problem.admit(as_whole(near))
    assert problem.cone.contains(found)
    assert problem.shares_of(found) == pytest.approx([40, 30, 30])


def test_central_formulas_of_few_factors_keep_to_them():
    problem = constrained(a_rating(), "at most 2 factors")
    weights = np.array([3, 0, 1], dtype=object)
    central = central_weights(problem, weights, 9.0)
    assert central[1] == 0
    assert problem.value(as_whole(central)) >= problem.value(weights)


def test_no_face_is_asked_for_a_formula_that_no_number_of_factors_would_make(monkeypatch):
    solved, solve = [], Program.solve

    def counted(program, **named):
        solved.append(program)
        return solve(program, **named)

    monkeypatch.setattr("rankwright.programs.program.Program.solve", counted)
    assert separating_weights(constrained(a_rating(), "at most 2 factors"), 9.0) is None
    assert len(solved) == 1


def test_faces_are_asked_until_the_time_is_up(monkeypatch):
    solved, seconds = [], iter(range(100))

    def counted(problem, generators, *_):
        solved.append(len(generators))
        return 1.0 / len(solved), generators.sum(axis=0)

    monkeypatch.setattr(margin, "_farthest", counted)
    monkeypatch.setattr(margin.time, "monotonic", lambda: next(seconds))
    problem = constrained(a_rating(), "at most 1 factor")
    found = separating_weights(problem, 3.0)
    assert solved == [3, 1, 1]  # the whole cone, and of three faces two
    assert (found != 0).sum() == 1
