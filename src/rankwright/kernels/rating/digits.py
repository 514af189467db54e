"""Rays in whole numbers of any size, for the signs that floating point leaves in doubt.

A number is a row of digits of 26 bits, the lowest first. The highest has a sign; what exceeds it is
dropped, so that sums and products are exact as long as the result fits, whatever comes in between.

A ray is known by its walls, independent planes that meet in it: its entries are the minors of their
normals, up to the sign. These don't grow from cut to cut, and no common divisor is needed.
"""

from math import frexp, ldexp
from typing import NamedTuple

import numpy as np

from rankwright.kernels.inner import inner
from rankwright.kernels.rating.facets import count_bits, is_on

__all__ = [
    "BITS",
    "Numbers",
    "allocate_numbers",
    "exact_side",
    "meeting_ray",
    "round_ray",
    "set_doubt",
    "side_of",
    "turn",
]

BITS = 26
BASE = 1 << BITS
HALF = BASE >> 1
PRECISION = 53  # bits of the largest entry of a ray that is rounded


class Numbers(NamedTuple):
    """Room to compute in.

    ``minors`` are those of some rows and of one more, by set of columns, ``normal`` is that of a
    plane, ``total`` a sum. Differences of scores that are no larger than ``doubt``, in one entry,
    say nothing about their sign; it is 0 where rays are exact.
    """

    minors: np.ndarray
    normal: np.ndarray
    total: np.ndarray
    doubt: np.ndarray


def allocate_numbers(d: int, n_digits: int) -> Numbers:
    """Return room for rays of d entries; without digits, none is needed."""
    n_sets = 1 << d if n_digits else 0
    return Numbers(
        np.empty((2, n_sets, n_digits), np.int64),
        np.empty(d, np.int64),
        np.empty(n_digits, np.int64),
        np.zeros(1),
    )


@inner
def add_product(total, number, factor):
    """Add a number times a factor of up to 52 bits to digits that are carried later."""
    high, low = factor >> BITS, factor & (BASE - 1)
    last = len(number) - 1
    for k in range(last):
        total[k] += low * number[k]
        total[k + 1] += high * number[k]
    total[last] += low * number[last]


@inner
def carry(total):
    """Carry what exceeds a digit to the next; tell whether any digit is left."""
    last, some = len(total) - 1, np.int64(0)
    for k in range(last):
        over = total[k] >> BITS
        total[k] -= over << BITS
        total[k + 1] += over
        some |= total[k]
    total[last] = ((total[last] + HALF) & (BASE - 1)) - HALF
    return (some | total[last]) != 0


@inner
def set_doubt(numbers, largest):
    """Say how far differences of scores may be off for rounded rays and factors up to ``largest``.

    With d factors, entries of rays below 2**53 that are less than 4 off, and a relative error of
    2**-53 of each operation, a score is off by less than ``d * (4 + d + 1) * largest``, a
    difference of two by twice that and its own rounding, ``2 * d * largest``.
    """
    d = len(numbers.normal)
    numbers.doubt[0] = 4.0 * d * (d + 6) * largest if len(numbers.total) > 0 else 0.0


@inner
def normal_of(wall, factors, planes, normal):
    """Fill the normal of a plane; of -1 - j, where weight j is zero."""
    for j in range(len(normal)):
        if wall < 0:
            normal[j] = np.int64(j == -1 - wall)
        else:
            normal[j] = np.int64(factors[planes.first[wall], j] - factors[planes.second[wall], j])


@inner
def side_of(ray, normal, total):
    """Return the sign of the sum of products of a ray and a normal."""
    for k in range(len(total)):
        total[k] = 0
    for j in range(len(normal)):
        add_product(total, ray[j], normal[j])
    some = carry(total)
    return np.int64(some) if total[len(total) - 1] >= 0 else np.int64(-1)


@inner
def exact_side(cells, slot, r, plane, factors, planes, numbers):
    """Return the side of a plane that ray r of a cell lies on, 0 on the plane itself."""
    normal_of(plane, factors, planes, numbers.normal)
    return side_of(cells.digits[slot, r], numbers.normal, numbers.total)


@inner
def expand(minors, larger, normal, size):
    """Fill the minors with one row more, for each set of ``size`` columns; tell if any is not 0.

    If all of them are zero, the row depends on those before.
    """
    independent = False
    for columns in range(1 << len(normal)):
        if count_bits(np.int64(columns)) != size:
            continue
        total, sign = larger[columns], 1
        for k in range(len(total)):
            total[k] = 0
        for j in range(len(normal)):
            if columns >> j & 1:
                if normal[j] != 0:
                    add_product(total, minors[columns ^ (1 << j)], sign * normal[j])
                sign = -sign
        if carry(total):
            independent = True
    return independent


@inner
def turn(number, total, result):
    """Fill the opposite of a number."""
    for k in range(len(total)):
        total[k] = -number[k]
    carry(total)
    for k in range(len(total)):
        result[k] = total[k]


@inner
def meeting_ray(plane, common, walls, n_facets, factors, planes, numbers, ray):
    """Fill the ray, or its opposite, where a plane meets the common walls of two other rays.

    Returns False where these have too few independent walls in common.
    """
    normal, d = numbers.normal, len(numbers.normal)
    size = np.int64(0)
    first = numbers.minors[0, 0]
    for k in range(len(first)):
        first[k] = k == 0
    for f in range(-1, n_facets):
        if size == d - 1:
            break
        if f >= 0 and not is_on(common, f):
            continue
        normal_of(plane if f < 0 else walls[f], factors, planes, normal)
        if expand(numbers.minors[size % 2], numbers.minors[1 - size % 2], normal, size + 1):
            size += 1
    if size < d - 1:
        return False
    minors, all_columns = numbers.minors[size % 2], (1 << d) - 1
    for j in range(d):
        minor = minors[all_columns ^ (1 << j)]
        if j % 2:
            turn(minor, numbers.total, ray[j])
        else:
            for k in range(len(minor)):
                ray[j, k] = minor[k]
    return True


@inner
def magnitude(number, total):
    """Fill the absolute value of a number; return its sign."""
    if number[len(total) - 1] < 0:
        turn(number, total, total)
        return -1.0
    for k in range(len(total)):
        total[k] = number[k]
    return 1.0


@inner
def leading(number, top, total):
    """Return three digits of a number from ``top`` down, in floating point."""
    sign = magnitude(number, total)
    return sign * ((float(total[top]) * BASE + total[top - 1]) * BASE + total[top - 2])


@inner
def round_ray(ray, total, rounded):
    """Fill whole numbers of 53 bits in proportion to a ray, each less than four off.

    Of the largest entry three digits are at least 2**52: what is left out is less than one, and so
    is the rounding of their sum, once it is scaled, by one at most; then it is cut.
    """
    top, last = 2, len(total) - 1
    for j in range(len(rounded)):
        magnitude(ray[j], total)
        for k in range(last, top, -1):
            if total[k] != 0:
                top = k
                break
    largest = 1.0
    for j in range(len(rounded)):
        largest = max(largest, abs(leading(ray[j], top, total)))
    scale = ldexp(1.0, PRECISION - frexp(largest)[1])
    for j in range(len(rounded)):
        rounded[j] = np.int64(leading(ray[j], top, total) * scale)
