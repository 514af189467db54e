"""Exact consensus of a few items: every subset's best last bucket."""

from collections.abc import Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from rankwright.aggregation.pair_costs import PairCosts
from rankwright.kernels.subsets import last_buckets, subset_values

__all__ = ["LARGEST", "best_rankings"]

LARGEST = 12  # items: 3^12 steps take milliseconds


def best_rankings(costs: PairCosts, tolerance: float, limit: int) -> list[NDArray[np.int64]]:
    """Return up to ``limit`` rankings of least cost, as bucket numbers."""
    n = len(costs)
    value, ahead, behind, tie = subset_values(costs.before, costs.tied)
    endings: dict[int, list[int]] = {}

    def walk(subset: int) -> Iterator[tuple[int, ...]]:
        if subset == 0:
            yield ()
            return
        if subset not in endings:
            marks = last_buckets(subset, value, ahead, behind, tie, tolerance)
            endings[subset] = np.flatnonzero(marks).tolist()
        for last in endings[subset]:
            for first in walk(subset ^ last):
                yield (*first, last)

    return [_numbers(masks, n) for masks in islice(walk((1 << n) - 1), limit)]


def _numbers(masks: tuple[int, ...], n: int) -> NDArray[np.int64]:
    bucket = np.empty(n, dtype=np.int64)
    for number, mask in enumerate(masks):
        bucket[[i for i in range(n) if mask >> i & 1]] = number
    return bucket
