"""Positions from scores: 1 is best, ties share the mean position."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwright.data.rows import Grouping, Rows, group_rows, row_weights
from rankwright.data.vectors import one_for_each

__all__ = ["mean_places", "places_as_shares", "positions"]


def positions(scores: ArrayLike, groups: ArrayLike | None = None) -> NDArray[np.float64]:
    """Turn scores (larger is better) into positions inside each group.

    What ``ranker.rank`` does, for pipelines and searches, which have no ``rank``.

    Parameters
    ----------
    scores : (n,) array
        Finite scores; larger is better.
    groups : (n,) array, optional
        Group id of each row; without it all rows are one group.

    Returns
    -------
    (n,) float64
        1 is best; tied rows share their mean position.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.positions([0.3, 0.9, 0.3])
    array([2.5, 1. , 2.5])
    >>> rw.positions([0.3, 0.9, 0.3], groups=["a", "a", "b"])
    array([2., 1., 1.])
    """
    values = one_for_each("scores", scores, None, "row")
    if np.isnan(values).any():
        first = int(np.argmax(np.isnan(values)))
        raise ValueError(f"scores has a NaN in row {first}; a row without a score has no position")
    return mean_places(values, group_rows(groups, len(values)), np.ones(len(values)))


def mean_places(
    scores: NDArray[np.float64], grouping: Grouping, weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return positions as if each row stood there as many times as its weight says."""
    group_of_row = grouping.group_of_row
    sorted_scores = grouping.sort(scores)
    best_first = np.lexsort((-sorted_scores, group_of_row))
    ordered = sorted_scores[best_first]
    changes = (group_of_row[1:] != group_of_row[:-1]) | (ordered[1:] != ordered[:-1])
    new_run = np.concatenate([[True], changes])
    run = np.cumsum(new_run) - 1
    seen = np.concatenate([[0.0], np.cumsum(grouping.sort(weights)[best_first])])
    starts = np.append(np.flatnonzero(new_run), len(scores))
    # A run of ties at places s + 1 to e of its group shares the mean place (s + 1 + e) / 2.
    before_group = seen[grouping.offsets[group_of_row]]
    place = (seen[starts[run]] + 1 + seen[starts[run + 1]]) / 2 - before_group
    result = np.empty(len(scores))
    result[best_first] = place
    return grouping.unsort(result)


def places_as_shares(rows: Rows) -> NDArray[np.float64]:
    """Return r/(n + 1) of the row at place r of the n in its group: near 0 the best.

    Tied rows share their mean place, and a row of weight w counts as w rows.
    """
    weights = row_weights(rows)
    place = mean_places(rows.y, Grouping(rows.offsets, None, rows.labels), weights)
    n_rows = np.add.reduceat(weights, rows.offsets[:-1])
    return place / (n_rows[rows.group_of_row] + 1.0)
