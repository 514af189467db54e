"""Improve a rating formula by line searches, one direction after the other."""

import numpy as np

from rankwright.kernels.compile import kernel
from rankwright.kernels.inner import inner, inner_allocating
from rankwright.kernels.rating.probes import probe
from rankwright.kernels.rating.statistic import objective_value
from rankwright.kernels.rating.sweep import sweep

__all__ = ["climb"]

FAR = 1e6


@inner
def feasible_range(weights, direction, free):
    """Return the smallest and largest t that leave no weight negative but free ones."""
    low, high = -FAR, FAR
    for j in range(len(weights)):
        if free[j]:
            continue
        if direction[j] > 0.0:
            low = max(low, -weights[j] / direction[j])
        elif direction[j] < 0.0:
            high = min(high, -weights[j] / direction[j])
    return low, high


@inner_allocating
def move(factors, weights, direction, t, aims, closed, free, value):
    """Move the weights to ``t`` if that is better than ``value``; return their value.

    Evaluated afresh: a sweep takes crossings that nearly coincide for one.
    """
    candidate, size = np.empty_like(weights), 0.0
    for j in range(len(candidate)):
        candidate[j] = weights[j] + t * direction[j]
        if candidate[j] < 0.0 and not free[j]:
            candidate[j] = 0.0
        size = max(size, abs(candidate[j]))
    found = objective_value(factors @ candidate, aims, closed)
    if found > value and size > 0.0:
        value = found
        for j in range(len(weights)):
            weights[j] = candidate[j] / size
    return value


@kernel
def climb(factors, weights, directions, pairs, sample, aims, closed, free, stop):
    """Improve a formula by line searches until no direction helps, or it is stopped.

    Parameters
    ----------
    factors : (n, d) float64
    weights, directions : (d,) and (m, d) float64
        Where to start, and the directions of the lines, which are searched in turn.
    pairs : Pairs
        All pairs, for exact line searches; none of them where they are too many to be listed.
    sample : (m, 2) int64, or None
        Instead of ``pairs``, some of them, to try formulas between their crossings. Which of the
        two it is is known when this is compiled: what one doesn't need is not compiled for it.
    aims, closed
    free : (d,) bool
        Weights that may become negative.
    stop : (1,) bool

    Returns
    -------
    weights, value, searches : (d,) float64, int, int
        The formula, its objective, and the number of line searches.
    """
    n, n_pairs = len(factors), len(pairs.better)
    times, crossing = np.empty(n_pairs), np.empty(n_pairs, np.int64)
    counts = (np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64))
    weights = weights.copy()
    value = objective_value(factors @ weights, aims, closed)
    searches, idle = 0, 0
    while idle < len(directions) and not stop[0]:
        direction = directions[searches % len(directions)]
        low, high = feasible_range(weights, direction, free)
        searches += 1
        idle += 1
        if low >= high:
            continue
        scores, slopes = factors @ weights, factors @ direction
        if sample is None:
            found, where = sweep(
                scores, slopes, low, high, pairs, aims, closed, times, crossing, counts, stop
            )
        else:
            found, where = probe(scores, slopes, low, high, sample, aims, closed, counts, stop)
        if found > value:
            found = move(factors, weights, direction, where, aims, closed, free, value)
            if found > value:
                value, idle = found, 0
    return weights, value, searches
