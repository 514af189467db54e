"""From the rankings of many trees to one score."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rankwright.kernels.trees.out_of_bag import MAJORITY, MEAN, MEDIAN
from rankwright.trees.bipartite.nodes import RankingTree, cell_masses
from rankwright.trees.bipartite.subpartition import Subpartition, find_subpartition
from rankwright.trees.rows import TrainingRows

if TYPE_CHECKING:
    from rankwright.aggregation import Consensus

__all__ = ["AGGREGATIONS", "KemenyMedian", "find_median", "leaf_values"]


# How the trees of a forest decide on one pair of rows. A consensus on two items is the majority's.
AGGREGATIONS = {"kemeny": MAJORITY, "mean": MEAN, "median": MEDIAN, "plugin": MEAN}


def leaf_values(tree: RankingTree, aggregation: str, data: TrainingRows) -> NDArray[np.float64]:
    """Return what a tree says of each of its leaves, given the training rows.

    The mid-rank among the training rows, as a share of them; for ``plugin`` the mid-rank among the
    training negatives: Remark 20 of Clémençon et al. (2013), but with half of the leaf's own
    negatives, so that a leaf without any ranks above the next one.
    """
    ends, weights = tree.apply(data.X), data.weights
    if aggregation == "plugin":
        negative = (data.labels.codes == 0).astype(np.float64)
        weights = negative if weights is None else negative * weights
    return tree.ranks(cell_masses(tree.cells, ends, weights))


@dataclass(frozen=True, eq=False)
class KemenyMedian:
    """A consensus of the trees on the cells of their largest common subpartition.

    Attributes
    ----------
    subpartition : Subpartition
        The cells that training rows occupy, and their masses.
    consensus : Consensus
        Of the trees' rankings of these cells: its cost, a bound on it, whether it is optimal.
    votes : (K, n_trees) float64
        What the trees say of the cells, best cell first.
    buckets : (K,) int64
        Place of these cells in the consensus, 0 is best; tied cells share one.
    weights : (K,) float64
        Their masses.
    """

    subpartition: Subpartition
    consensus: "Consensus"
    votes: NDArray[np.float64]
    buckets: NDArray[np.int64]
    weights: NDArray[np.float64]

    def scores(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return minus the place of rows of which the trees say ``values`` (n_trees, n), less 1/4.

        Places are whole or half: so scores are neither, and nobody takes them for labels. A row in
        a cell without training rows is inserted where it disagrees least with the trees.
        """
        from rankwright.kernels.insertion import insert_items

        rows = np.ascontiguousarray(values.T)
        known = {
            vote.tobytes(): bucket for vote, bucket in zip(self.votes, self.buckets, strict=True)
        }
        places = np.array([known.get(row.tobytes(), np.nan) for row in rows])
        new = np.flatnonzero(np.isnan(places))
        inserted = np.empty(new.size)
        insert_items(rows[new], self.votes, self.buckets, self.weights, inserted)
        places[new] = inserted
        return -places - 0.25


def find_median(
    leaves: NDArray[np.int32],
    tables: list[NDArray[np.float64]],
    weights: NDArray[np.float64] | None,
) -> KemenyMedian:
    """Aggregate the rankings of the cells of training rows, given their leaves (n, n_trees)."""
    from rankwright.aggregation import aggregate

    parts = find_subpartition(leaves, weights)
    votes = np.column_stack(
        [table[cells] for table, cells in zip(tables, parts.cells.T, strict=True)]
    )
    consensus = aggregate(votes, item_weights=parts.masses, scores=True)
    order = np.argsort(consensus.positions, kind="stable")
    buckets = np.unique(consensus.positions[order], return_inverse=True)[1]
    return KemenyMedian(parts, consensus, votes[order], buckets, parts.masses[order])
