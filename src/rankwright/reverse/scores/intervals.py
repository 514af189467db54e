"""What a printed score says: the number before it was rounded lies in an interval."""

from dataclasses import dataclass
from fractions import Fraction
from math import floor, log10

import numpy as np
from numpy.typing import NDArray

from rankwright.reverse.whole_numbers import read_whole

__all__ = ["ScoreIntervals", "read_scores"]

Ints = NDArray[np.int64]
# Scores with more digits were computed, not printed. Factors are read to twelve, and what that
# rounds off must not count as a score that is missed.
SCORE_DIGITS = 9
USUAL = (Fraction(5), Fraction(5, 2), Fraction(1))  # times powers of ten: what is rounded to


@dataclass(frozen=True)
class ScoreIntervals:
    """Scores counted in half steps of their rounding: ``low <= 2 * score / step <= high``.

    Both ends belong to the interval, whichever way halves are rounded. A clipped score has no limit
    on its outer side.

    Attributes
    ----------
    step : Fraction
        What published scores are multiples of.
    printed : (n,) int64
        The published scores in steps.
    clipped_low, clipped_high : bool
        Whether the smallest, or the largest, published score means "this or beyond".
    """

    step: Fraction
    printed: Ints
    clipped_low: bool = False
    clipped_high: bool = False

    @property
    def low(self) -> Ints:
        """Return the lower ends in half steps, all of them."""
        return 2 * self.printed - 1

    @property
    def high(self) -> Ints:
        """Return the upper ends in half steps, all of them."""
        return 2 * self.printed + 1

    @property
    def has_low(self) -> NDArray[np.bool_]:
        """Tell which scores limit the formula from below."""
        is_clipped = self.clipped_low & (self.printed == self.printed.min())
        return np.asarray(~is_clipped)

    @property
    def has_high(self) -> NDArray[np.bool_]:
        """Tell which scores limit the formula from above."""
        is_clipped = self.clipped_high & (self.printed == self.printed.max())
        return np.asarray(~is_clipped)


def read_scores(y: NDArray[np.float64], step: float | None) -> ScoreIntervals:
    """Read published scores with the step they are rounded to: given, or as they are printed.

    Printed with one decimal, the step is 0.1; where all are multiples of 0.5, it is 0.5. Scores
    that are all even are no multiples of a usual step: they are read as whole numbers.

    Examples
    --------
    >>> read_scores(np.array([3.5, 4.0, 1.5]), None).step
    Fraction(1, 2)
    >>> read_scores(np.array([70.0, 80.0]), 1.0).low.tolist()
    [139, 159]
    >>> read_scores(np.array([14.0, 8.0]), None).step
    Fraction(1, 1)
    """
    # Counted from zero, so that the step divides the scores and not only their differences.
    factors = read_whole(np.append(y, 0.0)[:, None], SCORE_DIGITS)
    read, zero = factors.steps[0], int(factors.whole[-1, 0])
    numbers = factors.whole[:-1, 0] - zero
    if step is None:
        usual = _usual(read)
        return ScoreIntervals(usual, numbers * int(read / usual))
    given = Fraction(repr(float(step)))
    ratio = read / given
    if any((int(number) * ratio).denominator != 1 for number in numbers.tolist()):
        wrong = next(v for v, k in zip(y, numbers.tolist(), strict=True) if k * ratio % 1)
        raise ValueError(
            f"score_step={step!r}, but the published score {float(wrong)!r} is not a multiple of "
            "it; leave it out to take the step from the printed digits"
        )
    return ScoreIntervals(given, np.array([int(k * ratio) for k in numbers.tolist()]))


def _usual(step: Fraction) -> Fraction:
    """Return the largest step that people round to, of which a step is a multiple."""
    power = Fraction(10) ** floor(log10(step))
    while True:
        for one in USUAL:
            if (step / (one * power)).denominator == 1:
                return one * power
        power /= 10
