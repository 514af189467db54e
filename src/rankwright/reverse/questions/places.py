"""Published and reproduced places of products; a tie or band is left only by leaving its places."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from rankwright.data import group_rows

__all__ = ["place_spans", "places_moved"]

Ints = NDArray[np.int64]


def place_spans(scores: ArrayLike, groups: ArrayLike | None = None) -> tuple[Ints, Ints]:
    """Return the first and the last place that each product's tie takes in its group.

    Examples
    --------
    >>> first, last = place_spans([9, 5, 5, 1])
    >>> first.tolist(), last.tolist()
    ([1, 2, 2, 4], [1, 3, 3, 4])
    """
    values = np.asarray(scores, dtype=np.float64)
    grouping = group_rows(groups, len(values))
    first, last = np.empty((2, len(values)), dtype=np.int64)
    for rows in grouping.rows():
        ascending = np.sort(values[rows])
        first[rows] = 1 + len(rows) - np.searchsorted(ascending, values[rows], side="right")
        last[rows] = len(rows) - np.searchsorted(ascending, values[rows], side="left")
    return first, last


def places_moved(y: ArrayLike, scores: ArrayLike, groups: ArrayLike | None = None) -> pd.DataFrame:
    """Return where products were published, where scores put them, and how far they moved.

    Returns
    -------
    DataFrame
        ``published`` and ``published_last``, the first and last place of the published tie or band;
        ``reproduced``, the place by the scores, ties sharing the first; ``moved``, how many places
        that is above (positive) or below (negative) the published ones, 0 inside them.

    Examples
    --------
    >>> places_moved([3, 2, 2, 1], [4, 1, 3, 2])["moved"].tolist()
    [0, -1, 0, 1]
    """
    first, last = place_spans(y, groups)
    reproduced, _ = place_spans(scores, groups)
    moved = np.where(reproduced < first, first - reproduced, np.minimum(last - reproduced, 0))
    columns: dict[str, Any] = {
        "published": first,
        "published_last": last,
        "reproduced": reproduced,
        "moved": moved,
    }
    return pd.DataFrame(columns)
