"""The features of new rows, and how many of them a split tries."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from rankwright.base import validate_features
from rankwright.base.parameters import share_of
from rankwright.trees.categories import encode_categories

__all__ = ["as_dense", "check_features", "count_features", "dense_blocks", "score_in_blocks"]

# Rows scored at a time, fewer when there are many features: the memory of a prediction is that of
# one block for each thread.
BLOCK_ROWS = 4096
BLOCK_VALUES = 1 << 22


def check_features(ranker: BaseEstimator, X: Any) -> Any:
    """Check rows for a fitted ranker, and turn their categories into numbers.

    Sparse rows stay sparse, in row order.
    """
    check_is_fitted(ranker)
    if ranker.categories_ and np.ndim(X) == 2 and np.shape(X)[1] == ranker.n_features_in_:
        X = encode_categories(X, ranker.categories_)
    return validate_features(
        ranker,
        X,
        dtype=np.float64,
        order="C",
        reset=False,
        ensure_all_finite="allow-nan",
        accept_sparse="csr",
    )


def dense_blocks(X: Any) -> Iterator[tuple[slice, NDArray[np.float64]]]:
    """Yield rows as arrays: dense ones at once, sparse ones block by block."""
    for block in _blocks(X) if issparse(X) else (slice(None),):
        yield block, as_dense(X[block])


def score_in_blocks(
    score: Callable[[NDArray[np.float64]], NDArray[np.float64]], X: Any, n_jobs: int | None
) -> NDArray[np.float64]:
    """Score rows block by block, in threads; ``score`` sees each row as an array."""
    parts = Parallel(n_jobs=n_jobs, prefer="threads")(
        delayed(lambda rows: score(as_dense(rows)))(X[block]) for block in _blocks(X)
    )
    return np.concatenate(parts)


def _blocks(X: Any) -> Iterator[slice]:
    n_rows, n_features = X.shape
    size = min(BLOCK_ROWS, max(1, BLOCK_VALUES // max(n_features, 1)))
    return (slice(start, start + size) for start in range(0, n_rows, size))


def as_dense(X: Any) -> NDArray[np.float64]:
    """Return rows as an array."""
    dense: NDArray[np.float64] = X if isinstance(X, np.ndarray) else X.toarray()
    return dense


def count_features(asked: Any, n_features: int) -> int | None:
    """Return how many features a number of them, a share or "sqrt" asks for; None for all."""
    if asked is None:
        return None
    if asked == "sqrt":
        return max(1, int(np.sqrt(n_features)))
    return min(share_of(asked, n_features), n_features)
