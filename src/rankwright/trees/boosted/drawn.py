"""The rows and features that one tree grows on, laid out for histograms."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.kernels.boosted.histograms import BLOCK, gather_blocks
from rankwright.trees.binning import Bins
from rankwright.trees.boosted.team import Team

__all__ = ["Drawer", "Drawn"]

Ints = NDArray[np.int64]

BINS = 256


@dataclass(frozen=True)
class Drawn:
    """Some rows and features of a binned matrix; row i of a tree is row ``numbers[i]`` of it."""

    numbers: NDArray[np.int32]
    features: Ints
    blocks: NDArray[np.uint8]  # (n_blocks, rows, 4)
    first_bin: Ints  # of each feature, and of those that fill up the last block
    n_bins: Ints
    missing: Ints  # the bin of missing values, -1 where none are missing
    categorical: NDArray[np.bool_]
    orders: Ints  # (., 256): the bins of each feature in natural order

    @property
    def n_blocks(self) -> int:
        """The number of blocks of four features."""
        return len(self.blocks)


class Drawer:
    """Copies rows and features out of a binned matrix, or everything once."""

    def __init__(self, bins: Bins, team: Team) -> None:
        self._bins, self._team = bins, team
        self._has_missing = bins.has_missing
        self._memory = np.empty(0, dtype=np.uint8)
        self._orders = np.tile(np.arange(BINS), (bins.n_bins.size, 1))
        self._last: Drawn | None = None

    def draw(self, numbers: NDArray[np.int32], features: Ints) -> Drawn:
        """Return these rows and features; what was drawn before is overwritten."""
        last = self._last
        if last is not None and last.numbers is numbers and np.array_equal(last.features, features):
            return last
        n_blocks = -(-features.size // BLOCK)
        shape = (n_blocks, numbers.size, BLOCK)
        size = int(np.prod(shape))
        if self._memory.size < size:
            self._memory = np.empty(size, dtype=np.uint8)
        blocks: Any = self._memory[:size].reshape(shape)
        codes = self._bins.codes
        self._team.run(
            lambda first, end: gather_blocks(codes, features, numbers, first, end, blocks),
            np.full(n_blocks, BLOCK * numbers.size),
        )
        n_bins, has_missing = self._bins.n_bins[features], self._has_missing[features]
        sizes = np.ones(n_blocks * BLOCK, dtype=np.int64)
        sizes[: features.size] = n_bins + has_missing
        self._last = Drawn(
            numbers,
            features,
            blocks,
            np.append(0, np.cumsum(sizes)),
            n_bins,
            np.where(has_missing, n_bins, -1),
            self._bins.categorical[features],
            self._orders[: features.size],
        )
        return self._last
