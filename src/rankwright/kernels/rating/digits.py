"""Rays in whole numbers of any size, for the signs that floating point leaves in doubt.

A number is a row of digits, the lowest first, each of 26 bits and a sign of its own: the highest
digit that is not 0 has the sign of the number, and the opposite number has opposite digits.

A ray is known by its walls, independent planes that meet in it: its entries are the minors of their
normals, up to the sign. These don't grow from cut to cut, and no common divisor is needed.
"""

from math import frexp, ldexp
from typing import NamedTuple

import numpy as np

from rankwright.kernels.inner import inner, inner_apart
from rankwright.kernels.rating.facets import count_bits, is_on

__all__ = [
    "BITS",
    "Numbers",
    "PRECISION",
    "allocate_numbers",
    "doubt_of",
    "exact_side",
    "meeting_ray",
    "round_ray",
]

BITS = 26
BASE = 1 << BITS
HALF = BASE >> 1
PRECISION = 53  # bits of the largest entry of a ray that is rounded


class Numbers(NamedTuple):
    """Room to compute in.

    ``minors`` are those of some rows and of one more, by set of columns, ``normal`` is that of a
    plane, ``total`` a sum. Differences of scores that are no larger than ``doubt``, in one entry,
    say nothing about their sign.
    """

    minors: np.ndarray
    normal: np.ndarray
    total: np.ndarray
    doubt: np.ndarray


def allocate_numbers(d: int, n_digits: int) -> Numbers | None:
    """Return room for rays of d entries, or None where they have no digits.

    None is known when a kernel is compiled: what only digits need is not compiled without them.
    """
    if n_digits == 0:
        return None
    return Numbers(
        np.empty((2, 1 << d, n_digits), np.int64),
        np.empty(d, np.int64),
        np.empty(n_digits, np.int64),
        np.zeros(1),
    )


@inner
def doubt_of(numbers):
    """Return how large a difference of scores may be and not tell its sign: 0 for exact rays."""
    if numbers is None:
        return 0.0
    return numbers.doubt[0]


@inner_apart
def add_product(total, number, factor):
    """Add a number times a factor of up to 52 bits to digits that are carried later.

    The highest digit of a number is 0, so that the product has room.
    """
    high = (factor + HALF) >> BITS
    low = factor - (high << BITS)
    for k in range(len(number) - 1):
        total[k] += low * number[k]
        total[k + 1] += high * number[k]


@inner_apart
def carry(total):
    """Carry what exceeds a digit to the next; return the sign of the number."""
    sign, over = 0, 0
    for k in range(len(total)):
        digit = total[k] + over
        over = (digit + HALF) >> BITS
        digit -= over << BITS
        total[k] = digit
        if digit != 0:
            sign = 1 if digit > 0 else -1
    return sign


@inner_apart
def exact_side(ray, upper, lower, other_upper, other_lower, factors, numbers):
    """Return the sign of two differences of scores at a ray, added up, in whole numbers.

    Of one difference, where the other is that of a product and itself.
    """
    total = numbers.total
    for k in range(len(total)):
        total[k] = 0
    for j in range(factors.shape[1]):
        difference = np.int64(factors[upper, j] - factors[lower, j])
        other = np.int64(factors[other_upper, j] - factors[other_lower, j])
        add_product(total, ray[j], difference + other)
    return carry(total)


@inner_apart
def expand(minors, larger, normal, size):
    """Fill the minors with one row more, for each set of ``size`` columns; tell if any is not 0.

    If all of them are zero, the row depends on those before.
    """
    independent = False
    for columns in range(1 << len(normal)):
        if count_bits(columns) != size:
            continue
        total, sign = larger[columns], 1
        for k in range(len(total)):
            total[k] = 0
        for j in range(len(normal)):
            if columns >> j & 1:
                if normal[j] != 0:
                    add_product(total, minors[columns ^ (1 << j)], sign * normal[j])
                sign = -sign
        if carry(total) != 0:
            independent = True
    return independent


@inner_apart
def meeting_ray(plane, common, walls, n_facets, factors, planes, numbers, ray):
    """Fill the ray, or its opposite, where a plane meets the common walls of two other rays.

    Returns False where these have too few independent walls in common.
    """
    normal, d = numbers.normal, factors.shape[1]
    size = np.int64(0)
    first = numbers.minors[0, 0]
    for k in range(len(first)):
        first[k] = k == 0
    for f in range(-1, n_facets):
        if size == d - 1:
            break
        if f >= 0 and not is_on(common, f):
            continue
        wall = plane if f < 0 else walls[f]
        for j in range(d):
            if wall < 0:
                normal[j] = j == -1 - wall
            else:
                normal[j] = factors[planes.first[wall], j] - factors[planes.second[wall], j]
        if expand(numbers.minors[size % 2], numbers.minors[1 - size % 2], normal, size + 1):
            size += 1
    if size < d - 1:
        return False
    for j in range(d):
        minor = numbers.minors[size % 2, ((1 << d) - 1) ^ (1 << j)]
        for k in range(len(minor)):
            ray[j, k] = -minor[k] if j % 2 else minor[k]
    return True


@inner_apart
def round_ray(ray, rounded):
    """Fill whole numbers of 53 bits in proportion to a ray, each less than four off.

    Of the largest entry three digits come to at least 2**51: what is left out is less than one, and
    so is the rounding of their sum; scaled that is less than two of each, and then it is cut.
    """
    top, largest, scale = 2, 1.0, 0.0
    for j in range(ray.shape[0]):
        for k in range(top + 1, ray.shape[1]):
            if ray[j, k] != 0:
                top = k
    for again in range(2):
        for j in range(ray.shape[0]):
            value = (float(ray[j, top]) * BASE + ray[j, top - 1]) * BASE + ray[j, top - 2]
            if again:
                rounded[j] = np.int64(value * scale)
            else:
                largest = max(largest, abs(value))
        scale = ldexp(1.0, PRECISION - frexp(largest)[1])
