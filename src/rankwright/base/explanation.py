"""Why one item is above another, for any ranker."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

__all__ = ["why_above"]


def why_above(
    ranker: Any,
    item: "pd.Series[Any]",
    other: "pd.Series[Any]",
    *,
    n_orders: int = 100,
    random_state: int = 0,
) -> pd.DataFrame:
    """Split the difference of two items' scores into what each feature contributes.

    The features of the other item are replaced by those of the item one after the other; what the
    score gains with a feature, averaged over orders of replacement, is its contribution (its
    Shapley value between the two items). The contributions add up to the difference of the scores;
    for a linear ranker they are weight times difference, exactly.

    Parameters
    ----------
    ranker : fitted ranker
    item, other : Series
        Rows of a frame with the ranker's features.
    n_orders : int, default=100
        Random orders to average over; each is used forwards and backwards.
    random_state : int, default=0

    Returns
    -------
    DataFrame
        ``item``, ``other`` and ``contribution`` by feature, the largest contribution first.

    Examples
    --------
    >>> import pandas as pd
    >>> import rankwright as rw
    >>> from rankwright.base import why_above
    >>> X = pd.DataFrame({"zoom": [3.0, 9.0, 6.0], "price": [9.0, 1.0, 2.0]}, index=list("ABC"))
    >>> ranker = rw.ExpectedRankRegressor().fit(X, [1, 3, 2])
    >>> why_above(ranker, X.loc["B"], X.loc["A"]).index[0]
    'zoom'
    """
    names = [str(name) for name in ranker.feature_names_in_]
    high, low = (row[names].to_numpy(dtype=np.float64) for row in (item, other))
    rng = np.random.default_rng(random_state)
    forwards = [rng.permutation(len(names)) for _ in range(n_orders)]
    orders = np.array([order for one in forwards for order in (one, one[::-1])])
    scores = ranker._scores(pd.DataFrame(_paths(orders, high, low), columns=names))
    gains = np.diff(scores.reshape(len(orders), -1), axis=1)
    contributions = np.zeros(len(names))
    np.add.at(contributions, orders, gains)
    table = pd.DataFrame(
        {"item": high, "other": low, "contribution": contributions / len(orders)},
        index=pd.Index(names, name="feature"),
    )
    return table.sort_values("contribution", key=np.abs, ascending=False, kind="stable")


def _paths(
    orders: NDArray[np.int64], high: NDArray[np.float64], low: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return for each order the rows from the other item to the item, one feature at a time."""
    places = np.argsort(orders, axis=1)  # when each feature is replaced
    steps = np.arange(len(high) + 1)
    replaced = places[:, None, :] < steps[None, :, None]
    return np.where(replaced, high, low).reshape(-1, len(high))
