"""Gradient and curvature of a row as one whole number.

A histogram then takes one addition per row and feature, differences of histograms are exact, and
sums depend neither on the order of the rows nor on the number of threads. The gradient is in the
upper 32 bits, the curvature (never negative) in the lower 32. Both are counted in units chosen so
that the sum over all rows just fits: a million rows have 2,147 units each on average, and a row of
large derivatives as many more as it needs. Rounding is random and unbiased, so what it adds to a
sum over a node is far below what the choice of the rows adds.
"""

import numpy as np

from rankwright.kernels.compile import kernel, part, summing_kernel

__all__ = ["CURVATURE_BITS", "find_units", "pack", "random_bits", "unpack"]

CURVATURE_BITS = 32
CURVATURE_MASK = (1 << CURVATURE_BITS) - 1
LARGEST_GRADIENT = 2.0**31 - 2.0
LARGEST_CURVATURE = 2.0**32 - 2.0
UNIT_INTERVAL = 2.0**-32


@summing_kernel
def find_units(gradient, curvature, rows):
    """Return the units of gradient and curvature that let the sums over ``rows`` fit.

    And what a leaf gains by chance, where the gradient has nothing to do with the features: the sum
    of its squares over the sum of the curvature.
    """
    slope, bend, squares = 0.0, 0.0, 0.0
    for i in range(rows.size):
        slope += abs(gradient[rows[i]])
        bend += curvature[rows[i]]
        squares += gradient[rows[i]] * gradient[rows[i]]
    # Rounding up adds at most one unit for each row.
    unit = slope / (LARGEST_GRADIENT - rows.size)
    bend_unit = bend / (LARGEST_CURVATURE - rows.size)
    by_chance = squares / bend if bend > 0.0 else 0.0
    return unit if unit > 0.0 else 1.0, bend_unit if bend_unit > 0.0 else 1.0, by_chance


@part
def random_bits(number):
    """Return 64 bits that depend on the number alone (splitmix64)."""
    bits = number * np.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@kernel
def pack(gradient, curvature, rows, seed, unit, bend_unit, packed):
    """Write the packed derivatives of ``rows``; return their sum."""
    total = np.int64(0)
    per_unit, per_bend_unit = 1.0 / unit, 1.0 / bend_unit
    for i in range(rows.size):
        row = rows[i]
        bits = random_bits(np.uint64(seed) + np.uint64(row))
        first = np.float64(bits >> np.uint64(32)) * UNIT_INTERVAL
        second = np.float64(bits & np.uint64(0xFFFFFFFF)) * UNIT_INTERVAL
        slope = np.int64(np.floor(gradient[row] * per_unit + first))
        bend = np.int64(curvature[row] * per_bend_unit + second)
        packed[i] = (slope << CURVATURE_BITS) + bend
        total += packed[i]
    return total


@part
def unpack(packed, unit, bend_unit):
    """Return the gradient and the curvature of a packed sum."""
    return (
        np.float64(packed >> CURVATURE_BITS) * unit,
        np.float64(packed & CURVATURE_MASK) * bend_unit,
    )
