"""What further comparisons would tell."""

import numpy as np
from scipy.stats import norm

from rankwright.leaderboards.outcomes import BoolArray, FloatArray

__all__ = ["comparisons_needed", "most_telling_pairs"]


def comparisons_needed(
    difference: float, variance: float, information: float, level: float, power: float
) -> float:
    """Return how many more comparisons of two items tell them apart with this power.

    m comparisons turn the variance v of the difference into 1 / (1/v + m I), whatever else was
    compared (Sherman and Morrison). Infinite for items that seem to be equal.
    """
    if difference == 0:
        return np.inf
    reach = norm.isf((1 - level) / 2) + norm.isf(1 - power)
    wanted = (reach / difference) ** 2
    return float(max(np.ceil((wanted - 1 / variance) / information), 0.0))


def most_telling_pairs(
    covariance: FloatArray, information: FloatArray, open_pairs: BoolArray, count: int
) -> list[tuple[int, int]]:
    """Return pairs, one after another, whose comparison lowers the variances of strengths most.

    A comparison of i and k with information I turns the covariance V into
    V - I (V_i - V_k)(V_i - V_k)ᵀ / (1 + I v); pairs that are told apart already are left out.
    """
    covariance, chosen = covariance.copy(), []
    allowed = np.triu(open_pairs | open_pairs.T, 1)
    for _ in range(min(count, int(allowed.sum()))):
        diagonal = np.diag(covariance)
        variance = diagonal[:, None] + diagonal - 2 * covariance
        products = covariance @ covariance
        squares = np.diag(products)
        lowered = squares[:, None] + squares - 2 * products
        gain = np.where(allowed, information * lowered / (1 + information * variance), -np.inf)
        i, k = (int(place) for place in np.unravel_index(gain.argmax(), gain.shape))
        column = covariance[i] - covariance[k]
        covariance -= (
            information[i, k] * np.outer(column, column) / (1 + information[i, k] * variance[i, k])
        )
        allowed[i, k] = False
        chosen.append((i, k))
    return chosen
