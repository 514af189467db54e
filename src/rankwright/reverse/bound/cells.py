"""Cells of weights outside the kernel: where the proof begins, and what is left to explore."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import permutations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.kernels.rating.cuts import FACETS_PER_WORD, MAX_FACETS, MAX_RAYS, Cells
from rankwright.kernels.rating.exploration import Workspace, allocate_workspace, explore
from rankwright.kernels.rating.planes import UNFIXED
from rankwright.reverse.knowledge.cone import Face
from rankwright.reverse.problem import RatingProblem

__all__ = ["Cell", "Exploration", "allocate", "enlarge", "explore_cell", "first_cells"]

LOW_WORD = (1 << FACETS_PER_WORD) - 1
EXACT = 2**53  # below this, sums of whole numbers are exact in floating point


@dataclass(frozen=True)
class Cell:
    """A cone of weights by its extreme rays, and the most that a formula in it can reach.

    That is what a cell means in all of ``reverse``: a part of the space of weights, in which the
    scores of more and more pairs of products compare alike.

    Rays are whole numbers: int64 for the kernel, or of any size, as objects. The facets that a ray
    lies on are bits, of two words or of one number of any size. With a ``basis``, rays are
    combinations of its rows.
    """

    rays: NDArray[Any]
    facets: NDArray[Any]
    n_facets: int
    fixed: NDArray[np.int8]
    bound: int
    basis: NDArray[np.object_] | None = None

    @property
    def weights(self) -> NDArray[Any]:
        """Return the rays as weights."""
        return self.rays if self.basis is None else self.rays.astype(object) @ self.basis

    def factors(self, problem: RatingProblem) -> NDArray[Any]:
        """Return what the coordinates of rays are multiplied with for the products' scores."""
        if self.basis is None:
            return problem.oriented
        whole = problem.factors.whole * problem.directions
        return np.asarray(whole.astype(object) @ self.basis.T)

    def weights_of(self, combination: NDArray[Any]) -> NDArray[Any]:
        """Return weights that are a combination of the basis."""
        if self.basis is None:
            return combination
        return np.asarray(np.array([int(v) for v in combination], dtype=object) @ self.basis)


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
    """Yield the orthant of the directions, and with free factors its mirror images.

    Where not all weights are allowed, yield the faces of their cone instead.
    """
    if problem.cone is not None:
        yield from (_first_cell(problem, face, bound) for face in problem.cone.faces)
        return
    d = len(problem.directions)
    facets = np.zeros((d, 2), dtype=np.int64)  # each ray lies on all facets but its own
    for ray, facet in permutations(range(d), 2):
        facets[ray, facet // FACETS_PER_WORD] |= 1 << facet % FACETS_PER_WORD
    n_planes = len(problem.planes.first) if problem.objective.by_position else 0
    fixed = np.full(n_planes, UNFIXED, dtype=np.int8)
    signs = [(1, -1) if free else (1,) for free in problem.free]
    for orthant in product(*signs):
        yield Cell(np.diag(np.array(orthant, dtype=np.int64)), facets, d, fixed, bound)


def _first_cell(problem: RatingProblem, face: Face, bound: int) -> Cell:
    """Return a face of the cone as a cell, in numbers of any size if the kernel's are too small.

    Its rays are combinations of a basis: a face may have fewer dimensions than there are factors,
    and edges are found by counting facets.
    """
    assert problem.cone is not None
    n_planes = len(problem.planes.first) if problem.objective.by_position else 0
    fixed = np.full(n_planes, UNFIXED, dtype=np.int8)
    facets, n_facets = np.array(face.facets, dtype=object), problem.cone.n_facets
    cell = Cell(face.coordinates, facets, n_facets, fixed, bound, face.basis)
    size = max(int(np.abs(cell.factors(problem)).max()), 1)
    largest = int(np.abs(face.coordinates).max()) * len(face.basis) * size
    if 2 * largest >= EXACT or n_facets > MAX_FACETS // 2 or len(face.rays) > MAX_RAYS // 4:
        return cell
    words = [[int(f) & LOW_WORD, int(f) >> FACETS_PER_WORD] for f in facets]
    return replace(
        cell,
        rays=face.coordinates.astype(np.int64),
        facets=np.array(words, dtype=np.int64).reshape(-1, 2),
    )


def allocate(problem: RatingProblem, n_factors: int) -> Workspace:
    """Return room to explore cells of the problem in, which have so many coordinates."""
    n_planes, closed = len(problem.planes.first), problem.objective.by_position
    return allocate_workspace(len(problem.levels), n_factors, n_planes, closed)


def explore_cell(
    problem: RatingProblem,
    cell: Cell,
    incumbent: int,
    budget: int,
    stop: NDArray[np.bool_],
    *,
    collect: bool = False,
    workspace: Workspace | None = None,
) -> Exploration:
    """Search a cell for a formula better than the incumbent, within a budget of rays.

    With ``collect``, the incumbent stays and all cells that beat it are kept. Parts that outgrow
    the kernel are handed on with whole numbers of any size. Once the flag ``stop`` is set, what is
    not explored is left. A ``workspace`` may be used again and again: asking the system for memory
    can take longer than to explore a cell.
    """
    factors = np.ascontiguousarray(cell.factors(problem), dtype=np.float64)
    space = workspace or allocate(problem, factors.shape[1])
    best, n_left, n_stuck = explore(
        space,
        factors,
        problem.planes,
        problem.aims,
        problem.objective.by_position,
        (cell.rays, cell.facets, cell.n_facets, cell.fixed),
        incumbent,
        budget,
        collect,
        stop,
    )
    cells, slots = space.cells, space.stock.left
    stuck = slots[len(slots) - n_stuck :]
    return Exploration(
        value=int(best),
        weights=cell.weights_of(space.weights.copy()) if best > incumbent else None,
        left=[_take(cells, slot, cell) for slot in slots[:n_left]]
        + [enlarge(_take(cells, slot, cell)) for slot in stuck if cells.n_undecided[slot]],
        decided=[_take(cells, slot, cell) for slot in stuck if not cells.n_undecided[slot]],
    )


def _take(cells: Cells, slot: int, whole: Cell) -> Cell:
    """Return a part of a cell, of which a bound was known."""
    m = cells.n_rays[slot]
    return Cell(
        rays=cells.rays[slot, :m].copy(),
        facets=cells.facets[slot, :m].copy(),
        n_facets=int(cells.n_facets[slot]),
        fixed=cells.fixed[slot].copy(),
        bound=min(int(cells.bound[slot]), whole.bound),
        basis=whole.basis,
    )


def enlarge(cell: Cell) -> Cell:
    """Return a cell with whole numbers of any size."""
    low, high = cell.facets.astype(object).T
    return replace(cell, rays=cell.rays.astype(object), facets=low | high << FACETS_PER_WORD)
