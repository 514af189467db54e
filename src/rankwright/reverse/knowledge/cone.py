"""The weights that are allowed: a cone by its rays, or several where few factors may count."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import comb, gcd, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.programs import independent_rows, invert, nonnegative_least_squares
from rankwright.reverse.knowledge.requirement import AtMost, Requirement
from rankwright.reverse.whole_numbers import Weights, WholeFactors, as_floats

__all__ = ["Cone", "Face", "allowed_cone"]

Floats = NDArray[np.float64]
Ray = tuple[int, ...]
MOST_RAYS = 3_000
MOST_FACES = 20_000
MOST_SETS = 2_000  # of constraints of one size, to look for the smallest that exclude each other
NEAR = 1e-9  # weights so near to the cone, relative to their size, are meant to be in it


@dataclass(frozen=True, eq=False)
class Face:
    """Weights that are sums of some rays of a cone with non-negative multipliers.

    Attributes
    ----------
    rays : (k, d) array of int, as objects
    facets : list of int
        The rows of the cone that hold with equality at each ray, as bits.
    """

    rays: NDArray[np.object_]
    facets: list[int]

    @cached_property
    def generators(self) -> Floats:
        """Return the rays in floating point, each with largest entry one."""
        return np.array([as_floats(ray) for ray in self.rays])

    @cached_property
    def basis(self) -> NDArray[np.object_]:
        """Return independent rays, of which all weights of the face are combinations."""
        return self.rays[independent_rows(self.rays)]

    @cached_property
    def coordinates(self) -> NDArray[np.object_]:
        """Return each ray as a combination of the basis, in whole numbers: up to its size."""
        columns = independent_rows(self.basis.T)
        inverse = np.array(invert(self.basis[:, columns]), dtype=object)
        found = self.rays[:, columns] @ inverse
        common = [lcm(*(value.denominator for value in row)) for row in found]
        return np.array(
            [[int(v * c) for v in row] for row, c in zip(found, common, strict=True)], dtype=object
        )

    def near(self, weights: NDArray[Any]) -> Weights | None:
        """Return whole weights of the face in the proportion of others, if these are near to it."""
        wanted = as_floats(weights) if weights.dtype == object else weights / np.abs(weights).max()
        multipliers, distance = nonnegative_least_squares(self.generators.T, wanted)
        if distance > NEAR * np.linalg.norm(wanted):
            return None
        return self.weights_of(multipliers)

    def weights_of(self, multipliers: Floats) -> Weights:
        """Return the whole weights of multipliers of the generators, exactly inside the face."""
        largest = float(multipliers.max())
        parts = [
            Fraction(m) / max(ray) if m > NEAR * largest else Fraction(0)
            for m, ray in zip(multipliers.tolist(), self.rays, strict=True)
        ]
        total = [sum(p * v for p, v in zip(parts, column, strict=True)) for column in self.rays.T]
        common = lcm(*(value.denominator for value in total))
        whole = [int(value * common) for value in total]
        divisor = gcd(*whole) or 1
        return np.array([w // divisor for w in whole], dtype=object)


@dataclass(frozen=True, eq=False)
class Cone:
    """The weights of whole factors, turned so that more is better, that constraints allow.

    Attributes
    ----------
    rows : (r, d) array of int, as objects
        Allowed weights are not negative, and neither are their sums with these rows.
    n_equations : int
        So many of the first rows must be zero.
    most : int
        How many factors may have a weight.
    faces : tuple of Face
        Together they are all that is allowed; one unless few factors may count.
    """

    rows: NDArray[np.object_]
    n_equations: int
    most: int
    faces: tuple[Face, ...]

    def contains(self, weights: NDArray[Any]) -> bool:
        """Tell whether whole weights are allowed, exactly."""
        values = [int(v) for v in self.rows @ np.array([int(w) for w in weights], dtype=object)]
        return (
            all(w >= 0 for w in weights)
            and not any(values[: self.n_equations])
            and all(value >= 0 for value in values)
            and sum(w != 0 for w in weights) <= self.most
        )

    def admit(self, weights: NDArray[Any]) -> Weights | None:
        """Return allowed weights in the proportion of others, None if these are far from any."""
        if not any(weights):
            return None
        if self.contains(weights):
            return np.array([int(w) for w in weights], dtype=object)
        return next(
            (found for face in self.faces if (found := face.near(weights)) is not None), None
        )

    def face_of(self, weights: NDArray[Any]) -> Face | None:
        """Return a face that holds some weights, or nearly."""
        if not np.any(weights):
            return None
        return next((face for face in self.faces if face.near(weights) is not None), None)

    @property
    def n_facets(self) -> int:
        """Return how many bits facets have."""
        return int(sum(self.rows.shape))


def allowed_cone(
    known: Sequence[Requirement | AtMost], names: Sequence[str], factors: WholeFactors
) -> Cone | None:
    """Return the cone that constraints leave, None if there are no constraints.

    Constraints that contradict each other are refused, with few that do by themselves.
    """
    if not known:
        return None
    cone = _cone(known, names, factors)
    if cone is not None:
        return cone
    texts = [one.text for one in _smallest_conflict(known, names, factors)]
    remedy = "leave one of them out" if len(texts) > 1 else "correct it"
    together = " and ".join(map(repr, texts))
    raise ValueError(f"no weights satisfy {together}; {remedy}")


def _smallest_conflict(
    known: Sequence[Requirement | AtMost], names: Sequence[str], factors: WholeFactors
) -> list[Requirement | AtMost]:
    """Return the fewest constraints that exclude each other, as far as sets of them are few.

    Leaving out one after the other, while the rest still excludes each other, ends with a set that
    is needed to the last; there may be a smaller one of others.
    """
    conflict = list(known)
    for one in known:
        rest = [other for other in conflict if other is not one]
        if _cone(rest, names, factors) is None:
            conflict = rest
    for size in range(1, len(conflict)):
        if comb(len(known), size) > MOST_SETS:
            break
        for chosen in combinations(known, size):
            if _cone(chosen, names, factors) is None:
                return list(chosen)
    return conflict


def _cone(
    known: Sequence[Requirement | AtMost], names: Sequence[str], factors: WholeFactors
) -> Cone | None:
    linear = [one for one in known if isinstance(one, Requirement)]
    linear.sort(key=lambda one: not one.is_equation)
    d = len(names)
    most = min([d, *(one.most for one in known if isinstance(one, AtMost))])
    rows = [one.row(names, factors) for one in linear]
    rays: list[Ray] = [tuple(int(i == j) for j in range(d)) for i in range(d)]
    facets = [((1 << d) - 1) ^ (1 << i) for i in range(d)]
    for number, row in enumerate(rows):
        rays, facets = _cut(rays, facets, row, 1 << (d + number), linear[number].is_equation)
        if len(rays) > MOST_RAYS:
            raise ValueError(
                f"the constraints leave a cone of weights with more than {MOST_RAYS:,} corners; "
                "give fewer of them"
            )
    faces = tuple(_faces(rays, facets, d, most))
    if not faces:
        return None
    n_equations = sum(one.is_equation for one in linear)
    matrix = np.array(rows, dtype=object).reshape(len(rows), d)
    return Cone(matrix, n_equations, most, faces)


def _cut(
    rays: list[Ray], facets: list[int], row: list[int], bit: int, is_equation: bool
) -> tuple[list[Ray], list[int]]:
    """Return the rays of the part of a cone where a sum is not negative, or is zero.

    The double description method: where two rays on either side share an edge, it has a new ray.
    """
    values = [sum(a * b for a, b in zip(row, ray, strict=True)) for ray in rays]
    kept = [r for r, value in enumerate(values) if value == 0 or (value > 0 and not is_equation)]
    new_rays = [rays[r] for r in kept]
    new_facets = [facets[r] | (0 if values[r] else bit) for r in kept]
    for r in (r for r, value in enumerate(values) if value > 0):
        for s in (s for s, value in enumerate(values) if value < 0):
            common = facets[r] & facets[s]
            if any(f & common == common for t, f in enumerate(facets) if t not in (r, s)):
                continue
            crossing = [
                values[r] * b - values[s] * a for a, b in zip(rays[r], rays[s], strict=True)
            ]
            divisor = gcd(*crossing)
            new_rays.append(tuple(v // divisor for v in crossing))
            new_facets.append(common | bit)
    return new_rays, new_facets


def _faces(rays: list[Ray], facets: list[int], d: int, most: int) -> Iterator[Face]:
    """Yield the faces with at most so many factors, without those that others contain."""
    if not rays:
        return
    if most >= d:
        yield Face(np.array(rays, dtype=object), facets)
        return
    if comb(d, most) > MOST_FACES:
        raise ValueError(
            f"at most {most} of {d} factors can be chosen in {comb(d, most):,} ways, and each "
            f"would have to be searched; choose from fewer factors (up to {MOST_FACES:,} ways)"
        )
    supports = [frozenset(j for j, value in enumerate(ray) if value) for ray in rays]
    seen: set[frozenset[int]] = set()
    for chosen in combinations(range(d), most):
        members = frozenset(r for r, support in enumerate(supports) if support <= set(chosen))
        if members:
            seen.add(members)
    largest = [one for one in seen if not any(one < other for other in seen)]
    for members in sorted(largest, key=sorted):
        kept = sorted(members)
        yield Face(np.array([rays[r] for r in kept], dtype=object), [facets[r] for r in kept])
