"""How many published scores weights reproduce that somebody gives."""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rankwright.reverse.problem import Rating
from rankwright.reverse.scores.readings import last_digit
from rankwright.reverse.scores.score_fit import ScoreFit

__all__ = ["count_reproduced"]

Floats = NDArray[np.float64]
NOISE = 1e-9  # of half a step: what floating point adds to sums


def count_reproduced(rating: Rating, weights: Floats, fit: ScoreFit) -> int:
    """Count the scores that weights reproduce as rounded, read as the fit reads them.

    Weights may be percents or shares, so the scales tried are their own, those that make them add
    up to one or to a hundredth, and that of least squares, with its intercept or a middling one.
    """
    X, y = rating.X[rating.counted], rating.y[rating.counted]
    sums = X @ weights
    halves = np.array([float(last_digit(step)) / 2 for step in rating.problem.factors.steps])
    doubt = float(np.abs(weights) @ halves) if fit.rounded_factors else 0.0
    half = float(Fraction(fit.step)) / 2 * (1 + NOISE)
    return max(
        int((np.abs(y - scale * sums - shift) <= half + abs(scale) * doubt).sum())
        for scale, shift in _scales(sums, y, float(weights.sum()))
    )


def _scales(sums: Floats, y: Floats, total: float) -> list[tuple[float, float]]:
    """Return scales and intercepts with which sums may be the scores."""
    tried = [(1.0, 0.0), (0.01, 0.0), *([(1 / total, 0.0)] if total else [])]
    if np.ptp(sums) > 0:
        slope, intercept = map(float, np.polyfit(sums, y, 1))
        tried += [(slope, intercept), (slope, float(np.median(y - slope * sums)))]
    return tried
