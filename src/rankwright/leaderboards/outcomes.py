"""Distinct outcomes with their weights: what every form of comparisons is compressed to."""

from collections.abc import Hashable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

__all__ = [
    "BoolArray",
    "Clusters",
    "FloatArray",
    "IntArray",
    "Weights",
    "cluster_outcomes",
    "tally",
]

BoolArray = NDArray[np.bool_]
FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Clusters:
    """Who made the comparisons: judges, users, tasks.

    Attributes
    ----------
    names : list
    weights : (clusters, outcomes) sparse array
        How much each distinct outcome counts for each cluster.
    """

    names: list[Hashable]
    weights: csr_array


@dataclass(frozen=True, eq=False)
class Weights:
    """How much each distinct outcome counts.

    Attributes
    ----------
    total : (outcomes,) array
        The sum of the weights of its comparisons.
    squares : (outcomes,) array
        The sum of their squares, for the errors of weighted comparisons.
    count : float
        The number of comparisons.
    are_counts : bool
        Whether weights count comparisons, so that the likelihood's own errors hold.
    clusters : Clusters or None
    """

    total: FloatArray
    squares: FloatArray
    count: float
    are_counts: bool
    clusters: Clusters | None = None

    def take(self, outcomes: IntArray) -> "Weights":
        """Return the weights of some outcomes."""
        clusters = self.clusters
        if clusters is not None:
            clusters = Clusters(clusters.names, csr_array(clusters.weights[:, outcomes]))
        return replace(
            self,
            total=self.total[outcomes],
            squares=self.squares[outcomes],
            clusters=clusters,
        )


def cluster_outcomes(
    labels: IntArray, names: list[Hashable], outcome: IntArray, weight: FloatArray, n_outcomes: int
) -> Clusters:
    """Add up the weights of each outcome by cluster."""
    if len(names) < 2:
        raise ValueError(
            f"all comparisons are in the cluster {names[0]!r}; standard errors by cluster need at "
            "least two"
        )
    triplets = coo_array((weight, (labels, outcome)), shape=(len(names), n_outcomes))
    return Clusters(names, csr_array(triplets))


def tally(places: IntArray, weights: FloatArray, n_places: int) -> FloatArray:
    """Add up the weights at each place."""
    return np.asarray(np.bincount(places, weights, n_places), dtype=np.float64)
