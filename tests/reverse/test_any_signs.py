"""Ranges over all signs, beside formulas of every cell in every orthant."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog

from rankwright.reverse import RatingFormula
from rankwright.reverse.clock import Clock
from rankwright.reverse.questions.any_signs import _is_refuted
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


@pytest.mark.parametrize("seed", range(20))
def test_signs_are_refuted_if_and_only_if_no_weights_have_them(seed):
    rng = np.random.default_rng(seed)
    rows = rng.integers(-4, 5, (6, 3)).astype(float)
    rows *= np.where(rows @ [2, -1, 1] >= 0, 1, -1)[:, None]  # some are 0 there: on the edge
    drawn = rng.normal(size=(20_000, 3))
    winners = np.sign(drawn[(rows @ drawn.T > 0).all(axis=0)]).astype(np.int64)
    with Clock(20) as clock:
        for signs in map(np.array, product((1, -1), (1, -1), (0, 1, -1))):
            is_given = signs != 0
            some = (winners[:, is_given] == signs[is_given]).all(axis=1)
            if some.any():
                assert not _is_refuted(rows, signs, clock)
            else:
                assert _is_refuted(rows, signs, clock) or _is_narrow(rows, signs)


def _is_narrow(rows, signs):
    """Tell whether a program of its own finds weights that drawing may have missed."""
    bounds = [(0, 1) if s == 1 else (-1, 0) if s == -1 else (-1, 1) for s in signs]
    limits = np.column_stack([-rows, np.ones(len(rows))])
    found = linprog([0, 0, 0, -1], limits, np.zeros(len(rows)), bounds=[*bounds, (None, None)])
    return -found.fun > 1e-9
