"""The question why one item is above another, put to a model."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.explanation.explanation import Explanation
from rankwright.explanation.pair import Pair, read_pair
from rankwright.explanation.scores import scores_of
from rankwright.explanation.shapley import enumerate_hybrids, sample_orders

__all__ = ["weighted_difference", "why_above"]

Floats = NDArray[np.float64]

# Items that differ in more features are explained by random orders, not by all hybrids of the two.
MOST_ENUMERATED = 12


def why_above(
    ranker: Any, item: Any, other: Any, *, n_orders: int = 100, random_state: int = 0
) -> Explanation:
    """Say what each feature contributes to the difference of two items' scores.

    The features of the other item are replaced by those of the item one after the other; what the
    score gains with a feature, averaged over all orders of replacement, is its contribution (its
    Shapley value between the two items). It is exact for linear scores, rating formulas, trees and
    means of trees, and for any model when the items differ in at most twelve features. Else it is
    estimated from random orders, and the explanation holds the standard errors.

    Parameters
    ----------
    ranker : fitted model
        A ranker, a rating formula, a pipeline, a search, or anything else with a
        ``decision_function`` or a ``predict`` that returns a number for each row. A classifier
        without a ``decision_function`` is explained by its probability of the second of two
        classes; of more classes it is refused. A pipeline is explained by the columns that it
        takes.
    item, other : one row each
        A Series or a frame of one row, whose index names the item (a frame also keeps the types of
        its columns); a mapping; or values in the order of the ranker's features.
    n_orders : int, default=100
        Random orders to average over, where exact values are out of reach; each is used forwards
        and backwards.
    random_state : int, default=0
        The seed of these orders.

    Returns
    -------
    Explanation

    Examples
    --------
    >>> import pandas as pd
    >>> import rankwright as rw
    >>> X = pd.DataFrame({"zoom": [3.0, 9.0, 6.0], "price": [9.0, 1.0, 2.0]}, index=list("ABC"))
    >>> ranker = rw.LeastSquaresRanker("score").fit(X, [2.0, 8.0, 5.0])
    >>> print(rw.why_above(ranker, X.loc["B"], X.loc["A"]))
    B is above A: score difference +6
    zoom  +6  (9 against 3)
    1 feature makes no difference
    """
    if n_orders < 2:
        raise ValueError(
            f"n_orders={n_orders!r}; give 2 or more, for there is an error to estimate"
        )
    model = _searched(ranker)
    score = partial(scores_of, model)
    pair = read_pair(model, item, other)
    scores = score(pair.rows)
    contributions, errors = _exact_contributions(model, pair), None
    if contributions is None:
        contributions, errors = _contributions_of_hybrids(score, pair, n_orders, random_state)
    order = np.argsort(-np.abs(contributions), kind="stable")
    high, low = pair.values
    return Explanation(
        item=pair.names[0],
        other=pair.names[1],
        features=pair.features[order],
        contributions=contributions[order] + 0.0,  # no negative zeros
        values=high[order],
        other_values=low[order],
        score=float(scores[0]),
        other_score=float(scores[1]),
        standard_errors=None if errors is None else errors[order],
    )


def weighted_difference(weights: Floats, rows: Floats) -> Floats:
    """Return the contributions to a linear score: weight times difference of the two rows."""
    contributions: Floats = weights * (rows[0] - rows[1])
    return contributions


def _searched(model: Any) -> Any:
    """Return the model that a search has found; any other model as it is."""
    while hasattr(model, "best_estimator_"):
        model = model.best_estimator_
    return model


def _exact_contributions(model: Any, pair: Pair) -> Floats | None:
    """Ask a ranker that knows how its score is made; None from all others."""
    ask = getattr(model, "_contributions", None)
    return None if ask is None else ask(pair.rows)


def _contributions_of_hybrids(
    score: Callable[[Any], Floats], pair: Pair, n_orders: int, seed: int
) -> tuple[Floats, Floats | None]:
    features = pair.differing()
    contributions = np.zeros(pair.rows.shape[1])

    def worth(from_item: NDArray[np.bool_]) -> Floats:
        return score(pair.hybrids(features, from_item))

    if features.size <= MOST_ENUMERATED:
        if features.size:
            contributions[features] = enumerate_hybrids(worth, features.size)
        return contributions, None
    errors = np.zeros_like(contributions)
    contributions[features], errors[features] = sample_orders(worth, features.size, n_orders, seed)
    return contributions, errors
