"""The largest subpartition of a forest: the cells on which all of its trees are constant."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Subpartition", "find_subpartition"]


@dataclass(frozen=True, eq=False)
class Subpartition:
    """The cells that rows occupy.

    Attributes
    ----------
    cells : (K, n_trees) int32
        The leaf of each tree in which a cell lies: the cell is where they all meet.
    masses : (K,) float64
        Weight of the rows in it; adds up to 1.
    members : (n,) int64
        The cell of each row.
    """

    cells: NDArray[np.int32]
    masses: NDArray[np.float64]
    members: NDArray[np.int64]


def find_subpartition(
    leaves: NDArray[np.int32], weights: NDArray[np.float64] | None = None
) -> Subpartition:
    """Return the cells that rows occupy, given their leaf (n, n_trees) in each tree.

    Examples
    --------
    >>> import numpy as np
    >>> parts = find_subpartition(np.array([[1, 2], [1, 4], [1, 2]], dtype=np.int32))
    >>> parts.cells.tolist(), parts.masses.round(2).tolist(), parts.members.tolist()
    ([[1, 2], [1, 4]], [0.67, 0.33], [0, 1, 0])
    """
    cells, members = np.unique(leaves, axis=0, return_inverse=True)
    members = members.ravel()
    masses = np.bincount(members, weights, minlength=len(cells))
    return Subpartition(cells, masses / masses.sum(), members)
