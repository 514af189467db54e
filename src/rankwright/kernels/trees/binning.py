"""Bin numbers of feature values."""

import numpy as np

from rankwright.kernels.compile import kernel

__all__ = ["assign_bins"]

# Strips of equal width in which the search for a value's bin begins.
N_STRIPS = 1024


@kernel
def _strip(value, low, scale):
    """Return the strip of a value; halves, because differences may overflow."""
    return np.int64((0.5 * value - 0.5 * low) * scale)


@kernel
def assign_bins(values, edges, bins):
    """Write how many of the increasing edges lie below each value into ``bins``.

    A value equal to an edge is not above it; missing values get the bin after the last. Only the
    edges that share a value's strip are compared with it.
    """
    n_edges = edges.size
    low = edges[0] if n_edges > 0 else 0.0
    high = edges[n_edges - 1] if n_edges > 0 else 0.0
    width = 0.5 * high - 0.5 * low
    scale = (N_STRIPS - 1) / width if width > 1e-300 else 0.0
    first = np.empty(N_STRIPS + 1, dtype=np.int64)
    filled = 0
    for strip in range(N_STRIPS + 1):
        while filled < n_edges and _strip(edges[filled], low, scale) < strip:
            filled += 1
        first[strip] = filled
    for i in range(values.size):
        value = values[i]
        if np.isnan(value):
            bins[i] = n_edges + 1
        elif n_edges == 0 or value <= low:
            bins[i] = 0
        elif value > high:
            bins[i] = n_edges
        else:
            strip = _strip(value, low, scale)
            below, above = first[strip], first[strip + 1]
            while below < above:
                middle = (below + above) >> 1
                if edges[middle] < value:
                    below = middle + 1
                else:
                    above = middle
            bins[i] = below
