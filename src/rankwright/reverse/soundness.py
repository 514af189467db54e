"""Whether the parts of a formula that came from a file fit together."""

import re
from typing import Any

import numpy as np

from rankwright.base import check_array, require
from rankwright.reverse.problem import Rating
from rankwright.reverse.progress import State
from rankwright.reverse.scores import ScoreFit
from rankwright.reverse.search.directions import UNDECIDED
from rankwright.reverse.solution import RatingSolution
from rankwright.reverse.stable import StableFormula, Trial
from rankwright.reverse.values import ValueFunctions

__all__ = ["check_formula"]

# A whole number or a fraction; with an exponent, a short text could stand for a huge number.
EXACT = re.compile(r"-?\d{1,400}(/\d{1,400})?")

MOST_PLACES = 400  # more than floating point has


def check_formula(formula: Any) -> None:
    """Check the rating, the solution and what was read off them."""
    n_features = formula.n_features_in_
    check_array(formula, "medians_", (n_features,))
    functions = formula.value_functions_
    if functions is not None:
        require(isinstance(functions, ValueFunctions), formula, "its value functions are not valid")
        n_features = _check_pieces(functions, n_features)
    for name in ("shares_", "weights_"):
        check_array(formula, name, (n_features,))
    check_array(formula, "directions_", (n_features,), np.int64)
    require(type(formula.intercept_) is float, formula, "its intercept is no number")
    places = formula.score_places_
    is_few = type(places) is int and abs(places) <= MOST_PLACES
    require(is_few, formula, "its scores have no number of places")
    require(isinstance(formula.rating_, Rating), formula, "its rating is not valid")
    require(isinstance(formula.solution_, RatingSolution), formula, "its solution is not valid")
    _check_rating(formula.rating_, n_features)
    _check_solution(formula.solution_, n_features)
    if formula.stable_ is not None:
        _check_stable(formula.stable_, n_features)
    if formula.score_fit_ is not None:
        require(isinstance(formula.score_fit_, ScoreFit), formula, "its scores are not valid")
        _check_scores(formula.score_fit_, formula.rating_, n_features)


def _check_pieces(functions: ValueFunctions, n_features: int) -> int:
    n_pieces = len(functions.factors)
    check_array(functions, "factors", (n_pieces,), np.int64)
    for name in ("low", "high"):
        check_array(functions, name, (n_pieces,))
    in_order = np.array_equal(np.unique(functions.factors), np.arange(n_features))
    is_sorted = bool((np.diff(functions.factors) >= 0).all())
    require(in_order and is_sorted, functions, "its pieces are not of all factors in turn")
    require(len(functions.names) == n_pieces, functions, "its pieces have no names")
    return n_pieces


def _check_rating(rating: Rating, n_features: int) -> None:
    check_array(rating, "X", (None, n_features))
    n_rows = len(rating.X)
    require(n_rows > 0 and bool(np.isfinite(rating.X).all()), rating, "a factor is no number")
    check_array(rating, "y", (n_rows,))
    check_array(rating, "rows", (n_rows,), np.int64)
    for name in ("groups", "categories"):
        check_array(rating, name, (n_rows,), None)
    check_array(rating, "directions", (n_features,), np.int64)
    require(set(rating.directions.tolist()) <= {-1, 0, 1}, rating, "a direction is not valid")
    check_array(rating, "asked", (n_features,), np.int64)
    is_decided = (rating.asked == UNDECIDED) & (rating.directions != 0)
    is_as_asked = is_decided | (rating.asked == rating.directions)
    require(bool(is_as_asked.all()), rating, "its directions are not those asked for")
    for name, length in (("names", n_rows), ("factor_names", n_features)):
        names = getattr(rating, name)
        is_text = isinstance(names, list) and all(map(_is_name, names))
        require(is_text and len(names) == length, rating, f"{name} are not {length} names")
    is_text = isinstance(rating.piece_of, list) and all(map(_is_name, rating.piece_of))
    require(is_text and len(rating.piece_of) in (0, n_features), rating, "piece_of is not valid")
    weights, categories = rating.category_weights, rating.categories.tolist()
    is_weighted = isinstance(weights, dict) and set(categories) <= weights.keys()
    require(is_weighted, rating, "its categories have no weights")
    is_counted = np.array([weights[label] > 0 for label in categories])
    n_groups = len(np.unique(rating.groups[is_counted]))
    require(n_groups > 0, rating, "none of its categories counts")
    tops = rating.tops
    is_whole = isinstance(tops, list) and all(type(top) is int and top > 0 for top in tops)
    require(is_whole and len(tops) == n_groups, rating, "its groups have no tops")


def _is_name(value: object) -> bool:
    return isinstance(value, str)


def _check_scores(fit: ScoreFit, rating: Rating, n_features: int) -> None:
    exact = [*fit.exact_weights, fit.exact_intercept, fit.step]
    is_text = all(isinstance(number, str) and EXACT.fullmatch(number) for number in exact)
    require(len(exact) == n_features + 2 and is_text, fit, "its exact weights are not valid")
    for name in ("low", "high"):
        check_array(fit, name, (n_features,))
    n_missed = len(fit.contradicted)
    check_array(fit, "contradicted", (n_missed,), np.int64)
    check_array(fit, "misses", (n_missed,))
    known = set(rating.rows.tolist())
    require(set(fit.contradicted.tolist()) <= known, fit, "it names unknown products")


def _check_stable(stable: StableFormula, n_features: int) -> None:
    require(isinstance(stable, StableFormula), stable, "it is no stable formula")
    require(_are_exact(stable.exact_weights, n_features), stable, "its exact weights are none")
    numbers = all(type(value) is float for value in (stable.objective, stable.amount))
    require(numbers and type(stable.is_complete) is bool, stable, "its values are no numbers")
    require(isinstance(stable.towards, str), stable, "it explains nothing")
    is_list = isinstance(stable.trials, list)
    are_trials = is_list and all(isinstance(one, Trial) for one in stable.trials)
    require(are_trials, stable, "its trials are none")


def _are_exact(texts: Any, n_features: int) -> bool:
    is_list = isinstance(texts, list) and len(texts) == n_features
    return is_list and all(isinstance(one, str) and EXACT.fullmatch(one) for one in texts)


def _check_solution(solution: RatingSolution, n_features: int) -> None:
    exact = solution.exact_weights
    require(_are_exact(exact, n_features), solution, "its exact weights are not valid")
    values = (
        solution.value,
        solution.bound,
        solution.achievable,
        solution.bound_any_signs,
        solution.pairs_lost,
    )
    require(all(type(value) is int for value in values), solution, "its values are not whole")
    words = (solution.status, solution.proof)
    require(all(isinstance(word, str) for word in words), solution, "its status is no text")
    is_history = isinstance(solution.history, list)
    require(
        is_history and all(isinstance(state, State) for state in solution.history),
        solution,
        "its history is not valid",
    )
