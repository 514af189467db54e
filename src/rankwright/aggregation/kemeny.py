"""The exact Kemeny median: decompose, then solve each component."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice, product

import numpy as np
from numpy.typing import NDArray

from rankwright.aggregation import dynamic_program
from rankwright.aggregation.branch_and_cut import BranchAndCut
from rankwright.aggregation.components import components
from rankwright.aggregation.local_search import dense, shake
from rankwright.aggregation.pair_costs import PairCosts

__all__ = ["Exact", "Limits", "kemeny"]

Buckets = NDArray[np.int64]

TOLERANCE = 1e-9  # of all costs: rankings this close count as equally good
SHAKES = 100


@dataclass(frozen=True, eq=False)
class Exact:
    """Best rankings, and what every ranking costs at least."""

    rankings: list[Buckets]
    bound: float


@dataclass(frozen=True)
class Limits:
    """How long to search (until a time by ``time.monotonic``), and for how many best rankings."""

    deadline: float
    every: bool
    rankings: int


def kemeny(costs: PairCosts, start: Buckets, limits: Limits, rng: np.random.Generator) -> Exact:
    """Return a best ranking, or every one of them, from a good ranking to start with.

    After the deadline the best ranking found so far is returned, with a bound below its cost.
    """
    parts = components(costs, strict=limits.every)
    solved = [_solve(costs.among(part), dense(start[part]), limits, rng) for part in parts]
    choices = product(*(found.rankings for found in solved))
    rankings = [_join(parts, choice) for choice in islice(choices, limits.rankings)]
    gap = sum(
        costs.among(part).of(found.rankings[0]) - found.bound
        for part, found in zip(parts, solved, strict=True)
    )
    return Exact(rankings, costs.of(rankings[0]) - gap)


def _solve(costs: PairCosts, start: Buckets, limits: Limits, rng: np.random.Generator) -> Exact:
    most = limits.rankings if limits.every else 1
    if len(costs) <= dynamic_program.LARGEST:
        rankings = dynamic_program.best_rankings(costs, TOLERANCE * costs.before.sum(), most)
        return Exact(rankings, costs.of(rankings[0]))
    start = shake(costs, start, rng, SHAKES)
    search = BranchAndCut(costs, start, deadline=limits.deadline)
    search.run()
    if not limits.every or search.bound < search.cost:
        return Exact(search.found, search.bound)
    others = BranchAndCut(costs, search.found[0], deadline=limits.deadline, every=most)
    others.run()
    return Exact(others.found or search.found, search.bound)


def _join(parts: list[NDArray[np.intp]], rankings: Iterable[Buckets]) -> Buckets:
    joined = np.empty(sum(map(len, parts)), dtype=np.int64)
    used = 0
    for part, ranking in zip(parts, rankings, strict=True):
        joined[part] = used + ranking
        used += int(ranking.max()) + 1
    return joined
