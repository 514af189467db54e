"""The push and pull of Chang et al. (2012), section 6.2: p-norms of sums of exponential losses."""

import numpy as np

from rankwright.kernels.compile import kernel
from rankwright.kernels.inner import inner_allocating
from rankwright.kernels.sorting import extremes

__all__ = ["push_and_pull"]


@kernel
def push_and_pull(scores, weights, levels, groups, scale, p, pull, gradient):
    """Return the sum over groups of scale * (low + pull * high) and write its gradient.

    Rows are sorted by group and level, worst first. With E_ik = exp(-(s_i - s_k)) for each better i
    and worse k of a group: low is the p-norm over k of sum_i E_ik, high the p-norm over i of
    sum_k E_ik, where a row of weight w counts as w rows. Both are O(n), since E_ik is a product.
    """
    value = 0.0
    for i in range(gradient.size):
        gradient[i] = 0.0
    for g in range(groups.size - 1):
        if scale[g] == 0.0 or groups[g + 1] - groups[g] < 2:
            continue
        value += scale[g] * _norm(
            scores, weights, levels, groups[g], groups[g + 1], np.int64(1), p, scale[g], gradient
        )
        if pull > 0.0:
            factor = scale[g] * pull
            value += factor * _norm(
                scores, weights, levels, groups[g], groups[g + 1], np.int64(-1), p, factor, gradient
            )
    return value


@inner_allocating
def _norm(scores, weights, levels, first, last, side, p, factor, gradient):
    """Return the low (side 1) or high (side -1) norm and add factor * its gradient.

    For the low norm the losing rows k are met from the best level downwards, and the rows above
    them are summed; the high norm is the same with the order and the scores reversed.
    """
    start, end = levels[first], levels[last]
    least, largest = extremes(scores, start, end)
    centre = 0.5 * (least + largest)
    losses = np.zeros(end - start)
    total, passed = 0.0, 0.0
    for step in range(last - first):
        level = last - 1 - step if side > 0 else first + step
        for k in range(levels[level], levels[level + 1]):
            losses[k - start] = np.exp(side * (scores[k] - centre)) * passed
            total += weights[k] * losses[k - start] ** p
        for i in range(levels[level], levels[level + 1]):
            passed += weights[i] * np.exp(-side * (scores[i] - centre))
    if total == 0.0:
        return 0.0
    norm = total ** (1.0 / p)
    passed = 0.0
    for step in range(last - first):
        level = first + step if side > 0 else last - 1 - step
        for i in range(levels[level], levels[level + 1]):
            share = (losses[i - start] / norm) ** (p - 1.0) * losses[i - start]
            share -= np.exp(-side * (scores[i] - centre)) * passed
            gradient[i] += side * factor * weights[i] * share
        for k in range(levels[level], levels[level + 1]):
            slope = (losses[k - start] / norm) ** (p - 1.0)
            passed += weights[k] * slope * np.exp(side * (scores[k] - centre))
    return norm
