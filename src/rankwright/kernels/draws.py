"""Random numbers for kernels: a generator whose state is an array of one number.

The state belongs to the caller, so that threads never share one and a seed fixes the result.
"""

import math

import numpy as np

from rankwright.kernels.compile import kernel

__all__ = ["draw_below", "draw_chi_square", "draw_normal", "draw_truncated", "draw_unit"]

HALF = 2**26  # half of the bits that a number between 0 and 1 has


@kernel
def draw_below(state, bound):
    """Return a random integer from 0 to ``bound - 1`` and advance ``state`` (splitmix64)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    bits = state[0]
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    bits = bits ^ (bits >> np.uint64(31))
    # The upper 32 bits scaled to the bound: a bias below 2^-32 for every bound a tree asks for.
    return np.int64(((bits >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))


@kernel
def draw_unit(state):
    """Return a random number between 0 and 1, neither of them."""
    return (draw_below(state, HALF) * float(HALF) + draw_below(state, HALF) + 0.5) / HALF**2


@kernel
def draw_normal(state):
    """Return a standard normal number (the polar method)."""
    while True:
        u, v = 2.0 * draw_unit(state) - 1.0, 2.0 * draw_unit(state) - 1.0
        s = u * u + v * v
        if 0.0 < s < 1.0:
            return u * math.sqrt(-2.0 * math.log(s) / s)


@kernel
def draw_tail(state, low, high):
    """Return a normal number of the tail above ``low``, by an exponential one (Robert 1995)."""
    rate = 0.5 * (low + math.sqrt(low * low + 4.0))
    while True:
        x = low - math.log(draw_unit(state)) / rate
        if x < high and draw_unit(state) <= math.exp(-0.5 * (x - rate) ** 2):
            return x


@kernel
def draw_truncated(state, low, high):
    """Return a standard normal number between ``low`` and ``high``, by rejection."""
    if not low < high:
        return 0.5 * (low + high)
    sign = 1.0
    if high < 0.0:
        low, high, sign = -high, -low, -1.0
    if low > 0.0 and (high - low) * (low + 0.5) > 1.0:
        return sign * draw_tail(state, low, high)
    if low <= 0.0 and high - low > 2.0:
        while True:
            x = draw_normal(state)
            if low < x < high:
                return sign * x
    nearest = max(low, 0.0)
    while True:
        x = low + (high - low) * draw_unit(state)
        if draw_unit(state) <= math.exp(0.5 * (nearest * nearest - x * x)):
            return sign * x


@kernel
def draw_chi_square(state, freedom):
    """Return a chi-square number with at least two degrees of freedom (Marsaglia, Tsang 2000)."""
    shape = 0.5 * freedom - 1.0 / 3.0
    scale = 1.0 / math.sqrt(9.0 * shape)
    while True:
        x = draw_normal(state)
        v = (1.0 + scale * x) ** 3
        if v > 0.0 and math.log(draw_unit(state)) < 0.5 * x * x + shape * (1.0 - v + math.log(v)):
            return 2.0 * shape * v
