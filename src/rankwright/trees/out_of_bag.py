"""What the trees of a forest say of the rows that they did not see."""

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rankwright.trees.bootstrap import Bag

__all__ = ["unseen_votes"]


class Grown(Protocol):
    """A grown tree."""

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Return the leaf of each row."""


def unseen_votes(
    trees: Iterable[Grown],
    tables: Iterable[NDArray[np.float64]],
    seeds: Iterable[int],
    bag: Bag,
    X: Any,
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
    """Yield for each tree the rows that it did not see, and what its leaves' table says of them."""
    for tree, table, seed in zip(trees, tables, seeds, strict=True):
        unseen = bag.unseen(seed)
        yield unseen, table[tree.apply(X[unseen])]
