"""A rating in whole numbers: what search, proof and certificate work on."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import floor
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from rankwright.kernels.rating.facets import MAX_FACETS
from rankwright.kernels.rating.planes import Aims, Pairs, Planes
from rankwright.kernels.rating.statistic import objective_value
from rankwright.reverse.knowledge.cone import Cone
from rankwright.reverse.problem.objective import (
    Rates,
    RatingObjective,
    published_wins,
    rate_pairs,
    without_freed,
)
from rankwright.reverse.problem.planes import (
    PlanePairs,
    count_pairs,
    list_pairs,
    merge_pairs,
    orient_pairs,
)
from rankwright.reverse.problem.statistic import Twins, exact_places, find_twins
from rankwright.reverse.whole_numbers import Weights, WholeFactors, as_floats

__all__ = ["RatingProblem"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
# Planes are built while they take no more than about half a gigabyte: the entries of their normals
# and of the lists beside them, each of which is copied a few times.
MOST_ENTRIES = 2**24
LISTS = 10
SECONDS_PER_ENTRY = 1e-7  # on a slow machine


@dataclass(frozen=True)
class RatingProblem:
    """The data of one rating, ready for search and proof.

    Rows are sorted by group. A formula is a vector of weights on the whole factors times their
    directions; ``free`` factors may also take a negative weight. The objective is a whole number:
    the statistic times ``rates.scale``, or minus the summed position error. ``categories`` has the
    category of each group. The pairs of a ``freed`` product don't count, but it takes its place
    among the others: its published rank may be wrong. The ``cone`` has the weights that are
    allowed, all that are not negative if it is None.

    What follows from these fields is computed when first asked for, and kept.
    """

    factors: WholeFactors
    directions: Ints
    free: NDArray[np.bool_]
    offsets: Ints
    levels: Ints
    objective: RatingObjective
    categories: tuple[Hashable, ...]
    category_weights: Mapping[Hashable, float]
    freed: int | None = None
    cone: Cone | None = None

    @property
    def bounds(self) -> list[tuple[int, int]]:
        """Return where each group begins and ends."""
        return list(pairwise(self.offsets.tolist()))

    @property
    def sizes(self) -> Ints:
        """Return the number of products of each group."""
        return np.diff(self.offsets)

    @property
    def group_of_row(self) -> Ints:
        """Return the number of the group that each product is in."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @cached_property
    def rates(self) -> Rates:
        """Return what a won pair is worth."""
        return rate_pairs(
            self.levels,
            self.offsets,
            self.objective,
            self.categories,
            self.category_weights,
            self.freed,
        )

    @cached_property
    def oriented(self) -> Floats:
        """Return the factors, turned so that more is better."""
        return np.ascontiguousarray(self.factors.whole * self.directions, dtype=np.float64)

    @cached_property
    def spans(self) -> Floats:
        """Return the range of each factor in whole numbers, 1 for a constant one."""
        return np.asarray(np.maximum(np.ptp(self.oriented, axis=0), 1.0))

    @cached_property
    def differs(self) -> NDArray[np.bool_]:
        """Tell of each factor whether products of some group differ in it."""
        starts, whole = self.offsets[:-1], self.factors.whole
        spread = np.maximum.reduceat(whole, starts) > np.minimum.reduceat(whole, starts)
        return np.asarray(spread.any(axis=0))

    @cached_property
    def matters(self) -> NDArray[np.bool_] | None:
        """Tell which products count: for position errors those of the top, else (None) all.

        Pairs of two others change nothing, so that they are neither listed nor cut along.
        """
        return self.aims.position > 0 if self.objective.by_position else None

    @cached_property
    def n_pairs(self) -> int:
        """Return how many pairs of products matter."""
        return count_pairs(self.offsets, self.matters)

    @property
    def plane_entries(self) -> int:
        """Return how many numbers the planes consist of: what they cost in memory and time."""
        return self.n_pairs * (len(self.directions) + LISTS)

    @property
    def has_planes(self) -> bool:
        """Tell whether pairs and factors are few enough for planes; if not, no proof is tried.

        A cell begins with a facet for each factor.
        """
        return self.plane_entries <= MOST_ENTRIES and len(self.directions) <= MAX_FACETS

    @property
    def plane_seconds(self) -> float:
        """Return about how long it takes to build the planes."""
        return SECONDS_PER_ENTRY * self.plane_entries

    @cached_property
    def listed_pairs(self) -> Pairs:
        """Return the pairs of products; those of a freed one are not strict."""
        listed = list_pairs(self.levels, self.offsets, self.matters)
        is_freed = (listed.better == self.freed) | (listed.worse == self.freed)
        return listed._replace(strict=np.where(is_freed, 0, listed.strict))

    @cached_property
    def pairs(self) -> PlanePairs:
        """Return the pairs of products, merged by the hyperplane on which they tie."""
        return merge_pairs(self.factors.whole * self.directions, self.offsets, self.matters)

    @cached_property
    def planes(self) -> Planes:
        """Return the pairs with the product first that is published above the other."""
        planes = orient_pairs(self.pairs, self.levels)
        is_freed = (planes.better == self.freed) | (planes.worse == self.freed)
        return planes._replace(strict=np.where(is_freed, 0, planes.strict))

    @cached_property
    def aims(self) -> Aims:
        """Return what each product can earn."""
        top = np.array(self.objective.top, dtype=np.int64)
        position = self._wanted_positions()
        # For position errors, only pairs with a product of the top are worth a cut.
        unit = (position > 0).astype(np.int64)
        by_position = self.objective.by_position
        return Aims(
            unit=unit if by_position else self.rates.unit,
            bonus=np.zeros_like(unit) if by_position else self.rates.bonus,
            threshold=np.repeat(np.maximum(self.sizes - top, 0), self.sizes),
            slots=np.minimum(top, self.sizes),
            groups=self.offsets,
            position=position,
            level=self._counted_levels(),
        )

    def _counted_levels(self) -> Ints:
        """Return the published levels, -1 for a freed product."""
        levels = self.levels.copy()
        if self.freed is not None:
            levels[self.freed] = -1
        return levels

    def _wanted_positions(self) -> Ints:
        if not self.objective.by_position:
            return np.zeros(len(self.levels), dtype=np.int64)
        place = self.positions_of(self.levels)
        wanted = np.where(place <= np.array(self.objective.top)[self.group_of_row], place, 0)
        if self.freed is not None:
            wanted[self.freed] = 0
        return wanted

    @cached_property
    def twins(self) -> Twins:
        """Return how many products no formula tells apart from each one."""
        return find_twins(self.factors.whole, self.levels, self.group_of_row, self.freed)

    @property
    def n_twins(self) -> int:
        """Return how many pairs have equal factors and different levels: nobody can win them."""
        return int(self.twins.lower.sum())

    @cached_property
    def largest_value(self) -> int:
        """Return the objective of an order that wins every published pair, whatever the factors.

        Ties are broken: the bonus goes to the most wins that find a place at the top.
        """
        if self.objective.by_position:
            return 0
        value = 0
        all_wins = published_wins(self.levels, self.offsets)
        for (begin, _), wins, top in zip(self.bounds, all_wins, self.objective.top, strict=True):
            won = without_freed(wins, self.freed, begin)
            unit, bonus = int(self.rates.unit[begin]), int(self.rates.bonus[begin])
            most = np.sort(won)[max(len(won) - top, 0) :]
            value += unit * int(won.sum()) + bonus * int(most.sum())
        return value

    @cached_property
    def has_order(self) -> bool:
        """Tell whether there is a pair that some formula wins."""
        wins = sum(int(won.sum()) for won in published_wins(self.levels, self.offsets))
        return wins > self.n_twins

    def admit(self, weights: NDArray[Any]) -> Weights | None:
        """Return weights that are allowed, those given or the nearest equals, None if none are.

        Without any weight there is no formula.
        """
        if self.cone is not None:
            return self.cone.admit(weights)
        if not any(weights):
            return None
        if any(w < 0 and not free for w, free in zip(weights, self.free, strict=True)):
            return None
        return np.array([int(w) for w in weights], dtype=object)

    @property
    def is_convex(self) -> bool:
        """Tell whether sums of allowed weights are allowed: the cone has one face."""
        return self.cone is None or len(self.cone.faces) == 1

    @property
    def generators(self) -> list[Floats]:
        """Return weights of which all allowed ones are sums, a set for each part of the cone.

        A free factor counts twice, once each way, so that all multipliers are non-negative.
        """
        if self.cone is not None:
            return [face.generators for face in self.cone.faces]
        unit = np.eye(len(self.spans))
        return [np.vstack([unit, -unit[self.free]]) / self.spans]

    def value(self, weights: NDArray[Any]) -> int:
        """Return the objective of whole-number weights, in exact arithmetic."""
        return self.value_of(self.exact_places(weights))

    def value_of(self, scores: Floats) -> int:
        """Return the objective of any scores."""
        return int(objective_value(scores, self.aims, self.objective.by_position))

    def exact_places(self, weights: NDArray[Any]) -> Floats:
        """Return numbers in the order of the exact scores of whole-number weights."""
        return exact_places(self.factors.whole * self.directions, weights)

    def normalised(self, value: int) -> float:
        """Return an objective as it is reported: the statistic, or the position error."""
        return float(self.exactly_normalised(value))

    def exactly_normalised(self, value: int) -> Fraction:
        """Return an objective as it is reported, as a fraction."""
        return Fraction(-value) if self.objective.by_position else value / self.rates.scale

    def comparable(self, value: int) -> Fraction:
        """Return an objective that compares with those of similar ratings, larger is better.

        As a share of every pair, or minus the position error.
        """
        if self.objective.by_position:
            return Fraction(value)
        return Fraction(value, self.largest_value or 1)

    def whole_gap(self, gap: float) -> int:
        """Return how many whole numbers fit into a difference of objectives as reported."""
        return floor(Fraction(gap) * (1 if self.objective.by_position else self.rates.scale))

    def positions_of(self, values: NDArray[Any]) -> Ints:
        """Return 1 plus the number of products of the group with a larger value."""
        parts = [
            1 + np.searchsorted(np.sort(-values[begin:end]), -values[begin:end])
            for begin, end in self.bounds
        ]
        return np.concatenate(parts).astype(np.int64)

    def centred(self, values: Floats) -> Floats:
        """Return values less the mean of their group."""
        means = np.add.reduceat(values, self.offsets[:-1], axis=0) / self.sizes[:, None]
        return values - np.repeat(means, self.sizes, axis=0)

    def shares_of(self, weights: NDArray[Any]) -> Floats:
        """Return weight times range of each factor, in percent."""
        spans = np.abs(as_floats(weights)) * np.ptp(self.factors.whole, axis=0)
        return np.asarray(100.0 * spans / spans.sum())

    def turned(self, directions: Ints) -> Self:
        """Return the rating with other directions of its factors."""
        if np.array_equal(directions, self.directions):
            return self
        return replace(self, directions=np.asarray(directions, dtype=np.int64))

    def with_free(self, free: NDArray[np.bool_]) -> Self:
        """Return the rating with other free factors, which all that was computed is true of."""
        changed = replace(self, free=np.asarray(free, dtype=bool))
        names = {field.name for field in fields(self)}
        vars(changed).update({n: v for n, v in vars(self).items() if n not in names})
        return changed

    def reordered(self, levels: Ints) -> Self:
        """Return the rating with another published order of the same products."""
        return self._with_same_pairs(levels=levels)

    def freeing(self, product: int) -> Self:
        """Return the rating in which the published rank of a product doesn't count."""
        return self._with_same_pairs(freed=product)

    def _with_same_pairs(self, **changes: Any) -> Self:
        changed = replace(self, **changes)
        # For position errors another order has other pairs.
        if "pairs" in vars(self) and (self.matters is None or "levels" not in changes):
            vars(changed)["pairs"] = self.pairs
        return changed

    def select(self, rows: Ints) -> Self:
        """Return the rating of some products (repeated ones too), with its own normalisation."""
        group_of_row = self.group_of_row
        rows = rows[np.argsort(group_of_row[rows], kind="stable")]
        groups, sizes = np.unique(group_of_row[rows], return_counts=True)
        return replace(
            self,
            factors=replace(self.factors, whole=self.factors.whole[rows]),
            offsets=np.r_[0, np.cumsum(sizes)].astype(np.int64),
            levels=self.levels[rows],
            objective=replace(self.objective, top=tuple(self.objective.top[g] for g in groups)),
            categories=tuple(self.categories[g] for g in groups),
        )
