"""Threads that share the work on one tree."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from types import TracebackType
from typing import Any, Self

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray

__all__ = ["Team"]

# Additions below which waking another thread takes longer than doing its part.
WORTH_SHARING = 200_000
MOST_ROWS = 2**62


class Team:
    """Run a kernel on parts of its work side by side; the calling thread does the first part.

    Use as a context manager, which ends the threads.
    """

    def __init__(self, n_jobs: int | None) -> None:
        self.size = effective_n_jobs(n_jobs)
        self._threads = ThreadPoolExecutor(self.size - 1) if self.size > 1 else None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._threads is not None:
            self._threads.shutdown()

    def shared_from(self, n_features: int) -> int:
        """Return how many rows of a node make it worth sharing the count of their histograms."""
        return int(MOST_ROWS if self._threads is None else 2 * WORTH_SHARING // n_features)

    def run(self, task: Callable[[int, int], Any], costs: NDArray[np.int64]) -> list[Any]:
        """Call ``task(first, last)`` for ranges of units that cost about the same together.

        The results come in the order of the ranges.
        """
        if self._threads is None:
            return [task(0, costs.size)]
        ends = np.cumsum(costs)
        if ends.size < 2 or ends[-1] < WORTH_SHARING:
            return [task(0, ends.size)]
        shares = ends[-1] * np.arange(1, self.size) / self.size
        borders = [0, *(np.searchsorted(ends, shares) + 1).tolist(), ends.size]
        borders = sorted({min(border, ends.size) for border in borders})
        first, *others = pairwise(borders)
        waiting = [self._threads.submit(task, *part) for part in others]
        return [task(*first), *(part.result() for part in waiting)]
