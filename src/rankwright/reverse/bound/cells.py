"""Cells of weights outside the kernel: where the proof begins, and what is left to explore."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import permutations, product
from math import factorial, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankwright.kernels.rating.cells import Known, unassessed
from rankwright.kernels.rating.cuts import MAX_RAYS, MOST_LARGE_RAYS, Cells
from rankwright.kernels.rating.digits import BITS, PRECISION
from rankwright.kernels.rating.exploration import Workspace, allocate_workspace, explore
from rankwright.kernels.rating.facets import FACETS_PER_WORD, MAX_FACETS
from rankwright.kernels.rating.planes import NOTHING, UNFIXED
from rankwright.kernels.rating.sides import EXACT
from rankwright.reverse.clock import Clock
from rankwright.reverse.knowledge.cone import Face
from rankwright.reverse.problem import RatingProblem

__all__ = [
    "Cell",
    "Exploration",
    "Turn",
    "allocate",
    "enlarge",
    "explore_cell",
    "first_cells",
    "widen",
]

LOW_WORD = (1 << FACETS_PER_WORD) - 1
PACKED = np.iinfo(np.int32)
MOST_MINORS = 2**9  # of the walls of a ray, one for each set of factors


@dataclass(frozen=True)
class Cell:
    """A cone of weights by its extreme rays, and the most that a formula in it can reach.

    That is what a cell means in all of ``reverse``: a part of the space of weights, in which the
    scores of more and more pairs of products compare alike.

    Rays are whole numbers: int64 for the kernel, or of any size, as objects. Rays with ``digits``
    for the kernel are rounded, and their digits exact. The facets that a ray lies on are bits, of
    two words or of one number of any size; each has a plane (``walls``, see ``Cells``). Which
    planes are ``fixed`` counts where points on planes do, for position errors. With a
    ``basis``, rays are combinations of its rows, and walls are not known. What the kernel found out
    about a cell is ``known``, so that it goes on from there.
    """

    rays: NDArray[Any]
    facets: NDArray[Any]
    walls: NDArray[np.int64]
    fixed: NDArray[np.int8] | None
    bound: int
    basis: NDArray[np.object_] | None = None
    digits: NDArray[np.int64] | None = None
    known: Known = field(default_factory=unassessed)

    @property
    def weights(self) -> NDArray[Any]:
        """Return the rays as weights."""
        if self.digits is not None:
            return _from_digits(self.digits)
        return self.rays if self.basis is None else self.rays.astype(object) @ self.basis

    def packed(self) -> "Cell":
        """Return the cell with rays in half the memory, where they fit: many cells wait."""
        if self.rays.dtype != np.int64 or np.abs(self.rays).max() > PACKED.max:
            return self
        return replace(self, rays=self.rays.astype(PACKED.dtype))

    def unpacked(self) -> "Cell":
        """Return the cell as the kernel takes it."""
        if self.rays.dtype != PACKED.dtype:
            return self
        return replace(self, rays=self.rays.astype(np.int64))

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
        return np.asarray(combination.astype(object) @ self.basis)


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


class Turn(NamedTuple):
    """The turn of a cell of many: room to work in, and the bound up to which others come first.

    Parts whose bounds don't exceed this floor are left, after the first few.
    """

    workspace: Workspace
    floor: int = NOTHING


def first_cells(problem: RatingProblem, bound: int, clock: Clock | None = None) -> Iterator[Cell]:
    """Yield the orthant of the directions, and with free factors its mirror images.

    Where not all weights are allowed, yield the faces of their cone instead. Once the time of a
    clock is up, the rest is one cell, which has what all faces have, and more.
    """
    if problem.cone is not None:
        for face in problem.cone.faces:
            is_late = clock is not None and clock.is_late
            yield _first_cell(problem, problem.cone.whole if is_late else face, bound)
            if is_late:
                return
        return
    d = len(problem.directions)
    facets = np.zeros((d, 2), dtype=np.int64)  # each ray lies on all facets but its own
    for ray, facet in permutations(range(d), 2):
        facets[ray, facet // FACETS_PER_WORD] |= 1 << facet % FACETS_PER_WORD
    signs = [(1, -1) if free else (1,) for free in problem.free]
    for orthant in product(*signs):
        rays = np.diag(np.array(orthant, dtype=np.int64))
        yield Cell(rays, facets, _walls(d), _unfixed(problem), bound)


def _walls(n: int) -> NDArray[np.int64]:
    """Return the planes on which one weight is zero."""
    return -1 - np.arange(n)


def _unfixed(problem: RatingProblem) -> NDArray[np.int8] | None:
    """Return that no plane is fixed, where it counts."""
    if not problem.objective.by_position:
        return None
    return np.full(len(problem.planes.first), UNFIXED, dtype=np.int8)


def _first_cell(problem: RatingProblem, face: Face, bound: int) -> Cell:
    """Return a face of the cone as a cell, in numbers of any size if the kernel's are too small.

    Its rays are combinations of a basis: a face may have fewer dimensions than there are factors,
    and edges are found by counting facets.
    """
    assert problem.cone is not None
    facets, n_facets = np.array(face.facets, dtype=object), problem.cone.n_facets
    walls, fixed = _walls(n_facets), _unfixed(problem)
    cell = Cell(face.coordinates, facets, walls, fixed, bound, face.basis)
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


def allocate(problem: RatingProblem, cell: Cell) -> Workspace:
    """Return room to explore cells like this one in."""
    n_planes, closed = len(problem.planes.first), problem.objective.by_position
    n, n_factors = len(problem.levels), cell.rays.shape[1]
    return allocate_workspace(n, n_factors, n_planes, closed, _n_digits(cell))


def _n_digits(cell: Cell) -> int:
    return 0 if cell.digits is None else cell.digits.shape[2]


def explore_cell(
    problem: RatingProblem,
    cell: Cell,
    incumbent: int,
    budget: int,
    stop: NDArray[np.bool_],
    *,
    collect: bool = False,
    turn: Turn | None = None,
) -> Exploration:
    """Search a cell for a formula better than the incumbent, within a budget of rays.

    With ``collect``, the incumbent stays and all cells that beat it are kept. Parts that outgrow
    the kernel's numbers are handed on with digits, or as objects. Once the flag ``stop`` is set,
    what is not explored is left. A ``turn`` has room that may be used again and again: asking the
    system for memory can take longer than to explore a cell.
    """
    factors = np.ascontiguousarray(cell.factors(problem), dtype=np.float64)
    space, floor = turn or Turn(allocate(problem, cell))
    best, n_left, n_stuck = explore(
        space,
        factors,
        problem.planes,
        problem.aims,
        (cell.rays, cell.digits, cell.facets, cell.walls, cell.fixed),
        cell.known,
        incumbent,
        floor,
        budget,
        collect,
        stop,
    )
    cells, slots = space.cells, space.stock.left
    stuck = slots[len(slots) - n_stuck :]
    weights = cell.weights_of(_from_digits(space.weights)) if best > incumbent else None
    return Exploration(
        value=int(best),
        weights=weights,
        left=[_take(cells, slot, cell) for slot in slots[:n_left]]
        + [widen(problem, _take(cells, slot, cell)) for slot in stuck if cells.n_undecided[slot]],
        decided=[_take(cells, slot, cell) for slot in stuck if not cells.n_undecided[slot]],
    )


def _take(cells: Cells, slot: int, whole: Cell) -> Cell:
    """Return a part of a cell, of which a bound was known."""
    m = cells.n_rays[slot]
    bound = min(int(cells.bound[slot]), whole.bound)
    return Cell(
        rays=cells.rays[slot, :m].copy(),
        facets=cells.facets[slot, :m].copy(),
        walls=cells.walls[slot, : cells.n_facets[slot]].copy(),
        fixed=None if cells.fixed is None else cells.fixed[slot].copy(),
        bound=bound,
        basis=whole.basis,
        digits=None if cells.digits is None else cells.digits[slot, :m].copy(),
        known=Known(
            cells.undecided[slot, : cells.n_undecided[slot]].copy(),
            np.stack([cells.below[slot], cells.above[slot], cells.wins[slot]]),
            np.array([cells.plane[slot], cells.loss[slot], bound], np.int64),
        ),
    )


def widen(problem: RatingProblem, cell: Cell) -> Cell:
    """Return a cell with digits, or with whole numbers of any size where it has them already.

    So too where the kernel would not cut it: its walls are not known, it has too many rays, or
    finding one takes too many minors.
    """
    m, d = cell.rays.shape
    if cell.basis is not None or 1 << d > MOST_MINORS or cell.digits is not None:
        return enlarge(cell)
    if m > MOST_LARGE_RAYS // 4:
        return enlarge(cell)
    # Entries of rays, and scores, are minors of normals: each is a sum of that many products.
    ranges = np.maximum(problem.factors.whole.max(axis=0), 1).tolist()
    largest = factorial(d) * prod(ranges)
    n_digits = max(3, 1 + -(-(largest.bit_length() + 2) // BITS))  # the highest is 0 in rays
    sizes = [PRECISION - int(size).bit_length() for size in np.abs(cell.rays).max(axis=1)]
    rays = cell.rays << np.array(sizes, dtype=np.int64)[:, None]  # as if they were rounded
    return replace(cell, rays=rays, digits=_to_digits(cell.rays, n_digits))


def enlarge(cell: Cell) -> Cell:
    """Return a cell with whole numbers of any size."""
    low, high = cell.facets.astype(object).T
    facets, rays = low | high << FACETS_PER_WORD, cell.rays.astype(object)
    if cell.digits is not None:
        rays = cell.weights
    return replace(cell, rays=rays, facets=facets, digits=None)


def _to_digits(rays: NDArray[np.int64], n_digits: int) -> NDArray[np.int64]:
    """Return digits between minus and plus half of what a digit holds."""
    digits, rest = np.empty((*rays.shape, n_digits), dtype=np.int64), rays
    for k in range(n_digits):
        over = (rest + (1 << BITS - 1)) >> BITS
        digits[..., k], rest = rest - (over << BITS), over
    return digits


def _from_digits(digits: NDArray[Any]) -> NDArray[np.object_]:
    """Return whole numbers; their digits may exceed what a digit holds."""
    powers = [1 << BITS * k for k in range(digits.shape[-1])]
    return np.asarray(digits.astype(object) @ powers)
