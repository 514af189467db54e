"""The exact Kemeny median: decompose, then solve each component."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice, product

import numpy as np
from numpy.typing import NDArray

from rankwright.aggregation import dynamic_program
from rankwright.aggregation.branch_and_cut import BranchAndCut
from rankwright.aggregation.budget import Budget
from rankwright.aggregation.components import components
from rankwright.aggregation.local_search import dense, shake
from rankwright.aggregation.pair_costs import PairCosts

__all__ = ["Exact", "Wanted", "kemeny"]

Buckets = NDArray[np.int64]

TOLERANCE = 1e-9  # of all costs: rankings this close count as equally good
SHAKES = 100


@dataclass(frozen=True, eq=False)
class Exact:
    """Best rankings, and what every ranking costs at least."""

    rankings: list[Buckets]
    bound: float


@dataclass(frozen=True)
class Wanted:
    """Whether every best ranking is wanted, and how many of them at most."""

    every: bool
    rankings: int


def kemeny(
    costs: PairCosts, start: Buckets, wanted: Wanted, budget: Budget, rng: np.random.Generator
) -> Exact:
    """Return a best ranking, or every one of them, from a good ranking to start with.

    Once the budget is spent, the best ranking found so far is returned, with a bound below its
    cost. Small components come first: a hard one takes nothing from the others.
    """
    if budget.is_late:
        return Exact([start], costs.bound())
    parts = components(costs, strict=wanted.every)
    solved: dict[int, Exact] = {}
    for k in sorted(range(len(parts)), key=lambda k: len(parts[k])):
        solved[k] = _solve(costs.among(parts[k]), dense(start[parts[k]]), wanted, budget, rng)
    return _together(costs, parts, [solved[k] for k in range(len(parts))], wanted.rankings)


def _together(
    costs: PairCosts, parts: list[NDArray[np.intp]], solved: list[Exact], most: int
) -> Exact:
    choices = product(*(found.rankings for found in solved))
    rankings = [_join(parts, choice) for choice in islice(choices, most)]
    gap = sum(
        costs.among(part).cost_of(found.rankings[0]) - found.bound
        for part, found in zip(parts, solved, strict=True)
    )
    return Exact(rankings, costs.cost_of(rankings[0]) - gap)


def _solve(
    costs: PairCosts, start: Buckets, wanted: Wanted, budget: Budget, rng: np.random.Generator
) -> Exact:
    most = wanted.rankings if wanted.every else 1
    if budget.is_late:
        return Exact([start], costs.bound())
    if len(costs) <= dynamic_program.LARGEST:
        rankings = dynamic_program.best_rankings(costs, TOLERANCE * costs.before.sum(), most)
        return Exact(rankings, costs.cost_of(rankings[0]))
    start = shake(costs, start, rng, SHAKES, budget)
    if budget.is_late:  # the program of many items takes seconds to set up
        return Exact([start], costs.bound())
    search = BranchAndCut(costs, start, budget=budget)
    search.run()
    if not wanted.every or search.bound < search.cost:
        return Exact(search.found, search.bound)
    others = BranchAndCut(costs, search.found[0], budget=budget, every=most)
    others.run()
    return Exact(others.found or search.found, search.bound)


def _join(parts: list[NDArray[np.intp]], rankings: Iterable[Buckets]) -> Buckets:
    joined = np.empty(sum(map(len, parts)), dtype=np.int64)
    used = 0
    for part, ranking in zip(parts, rankings, strict=True):
        joined[part] = used + ranking
        used += int(ranking.max()) + 1
    return joined
