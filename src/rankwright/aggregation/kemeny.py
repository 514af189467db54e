"""The exact Kemeny median: decompose, then solve each component."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice, product

import numpy as np
from numpy.typing import NDArray

from rankwright.aggregation import dynamic_program
from rankwright.aggregation.branch_and_cut import BranchAndCut
from rankwright.aggregation.components import components
from rankwright.aggregation.pair_costs import PairCosts

__all__ = ["Exact", "kemeny"]

Buckets = NDArray[np.int64]

TOLERANCE = 1e-9  # of the cost: rankings this close count as equally good


@dataclass(frozen=True)
class Exact:
    """Best rankings, and what every ranking costs at least."""

    rankings: list[Buckets]
    bound: float


def kemeny(costs: PairCosts, start: Buckets, *, deadline: float, every: bool, limit: int) -> Exact:
    """Return a best ranking, or with ``every`` up to ``limit`` of them.

    ``start`` is a good ranking. After the deadline (by ``time.monotonic``) the best ranking found
    so far is returned with a bound below its cost.
    """
    parts = components(costs, strict=every)
    solved = [
        _solve(costs.among(part), start[part], deadline=deadline, every=every, limit=limit)
        for part in parts
    ]
    choices = product(*(part.rankings for part in solved))
    rankings = [_join(parts, choice) for choice in islice(choices, limit)]
    gap = sum(
        costs.among(part).of(found.rankings[0]) - found.bound
        for part, found in zip(parts, solved, strict=True)
    )
    return Exact(rankings, costs.of(rankings[0]) - gap)


def _solve(costs: PairCosts, start: Buckets, *, deadline: float, every: bool, limit: int) -> Exact:
    if len(costs) <= dynamic_program.LARGEST:
        rankings = dynamic_program.best_rankings(
            costs, TOLERANCE * costs.before.sum(), limit if every else 1
        )
        return Exact(rankings, costs.of(rankings[0]))
    search = BranchAndCut(costs, _dense(start), deadline=deadline)
    search.run()
    best = Exact(search.found, search.bound)
    if not every or search.bound < search.cost:
        return best
    search = BranchAndCut(costs, search.found[0], deadline=deadline, every=True, limit=limit)
    search.run()
    return Exact(search.found or best.rankings, best.bound)


def _join(parts: list[NDArray[np.intp]], rankings: Iterable[Buckets]) -> Buckets:
    joined = np.empty(sum(map(len, parts)), dtype=np.int64)
    used = 0
    for part, ranking in zip(parts, rankings, strict=True):
        joined[part] = used + ranking
        used += int(ranking.max()) + 1
    return joined


def _dense(ranks: NDArray[np.int64]) -> Buckets:
    return np.unique(ranks, return_inverse=True)[1].astype(np.int64)
