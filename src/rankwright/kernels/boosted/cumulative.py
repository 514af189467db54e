"""The cumulative logit: probabilities at the two thresholds beside each label, and Newton steps.

A row of score s has a label up to c with the probability F(t_c - s). ``ends`` are the thresholds
between minus and plus infinity: label c lies between ``ends[c]`` and ``ends[c + 1]``.
"""

import numpy as np

from rankwright.kernels.compile import kernel, part

__all__ = ["find_sides", "newton_step"]

LEAST_SHARE = 1e-300
# Shares below which the curvature of a label's likelihood is not followed.
LEAST_NEWTON_SHARE = 1e-12
DAMPING = 1e-6


@part
def _logistic(number):
    return 1.0 / (1.0 + np.exp(-number))


@kernel
def find_sides(codes, scores, ends, weights, sides):
    """Write the probabilities of a label below a row's own, and of one up to it, into (2, n).

    Return the sum of weight times log-probability of the own label.
    """
    value = 0.0
    for i in range(codes.size):
        lower = _logistic(ends[codes[i]] - scores[i])
        upper = _logistic(ends[codes[i] + 1] - scores[i])
        sides[0, i], sides[1, i] = lower, upper
        value += weights[i] * np.log(max(upper - lower, LEAST_SHARE))
    return value


@kernel
def newton_step(codes, weights, sides, n_thresholds):
    """Return the Newton step of the thresholds; the matrix of curvatures has three diagonals."""
    slope, bend = np.zeros(n_thresholds + 1), np.zeros(n_thresholds + 1)
    beside = np.zeros(n_thresholds + 1)  # the curvature between a threshold and the one before
    for i in range(codes.size):
        c, weight, lower, upper = codes[i], weights[i], sides[0, i], sides[1, i]
        share = max(upper - lower, LEAST_NEWTON_SHARE)
        to_lower, to_upper = lower * (1.0 - lower) / share, upper * (1.0 - upper) / share
        # Threshold c is the upper one of label c and the lower one of label c + 1.
        slope[c] += weight * to_upper
        bend[c] += weight * to_upper * (to_upper - 1.0 + 2.0 * upper)
        beside[c] -= weight * to_lower * to_upper
        if c > 0:
            slope[c - 1] -= weight * to_lower
            bend[c - 1] += weight * to_lower * (to_lower + 1.0 - 2.0 * lower)
    bend += DAMPING * (1.0 + bend)
    for c in range(1, n_thresholds):
        ratio = beside[c] / bend[c - 1]
        bend[c] -= ratio * beside[c]
        slope[c] -= ratio * slope[c - 1]
    step = np.empty(n_thresholds)
    for c in range(n_thresholds - 1, -1, -1):
        behind = beside[c + 1] * step[c + 1] if c + 1 < n_thresholds else 0.0
        step[c] = (slope[c] - behind) / bend[c]
    return step
