"""The bootstrap samples of a forest's trees."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from rankwright.trees.rows import TrainingRows

__all__ = ["Bag", "grow_on_bags", "require_bags"]


@dataclass(frozen=True)
class Bag:
    """How often each row of a tree's sample was drawn, found again from the tree's seed."""

    n_rows: int
    n_drawn: int | None  # None: each row once

    def counts(self, seed: int) -> NDArray[np.int64]:
        """Return how often each row is drawn."""
        if self.n_drawn is None:
            return np.ones(self.n_rows, dtype=np.int64)
        drawn = np.random.default_rng(seed).integers(self.n_rows, size=self.n_drawn)
        return np.bincount(drawn, minlength=self.n_rows)

    def unseen(self, seed: int) -> NDArray[np.int64]:
        """Return the rows that are not drawn."""
        return np.flatnonzero(self.counts(seed) == 0)

    def draw(
        self, data: TrainingRows, seed: int
    ) -> tuple[NDArray[np.int32], NDArray[np.float64] | None]:
        """Return the rows that are drawn, and weights by row: times drawn, times the row's own."""
        if self.n_drawn is None:
            return np.arange(self.n_rows, dtype=np.int32), data.weights
        counts = self.counts(seed)
        weights = counts.astype(np.float64) if data.weights is None else counts * data.weights
        return np.flatnonzero(counts).astype(np.int32), weights


def grow_on_bags(
    grow: Callable[..., Any],
    data: TrainingRows,
    bag: Bag,
    seeds: Iterable[int],
    n_jobs: int | None,
) -> list[Any]:
    """Call ``grow(rows=, weights=, seed=)`` for the bag of each seed, in threads."""

    def grow_one(seed: int) -> Any:
        rows, weights = bag.draw(data, seed)
        return grow(rows=rows, weights=weights, seed=seed)

    return list(Parallel(n_jobs=n_jobs, prefer="threads")(delayed(grow_one)(s) for s in seeds))


def require_bags(bootstrap: bool) -> None:
    """Raise an error if each tree of a forest saw all rows."""
    if not bootstrap:
        raise ValueError("bootstrap=False leaves no row out of the bag; set bootstrap=True")
