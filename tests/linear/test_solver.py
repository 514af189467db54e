import numpy as np
import pytest

from rankwright.linear import PairwiseRanker
from rankwright.linear.loss import LOSSES, SECOND_DERIVATIVES
from rankwright.linear.objective import Objective
from rankwright.linear.pairs import block_pairs
from rankwright.linear.parts import Part
from rankwright.linear.solver import minimize, sample_curvature


@pytest.mark.parametrize("name", ["logistic", "squared_hinge"])
@pytest.mark.parametrize("diagonal", [True, False])
def test_the_gradient_vanishes_at_the_solution(make_problem, name, diagonal):
    rows = make_problem(n=300, d=5).rows
    pairs = block_pairs(rows)
    objective = Objective(rows.X, LOSSES[name](pairs), 1e-3)
    curvature = sample_curvature(
        Part.of_pairs(rows.X, pairs), SECOND_DERIVATIVES[name], 1e-3, diagonal=diagonal
    )
    solution = minimize(objective, np.zeros(5), curvature, tol=1e-7)
    value, gradient = objective(solution.coef)
    assert solution.value == value
    np.testing.assert_allclose(gradient, 0, atol=1e-6)


def test_few_evaluations_suffice_for_badly_scaled_correlated_features(make_problem):
    rows = make_problem(n=500, d=8).rows
    mixing = np.random.default_rng(0).normal(size=(8, 8)) * np.logspace(-3, 3, 8)
    X, pairs = rows.X @ mixing, block_pairs(rows)
    objective, calls = Objective(X, LOSSES["logistic"](pairs), 0.0), []
    curvature = sample_curvature(
        Part.of_pairs(X, pairs), SECOND_DERIVATIVES["logistic"], 0.0, diagonal=False
    )
    minimize(lambda w: (calls.append(1), objective(w))[1], np.zeros(8), curvature)
    assert len(calls) <= 20


def test_the_factor_is_that_of_the_hessian(make_problem):
    rows = make_problem(n=300, d=3).rows
    pairs = block_pairs(rows)
    objective = Objective(rows.X, LOSSES["logistic"](pairs), 0.1)
    curvature = sample_curvature(
        Part.of_pairs(rows.X, pairs), SECOND_DERIVATIVES["logistic"], 0.1, diagonal=False
    )
    w = np.array([0.5, 0.0, -0.5])
    steps = 1e-5 * np.eye(3)
    hessian = np.array([(objective(w + e)[1] - objective(w - e)[1]) / 2e-5 for e in steps])
    factor = curvature.factor(w, 1.0, 1e-4)
    np.testing.assert_allclose(factor @ factor.T, hessian, rtol=0.1, atol=0.02)


@pytest.mark.parametrize("diagonal", [True, False])
@pytest.mark.parametrize("unit", [1e-8, 1e-12])
def test_small_units_leave_the_order_of_the_coefficients(make_problem, diagonal, unit):
    rows = make_problem(n=300, d=5).rows
    pairs = block_pairs(rows)
    objective = Objective(unit * rows.X, LOSSES["logistic"](pairs), 1e-4)
    curvature = sample_curvature(
        Part.of_pairs(unit * rows.X, pairs), SECOND_DERIVATIVES["logistic"], 1e-4, diagonal=diagonal
    )
    found = minimize(objective, np.zeros(5), curvature).coef
    _, slope = objective(np.zeros(5))
    np.testing.assert_allclose(found, -slope / 1e-4, rtol=1e-6)  # where the penalty is all


def test_pairs_that_cancel_leave_the_coefficients_at_zero():
    ranker = PairwiseRanker().fit(1e-8 * np.array([[0.0], [1.0], [1.0], [0.0]]), [0, 1, 0, 1])
    assert ranker.coef_.tolist() == [0.0]
