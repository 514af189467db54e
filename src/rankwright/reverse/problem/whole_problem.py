"""A rating to be explained: products in subcategories, their factors, and the published order."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.kernels.rating_bound import Aims, Planes
from rankwright.reverse.problem.whole_numbers import WholeFactors

__all__ = ["Objective", "Rates", "RatingProblem", "build_planes", "rate_pairs"]

Ints = NDArray[np.int64]
LARGEST_SCALE = 2**45


@dataclass(frozen=True)
class Objective:
    """What a formula is judged by: the statistic (2), or the summed position error of the top.

    Attributes
    ----------
    by_position : bool
    top : tuple of int
        How many products of each group are its top.
    emphasis : Fraction
        θ, the extra weight of pairs won by a product at the top.
    """

    by_position: bool
    top: tuple[int, ...]
    emphasis: Fraction


@dataclass(frozen=True)
class Rates:
    """Whole numbers that stand for the statistic times ``scale``.

    Attributes
    ----------
    scale : Fraction
    unit, bonus : (n,) int64
        What a won pair is worth to each product, and how much more at the top.
    """

    scale: Fraction
    unit: Ints
    bonus: Ints


@dataclass(frozen=True)
class RatingProblem:
    """The data of one rating, ready for search and proof.

    Rows are sorted by group. A formula is a vector of weights on the whole factors times their
    directions; ``free`` factors may also take a negative weight. The objective is a whole number:
    the statistic times ``rates.scale``, or minus the summed position error. ``categories`` has the
    category of each group. The pairs of a ``freed`` product don't count, but it takes its place
    among the others: its published rank may be wrong.
    """

    factors: WholeFactors
    directions: Ints
    free: NDArray[np.bool_]
    offsets: Ints
    levels: Ints
    objective: Objective
    categories: tuple[Hashable, ...]
    category_weights: Mapping[Hashable, float]
    freed: int | None = None

    @cached_property
    def rates(self) -> "Rates":
        """Return what a won pair is worth."""
        return rate_pairs(
            self.levels,
            self.offsets,
            self.objective,
            self.categories,
            self.category_weights,
            self.freed,
        )

    @property
    def bounds(self) -> list[tuple[int, int]]:
        """Return where each group begins and ends."""
        return list(pairwise(self.offsets.tolist()))

    @cached_property
    def oriented(self) -> NDArray[np.float64]:
        """Return the factors, turned so that more is better."""
        return np.ascontiguousarray(self.factors.whole * self.directions, dtype=np.float64)

    @cached_property
    def planes(self) -> Planes:
        """Return the pairs of products, merged by the hyperplane on which they tie."""
        planes = build_planes(self.factors.whole * self.directions, self.levels, self.offsets)
        is_freed = (planes.better == self.freed) | (planes.worse == self.freed)
        return planes._replace(strict=np.where(is_freed, 0, planes.strict))

    @cached_property
    def aims(self) -> Aims:
        """Return what each product can earn."""
        sizes = np.diff(self.offsets)
        top = np.array(self.objective.top, dtype=np.int64)
        position = self._wanted_positions()
        # For position errors, only pairs with a product of the top are worth a cut.
        unit = (position > 0).astype(np.int64)
        by_position = self.objective.by_position
        return Aims(
            unit=unit if by_position else self.rates.unit,
            bonus=np.zeros_like(unit) if by_position else self.rates.bonus,
            threshold=np.repeat(np.maximum(sizes - top, 0), sizes),
            slots=np.minimum(top, sizes),
            groups=self.offsets,
            position=position,
        )

    def _wanted_positions(self) -> Ints:
        wanted = np.zeros(len(self.levels), dtype=np.int64)
        if self.objective.by_position:
            bounds = zip(self.offsets[:-1], self.offsets[1:], self.objective.top, strict=True)
            for begin, end, top in bounds:
                levels = self.levels[begin:end]
                place = 1 + np.searchsorted(np.sort(-levels), -levels)
                wanted[begin:end] = np.where(place <= top, place, 0)
            if self.freed is not None:
                wanted[self.freed] = 0
        return wanted

    @property
    def twins(self) -> Ints:
        """Return the pairs (better, worse) with equal factors: no formula tells them apart."""
        pairs = [
            (better, worse)
            for begin, end in self.bounds
            for better, worse in _twins(self.factors.whole, self.levels, begin, end)
            if self.freed not in (better, worse)
        ]
        return np.array(pairs, dtype=np.int64).reshape(-1, 2)

    def value(self, weights: NDArray[Any]) -> int:
        """Return the objective of whole-number weights, in exact arithmetic."""
        from rankwright.kernels.rating_sweep import objective_value

        places = self.exact_places(weights)
        return int(objective_value(places, self.planes, self.aims, self.objective.by_position))

    def exact_places(self, weights: NDArray[Any]) -> NDArray[np.float64]:
        """Return numbers in the order of the exact scores of whole-number weights."""
        oriented = (self.factors.whole * self.directions).astype(object)
        scores = oriented @ np.array([int(w) for w in weights], dtype=object)
        return np.unique(scores, return_inverse=True)[1].astype(np.float64)

    def normalised(self, value: int) -> float:
        """Return an objective as it is reported: the statistic, or the position error."""
        return float(-value if self.objective.by_position else Fraction(value) / self.rates.scale)


def published_wins(levels: Ints, offsets: Ints) -> list[Ints]:
    """Return for each group how many products each one is published strictly above."""
    groups = (levels[begin:end] for begin, end in pairwise(offsets))
    return [np.searchsorted(np.sort(group), group).astype(np.int64) for group in groups]


def rate_pairs(
    levels: Ints,
    offsets: Ints,
    objective: Objective,
    categories: tuple[Hashable, ...],
    weights: Mapping[Hashable, float],
    freed: int | None = None,
) -> Rates:
    """Return what a won pair is worth to each product.

    A won pair is worth C_s / Π_s(θ), with (4): Π is common to the groups of a category. Where the
    common denominator is too large the units are rounded up, so that bounds stay bounds.
    """
    emphasis = objective.emphasis
    perfect: dict[Hashable, Fraction] = dict.fromkeys(categories, Fraction(0))
    lists = zip(
        published_wins(levels, offsets), offsets[:-1], objective.top, categories, strict=True
    )
    for won, begin, top, name in lists:
        counted = _without_freed(won, freed, begin)
        at_top = counted[won >= len(won) - top]
        perfect[name] += int(counted.sum()) + emphasis * int(at_top.sum())
    shares = {
        name: Fraction(repr(float(weights[name]))) / total if total else Fraction(0)
        for name, total in perfect.items()
    }
    parts = [share * part for share in shares.values() for part in (1, emphasis)]
    scale = Fraction(lcm(*(part.denominator for part in parts)))
    scale = min(scale, Fraction(LARGEST_SCALE))
    rounded_up = [
        [-int(-share * part * scale // 1) for part in (1, emphasis)]
        for share in (shares[name] for name in categories)
    ]
    by_product = np.repeat(np.array(rounded_up, dtype=np.int64), np.diff(offsets), axis=0)
    unit, bonus = np.ascontiguousarray(by_product.T)
    return Rates(scale, unit, bonus)


def _without_freed(won: Ints, freed: int | None, begin: int) -> Ints:
    if freed is None or not begin <= freed < begin + len(won):
        return won
    counted: Ints = won - (won > won[freed - begin])
    counted[freed - begin] = 0
    return counted


def build_planes(whole: Ints, levels: Ints, offsets: Ints) -> Planes:
    """Pair the products of each group, and merge the pairs that tie on the same hyperplane."""
    pairs = [_pairs_of_group(levels, b, e) for b, e in pairwise(offsets)]
    better, worse = (np.concatenate(column) for column in zip(*pairs, strict=True))
    normals = whole[better] - whole[worse]
    differ = normals.any(axis=1)
    better, worse, normals = better[differ], worse[differ], normals[differ]
    leading = np.take_along_axis(normals, (normals != 0).argmax(axis=1)[:, None], axis=1)[:, 0]
    side = np.sign(leading)
    normals = normals * side[:, None] // np.gcd.reduce(normals, axis=1)[:, None]
    _, plane = np.unique(normals, axis=0, return_inverse=True)
    order = np.argsort(plane.ravel(), kind="stable")
    better, worse, side, plane = better[order], worse[order], side[order], plane.ravel()[order]
    starts = np.flatnonzero(np.r_[True, plane[1:] != plane[:-1]]) if len(plane) else plane
    return Planes(
        first=np.where(side > 0, better, worse)[starts].astype(np.int64),
        second=np.where(side > 0, worse, better)[starts].astype(np.int64),
        offsets=np.append(starts, len(plane)).astype(np.int64),
        better=better.astype(np.int64),
        worse=worse.astype(np.int64),
        side=side.astype(np.int64),
        strict=(levels[better] > levels[worse]).astype(np.int64),
    )


def _pairs_of_group(levels: Ints, begin: int, end: int) -> tuple[Ints, Ints]:
    one, other = np.triu_indices(end - begin, 1)
    one, other = one + begin, other + begin
    swap = levels[one] < levels[other]
    return np.where(swap, other, one), np.where(swap, one, other)


def _twins(whole: Ints, levels: Ints, begin: int, end: int) -> list[tuple[int, int]]:
    better, worse = _pairs_of_group(levels, begin, end)
    equal = (whole[better] == whole[worse]).all(axis=1) & (levels[better] > levels[worse])
    return list(zip(better[equal].tolist(), worse[equal].tolist(), strict=True))
