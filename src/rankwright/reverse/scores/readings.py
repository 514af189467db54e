"""How printed numbers can be read: as they stand, scores as clipped, factors as rounded."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import pi, sqrt
from typing import Self

import numpy as np
from numpy.typing import NDArray

from rankwright.reverse.scores.intervals import ScoreIntervals
from rankwright.reverse.scores.polytope import ScorePolytope
from rankwright.reverse.scores.units import OwnScale
from rankwright.reverse.whole_numbers import WholeFactors

__all__ = ["Reading", "last_digit"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Reading:
    """What printed factors and scores are taken to mean.

    Attributes
    ----------
    factors : WholeFactors
    intervals : ScoreIntervals
    known : (k, d) int64
        Rows with ``known @ weights >= 0`` for the weights of the whole factors.
    signs : (d,) int64 or None
        Where factors are taken to be rounded as printed, the sign of each weight: a score can then
        be off by the size of each weight times half a unit of its factor's last digit.
    """

    factors: WholeFactors
    intervals: ScoreIntervals
    known: Ints
    signs: Ints | None = None

    @property
    def own(self) -> OwnScale:
        """Return the scale on which formulas of this reading are written."""
        return OwnScale(self.factors, self.intervals.step / 2)

    @cached_property
    def polytope(self) -> ScorePolytope:
        """Return all formulas that reproduce the scores."""
        n, d = self.factors.whole.shape
        doubt = np.zeros(d, dtype=np.int64) if self.signs is None else self.signs
        return ScorePolytope(
            design=np.column_stack([self.factors.whole, np.ones(n, dtype=np.int64)]),
            doubt=np.append(doubt, 0),
            intervals=self.intervals,
            known=np.column_stack([self.known, np.zeros(len(self.known), dtype=np.int64)]),
            counted=np.ones(n, dtype=bool),
        )

    def clipped(self) -> Iterator[Self]:
        """Yield this reading, then with clipped scores where several share the outermost one."""
        yield self
        printed = self.intervals.printed
        n_lowest, n_highest = (
            int((printed == end).sum()) for end in (printed.min(), printed.max())
        )
        for low, high in ((False, True), (True, False), (True, True)):
            if (n_lowest > 1 or not low) and (n_highest > 1 or not high):
                clipped = replace(self.intervals, clipped_low=low, clipped_high=high)
                yield replace(self, intervals=clipped)

    def share_missed_if_rounded(self, weights: Sequence[Fraction]) -> float:
        """Return the share of scores that a formula would miss if its factors were rounded.

        Each is off by up to half a unit of its last digit, evenly, and a score by the sum, of
        standard deviation s: it leaves an interval of width 2 with probability E|error| / 2.
        """
        halves = [last_digit(step) / step / 2 for step in self.factors.steps]
        errors = [float(w * half) for w, half in zip(weights, halves, strict=True)]
        deviation = float(np.linalg.norm(errors)) / 3**0.5
        return min(1.0, deviation / sqrt(2 * pi))

    def with_rounded_factors(self, signs: Ints) -> Self:
        """Return the reading in which factors, too, are rounded, for weights of given signs."""
        units = [last_digit(step) for step in self.factors.steps]
        steps = [step / unit for step, unit in zip(self.factors.steps, units, strict=True)]
        per_half = np.array([int(2 * ratio) for ratio in steps], dtype=np.int64)
        halves = replace(
            self.factors,
            whole=self.factors.whole * per_half,  # counted in half units of the last digit
            steps=[unit / 2 for unit in units],
        )
        common = int(np.lcm.reduce(per_half))
        known = self.known * (common // per_half)  # a weight of a half unit is so much smaller
        return replace(self, factors=halves, known=np.vstack([known, np.diag(signs)]), signs=signs)


def last_digit(step: Fraction) -> Fraction:
    """Return the unit of the last digit of numbers that are multiples of a step, at most one."""
    places = 0
    while (step * 10**places).denominator != 1:
        places += 1
    return Fraction(10) ** -places
