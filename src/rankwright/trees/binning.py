"""Features as small whole numbers: the bins in which trees look for cuts."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Bins", "bin_features", "find_edges"]

# Rows from which the quantiles of a feature with many values are taken.
QUANTILE_ROWS = 20_000

# Columns copied out of a matrix at a time: a cache line's worth of them.
STRIP = 8


@dataclass(frozen=True)
class Bins:
    """A binned matrix: value x of feature j is in bin ``sum(edges[j] < x)``, a missing one last.

    ``edges`` (d, .) is padded with infinity, one column at least; ``bounds`` (d, .) are the edges
    between the smallest and the largest value.
    """

    codes: NDArray[Any]  # (d, n), uint8 or int32
    edges: NDArray[np.float64]
    bounds: NDArray[np.float64]
    n_bins: NDArray[np.int64]  # (d,), missing values apart
    categorical: NDArray[np.bool_]

    @property
    def has_missing(self) -> NDArray[np.bool_]:
        """Whether a feature has missing values."""
        missing = [(own == last).any() for own, last in zip(self.codes, self.n_bins, strict=True)]
        return np.array(missing, dtype=np.bool_)


def _midpoints(below: NDArray[np.float64], above: NDArray[np.float64]) -> NDArray[np.float64]:
    middle = below / 2 + above / 2
    return np.where((middle < below) | (middle >= above), below, middle)


def _distinct(
    values: NDArray[np.float64], weights: NDArray[np.float64] | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the distinct values, missing ones left out, and their cumulative weights."""
    n_present = values.size - np.count_nonzero(np.isnan(values))
    if weights is None:
        ordered = np.sort(values)[:n_present]
        cumulative = np.arange(1.0, n_present + 1)
    else:
        order = np.argsort(values)[:n_present]
        ordered = values[order]
        cumulative = np.cumsum(weights[order])
    last = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], n_present > 0)[:n_present])
    return ordered[last], cumulative[last]


def find_edges(
    values: NDArray[np.float64], max_bins: int, weights: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Return edges between all distinct values, or at weighted quantiles of too many."""
    if values.size > QUANTILE_ROWS:
        chosen = np.random.default_rng(0).integers(values.size, size=QUANTILE_ROWS)
        sampled, cumulative = _distinct(
            values[chosen], None if weights is None else weights[chosen]
        )
        if sampled.size <= max_bins:
            sampled, cumulative = _distinct(values, weights)
    else:
        sampled, cumulative = _distinct(values, weights)
    if sampled.size <= max_bins:
        return _midpoints(sampled[:-1], sampled[1:])
    targets = cumulative[-1] * np.arange(1, max_bins) / max_bins
    last = np.unique(np.searchsorted(cumulative, targets))
    last = last[last < sampled.size - 1]
    return _midpoints(sampled[last], sampled[last + 1])


def bin_features(
    X: Any,
    categorical: NDArray[np.bool_],
    max_bins: int,
    weights: NDArray[np.float64] | None = None,
) -> Bins:
    """Bin the columns of ``X``; categorical ones hold category numbers and get a bin for each.

    A sparse ``X`` is binned column by column: no more than one of them is ever dense.

    Examples
    --------
    >>> import numpy as np
    >>> bins = bin_features(np.array([[1.0], [3.0], [np.nan]]), np.array([False]), 255)
    >>> bins.codes.tolist(), bins.edges.tolist(), bins.n_bins.tolist()
    ([[0, 1, 2]], [[2.0, inf]], [2])
    """
    from rankwright.kernels.trees.binning import assign_bins

    n_rows, n_features = X.shape
    codes = np.empty((n_features, n_rows), dtype=np.uint8 if max_bins <= 255 else np.int32)
    lowest, highest = np.empty(n_features), np.empty(n_features)
    found = []
    for j, column in enumerate(_columns(X)):
        if categorical[j]:
            edges = np.arange(np.nanmax(column, initial=0.0)) + 0.5
        else:
            edges = find_edges(column, max_bins, weights)
        assign_bins(column, edges, codes[j])
        lowest[j], highest[j] = np.fmin.reduce(column), np.fmax.reduce(column)
        found.append(edges)
    n_edges = np.array([edges.size for edges in found], dtype=np.int64)
    table = np.full((n_features, n_edges.max(initial=0) + 1), np.inf)
    for row, edges in zip(table, found, strict=True):
        row[: edges.size] = edges
    bounds = np.column_stack([lowest, table])
    bounds[np.arange(n_features), n_edges + 1] = highest
    return Bins(codes, table, bounds, n_edges + 1, categorical)


def _columns(X: Any) -> Iterable[NDArray[np.float64]]:
    return _dense_columns(X) if isinstance(X, np.ndarray) else _sparse_columns(X.tocsc())


def _dense_columns(X: NDArray[np.float64]) -> Iterator[NDArray[np.float64]]:
    for first in range(0, X.shape[1], STRIP):
        yield from np.ascontiguousarray(X[:, first : first + STRIP].T)


def _sparse_columns(X: Any) -> Iterator[NDArray[np.float64]]:
    X.sum_duplicates()
    for begin, end in pairwise(X.indptr):
        column = np.zeros(X.shape[0])
        column[X.indices[begin:end]] = X.data[begin:end]
        yield column
