"""What one step of each factor would do for the products."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.data import group_rows
from rankwright.reverse.values import ValueFunctions

__all__ = ["what_if"]

Floats = NDArray[np.float64]
NICE = np.array([1, 2, 5, 10])


def what_if(
    X: pd.DataFrame,
    weights: Floats,
    groups: NDArray[Any] | None = None,
    functions: ValueFunctions | None = None,
) -> pd.DataFrame:
    """Return what one step of a factor adds to a score, and how far it moves a product up.

    Each product is moved alone, its competitors staying as they are. A step is the smallest
    difference between two values of the factor, or a twentieth of its range, rounded, if that is
    more.

    Parameters
    ----------
    X : (n, d) frame
        Factors of the products.
    weights : (d,) array
        The formula.
    groups : (n,) array, optional
    functions : ValueFunctions, optional
        The pieces that the weights are of, where factors count in pieces.

    Returns
    -------
    DataFrame
        By factor, the largest effect first: ``step`` (negative where less is better), ``points``
        and ``places`` gained on average, and the share of products that ``gain`` a place at all.
        Levels have no steps.

    Examples
    --------
    >>> import pandas as pd
    >>> from rankwright.reverse import what_if
    >>> X = pd.DataFrame({"stars": [5.0, 4.5, 4.0], "grams": [300.0, 310.0, 250.0]})
    >>> what_if(X, [2.0, -0.01])[["step", "points"]].round(3).to_dict("index")
    {'stars': {'step': 0.5, 'points': 1.0}, 'grams': {'step': -10.0, 'points': 0.1}}
    """
    values, weights = X.to_numpy(dtype=np.float64), np.asarray(weights, dtype=np.float64)
    steps = np.array([_step(column) for column in values.T])
    if functions is None:
        steps *= np.sign(weights)
        scores, points = values @ weights, np.broadcast_to(steps * weights, values.shape)
    else:
        steps *= np.where(functions.has_levels, 0, np.sign(functions.add_up(weights)))
        scores = functions.expand(values) @ weights
        moved = [functions.expand(values + row) @ weights for row in np.diag(steps)]
        points = np.column_stack(moved) - scores[:, None]
    gains = _places_gained(scores, points, group_rows(groups, len(X)).rows())
    table = pd.DataFrame(
        {
            "step": steps,
            "points": points.mean(axis=0),
            "places": gains.mean(axis=0),
            "gain": (gains > 0).mean(axis=0),
        },
        index=pd.Index([str(name) for name in X.columns], name="factor"),
    )
    return table.iloc[np.flatnonzero(steps)].sort_values("points", ascending=False, kind="stable")


def _step(values: Floats) -> float:
    distinct = np.unique(values)
    if len(distinct) < 2:
        return 0.0
    smallest, part = float(np.diff(distinct).min()), float(np.ptp(distinct)) / 20
    power = 10.0 ** np.floor(np.log10(part))
    return max(smallest, float(NICE[np.searchsorted(NICE, part / power - 1e-9)] * power))


def _places_gained(scores: Floats, points: Floats, groups: list[NDArray[np.int64]]) -> Floats:
    """Return how many competitors each product passes with its gain in points by each factor."""
    gained = np.empty(points.shape)
    for rows in groups:
        ascending = np.sort(scores[rows])
        above = len(rows) - np.searchsorted(ascending, scores[rows], side="right")
        for factor, gain in enumerate(points[rows].T):
            still_above = len(rows) - np.searchsorted(ascending, scores[rows] + gain, side="right")
            gained[rows, factor] = above - still_above
    return gained
