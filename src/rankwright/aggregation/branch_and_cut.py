"""Exact consensus of many items: relaxations, triangle cuts, and branching where that is needed."""

import heapq
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.aggregation.budget import Budget, OutOfTimeError
from rankwright.aggregation.pair_costs import PairCosts
from rankwright.aggregation.placements import Placements
from rankwright.aggregation.triangle_program import TriangleProgram
from rankwright.programs import Status

__all__ = ["BranchAndCut"]

FloatArray = NDArray[np.float64]
Buckets = NDArray[np.int64]

ROUNDING = 1e-6  # of a step: above the rounding of sums of pair costs
PRECISION = 1e-7  # of all costs: what "optimal" means when the pair costs have no common measure
PATIENCE, SLOW = 5, 0.02  # rounds that each close little of the gap before a node is branched
CUTS_PER_ITEM = 20


@dataclass(frozen=True, eq=False)
class Node:
    """What is open, what it costs at least, and the relaxed ranking of that cost."""

    bound: float
    open: Placements
    x: FloatArray


class BranchAndCut:
    """A search for the best ranking of a component, or for all of the best.

    Parameters
    ----------
    costs : PairCosts
    start : bucket numbers
        A good ranking; the better it is, the more placements are closed early.
    budget : Budget
        When to stop.
    every : int
        Not 0: ``start`` is optimal, and all optimal rankings, up to so many, are wanted.

    Attributes
    ----------
    found : list of bucket numbers
        The best ranking, or all of them.
    cost, bound : float
        Its cost, and what every ranking costs at least.
    """

    def __init__(self, costs: PairCosts, start: Buckets, *, budget: Budget, every: int = 0) -> None:
        self.costs = costs
        self.budget = budget
        self.every = every
        self.found = [] if every else [start]
        self.cost = costs.cost_of(start)
        self.bound = costs.bound()
        even = (costs.before + costs.before.T) / 2
        # Where tying never costs less than the mean of both orders, some best ranking has no ties:
        # the items of a bucket, in any order or in its reverse, cost no more than tied.
        margin = PRECISION * costs.before.max()
        helps = costs.tied <= even + margin if every else costs.tied < even - margin
        self.ties = bool(np.triu(helps, 1).any())
        tied = costs.tied if self.ties else even
        relative = costs.before - tied
        np.fill_diagonal(relative, 0.0)
        self.offset = float(np.triu(tied, 1).sum())
        self.origin = self.offset if self.ties else self.offset + float(np.triu(relative, 1).sum())
        grid = _common_measure(relative)
        self.on_grid = grid > 0
        self.step = grid * (1 if self.ties else 2) or PRECISION * float(costs.before.sum())
        self.unit = grid or float(np.abs(relative).max()) or 1.0  # the solver sees costs near 1
        self.program = TriangleProgram(relative / self.unit, ties=self.ties)

    def run(self) -> None:
        """Search until the best ranking is proved, all are found, or the budget is spent."""
        ticket = count()
        nodes = [(self.bound, next(ticket), Placements.all_of(len(self.costs), ties=self.ties))]
        while nodes and not self._hopeless(nodes[0][0]) and len(self.found) <= max(self.every, 1):
            bound, _, placements = heapq.heappop(nodes)
            node = self._tighten(bound, placements)
            late = self.budget.is_over()
            if late or not self._hopeless(node.bound):
                for child in [node.open] if late else self._branches(node):
                    heapq.heappush(nodes, (node.bound, next(ticket), child))
            if late:
                break
        proved = not nodes or self._hopeless(nodes[0][0])
        self.bound = self.cost if proved else nodes[0][0]

    @property
    def _cutoff(self) -> float:
        """Return the largest cost that is still of interest, and a little more."""
        if self.every:
            return self.cost + self.step / 2
        return self._rounded_up(self.cost) - self.step * (1 - ROUNDING)

    def _hopeless(self, bound: float) -> bool:
        return bound > self._cutoff

    def _tighten(self, bound: float, placements: Placements) -> Node:
        """Add cuts until the node is hopeless, whole, late, or no longer worth the rounds."""
        x = np.zeros_like(self.costs.before)
        stalled = 0
        while placements.possible() and not self.budget.is_over():
            relaxed = self.program.solve(placements, self.budget)
            if relaxed.status is not Status.OPTIMAL:
                break
            x, reduced = relaxed.x, relaxed.reduced * self.unit
            value = self.offset + placements.value(reduced)
            before, bound = bound, max(bound, self._rounded_up(value))
            self._round(x)
            if self._hopeless(bound):
                return Node(bound, placements, x)
            placements = placements.without(reduced, self._cutoff - value)
            try:
                cuts = self.program.violations(x, CUTS_PER_ITEM * len(x), self.budget)
            except OutOfTimeError:
                break
            stalled = 0 if bound - before > SLOW * (self._cutoff - bound) else stalled + 1
            if len(cuts) == 0 or (stalled > PATIENCE and _is_fractional(x)):
                return Node(bound, placements, x)
            if bound > before:
                self.program.remove_slack(x)
            self.program.add(cuts)
        return Node(bound if self.budget.is_over() else np.inf, placements, x)

    def _round(self, x: FloatArray) -> None:
        """Improve the ranking that x suggests, and keep it if it is the best so far."""
        if self.every:  # the best cost is known
            return
        bucket = _ranking(x)
        self.costs.improve(bucket, self.budget)
        cost = self.costs.cost_of(bucket)
        if cost < self.cost - ROUNDING * self.step:
            self.cost, self.found = cost, [bucket]

    def _branches(self, node: Node) -> list[Placements]:
        """Decide the pair that x leaves most open at stake; a node without any is a ranking."""
        undecided = np.triu(node.open.undecided(), 1)
        if not undecided.any():
            self.found.append(_ranking(node.open.before))
            return []
        x = node.x
        largest = np.maximum(np.maximum(x, x.T), 1 - x - x.T)
        openness = np.where(undecided, 1 - largest + ROUNDING, -1.0)
        stake = np.abs(self.costs.before - self.costs.before.T) + ROUNDING
        i, j = np.unravel_index(np.argmax(openness * stake), openness.shape)
        return node.open.choices(int(i), int(j))

    def _rounded_up(self, bound: float) -> float:
        """Return the least cost not below the bound that a ranking can have."""
        if not self.on_grid:
            return bound
        steps = np.ceil((bound - self.origin) / self.step - ROUNDING)
        return float(self.origin + steps * self.step)


def _ranking(before: NDArray[Any]) -> Buckets:
    """Sort items by how many others they are before and behind: exact for a whole ranking."""
    lead = before.sum(axis=0) - before.sum(axis=1)
    return np.unique(np.round(lead, 6), return_inverse=True)[1].astype(np.int64)


def _is_fractional(x: FloatArray) -> bool:
    return bool((np.minimum(x, 1 - x) > ROUNDING).any())


def _common_measure(values: FloatArray) -> float:
    """Return the largest number of which all values are multiples; 0 when there is none."""
    scale = float(np.abs(values).max()) or 1.0
    measure = 0.0
    for value in np.unique(np.round(np.abs(values) / scale, 12)):
        a, b = float(value), measure
        while b > 1e-9:
            a, b = b, min(a % b, b - a % b)
        measure = a
        if 0 < measure < 1e-6:
            return 0.0
    return scale / round(1 / measure) if measure > 0 else 0.0
