"""The Hessian of battles: the Laplacian of a graph, bordered by what describes comparisons."""

from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import coo_array, csc_array

from rankwright.kernels.battles import laplacian_product, sum_at_ends
from rankwright.leaderboards.outcomes import FloatArray, IntArray, tally

__all__ = ["Laplacian"]


@dataclass(frozen=True, eq=False)
class Laplacian:
    """A symmetric matrix that is kept as the edges of a graph of items.

    Attributes
    ----------
    left, right : (edges,) arrays
        Items; a pair may have several edges.
    width : (edges,) array
    ridge : (items,) array
        What a prior adds to the diagonal.
    border : (items, effects) array
    corner : (effects, effects) array
    """

    left: IntArray
    right: IntArray
    width: FloatArray
    ridge: FloatArray
    border: FloatArray
    corner: FloatArray

    @property
    def n_items(self) -> int:
        """The number of items."""
        return len(self.ridge)

    @property
    def shape(self) -> tuple[int, int]:
        """The shape of the matrix."""
        size = self.n_items + len(self.corner)
        return size, size

    def degrees(self) -> FloatArray:
        """Return the sum of the widths of each item's edges."""
        degrees = np.zeros(self.n_items)
        sum_at_ends(self.left, self.right, self.width, 1.0, degrees)
        return degrees

    def diagonal(self) -> FloatArray:
        """Return the diagonal."""
        return np.append(self.degrees() + self.ridge, np.diag(self.corner))

    def with_ridge(self, ridge: FloatArray) -> "Laplacian":
        """Return the matrix with more on the diagonal of its items."""
        return replace(self, ridge=self.ridge + ridge)

    def __matmul__(self, other: FloatArray) -> FloatArray:
        if other.ndim == 2:
            return np.column_stack([self @ np.ascontiguousarray(column) for column in other.T])
        strengths, effects = other[: self.n_items], other[self.n_items :]
        product = self.ridge * strengths + self.border @ effects
        laplacian_product(self.left, self.right, self.width, strengths, product)
        return np.append(product, self.border.T @ strengths + self.corner @ effects)

    def toarray(self) -> FloatArray:
        """Return the dense matrix."""
        n = self.n_items
        upper = tally(self.left * n + self.right, -self.width, n * n).reshape(n, n)
        items = upper + upper.T
        items[np.arange(n), np.arange(n)] += self.degrees() + self.ridge
        return np.block([[items, self.border], [self.border.T, self.corner]])

    def tocsc(self) -> csc_array:
        """Return the sparse matrix."""
        n, n_effects = self.n_items, len(self.corner)
        items, effects = np.arange(n), n + np.arange(n_effects)
        rows, columns = (part.ravel() for part in np.meshgrid(items, effects, indexing="ij"))
        inner, outer = (part.ravel() for part in np.meshgrid(effects, effects, indexing="ij"))
        border = self.border.ravel()
        values = [-self.width, -self.width, self.degrees() + self.ridge, border, border]
        places = [
            np.concatenate([self.left, self.right, items, rows, columns, inner]),
            np.concatenate([self.right, self.left, items, columns, rows, outer]),
        ]
        entries = np.concatenate([*values, self.corner.ravel()])
        return csc_array(coo_array((entries, tuple(places)), shape=self.shape))
