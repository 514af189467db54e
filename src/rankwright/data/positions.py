"""Positions from scores: 1 is best, ties share the mean position."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwright.data.rows import group_rows

__all__ = ["positions"]


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
    values = np.asarray(scores, dtype=np.float64)
    if values.ndim != 1:
        raise ValueError(f"scores has shape {values.shape}; give one score for each row")
    if np.isnan(values).any():
        first = int(np.argmax(np.isnan(values)))
        raise ValueError(f"scores has a NaN in row {first}; a row without a score has no position")
    grouping = group_rows(groups, len(values))
    if len(values) == 0:
        return values
    group_of_row = np.repeat(np.arange(len(grouping.labels)), np.diff(grouping.offsets))
    sorted_scores = grouping.sort(values)
    best_first = np.lexsort((-sorted_scores, group_of_row))
    ordered = sorted_scores[best_first]
    new_group = np.r_[True, group_of_row[1:] != group_of_row[:-1]]
    run_starts = np.flatnonzero(new_group | np.r_[True, ordered[1:] != ordered[:-1]])
    run_ends = np.append(run_starts[1:], len(values))
    # A run of ties at places s+1..e of its group shares the mean place (s + 1 + e) / 2.
    mean_place = (run_starts + 1 + run_ends) / 2 - grouping.offsets[group_of_row[run_starts]]
    result = np.empty(len(values))
    result[best_first] = np.repeat(mean_place, run_ends - run_starts)
    return grouping.unsort(result)
