"""What it costs to place one item before another, or to tie them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwright.aggregation.budget import NO_LIMIT, Budget, piece
from rankwright.aggregation.votes import Votes
from rankwright.kernels import buckets
from rankwright.kernels import pair_costs as kernels

__all__ = ["PairCosts", "pair_costs"]

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PairCosts:
    """The Kendall distance to all votes, by pairs of items.

    Attributes
    ----------
    before : (items, items) array
        ``before[i, j]`` is the cost of placing i before j.
    tied : (items, items) array, symmetric
    """

    before: FloatArray
    tied: FloatArray

    def __len__(self) -> int:
        return len(self.before)

    def cost_of(self, bucket: NDArray[np.int64]) -> float:
        """Return the cost of a ranking given by bucket numbers, 0 the best."""
        first, second = bucket[:, None], bucket[None, :]
        ties = np.triu(np.where(first == second, self.tied, 0.0), 1).sum()
        return float(self.before[first < second].sum() + ties)

    def improve(self, bucket: NDArray[np.int64], budget: Budget = NO_LIMIT) -> None:
        """Improve a ranking in place, until no move of an item, merge or split lowers its cost.

        Once the budget has no seconds left, the ranking stays as it is by then.
        """
        tolerance = 1e-9 * self.before.max(initial=1e-300)
        sweep, most, done = np.zeros(2, dtype=np.int64), piece(len(bucket)), False
        while not done:
            done = buckets.improve(bucket, self.before, self.tied, tolerance, sweep, most)
            done |= budget.is_late

    def among(self, items: NDArray[np.intp]) -> "PairCosts":
        """Return the costs of the pairs of some items."""
        block = np.ix_(items, items)
        return PairCosts(
            np.ascontiguousarray(self.before[block]), np.ascontiguousarray(self.tied[block])
        )

    def bound(self) -> float:
        """Return the cost of every pair placed as it likes best, which need not be a ranking."""
        cheapest = np.minimum(np.minimum(self.before, self.before.T), self.tied)
        return float(np.triu(cheapest, 1).sum())


def pair_costs(votes: Votes, penalty: float, ties: bool, budget: Budget = NO_LIMIT) -> PairCosts:
    """Return the pair costs of Lemma 12: U of each pair, weighted by its voters and its items."""
    m, n = votes.positions.shape
    before, tied = np.zeros((n, n)), np.zeros((n, n))
    weights = votes.voter_weights, votes.item_weights
    for ends in budget.pieces(n, m * n):
        kernels.pair_costs(votes.positions, *weights, penalty, ends, before, tied)
    if not ties:
        tied[:] = before.sum() + 1.0  # dearer than any ranking without ties
    return PairCosts(before, tied)
