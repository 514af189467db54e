"""Bin numbers of feature values."""

import numpy as np

from rankwright.kernels.compile import kernel

__all__ = ["assign_bins"]

# Cells of equal width in which the search for a value's bin begins.
N_CELLS = 1024


@kernel
def _cell(value, low, scale):
    """Return the cell of a value; halves, because differences may overflow."""
    return np.int64((0.5 * value - 0.5 * low) * scale)


@kernel
def assign_bins(columns, edges, n_edges, bins):
    """Write how many edges lie below each value of ``columns`` (d, n) into ``bins`` (d, n).

    Row j of ``edges`` begins with the ``n_edges[j]`` increasing edges of feature j; a value equal
    to an edge is not above it. Missing values get bin ``n_edges[j] + 1``. Only the edges that share
    a value's cell are compared with it.
    """
    first = np.empty(N_CELLS + 1, dtype=np.int64)
    for j in range(columns.shape[0]):
        n_here = n_edges[j]
        low = edges[j, 0] if n_here > 0 else 0.0
        high = edges[j, n_here - 1] if n_here > 0 else 0.0
        width = 0.5 * high - 0.5 * low
        scale = (N_CELLS - 1) / width if width > 1e-300 else 0.0
        filled = 0
        for cell in range(N_CELLS + 1):
            while filled < n_here and _cell(edges[j, filled], low, scale) < cell:
                filled += 1
            first[cell] = filled
        for i in range(columns.shape[1]):
            value = columns[j, i]
            if np.isnan(value):
                bins[j, i] = n_here + 1
            elif n_here == 0 or value <= low:
                bins[j, i] = 0
            elif value > high:
                bins[j, i] = n_here
            else:
                cell = _cell(value, low, scale)
                below, above = first[cell], first[cell + 1]
                while below < above:
                    middle = (below + above) >> 1
                    if edges[j, middle] < value:
                        below = middle + 1
                    else:
                        above = middle
                bins[j, i] = below
