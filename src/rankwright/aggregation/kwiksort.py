"""KwikSort: place all items around a random pivot, then each side (Ailon, Charikar, Newman)."""

import numpy as np
from numpy.typing import NDArray

from rankwright.aggregation.budget import NO_LIMIT, Budget
from rankwright.aggregation.votes import Votes

__all__ = ["kwiksort"]


def kwiksort(
    votes: Votes,
    penalty: float,
    ties: bool,
    rng: np.random.Generator,
    budget: Budget = NO_LIMIT,
) -> NDArray[np.int64]:
    """Return bucket numbers. Only pairs with a pivot are priced: no matrix of all pairs."""
    n = len(votes.items)
    bucket = np.empty(n, dtype=np.int64)
    placed = 0
    pending = [(np.arange(n), False)]  # items, and whether they are one bucket; the best is last
    while pending:
        budget.check()
        items, is_bucket = pending.pop()
        if is_bucket:
            bucket[items] = placed
            placed += 1
        elif len(items) > 0:
            pivot = items[rng.integers(len(items))]
            before, behind, level = _costs_around(pivot, items, votes, penalty)
            joins = (ties & (level < np.minimum(before, behind))) | (items == pivot)
            ahead = ~joins & (before <= behind)
            rest = ~joins & ~ahead
            pending += [(items[rest], False), (items[joins], True), (items[ahead], False)]
    return bucket


def _costs_around(
    pivot: np.intp, items: NDArray[np.intp], votes: Votes, penalty: float
) -> NDArray[np.float64]:
    """Return what it costs to place each item before, behind and level with the pivot."""
    difference = votes.positions[:, items] - votes.positions[:, [pivot]]
    better = votes.voter_weights @ (difference < 0)
    worse = votes.voter_weights @ (difference > 0)
    equal = penalty * (votes.voter_weights @ (difference == 0))
    return np.stack([worse + equal, better + equal, penalty * (better + worse)])
