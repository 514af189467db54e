"""The likelihood of battles, pair by pair, and the products of its Hessian."""

import numpy as np

from rankwright.kernels.compile import kernel

__all__ = ["laplacian_product", "pair_curvature", "sum_at_ends"]

HUGE = 1e100  # far from the largest number, whatever is multiplied next


@kernel
def pair_curvature(left, right, offset, weights, strengths, tie, slopes, width, residual, mixed):
    """Return the log-likelihood of battles, without the ties' own share in it.

    It depends on η, the difference of strengths plus the offset, and on log ν. Arrays of pairs are
    as large as memory allows, so each of them is left out (of length 0) where nobody needs it.

    Parameters
    ----------
    left, right : (pairs,) int64
    offset : (pairs,) float64, or empty
        What the context adds to the difference.
    weights : (pairs, 3) float64
        Of the left item's wins, its losses, and ties.
    strengths : (items,) float64
    tie : float64
        Davidson's ν, 0 where a tie is half a win for either side.
    slopes : (2, items) float64
        Changed in place: the slope along each strength, and the mixed curvature of each strength
        and log ν.
    width : (pairs,) float64
        Filled with the downward curvature along η.
    residual, mixed : (pairs,) float64, or empty
        Filled with the slope along η, and the mixed curvature along η and log ν.

    Returns
    -------
    value, tie_share, tie_variance : float64
        The log-likelihood, and the sums over battles of the mean and the variance of "it is a tie".
    """
    value, tie_share, tie_variance = 0.0, 0.0, 0.0
    product = 1.0  # of the totals of single battles: one logarithm for many of them
    for pair in range(len(left)):
        i, k = left[pair], right[pair]
        eta = strengths[i] - strengths[k]
        if len(offset):
            eta += offset[pair]
        won, lost, tied = weights[pair, 0], weights[pair, 1], weights[pair, 2]
        count = won + lost + tied
        # Wins, losses and ties are as exp(η/2) : exp(-η/2) : ν, here over the larger of the first.
        small = np.exp(-abs(eta) / 2)
        squared, equal = small * small, tie * small
        total = 1 + squared + equal
        draw = equal / total
        mean = (1 - squared) / total / 2  # of the score ½, -½ or 0
        mean = mean if eta >= 0 else -mean
        value += (won - lost) * eta / 2 - count * abs(eta) / 2
        if count == 1:
            product *= total
            if product > HUGE:
                value -= np.log(product)
                product = 1.0
        else:
            value -= count * np.log(total)
        tie_share += count * draw
        tie_variance += count * draw * (1 - draw)
        along, across = (won - lost) / 2 - count * mean, -count * mean * draw
        width[pair] = count * ((1 - draw) / 4 - mean * mean)
        slopes[0, i] += along
        slopes[0, k] -= along
        slopes[1, i] += across
        slopes[1, k] -= across
        if len(residual):
            residual[pair] = along
        if len(mixed):
            mixed[pair] = across
    return value - np.log(product), tie_share, tie_variance


@kernel
def sum_at_ends(left, right, values, sign, sums):
    """Add each pair's value to its left item's sum, and `sign` times it to the right one's."""
    for pair in range(len(left)):
        sums[left[pair]] += values[pair]
        sums[right[pair]] += sign * values[pair]


@kernel
def laplacian_product(left, right, width, vector, product):
    """Add to `product` the Laplacian of the graph with edges of these widths, times `vector`."""
    for pair in range(len(left)):
        flow = width[pair] * (vector[left[pair]] - vector[right[pair]])
        product[left[pair]] += flow
        product[right[pair]] -= flow
