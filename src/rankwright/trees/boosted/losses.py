"""Losses: first and second derivatives with respect to the scores of rows sorted by group and y.

None of them sees a feature. A group of n rows weighs in proportion to the square root of n: between
every group the same, by which rankings are judged, and every row the same, which wastes the least
of what long lists say. All groups together weigh as much as there are rows, so that the size of a
leaf's curvature, and with it the meaning of ``l2``, does not depend on the lengths of the lists.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from rankwright.data.blocks import PairBlocks, pair_blocks
from rankwright.data.float_range import check_row_counts
from rankwright.data.levels import sort_levels
from rankwright.trees.boosted.team import Team

__all__ = ["Derivatives", "GradedRows", "LOSSES", "Loss", "NO_PAIR", "PairsLoss", "listed_pairs"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

NO_PAIR = (
    "there is no pair to learn from: within every group all y are equal "
    "(or one of two rows has weight zero), in n_samples={n}"
)
MOST_GAIN = 2.0**40


@dataclass(frozen=True)
class Derivatives:
    """First and second derivatives of a loss with respect to the score of each row."""

    gradient: Floats
    curvature: Floats


@dataclass(frozen=True)
class GradedRows:
    """Graded rows, sorted by group and y within it."""

    y: Floats
    offsets: Ints
    weights: Floats | None

    @property
    def row_weights(self) -> Floats:
        """The weight of each row: 1 where none were given."""
        return np.ones(self.y.size) if self.weights is None else self.weights

    def per_group(self, of_row: Floats) -> Floats:
        """Return the sum over each group's rows."""
        sums: Floats = np.add.reduceat(of_row, self.offsets[:-1])
        return sums

    def spread(self, of_group: Floats) -> Floats:
        """Return for each row what its group has."""
        return np.repeat(of_group, np.diff(self.offsets))

    def group_scales(self, totals: Floats) -> Floats:
        """Return what to multiply the pairs of groups by, whose weights have these totals."""
        counted = totals > 0
        if not counted.any():
            raise ValueError(NO_PAIR.format(n=self.y.size))
        wanted = np.where(counted, np.sqrt(self.per_group(self.row_weights)), 0.0)
        wanted *= np.diff(self.offsets)[counted].sum() / wanted.sum()
        return np.divide(wanted, totals, out=np.zeros_like(totals), where=counted)


class Loss(Protocol):
    """A loss of scores; its units (groups, or listed pairs) can be left out of a tree."""

    def derivatives(self, scores: Floats, active: Flags, team: Team) -> Derivatives:
        """Return the derivatives of the active units, zero for other rows."""


@dataclass(frozen=True)
class LogisticPairs:
    """The sum over pairs (better i, worse k) of a weight times log(1 + exp(s_k - s_i)).

    A weight is the sum over ``charges`` of factor * above[i] * below[k].
    """

    blocks: PairBlocks
    charges: tuple[tuple[float, Floats, Floats], ...]

    def derivatives(self, scores: Floats, active: Flags, team: Team) -> Derivatives:
        """See `Loss`."""
        found = [
            (factor, self._charged(scores, above, below, active, team))
            for factor, above, below in self.charges
        ]
        if len(found) == 1:
            return found[0][1]
        return Derivatives(
            np.sum([factor * part.gradient for factor, part in found], axis=0),
            # Rounding may leave a hair below zero of a difference of equals.
            np.maximum(np.sum([factor * part.curvature for factor, part in found], axis=0), 0.0),
        )

    def _charged(
        self, scores: Floats, above: Floats, below: Floats, active: Flags, team: Team
    ) -> Derivatives:
        from rankwright.kernels.logistic_pairs import bin_scores
        from rankwright.kernels.newton_pairs import newton_blocks, newton_direct

        b = self.blocks
        gradient, curvature = np.zeros(scores.size), np.zeros(scores.size)

        def meet(first: int, last: int) -> None:
            newton_direct(
                scores, above, below, b.direct_start, b.worse_end, b.groups[first : last + 1],
                active[first:last], gradient, curvature,
            )  # fmt: skip

        team.run(meet, np.diff(np.append(0, np.cumsum(b.worse_end - b.direct_start))[b.groups]) + 1)
        trees = (
            b.trees[active[np.searchsorted(b.groups, b.trees[:, 0])]] if b.trees.size else b.trees
        )
        if trees.size:
            bins, places, offsets = bin_scores(scores, trees)

            def cross(first: int, last: int) -> None:
                newton_blocks(
                    scores, above, below, trees[first:last], b.nodes, b.blocks, bins, places,
                    offsets[first : last + 1], _tables(), gradient, curvature,
                )  # fmt: skip

            team.run(cross, 100 * (trees[:, 1] - trees[:, 0]))
        return Derivatives(gradient, curvature)


@cache
def _tables() -> Floats:
    """Return the Chebyshev coefficients of p and of p (1 - p)."""
    from rankwright.kernels.logistic_pairs import tabulate

    return np.stack([tabulate(expit), tabulate(lambda behind: expit(behind) * expit(-behind))])


def logistic(rows: GradedRows) -> Loss:
    """Count every pair of a group the same."""
    blocks = pair_blocks(rows.y, rows.offsets)
    weights = rows.row_weights
    scales = rows.group_scales(rows.per_group(weights * blocks.weight_below(weights)))
    charges = weights * np.sqrt(rows.spread(scales))
    return LogisticPairs(blocks, ((1.0, charges, charges),))


def top(rows: GradedRows) -> Loss:
    """Weight each pair by the difference of its gains 2**y - 1, which favours the top."""
    least, largest = rows.y.min(), rows.y.max()
    gains = np.exp2(rows.y - least) - 1.0 if largest - least <= np.log2(MOST_GAIN) else None
    if gains is None:
        raise ValueError(
            f"loss='top' weights pairs by gains 2**y - 1, and y goes from {least:g} to "
            f"{largest:g}; give grades at most {np.log2(MOST_GAIN):.0f} apart, or "
            "loss='logistic', which sees the order alone"
        )
    blocks = pair_blocks(rows.y, rows.offsets)
    weights = rows.row_weights
    # (gain_i - gain_k) is a difference of products of something of i and something of k.
    totals = rows.per_group(
        weights * (gains * blocks.weight_below(weights) - blocks.weight_below(weights * gains))
    )
    weights = weights * np.sqrt(rows.spread(rows.group_scales(totals)))
    return LogisticPairs(
        blocks, ((1.0, weights * gains, weights), (-1.0, weights, weights * gains))
    )


@dataclass(frozen=True)
class Listwise:
    """The Plackett-Luce likelihood of each group's order."""

    rows: GradedRows
    levels: Any
    scales: Floats  # of each row's group

    def derivatives(self, scores: Floats, active: Flags, team: Team) -> Derivatives:
        """See `Loss`."""
        from rankwright.kernels.plackett_luce import plackett_luce

        gradient, curvature = np.empty(scores.size), np.empty(scores.size)
        levels, weights = self.levels, self.rows.row_weights
        plackett_luce(scores, weights, levels.offsets, levels.groups, gradient, curvature)
        scales = self.scales * self.rows.spread(active.astype(np.float64))
        return Derivatives(gradient * scales, curvature * scales)


def plackett_luce(rows: GradedRows) -> Loss:
    """See each group as a sequence of choices: of its best row, of the best of the others, ..."""
    check_row_counts("sample_weight", rows.row_weights)  # Efron's rule takes a term for each
    levels = sort_levels(rows.y, rows.offsets)
    counts = np.diff(levels.groups)
    choices = np.where(counts > 1, rows.per_group(rows.row_weights), 0.0)
    return Listwise(rows, levels, rows.spread(rows.group_scales(choices)))


@dataclass(frozen=True)
class PairsLoss:
    """The logistic loss of pairs that are listed one by one."""

    better: Ints
    worse: Ints
    weights: Floats
    n_rows: int

    def derivatives(self, scores: Floats, active: Flags, team: Team) -> Derivatives:
        """See `Loss`."""
        behind = scores[self.worse] - scores[self.better]
        slope = self.weights * active * expit(behind)
        bend = slope * expit(-behind)
        return Derivatives(self._sums(slope, -slope), self._sums(bend, bend))

    def _sums(self, to_worse: Floats, to_better: Floats) -> Floats:
        worse = np.bincount(self.worse, to_worse, self.n_rows)
        return np.asarray(worse + np.bincount(self.better, to_better, self.n_rows))


def listed_pairs(better: Ints, worse: Ints, weights: Floats, n_rows: int) -> PairsLoss:
    """Return the loss of pairs whose weights are scaled to as much as there are rows."""
    total = weights.sum()
    if not total > 0:
        raise ValueError("there is no pair to learn from: all weights are zero")
    return PairsLoss(better, worse, weights * (n_rows / total), n_rows)


LOSSES = {"logistic": logistic, "plackett_luce": plackett_luce, "top": top}
