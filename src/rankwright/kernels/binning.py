"""Bin numbers of feature values."""

import numpy as np

from rankwright.kernels.compile import kernel

__all__ = ["assign_bins"]


@kernel
def assign_bins(X, edges, n_edges, bins):
    """Write into ``bins`` (d, n) the number of edges below each value of ``X`` (n, d).

    Row j of ``edges`` holds the ``n_edges[j]`` increasing edges of feature j. A value equal to an edge
    lies below it; missing values get bin ``n_edges[j] + 1``.
    """
    n_rows, n_features = X.shape
    for i in range(n_rows):
        for j in range(n_features):
            value = X[i, j]
            if np.isnan(value):
                bins[j, i] = n_edges[j] + 1
                continue
            low = 0
            length = n_edges[j]
            while length > 0:
                half = (length + 1) // 2
                if edges[j, low + half - 1] < value:
                    low += half
                    length -= half
                else:
                    length = half - 1
            bins[j, i] = low
