"""The scores of anything that ranks: a ranker, a pipeline, a search, a model of others."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["scores_of"]

Floats = NDArray[np.float64]

# The first that a model has; labels come last, since they leave more items tied.
METHODS = ("decision_function", "predict_proba", "predict")


def scores_of(model: Any, X: Any) -> Floats:
    """Return the score of each row, larger is better.

    It is what ``decision_function`` returns, else what ``predict`` does. A classifier without a
    ``decision_function`` is scored by its probability of the second of two classes.

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
    name = next((method for method in METHODS if hasattr(model, method)), None)
    if name is None:
        raise ValueError(
            f"{type(model).__name__} has neither decision_function nor predict; "
            "give a fitted model that scores rows"
        )
    scores = np.asarray(getattr(model, name)(X))
    if scores.ndim == 2 and scores.shape[1] == (2 if name == "predict_proba" else 1):
        scores = scores[:, -1]
    if scores.ndim != 1 or scores.dtype.kind not in "biuf":
        raise ValueError(
            f"{type(model).__name__}.{name} returns an array of shape {scores.shape} and type "
            f"{scores.dtype}; give a model with one number for each row: a ranker, a regressor, or "
            "a classifier of two classes"
        )
    return scores.astype(np.float64, copy=False)
