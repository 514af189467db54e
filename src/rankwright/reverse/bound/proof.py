"""Prove how good a formula can be: branch and bound over cells of weights, best first."""

import heapq
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from itertools import count

import numpy as np
from numpy.typing import NDArray

from rankwright.kernels.rating.exploration import Workspace
from rankwright.kernels.rating.planes import NOTHING
from rankwright.reverse.bound.cells import (
    Cell,
    Exploration,
    Turn,
    allocate,
    explore_cell,
    first_cells,
)
from rankwright.reverse.bound.contenders import contenders
from rankwright.reverse.bound.large_cells import bound_orthants, explore_large
from rankwright.reverse.bound.order_proof import OrderProof
from rankwright.reverse.clock import Clock
from rankwright.reverse.problem import RatingProblem
from rankwright.reverse.progress import Progress
from rankwright.reverse.search import climb_on

__all__ = ["CellProof", "CellQueue", "cells_within", "explore_in_turn", "prove", "whole_space"]

Proved = NDArray[np.bool_] | None
ROUND = 8  # cells that see the same incumbent, so that the result doesn't depend on n_jobs
EFFORT = 2**14  # rays that one call of the kernel looks at
FEW_EFFORT = 2**10  # where few cells wait, so that there are soon enough for all threads
MANY_EFFORT = 2**20  # where very many wait: those at hand are finished before others are opened
LARGE_RAY = 2**6  # effort for a ray in numbers of any size
MOST_RAYS = 400  # a cell with numbers of any size and more rays is left as it is,
MOST_SIGNS = 2**23  # or with more sides of planes that its rays lie on
MANY_CELLS = 100_000
MOST_RANKED = 40  # products at the top whose position counts: with more there are too many orders


class CellQueue:
    """Cells to explore, the most promising first."""

    def __init__(
        self, problem: RatingProblem, clock: Clock, pool: Executor, *, collect: bool = False
    ) -> None:
        self.problem = problem
        self.clock = clock
        self.pool = pool
        n_planes = max(len(problem.planes.first), 1)
        self.most_rays = min(MOST_RAYS, MOST_SIGNS // n_planes)
        self.collect = collect
        self.abandoned: list[Cell] = []
        self._numbers = count()
        self._heap: list[tuple[int, int, Cell]] = []
        # Room that no thread works in at the moment, by the number of coordinates that cells have
        # and whether these have digits.
        self._spaces: defaultdict[tuple[int, bool], list[Workspace]] = defaultdict(list)

    def __len__(self) -> int:
        return len(self._heap)

    @property
    def bound(self) -> int:
        """Return what no formula in the cells that wait can exceed."""
        best = max([NOTHING, *(cell.bound for cell in self.abandoned)])
        return max(best, -self._heap[0][0]) if self._heap else best

    @property
    def waiting(self) -> list[Cell]:
        """Return the cells that are not explored."""
        return [cell.unpacked() for _, _, cell in self._heap] + self.abandoned

    def push(self, cell: Cell) -> None:
        """Let a cell wait, or leave it as it is where cutting it would take too long."""
        if cell.rays.dtype == object and len(cell.rays) > self.most_rays:
            self.abandoned.append(cell)
            return
        heapq.heappush(self._heap, (-cell.bound, next(self._numbers), cell.packed()))

    def explore(self, incumbent: Callable[[], int], take: Callable[[Exploration], None]) -> None:
        """Explore the best cells side by side, hand over what is found, and queue what is left."""
        value = incumbent()
        batch: list[Cell] = []
        while self._heap and len(batch) < ROUND and -self._heap[0][0] > value:
            batch.append(heapq.heappop(self._heap)[2].unpacked())
        effort, floor = self._effort(len(batch)), self._floor()
        # The best cell is followed to its end, which finds better formulas; the others as far as
        # they are ahead.
        floors = [NOTHING, *[floor] * (len(batch) - 1)]
        explored = self.pool.map(
            lambda cell, least: self._explore_one(cell, value, effort, least), batch, floors
        )
        for found in explored:
            take(found)
            for cell in found.left:
                if cell.bound > incumbent():
                    self.push(cell)

    def _effort(self, n_cells: int) -> int:
        """Return how much to explore of each cell."""
        if n_cells < ROUND:
            return FEW_EFFORT
        return EFFORT if len(self) < MANY_CELLS else MANY_EFFORT

    def _floor(self) -> int:
        """Return what a part of a cell must exceed to be as urgent as the best cell that waits."""
        if self.collect or not self._heap or len(self) >= MANY_CELLS:
            return NOTHING
        return -self._heap[0][0] - 1

    def _explore_one(
        self, cell: Cell, value: int, effort: int, floor: int = NOTHING
    ) -> Exploration:
        stop, collect = self.clock.stop, self.collect
        if cell.rays.dtype == object:
            effort //= LARGE_RAY
            return explore_large(self.problem, cell, value, effort, stop, collect=collect)
        kind = cell.rays.shape[1], cell.digits is not None
        try:
            space = self._spaces[kind].pop()
        except IndexError:  # all in use by other threads
            space = allocate(self.problem, cell)
        found = explore_cell(
            self.problem, cell, value, effort, stop, collect=collect, turn=Turn(space, floor)
        )
        self._spaces[kind].append(space)
        return found


def whole_space(problem: RatingProblem, clock: Clock) -> int:
    """Return the most that any formula can reach, as far as single pairs show it.

    Pairs with equal factors, and those that one product wins in every factor, are decided;
    everything else counts as won.
    """
    return bound_orthants(problem, first_cells(problem, 0), clock)


class CellProof:
    """Cells in which a better formula may lie; those found feed the search.

    For better formulas the ``problem`` must have the values of the problem of the progress.
    """

    rounds = 1

    def __init__(
        self,
        progress: Progress,
        problem: RatingProblem,
        pool: Executor,
        proved: Proved = None,
    ) -> None:
        self.progress = progress
        self.queue = CellQueue(problem, progress.clock, pool)
        for cell in first_cells(problem, progress.bound, progress.clock):
            if proved is None or (cell.rays.diagonal()[proved] < 0).any():
                self.queue.push(cell)

    def __len__(self) -> int:
        return len(self.queue)

    @property
    def bound(self) -> int:
        """Return what no formula in the cells that wait can exceed."""
        return self.queue.bound

    def explore(self) -> None:
        """Explore the best cells."""
        self.queue.explore(lambda: self.progress.value, self._take)

    def _take(self, found: Exploration) -> None:
        if found.weights is not None and self.progress.offer(found.weights):
            climb_on(self.progress, self.queue.pool)


def prove(
    progress: Progress,
    *,
    gap: int,
    pool: Executor,
    rounds: float = np.inf,
    proved: Proved = None,
) -> int:
    """Explore cells, and for position errors of short tops orders too, until none can be better.

    Ends early when the gap is reached or the time is up, after so many ``rounds``, or when only
    cells are left that are too large to cut. Returns the rounds taken. Orthants in which all of the
    ``proved`` factors count as directed are left out: it is known that nothing there is better.
    """
    problem = progress.problem
    if problem.objective.by_position:
        problem = contenders(problem, -progress.value)
    proofs: list[CellProof | OrderProof] = [CellProof(progress, problem, pool, proved)]
    is_orthant = problem.cone is None  # orders know no other cones
    if is_orthant and 0 < (problem.aims.position > 0).sum() <= MOST_RANKED:
        proofs.insert(0, OrderProof(progress, problem, pool, proved))
    return explore_in_turn(progress, proofs, gap, rounds)


def explore_in_turn(
    progress: Progress,
    proofs: Sequence[CellProof | OrderProof],
    gap: int,
    rounds: float = np.inf,
) -> int:
    """Let proofs take turns; each bounds all formulas by itself. Return the rounds taken."""

    def goes_on(proof: CellProof | OrderProof) -> bool:
        is_open = progress.bound - progress.value > gap and not progress.clock.is_late
        return len(proof) > 0 and is_open

    taken = 0
    while taken < rounds and any(goes_on(proof) for proof in proofs):
        taken += 1
        for proof in proofs:
            for _ in range(proof.rounds):
                if goes_on(proof):
                    proof.explore()
                    progress.limit(max(proof.bound, progress.value))
    return taken


def cells_within(
    problem: RatingProblem, least: int, clock: Clock, pool: Executor
) -> tuple[list[Cell], list[Cell]]:
    """Return cells that together hold every formula that reaches ``least``.

    First those that are decided, all of whose formulas do, then those that the time did not
    suffice for.
    """
    queue = CellQueue(problem, clock, pool, collect=True)
    for cell in first_cells(problem, -NOTHING, clock):
        queue.push(cell)
    decided: list[Cell] = []
    while len(queue) and not clock.is_late:
        queue.explore(lambda: least - 1, lambda found: decided.extend(found.decided))
    return decided, queue.waiting
