"""Sums over parts that workers hold: what the objective of a linear ranker is made of."""

import pickle
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from distributed import Future
from numpy.typing import NDArray

from rankwright.cluster.connection import Cluster
from rankwright.cluster.kept import Kept
from rankwright.linear.parts import PartFacts, Parts

__all__ = ["ClusterParts", "combine_tree"]

Floats = NDArray[np.float64]

FAN_IN = 16  # results that one task adds up
LARGE = 1_000_000  # bytes of a function for all parts, above which it is sent once


class ClusterParts(Parts):
    """Parts in the memory of workers, or on their disks; each can be made again from its source."""

    def __init__(
        self,
        cluster: Cluster,
        parts: Sequence[Future],
        facts: Sequence[PartFacts],
        n_features: int,
        progress: Callable[[int], None],
    ) -> None:
        super().__init__(facts, n_features)
        self.cluster, self.parts, self.progress = cluster, list(parts), progress
        self.n_evaluations = 0

    def each(self, of: Callable[..., Any], *arguments: Sequence[Any]) -> list[Any]:
        """See `Parts`."""
        return self.cluster.results(self._submit(of, *arguments))

    def total(
        self, of: Callable[..., tuple[float, Floats]], *arguments: Sequence[Any]
    ) -> tuple[float, Floats]:
        """See `Parts`."""
        parts = self._submit(of, *arguments)
        value, gradient = self.cluster.result(combine_tree(self.cluster, parts, _add))
        self.n_evaluations += 1
        self.progress(self.n_evaluations)
        return value, gradient

    def _submit(self, of: Callable[..., Any], *arguments: Sequence[Any]) -> list[Future]:
        client = self.cluster.client
        if len(self.parts) * len(pickle.dumps(of)) > LARGE:
            shared = client.submit(_same, of, pure=False)
            of = shared
        futures: list[Future] = client.map(_call, self.parts, *arguments, of=of, pure=False)
        return futures


def combine_tree(
    cluster: Cluster, futures: Sequence[Future], combine: Callable[[list[Any]], Any]
) -> Future:
    """Combine results in a tree whose shape depends on their number alone.

    So a sum has the same rounding errors whoever computes which part of it, and no worker, nor the
    scheduler, nor the caller receives more than a few of them.
    """
    level = list(futures)
    while True:
        level = [
            cluster.client.submit(combine, level[start : start + FAN_IN], pure=False)
            for start in range(0, len(level), FAN_IN)
        ]
        if len(level) == 1:
            return level[0]


def _same(of: Callable[..., Any]) -> Callable[..., Any]:
    return of


def _call(part: Kept, *arguments: Any, of: Callable[..., Any]) -> Any:
    return of(part.value, *arguments)


def _add(results: list[tuple[float, Floats]]) -> tuple[float, Floats]:
    value, gradient = results[0]
    for more, slope in results[1:]:
        value, gradient = value + more, gradient + slope
    return value, gradient
