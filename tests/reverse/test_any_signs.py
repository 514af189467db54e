"""Ranges over all signs, beside formulas of every cell in every orthant."""

from itertools import product

import numpy as np
import pytest

from rankwright.reverse import RatingFormula
from rankwright.reverse.whole_numbers import as_whole


def shares_of_good_formulas(formula, weights_of_all_cells):
    """Return the signed shares of every cell, edge and vertex that are as good as the formula."""
    rating, found = formula.rating_, []
    problem, spans = rating.problem, np.ptp(rating.problem.factors.whole, axis=0)
    for signs in product((1, -1), repeat=len(spans)):
        for weights in weights_of_all_cells(problem.factors.whole * np.array(signs)):
            own = np.array(weights, dtype=float) * signs
            if problem.value(as_whole(own * problem.directions)) >= formula.solution_.value:
                found.append(100 * own * spans / np.abs(own * spans).sum())
    return np.array(found)


@pytest.mark.parametrize("seed", range(12))
def test_ranges_over_any_signs_hold_every_formula_that_is_as_good(seed, weights_of_all_cells):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 4, (5, 2)), rng.permutation(5)
    formula = RatingFormula(top=2, random_state=0).fit(X, y)
    ranges = formula.weight_ranges(any_signs=True)
    shares = shares_of_good_formulas(formula, weights_of_all_cells)
    low, high = (ranges[f"outer_{end}"].to_numpy() for end in ("low", "high"))
    assert (shares.min(axis=0) >= low - 1e-6).all()
    assert (shares.max(axis=0) <= high + 1e-6).all()
    np.testing.assert_allclose(ranges["inner_low"], low, atol=1e-6)
    np.testing.assert_allclose(ranges["inner_high"], high, atol=1e-6)


def test_free_signs_have_ranges_if_any_signs_are_asked_for():
    X = np.array([[1, 4], [2, 2], [3, 5], [4, 1.0]])
    formula = RatingFormula(top=2, signs="free", random_state=0).fit(X, [1, 2, 3, 4])
    with pytest.raises(ValueError, match="any_signs=True"):
        formula.weight_ranges()
    ranges = formula.weight_ranges(any_signs=True)
    assert ranges.loc["x0", "outer_low"] > 0 > ranges.loc["x1", "outer_low"]


def test_signs_asked_for_stay():
    X = np.array([[1, 4], [2, 2], [3, 5], [4, 1.0]])
    formula = RatingFormula(top=2, signs={"x1": "-"}, random_state=0).fit(X, [4, 1, 3, 2])
    assert formula.weight_ranges(any_signs=True).loc["x1", "outer_high"] <= 0


def test_constraints_and_too_many_open_signs_are_refused():
    X = np.random.default_rng(0).integers(0, 9, (20, 13))
    formula = RatingFormula(solver="search", time_limit=1.0, random_state=0).fit(X, np.arange(20))
    with pytest.raises(ValueError, match="13 signs are open"):
        formula.weight_ranges(any_signs=True)
    limited = RatingFormula(constraints=["x0 >= x1"], random_state=0).fit(X[:, :2], np.arange(20))
    with pytest.raises(ValueError, match="need known directions"):
        limited.weight_ranges(any_signs=True)
