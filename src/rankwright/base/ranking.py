"""A ranking as a table that people read."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from rankwright.data import as_frame, as_labels, positions
from rankwright.explanation import scores_of

__all__ = ["rank_table"]


def rank_table(ranker: Any, X: pd.DataFrame, groups: ArrayLike | None = None) -> pd.DataFrame:
    """Return items with their groups, positions and scores, the best of each group first.

    Parameters
    ----------
    ranker : fitted ranker, pipeline or search
    X : (n, d) frame
        Its index names the items.
    groups : (n,) array, optional

    Returns
    -------
    DataFrame
        Columns ``group`` (the same for all without groups), ``position`` and ``score``.

    Examples
    --------
    >>> import pandas as pd
    >>> import rankwright as rw
    >>> from rankwright.base import rank_table
    >>> X = pd.DataFrame({"zoom": [3.0, 9.0, 6.0]}, index=["A1", "B2", "C3"])
    >>> ranker = rw.ExpectedRankRegressor().fit(X, [1, 3, 2])
    >>> rank_table(ranker, X)["position"].to_dict()
    {'B2': 1.0, 'C3': 2.0, 'A1': 3.0}
    """
    X = as_frame(X)
    scores = scores_of(ranker, X)
    table = pd.DataFrame(
        {
            "group": np.repeat("all", len(X)) if groups is None else as_labels(groups, len(X)),
            "position": positions(scores, groups),
            "score": scores,
        },
        index=X.index,
    )
    if table.index.name in table.columns:  # a table needs each name once
        table = table.rename_axis("item")
    places, _ = pd.factorize(table["group"])  # groups stay in the order of the input
    return table.iloc[np.lexsort([table["position"].to_numpy(), np.asarray(places)])]
