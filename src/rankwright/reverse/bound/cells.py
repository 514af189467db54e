"""Cells of weights outside the kernel: where the proof begins, and what is left to explore."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import permutations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.kernels.rating.cuts import FACETS_PER_WORD, Cells
from rankwright.kernels.rating.exploration import explore
from rankwright.kernels.rating.planes import UNFIXED
from rankwright.reverse.problem import RatingProblem

__all__ = ["Cell", "Exploration", "enlarge", "explore_cell", "first_cells"]


@dataclass(frozen=True)
class Cell:
    """A cone of weights by its extreme rays, and the most that a formula in it can reach.

    That is what a cell means in all of ``reverse``: a part of the space of weights, in which the
    scores of more and more pairs of products compare alike.

    Rays are whole numbers: int64 for the kernel, or of any size, as objects. The facets that a ray
    lies on are bits, of two words or of one number of any size.
    """

    rays: NDArray[Any]
    facets: NDArray[Any]
    n_facets: int
    fixed: NDArray[np.int8]
    bound: int


@dataclass(frozen=True)
class Exploration:
    """What came of exploring a cell: the best formula, and the parts that are left.

    ``weights`` is None where nothing better was found; ``decided`` parts have no more planes to
    cut them and all their formulas beat the incumbent (only when these were to be collected).
    """

    value: int
    weights: NDArray[Any] | None
    left: list[Cell]
    decided: list[Cell]


def first_cells(problem: RatingProblem, bound: int) -> Iterator[Cell]:
    """Yield the orthant of the directions, and with free factors its mirror images."""
    d = len(problem.directions)
    facets = np.zeros((d, 2), dtype=np.int64)  # each ray lies on all facets but its own
    for ray, facet in permutations(range(d), 2):
        facets[ray, facet // FACETS_PER_WORD] |= 1 << facet % FACETS_PER_WORD
    n_planes = len(problem.planes.first) if problem.objective.by_position else 0
    fixed = np.full(n_planes, UNFIXED, dtype=np.int8)
    signs = [(1, -1) if free else (1,) for free in problem.free]
    for orthant in product(*signs):
        yield Cell(np.diag(np.array(orthant, dtype=np.int64)), facets, d, fixed, bound)


def explore_cell(
    problem: RatingProblem,
    cell: Cell,
    incumbent: int,
    budget: int,
    stop: NDArray[np.bool_],
    *,
    collect: bool = False,
) -> Exploration:
    """Search a cell for a formula better than the incumbent, within a budget of rays.

    With ``collect``, the incumbent stays and all cells that beat it are kept. Parts that outgrow
    the kernel are handed on with whole numbers of any size. Once the flag ``stop`` is set, what is
    not explored is left.
    """
    best, weights, cells, slots, n_left, n_stuck = explore(
        problem.oriented,
        problem.planes,
        problem.aims,
        problem.objective.by_position,
        cell.rays,
        cell.facets,
        cell.n_facets,
        cell.fixed,
        incumbent,
        budget,
        collect,
        stop,
    )
    stuck = slots[len(slots) - n_stuck :]
    return Exploration(
        value=int(best),
        weights=weights if best > incumbent else None,
        left=[_take(cells, slot, cell.bound) for slot in slots[:n_left]]
        + [enlarge(_take(cells, slot, cell.bound)) for slot in stuck if cells.n_undecided[slot]],
        decided=[_take(cells, slot, cell.bound) for slot in stuck if not cells.n_undecided[slot]],
    )


def _take(cells: Cells, slot: int, bound: int) -> Cell:
    """Return a part of a cell, of which a bound was known."""
    m = cells.n_rays[slot]
    return Cell(
        rays=cells.rays[slot, :m].copy(),
        facets=cells.facets[slot, :m].copy(),
        n_facets=int(cells.n_facets[slot]),
        fixed=cells.fixed[slot].copy(),
        bound=min(int(cells.bound[slot]), bound),
    )


def enlarge(cell: Cell) -> Cell:
    """Return a cell with whole numbers of any size."""
    low, high = cell.facets.astype(object).T
    return replace(cell, rays=cell.rays.astype(object), facets=low | high << FACETS_PER_WORD)
