"""The scores of anything that ranks: a ranker, a pipeline or a search that ends in one."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["scores_of"]


def scores_of(model: Any, X: Any) -> NDArray[np.float64]:
    """Return the score of each row, larger is better: ``decision_function``, else ``predict``.

    Parameters
    ----------
    model : fitted ranker, pipeline or search
    X : (n, d) frame or array

    Returns
    -------
    (n,) float64

    Examples
    --------
    >>> import rankwright as rw
    >>> from rankwright.base import scores_of
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> pipeline = make_pipeline(StandardScaler(), rw.ExpectedRankRegressor())
    >>> scores = scores_of(pipeline.fit([[1.0], [2.0], [3.0]], [1, 2, 3]), [[5.0], [7.0]])
    >>> rw.positions(scores)
    array([2., 1.])
    """
    score = getattr(model, "decision_function", None) or model.predict
    return np.asarray(score(X), dtype=np.float64)
