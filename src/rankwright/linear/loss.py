"""Losses: from scores to a value and its gradient with respect to the scores.

None of them sees a feature, so the cost of a loss does not depend on the number of features.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from rankwright.linear.pairs import SLOPE, Pairs

__all__ = [
    "LOSSES",
    "LOSSES_OF_DIFFERENCES",
    "Loss",
    "SECOND_DERIVATIVES",
    "hinge",
    "logistic",
    "smoothed_hinge",
    "squared_hinge",
]

Floats = NDArray[np.float64]
Loss = Callable[[Floats], tuple[float, Floats]]


def logistic(pairs: Pairs) -> Loss:
    """Mean of log(1 + exp(-d)) over the score differences d of all pairs."""
    return lambda scores: pairs.logistic(scores, SLOPE, None, -1.0)


def squared_hinge(pairs: Pairs) -> Loss:
    """Mean of max(0, 1 - d)**2."""

    def loss(scores: Floats) -> tuple[float, Floats]:
        value, sums = pairs.margin(scores, 1.0, True, -1.0)
        return value, 2.0 * sums

    return loss


def hinge(pairs: Pairs, margin: float = 1.0) -> Loss:
    """Mean of max(0, margin - d), with a subgradient."""
    return lambda scores: pairs.margin(scores, margin, False, -1.0)


def smoothed_hinge(pairs: Pairs, width: float) -> Loss:
    """Mean of the hinge with its kink replaced by a parabola over 1 - width < d < 1.

    It is the difference of two squared hinges, and lies at most width / 2 below the hinge.
    """

    def loss(scores: Floats) -> tuple[float, Floats]:
        outer, outer_sums = pairs.margin(scores, 1.0, True, -1.0)
        inner, inner_sums = pairs.margin(scores, 1.0 - width, True, -1.0)
        return (outer - inner) / (2.0 * width), (outer_sums - inner_sums) / width

    return loss


def logistic_of_differences(weights: Floats) -> Loss:
    """Return the logistic loss of the score differences of single pairs, with their weights."""
    return lambda d: (float(weights @ np.logaddexp(0.0, -d)), -weights * expit(-d))


def squared_hinge_of_differences(weights: Floats) -> Loss:
    """Return the squared hinge of the score differences of single pairs."""

    def loss(d: Floats) -> tuple[float, Floats]:
        short = np.maximum(1.0 - d, 0.0)
        return float(weights @ short**2), -2.0 * weights * short

    return loss


LOSSES_OF_DIFFERENCES = {
    "logistic": logistic_of_differences,
    "squared_hinge": squared_hinge_of_differences,
}
LOSSES = {"hinge": hinge, "logistic": logistic, "squared_hinge": squared_hinge}


def logistic_curvature(d: Floats) -> Floats:
    """Return the second derivative of log(1 + exp(-d))."""
    p = expit(d)
    return np.asarray(p * (1.0 - p))


def hinge_curvature(d: Floats) -> Floats:
    """Return that of the hinge smoothed over a unit width, or half that of its square."""
    return (d < 1.0).astype(np.float64)


def squared_hinge_curvature(d: Floats) -> Floats:
    return 2.0 * hinge_curvature(d)


def exponential_curvature(d: Floats) -> Floats:
    """Return the second derivative of exp(-d), cut off where a solver should not go."""
    return np.exp(-np.maximum(d, -10.0))


SECOND_DERIVATIVES = {
    "hinge": hinge_curvature,
    "logistic": logistic_curvature,
    "squared_hinge": squared_hinge_curvature,
}
