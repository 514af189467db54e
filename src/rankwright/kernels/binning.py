"""Bin numbers of feature values."""

import numpy as np

from rankwright.kernels.compile import kernel

__all__ = ["assign_bins"]


@kernel
def assign_bins(X, edges, n_edges, bins):
    """Write into ``bins`` (d, n) how many edges lie below each value of ``X`` (n, d).

    Row j of ``edges`` begins with the ``n_edges[j]`` increasing edges of feature j; a value equal to
    an edge is not above it. Missing values get bin ``n_edges[j] + 1``.
    """
    n_rows, n_features = X.shape
    for i in range(n_rows):
        for j in range(n_features):
            value = X[i, j]
            if np.isnan(value):
                bins[j, i] = n_edges[j] + 1
                continue
            # Halving without a branch on the comparison, which no predictor could guess.
            low = 0
            length = n_edges[j]
            while length > 1:
                half = length >> 1
                low += half * (edges[j, low + half - 1] < value)
                length -= half
            if length == 1:
                low += edges[j, low] < value
            bins[j, i] = low
