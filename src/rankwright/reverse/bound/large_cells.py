"""Explore cells whose rays outgrow the kernel's numbers: slower, in whole numbers of any size.

The same method as in the kernel. Signs come from floating point where its rounding error can't
change them, and from whole numbers otherwise.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import gcd

import numpy as np
from numpy.typing import NDArray

from rankwright.kernels.rating.bound import allocate_prospects, position_bound, top_bound
from rankwright.kernels.rating.planes import NOTHING, UNFIXED
from rankwright.reverse.bound.cells import Cell, Exploration, enlarge
from rankwright.reverse.clock import Clock
from rankwright.reverse.problem import RatingProblem

__all__ = ["bound_orthants", "explore_large"]

Rays = list[tuple[int, ...]]
ROUNDING = 2.0**-50  # per product of a sum, with room to spare


def explore_large(
    problem: RatingProblem,
    cell: Cell,
    incumbent: int,
    budget: int,
    stop: NDArray[np.bool_],
    *,
    collect: bool = False,
) -> Exploration:
    """Search a cell for a formula better than the incumbent, as ``explore_cell`` does."""
    if stop[0]:
        return Exploration(value=incumbent, weights=None, left=[cell], decided=[])
    space = _Space(problem, cell)
    part = _Part.of_cell(cell)
    part = space.assess(part, space.signs(part.rays))
    stack, decided = [part], []
    best, weights, work = incumbent, None, 0
    while stack and work < budget and not stop[0]:
        part = stack.pop()
        if part.bound <= best:
            continue
        if part.plane < 0 and collect:
            decided.append(part)
        elif part.plane < 0:
            best, weights = part.bound, cell.weights_of(part.middle())
        elif (parts := space.cut(part, stop)) is None:
            stack.append(part)
        else:
            children = [space.assess(child, space.signs(child.rays)) for child in parts]
            work += sum(len(child.rays) for child in children)
            stack += sorted(children, key=lambda child: child.bound)
    return Exploration(
        value=best,
        weights=weights,
        left=[part.as_cell(cell) for part in stack if part.bound > best],
        decided=[part.as_cell(cell) for part in decided],
    )


def bound_orthants(problem: RatingProblem, orthants: Iterable[Cell], clock: Clock) -> int:
    """Return the most that a formula in the orthants can reach, as far as single pairs show it.

    A bound needs all of them: when the time is up there is none.
    """
    bound = NOTHING
    space, signs = None, np.empty(0)
    for cell in orthants:
        if clock.is_late:
            return -NOTHING
        if space is None or problem.cone is not None:
            space = _Space(problem, cell)
            signs = np.sign(space.normals).astype(np.int64)
        part = _Part.of_cell(cell if cell.rays.dtype == object else enlarge(cell))
        is_orthant = problem.cone is None  # of which each ray shows its own factor
        sides = signs * cell.rays.diagonal() if is_orthant else space.signs(part.rays)
        bound = max(bound, space.assess(part, sides).bound)
    return bound


@dataclass
class _Part:
    """A cell that is being explored; ``plane`` is where to cut it, -1 if all is decided."""

    rays: Rays
    facets: list[int]
    walls: list[int]
    fixed: NDArray[np.int8] | None
    bound: int = 0
    plane: int = -1

    @classmethod
    def of_cell(cls, cell: Cell) -> "_Part":
        """Return a cell as a part to explore."""
        rays = [tuple(int(v) for v in ray) for ray in cell.rays]
        return cls(rays, [int(f) for f in cell.facets], cell.walls.tolist(), cell.fixed)

    def middle(self) -> NDArray[np.object_]:
        """Return weights inside the cell."""
        return np.array([sum(column) for column in zip(*self.rays, strict=True)], dtype=object)

    def as_cell(self, whole: Cell) -> Cell:
        """Return a part of a cell, of which a bound was known, as a cell to explore."""
        rays = np.array(self.rays, dtype=object)
        facets = np.array(self.facets, dtype=object)
        bound, walls = min(self.bound, whole.bound), np.array(self.walls, dtype=np.int64)
        return Cell(rays, facets, walls, self.fixed, bound, whole.basis)


class _Space:
    """The planes of a problem, and how they divide parts of the space of weights."""

    def __init__(self, problem: RatingProblem, cell: Cell) -> None:
        self.problem = problem
        self.closed = problem.objective.by_position
        planes, factors = problem.planes, cell.factors(problem)
        self.exact = factors[planes.first] - factors[planes.second]
        self.normals = self.exact.astype(np.float64)
        self.plane_of_pair = np.repeat(np.arange(len(planes.first)), np.diff(planes.offsets))

    def exact_normal(self, plane: int) -> list[int]:
        """Return a normal in whole numbers; floating point holds those of an orthant exactly."""
        return [int(v) for v in self.exact[plane].tolist()]

    def signs(self, rays: Rays) -> NDArray[np.int64]:
        """Return the side of each plane that each ray lies on."""
        floats = np.array([[v / max(map(abs, ray)) for v in ray] for ray in rays])
        values = self.normals @ floats.T
        doubt = ROUNDING * len(rays[0]) * (np.abs(self.normals) @ np.abs(floats).T)
        is_sure = np.abs(values) > doubt
        signs: NDArray[np.int64] = np.sign(values).astype(np.int64)
        for plane, ray in zip(*np.nonzero(~is_sure), strict=True):
            value = _dot(self.exact_normal(plane), rays[ray])
            signs[plane, ray] = (value > 0) - (value < 0)
        return signs

    def assess(self, part: _Part, signs: NDArray[np.int64]) -> _Part:
        """Decide the pairs that all rays agree on, bound the part and choose its next plane."""
        planes, aims, n = self.problem.planes, self.problem.aims, len(self.problem.levels)
        positive, negative = (signs > 0).sum(axis=1), (signs < 0).sum(axis=1)
        if part.fixed is not None:
            is_fixed = part.fixed != UNFIXED
            wanted = np.where(part.fixed > 0, positive, negative)
            if (is_fixed & (part.fixed != 0) & (wanted == 0)).any():
                part.bound = NOTHING
                return part
            agree = (np.maximum(positive, negative) == len(part.rays)) | (positive + negative == 0)
            decided = is_fixed | agree
            side = np.where(is_fixed, part.fixed, np.sign(positive - negative))
        else:
            decided = (positive == 0) | (negative == 0)
            side = np.sign(positive - negative)
        pair_side = np.where(decided, side, 0)[self.plane_of_pair] * planes.side
        up, down = pair_side > 0, pair_side < 0
        below = np.bincount(planes.better[up], minlength=n) + np.bincount(
            planes.worse[down], minlength=n
        )
        above = np.bincount(planes.worse[up], minlength=n) + np.bincount(
            planes.better[down], minlength=n
        )
        wins = np.bincount(planes.better[up & (planes.strict > 0)], minlength=n)
        undecided = np.flatnonzero(~decided).astype(np.int32)
        prospects = allocate_prospects(n)
        count = len(undecided)
        if part.fixed is not None:
            bound = position_bound(undecided, count, planes, aims, above, prospects.reach)
        else:
            bound = top_bound(undecided, count, planes, aims, below, wins, prospects)
        part.bound = int(bound)
        if count:
            at_top = prospects.reach[planes.better] >= aims.threshold[planes.better]
            earnings = aims.unit[planes.better] + aims.bonus[planes.better] * at_top
            lost = 1 + np.where(
                planes.side > 0, negative[self.plane_of_pair], positive[self.plane_of_pair]
            )
            loss = np.bincount(self.plane_of_pair, earnings * lost, len(decided))
            part.plane = int(undecided[np.argmax(loss[undecided])])
        return part

    def cut(self, part: _Part, stop: NDArray[np.bool_]) -> list[_Part] | None:
        """Return the parts on either side of the plane, and in closed cells the part on it.

        None if it was stopped.
        """
        normal = self.exact_normal(part.plane)
        values = [_dot(normal, ray) for ray in part.rays]
        bit = 1 << len(part.walls)
        crossing: list[tuple[tuple[int, ...], int]] = []
        for r in range(len(values)):
            if stop[0]:
                return None
            if values[r] > 0:
                crossing += [
                    (
                        _primitive(values[r], part.rays[s], values[s], part.rays[r]),
                        part.facets[r] & part.facets[s],
                    )
                    for s in range(len(values))
                    if values[s] < 0 and self._share_edge(part.facets, r, s)
                ]
        children = []
        for sign in (1, -1, 0) if self.closed else (1, -1):
            kept = [r for r, value in enumerate(values) if value == 0 or value * sign > 0]
            rays = [part.rays[r] for r in kept] + [ray for ray, _ in crossing]
            facets = [part.facets[r] | (bit if values[r] == 0 else 0) for r in kept]
            facets += [common | bit for _, common in crossing]
            fixed = part.fixed
            if fixed is not None:
                fixed = fixed.copy()
                fixed[part.plane] = sign
            if rays:
                children.append(_Part(rays, facets, [*part.walls, part.plane], fixed))
        return children

    def _share_edge(self, facets: list[int], r: int, s: int) -> bool:
        common = facets[r] & facets[s]
        if not self.closed and common.bit_count() < self.normals.shape[1] - 2:
            return False
        return not any(
            facet & common == common for t, facet in enumerate(facets) if t != r and t != s
        )


def _dot(normal: list[int], ray: tuple[int, ...]) -> int:
    return sum(a * b for a, b in zip(normal, ray, strict=True))


def _primitive(
    value: int, other: tuple[int, ...], other_value: int, ray: tuple[int, ...]
) -> tuple[int, ...]:
    """Return the ray where the edge between two rays meets the plane."""
    entries = [value * a - other_value * b for a, b in zip(other, ray, strict=True)]
    divisor = gcd(*entries)
    return tuple(entry // divisor for entry in entries)
