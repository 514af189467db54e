"""Directions that the data decide: none is fixed before formulas of all directions were tried."""

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings

from rankwright.reverse import RatingFormula
from rankwright.reverse.clock import Clock
from rankwright.reverse.search.directions import UNDECIDED
from rankwright.reverse.solve import FitOptions, solve
from tiny_ratings import make_problem, tiny_ratings


def fit_undecided(problem, **options):
    asked = np.full(len(problem.directions), UNDECIDED)
    with Clock(600.0) as clock:
        return solve(problem, asked, FitOptions("auto", clock, 0.0, 0, 1, **options))


def best_of_each_orthant(best_by_enumeration, rating, **options):
    """Return the truth by the signs of the weights."""
    X, levels, groups, tops = rating
    orthants = product((1, -1), repeat=len(X[0]))
    return {
        signs: best_by_enumeration(
            (np.array(X) * np.array(signs)).tolist(), levels, groups, tops, **options
        )
        for signs in orthants
    }


@pytest.mark.parametrize("by_position", [False, True], ids=["top_auc", "positions"])
@settings(max_examples=25, deadline=None)
@given(rating=tiny_ratings())
def test_undecided_signs_reach_the_best_of_all_orthants(best_by_enumeration, by_position, rating):
    assume(make_problem(*rating).has_order)
    truth = best_of_each_orthant(best_by_enumeration, rating, by_position=by_position)
    outcome = fit_undecided(make_problem(*rating, by_position=by_position))
    value = outcome.value if by_position else outcome.value / outcome.problem.rates.scale
    assert value == max(truth.values()) == truth[tuple(outcome.problem.directions.tolist())]
    assert outcome.bound == outcome.bound_any_signs == outcome.value
    all_positive = (1,) * len(outcome.weights)
    # By position, tying everything may be as good as a formula that tells products apart.
    if not by_position and truth[all_positive] == value:
        assert tuple(outcome.problem.directions.tolist()) == all_positive


@settings(max_examples=25, deadline=None)
@given(rating=tiny_ratings())
def test_without_a_look_at_other_directions_their_bound_still_holds(best_by_enumeration, rating):
    assume(make_problem(*rating).has_order)
    truth = best_of_each_orthant(best_by_enumeration, rating)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rankwright.reverse.solve.MOST_OPEN", {False: 0})
        outcome = fit_undecided(make_problem(*rating))
    scale = outcome.problem.rates.scale
    directed = truth[tuple(outcome.problem.directions.tolist())]
    assert outcome.value / scale == outcome.bound / scale == directed
    assert max(truth.values()) <= outcome.bound_any_signs / scale


@pytest.fixture(scope="module")
def nutrients():
    """Fifty products rated by a formula in which a useful factor counts against, like potassium.

    It goes along with another so closely that alone it seems to count in favour.
    """
    rng = np.random.default_rng(0)
    X = rng.integers(0, 30, size=(50, 4)).astype(float)
    X[:, 3] = 2 * X[:, 2] + rng.integers(0, 20, size=50)
    return X, X @ [1.0, 0.5, 2.0, -0.3]


def test_a_perfect_formula_is_found_whatever_its_signs(nutrients):
    X, y = nutrients
    formula = RatingFormula(random_state=0).fit(X, y)
    assert np.corrcoef(X[:, 3], y)[0, 1] > 0.5
    assert formula.directions_.tolist() == [1, 1, 1, -1]
    assert formula.objective_ == formula.bound_ == 1
    assert formula.certificate().holds_for_any_signs


def test_of_perfect_formulas_an_all_positive_one_is_preferred():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 100, size=(30, 8)).astype(float)
    formula = RatingFormula(random_state=0).fit(X, X @ [5, 4, 3, 2, 1, 0.1, 0.1, 0.05])
    assert formula.objective_ == 1
    assert (formula.directions_ == 1).all()


def test_signs_asked_for_leave_nothing_for_the_data_to_decide(nutrients):
    X, y = nutrients
    formula = RatingFormula(signs="positive", random_state=0).fit(X, y)
    certificate = formula.certificate()
    assert certificate.bound == certificate.bound_any_signs < 1
    assert ">= 0" in certificate.scope
    assert "free" not in certificate.scope


def test_a_sign_asked_for_stays_while_others_are_decided(nutrients):
    X, y = nutrients
    formula = RatingFormula(signs={"x3": "+"}, random_state=0).fit(X, y)
    certificate = formula.certificate()
    assert formula.directions_[3] == 1
    assert formula.weights_[3] >= 0
    assert certificate.scope.endswith("x0 free, x1 free, x2 free, x3 >= 0")


def test_many_undecided_factors_get_a_formula_and_bounds_that_say_what_they_hold_for():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 9, size=(25, 14)).astype(float)
    y = X @ rng.normal(size=14) + rng.normal(scale=30, size=25)
    y = np.round(y / 20) + rng.integers(0, 3, size=25)
    formula = RatingFormula(top=5, time_limit=2, random_state=0).fit(X, y)
    certificate = formula.certificate()
    assert certificate.objective <= certificate.bound <= certificate.bound_any_signs


def test_a_factor_that_never_differs_is_not_turned():
    rng = np.random.default_rng(1)
    X = rng.integers(0, 9, size=(24, 3)).astype(float)
    X[:, 1] = 7
    groups = np.repeat(["a", "b"], 12)
    y = X @ [1, 0, -1] + rng.normal(scale=4, size=24)
    formula = RatingFormula(top=3, random_state=0).fit(X, y, groups)
    assert formula.directions_.tolist() == [1, 1, -1]
