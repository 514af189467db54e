"""The weights that are allowed: a cone by its rays, or several where few factors may count."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from itertools import combinations
from math import comb, gcd, lcm
from operator import or_
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
    spans : (d,) array of int
        The range of each factor, 1 for a constant one.
    """

    rays: NDArray[np.object_]
    facets: list[int]
    spans: NDArray[np.int64]

    @cached_property
    def shares(self) -> Floats:
        """Return the weights times ranges of each ray, as parts of their sum.

        Floating point works on these: weights of factors in other units differ by any size.
        """
        spread = self.rays * self.spans.astype(object)
        return np.array([[v / t for v in ray] for ray, t in zip(spread, self._totals, strict=True)])

    @cached_property
    def generators(self) -> Floats:
        """Return the rays in floating point, each with shares that sum to one."""
        return np.asarray(self.shares / self.spans)

    @cached_property
    def _totals(self) -> list[int]:
        return [int(total) for total in self.rays @ self.spans.astype(object)]

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
        wanted = shares_of(weights, self.spans)
        multipliers, distance = nonnegative_least_squares(self.shares.T, wanted)
        if distance > NEAR * np.linalg.norm(wanted):
            return None
        return self.weights_of(multipliers)

    def weights_of(self, multipliers: Floats) -> Weights:
        """Return the whole weights of multipliers of the generators, exactly inside the face."""
        largest = float(multipliers.max())
        parts = [
            Fraction(m) / total if m > NEAR * largest else Fraction(0)
            for m, total in zip(multipliers.tolist(), self._totals, strict=True)
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
    whole : Face
        What would be allowed if all factors might count.
    """

    rows: NDArray[np.object_]
    n_equations: int
    most: int
    faces: tuple[Face, ...]
    whole: Face

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
        near = (face.near(weights) for face in self._likely(weights))
        return next((found for found in near if found is not None), None)

    def face_of(self, weights: NDArray[Any]) -> Face | None:
        """Return a face that holds some weights, or nearly."""
        if not np.any(weights):
            return None
        return next((f for f in self._likely(weights) if f.near(weights) is not None), None)

    def promising(self, shares: Floats) -> list[Face]:
        """Return the faces, first those whose factors have most of some shares."""
        return [self.faces[f] for f in np.argsort(-(self._members @ shares), kind="stable")]

    def _likely(self, weights: NDArray[Any]) -> Iterator[Face]:
        """Yield the faces that have all factors with a weight worth the name: few of many."""
        wanted = np.abs(shares_of(weights, self.whole.spans))
        is_needed = wanted > NEAR * np.linalg.norm(wanted)
        is_likely = self._members[:, is_needed].all(axis=1)
        yield from (self.faces[f] for f in np.flatnonzero(is_likely))

    @cached_property
    def _members(self) -> NDArray[np.bool_]:
        """Tell of each face which factors have a weight in it."""
        return np.array([(face.rays != 0).any(axis=0) for face in self.faces], dtype=bool)

    @property
    def n_facets(self) -> int:
        """Return how many bits facets have."""
        return int(sum(self.rows.shape))


def shares_of(weights: NDArray[Any], spans: NDArray[np.int64]) -> Floats:
    """Return weights times ranges, the largest of size one, whatever the units of factors."""
    if weights.dtype == object:
        return as_floats(weights * spans.astype(object))
    shares = weights * spans
    return np.asarray(shares / np.abs(shares).max())


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
        if not _is_possible(rest, names, factors):
            conflict = rest
    for size in range(1, len(conflict)):
        if comb(len(known), size) > MOST_SETS:
            break
        for chosen in combinations(known, size):
            if not _is_possible(chosen, names, factors):
                return list(chosen)
    return conflict


def _cone(
    known: Sequence[Requirement | AtMost], names: Sequence[str], factors: WholeFactors
) -> Cone | None:
    matrix, n_equations, most, whole = _described(known, names, factors)
    faces = tuple(_faces(whole, most))
    return Cone(matrix, n_equations, most, faces, whole) if faces else None


def _is_possible(
    known: Sequence[Requirement | AtMost], names: Sequence[str], factors: WholeFactors
) -> bool:
    """Tell whether any weights satisfy constraints: then a ray does."""
    _, _, most, whole = _described(known, names, factors)
    return any(sum(v != 0 for v in ray) <= most for ray in whole.rays)


def _described(
    known: Sequence[Requirement | AtMost], names: Sequence[str], factors: WholeFactors
) -> tuple[NDArray[np.object_], int, int, Face]:
    """Return rows, how many are equations, how many factors may count, and the cone of the rows."""
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
    n_equations = sum(one.is_equation for one in linear)
    matrix = np.array(rows, dtype=object).reshape(len(rows), d)
    spans = np.maximum(factors.whole.max(axis=0), 1)
    whole = Face(np.array(rays, dtype=object).reshape(len(rays), d), facets, spans)
    return matrix, n_equations, most, whole


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


def _faces(whole: Face, most: int) -> Iterator[Face]:
    """Yield the faces with at most so many factors, without those that others contain."""
    n, d = whole.rays.shape
    if not n:
        return
    if most >= d:
        yield whole
        return
    if comb(d, most) > MOST_FACES:
        raise ValueError(
            f"at most {most} of {d} factors can be chosen in {comb(d, most):,} ways, and each "
            f"would have to be searched; choose from fewer factors (up to {MOST_FACES:,} ways)"
        )
    # Sets of rays and of factors as bits: there are many.
    users = [sum(1 << r for r in np.flatnonzero(column).tolist()) for column in whole.rays.T]
    used = [sum(1 << j for j in np.flatnonzero(ray).tolist()) for ray in whole.rays]
    seen = {
        ((1 << n) - 1) & ~reduce(or_, (users[j] for j in left_out))
        for left_out in combinations(range(d), d - most)
    }
    faces = []
    for members in seen - {0}:
        kept = [*_bits(members)]
        factors = reduce(or_, (used[r] for r in kept))
        # There is a larger face if another ray fits beside these.
        if factors.bit_count() == most or not any(
            (factors | other).bit_count() <= most
            for r, other in enumerate(used)
            if not members >> r & 1
        ):
            faces.append(kept)
    for kept in sorted(faces):
        yield Face(whole.rays[kept], [whole.facets[r] for r in kept], whole.spans)


def _bits(number: int) -> Iterator[int]:
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest
