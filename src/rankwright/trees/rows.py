"""The rows that trees are trained on: checked, encoded, binned."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from rankwright.base import as_rows
from rankwright.trees.binning import Bins, bin_features
from rankwright.trees.categories import encode_categories, find_categories

__all__ = ["Labels", "Shared", "TrainingRows", "read_rows"]


@dataclass(frozen=True)
class Labels:
    """The target: label codes of the rows, and the labels' increasing values.

    With ``offsets``, rows of different groups are not compared; group g is rows
    ``offsets[g]:offsets[g + 1]``.
    """

    codes: NDArray[np.int32]
    values: NDArray[np.float64]
    offsets: NDArray[np.int64] | None = None


@dataclass(frozen=True)
class TrainingRows:
    """Rows of positive weight, sorted by group, binned, with their labels."""

    X: Any  # (n, d) float64 array or CSR matrix
    bins: Bins
    categories: dict[int, list[Any]]  # of the categorical columns
    labels: Labels
    weights: NDArray[np.float64] | None
    given: NDArray[np.int64]  # number of each row in the caller's data
    n_given: int

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.labels.codes.size

    def spread(self, values: NDArray[Any], fill: float) -> NDArray[Any]:
        """Return values of the rows as an array for the caller's rows, ``fill`` where left out."""
        spread = np.full(self.n_given, fill, dtype=values.dtype)
        spread[self.given] = values
        return spread


@dataclass(frozen=True)
class Shared:
    """What the parts of a data set have in common, each of which sees a few of the rows."""

    categories: dict[int, list[Any]]
    labels: NDArray[Any]  # all that occur, ascending: numbers, or the two classes


def read_rows(
    ranker: BaseEstimator,
    X: Any,
    y: Any,
    groups: Any = None,
    *,
    sample_weight: Any,
    max_bins: int | None,
    shared: Shared | None = None,
) -> TrainingRows:
    """Check, encode and bin training rows whose labels are numbers.

    The ranker gets what scikit-learn's validation gives it. Without ``max_bins`` each distinct
    value has a bin. Of a part of the rows, ``shared`` says what all of them have.
    """
    categories = (
        find_categories(X, ranker.categorical_features) if shared is None else shared.categories
    )
    rows = as_rows(
        ranker,
        encode_categories(X, categories),
        y,
        groups,
        sample_weight=sample_weight,
        ensure_all_finite="allow-nan",
        accept_sparse="csr",
    )
    X, target, weights, offsets = rows.X, rows.y, rows.weights, rows.offsets
    values, codes = np.unique(target, return_inverse=True)
    if shared is not None:
        values, codes = shared.labels, np.searchsorted(shared.labels, target)
    categorical = np.isin(np.arange(X.shape[1]), list(categories))
    return TrainingRows(
        X,
        bin_features(X, categorical, max_bins or max(target.size, 256), weights),
        categories,
        Labels(codes.astype(np.int32), values, offsets if offsets.size > 2 else None),
        weights,
        rows.given,
        rows.n_given,
    )
