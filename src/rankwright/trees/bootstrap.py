"""The bootstrap samples of a forest's trees."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Bag"]


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
