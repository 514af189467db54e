"""Prove how good a formula can be: branch and bound over cells of weights, best first."""

import heapq
from concurrent.futures import Executor
from itertools import count

import numpy as np

from rankwright.reverse.cells import Cell, Exploration, explore_cell, first_cells
from rankwright.reverse.problem import RatingProblem
from rankwright.reverse.progress import Progress
from rankwright.reverse.search import as_whole, climb_from

__all__ = ["prove", "whole_space"]

ROUND = 8  # cells that see the same incumbent, so that the result doesn't depend on n_jobs
BUDGET = 256  # cells that one call of the kernel looks at
MANY_CELLS = 100_000
NOTHING = -(2**62)


def whole_space(problem: RatingProblem) -> int:
    """Return the most that any formula can reach, as far as single pairs show it.

    Pairs with equal factors, and those that one product wins in every factor, are decided;
    everything else counts as won.
    """
    explorations = [explore_cell(problem, cell, NOTHING, 1) for cell in first_cells(problem, 0)]
    return max(
        max([found.value, *(cell.bound for cell in found.left)]) for found in explorations
    )


def prove(progress: Progress, *, gap: int, pool: Executor) -> list[Cell]:
    """Explore cells until no formula can beat the best one by more than ``gap``.

    Better formulas found in the cells feed the search. Ends early when the time is up; returns
    the cells that the kernel can't cut further.
    """
    problem = progress.problem
    numbers = count()
    queue = [(-cell.bound, next(numbers), cell) for cell in first_cells(problem, progress.bound)]
    stuck: list[Cell] = []
    while True:
        progress.limit(_largest_bound(queue, stuck, progress.value))
        if progress.bound - progress.value <= gap or not queue or progress.is_late:
            return stuck
        batch = []
        while queue and len(batch) < ROUND and -queue[0][0] > progress.value:
            batch.append(heapq.heappop(queue)[2])
        # With very many cells open, finish the ones at hand instead of opening more.
        budget = BUDGET if len(queue) < MANY_CELLS else 64 * BUDGET
        incumbent = progress.value
        for found in pool.map(lambda cell: explore_cell(problem, cell, incumbent, budget), batch):
            _take_formula(progress, found)
            stuck += found.stuck
            for cell in found.left:
                if cell.bound > progress.value:
                    heapq.heappush(queue, (-cell.bound, next(numbers), cell))


def _largest_bound(queue: list[tuple[int, int, Cell]], stuck: list[Cell], value: int) -> int:
    return max([value, *(-entry[0] for entry in queue[:1]), *(cell.bound for cell in stuck)])


def _take_formula(progress: Progress, found: Exploration) -> None:
    if found.weights is not None and progress.offer(found.weights):
        start = found.weights / np.abs(found.weights).max()
        progress.offer(as_whole(climb_from(progress.problem, start, seed=0)))
