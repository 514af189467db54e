"""Cut a cell by a plane: the double description method, in whole numbers.

A cell is a cone of weights, given by its extreme rays. Cutting it keeps the rays on one side and
adds one on each edge that crosses the plane; two rays share an edge if no third lies on all their
common facets (Fukuda and Prodon 1996). The parts cover the cell, so that a bound of each of them
bounds the cell.
"""

from typing import NamedTuple

import numpy as np

from rankwright.kernels.compile import part
from rankwright.kernels.inner import inner, inner_apart
from rankwright.kernels.rating.digits import meeting_ray, round_ray
from rankwright.kernels.rating.facets import (
    FACETS_PER_WORD,
    MAX_FACETS,
    count_bits,
    count_facets,
    pack_facets,
)
from rankwright.kernels.rating.planes import UNFIXED

__all__ = [
    "Cells",
    "allocate_cells",
    "copy",
    "cut",
    "most_rays",
]

MAX_RAYS = 16384
MANY_FACTORS, MANY_RAYS = 9, 65536  # some cells of so many factors have more: room takes its time
MIN_RAYS = 256
MOST_SCORES = 2**26  # of products at rays: with many products, cells have fewer rays
MOST_LARGE_RAYS = 4096  # of cells whose rays have digits
RAYS_AT_ONCE = 64  # whose facets are compared with those of another one


class Cells(NamedTuple):
    """Room for cells: one slot each, along the first axis.

    ``rays`` are exact where ``digits`` is None. Otherwise these are, and ``rays`` are rounded.
    ``facets`` has a bit for each facet that a ray lies on, in two words, and ``walls`` the plane of
    each facet, -1 - j for that of weights whose entry j is zero. ``fixed`` is the sign of
    each plane that a three-way cut has fixed, and ``UNFIXED`` where none has; it is None in open
    cells. ``loss`` is what pairs that exclude each other take from the bound. What is None is
    known when a kernel is compiled: what others need is not compiled for such cells.
    """

    rays: np.ndarray
    digits: np.ndarray | None
    facets: np.ndarray
    walls: np.ndarray
    n_rays: np.ndarray
    n_facets: np.ndarray
    fixed: np.ndarray | None
    undecided: np.ndarray
    n_undecided: np.ndarray
    below: np.ndarray
    above: np.ndarray
    wins: np.ndarray
    plane: np.ndarray
    bound: np.ndarray
    loss: np.ndarray


def most_rays(n: int, d: int, n_digits: int) -> int:
    """Return how many rays a cell may have when there are n products with d factors."""
    most = MANY_RAYS if d >= MANY_FACTORS else MAX_RAYS
    return min(MOST_LARGE_RAYS if n_digits else most, max(MIN_RAYS, MOST_SCORES // n))


def allocate_cells(
    n_slots: int, n: int, d: int, n_planes: int, closed: bool, n_digits: int
) -> Cells:
    """Return empty slots for cells of ``d`` weights, ``n`` products and ``n_planes`` planes."""
    most = most_rays(n, d, n_digits)
    return Cells(
        np.empty((n_slots, most, d), np.int64),
        np.empty((n_slots, most, d, n_digits), np.int64) if n_digits else None,
        np.empty((n_slots, most, 2), np.int64),
        np.empty((n_slots, MAX_FACETS), np.int64),
        np.empty(n_slots, np.int64),
        np.empty(n_slots, np.int64),
        np.full((n_slots, n_planes), UNFIXED, np.int8) if closed else None,
        np.empty((n_slots, n_planes), np.int32),
        np.empty(n_slots, np.int64),
        np.empty((n_slots, n), np.int64),
        np.empty((n_slots, n), np.int64),
        np.empty((n_slots, n), np.int64),
        np.empty(n_slots, np.int64),
        np.empty(n_slots, np.int64),
        np.empty(n_slots, np.int64),
    )


@inner
def copy(source, target):
    """Copy as many entries as the source has."""
    for i in range(len(source)):
        target[i] = source[i]


@inner_apart
def copy_ray(rays, facets, digits, slot, r, to, n):
    """Copy a ray of a cell, its facets and digits, to place n of another.

    A call hands over every array of its arguments: of all that cells have, that took longer.
    """
    copy(rays[slot, r], rays[to, n])
    copy(facets[slot, r], facets[to, n])
    if digits is not None:
        for j in range(digits.shape[2]):
            copy(digits[slot, r, j], digits[to, n, j])


@inner
def greatest_divisor(a, b):
    """Return the greatest common divisor."""
    a, b = abs(a), abs(b)
    while b:
        a, b = b, a % b
    return a


@part
def share_edge(facets, n_rays, r, s, least):
    """Tell whether two rays span an edge: no third ray lies on all their common facets.

    An edge of a d-dimensional cone lies on at least d - 2 facets (``least``), which is quicker to
    see. A ray on just d - 1 facets is where d - 1 edges meet, one for each facet left out: it spans
    an edge with each ray that shares all but one of them. Neither is known of cells cut three
    ways, which may have fewer dimensions: there ``least`` is 0.
    """
    low, high = facets[r, 0] & facets[s, 0], facets[r, 1] & facets[s, 1]
    if count_bits(low) + count_bits(high) < least:
        return False
    if 0 < least >= min(count_facets(facets[r]), count_facets(facets[s])) - 1:
        return True
    third = 0
    for t in range(n_rays):
        if facets[t, 0] & low == low and facets[t, 1] & high == high and t != r and t != s:
            third += 1
            break
    return third == 0


@part
def cross(ray, value, other, other_value, limit, result):
    """Fill the ray where the edge meets the plane: False where 53 bits don't hold its scores.

    At a * other + b * ray, with a : b the values at ray and at other, the values cancel. The sum
    stays below 2**62, so that whole numbers don't wrap around.
    """
    divisor = greatest_divisor(np.int64(value), np.int64(other_value))
    a, b = np.int64(value) // divisor, -np.int64(other_value) // divisor
    divisor = np.int64(0)
    for j in range(len(ray)):
        if float(a) * abs(float(other[j])) + float(b) * abs(float(ray[j])) > 4e18:
            return False
        result[j] = a * other[j] + b * ray[j]
        divisor = greatest_divisor(divisor, result[j])
    for j in range(len(ray)):
        result[j] //= divisor
        if abs(float(result[j])) > limit:
            return False
    return True


@inner_apart
def cross_exactly(cells, parent, r, s, child, n, factors, planes, numbers):
    """Fill the ray where the edge meets the plane, in digits and rounded.

    In an orthant no entry has opposite signs at two rays, and where the new ray has its largest
    entry one of the two is not zero when rounded: it tells the ray from its opposite.
    """
    digits, rounded = cells.digits[child, n], cells.rays[child, n]
    common = cells.facets[child, n]
    if not meeting_ray(
        cells.plane[parent],
        common,
        cells.walls[parent],
        cells.n_facets[parent],
        factors,
        planes,
        numbers,
        digits,
    ):
        return False
    round_ray(digits, rounded)
    largest = 0
    for j in range(len(rounded)):
        if abs(rounded[j]) > abs(rounded[largest]):
            largest = j
    if (rounded[largest] > 0) != (
        cells.rays[parent, r, largest] + cells.rays[parent, s, largest] > 0
    ):
        for j in range(len(rounded)):
            rounded[j] = -rounded[j]
            for k in range(digits.shape[1]):
                digits[j, k] = -digits[j, k]
    return True


@inner
def keep_side(cells, parent, child, values, sign):
    """Copy the parent's rays on one side of the plane, and those on it; return their number."""
    word, bit = (
        cells.n_facets[parent] // FACETS_PER_WORD,
        1 << cells.n_facets[parent] % FACETS_PER_WORD,
    )
    n = 0
    for r in range(cells.n_rays[parent]):
        if values[r] == 0.0 or values[r] * sign > 0.0:
            copy_ray(cells.rays, cells.facets, cells.digits, parent, r, child, n)
            if values[r] == 0.0:
                cells.facets[child, n, word] |= bit
            n += 1
    for f in range(cells.n_facets[parent]):
        cells.walls[child, f] = cells.walls[parent, f]
    cells.walls[child, cells.n_facets[parent]] = cells.plane[parent]
    cells.n_facets[child] = cells.n_facets[parent] + 1
    return n


@inner
def list_beyond(facets, n_rays, values, beyond):
    """List the rays below the plane, and side by side the words of their facets."""
    n = 0
    for s in range(n_rays):
        if values[s] < 0.0:
            beyond[0, n], beyond[1, n], beyond[2, n] = s, facets[s, 0], facets[s, 1]
            n += 1
    return n


@inner
def has_near(low, high, lows, highs):
    """Tell whether one of some rays may lie on all but one of the facets in two words.

    Of what it misses each word has one bit at most: without its lowest one, nothing is left.
    """
    near = 0  # counting them all is quicker than stopping at the first
    for s in range(len(lows)):
        missing, more = low & ~lows[s], high & ~highs[s]
        near += (missing & (missing - 1)) | (more & (more - 1)) == 0
    return near > 0


@inner
def add_crossing(cells, parent, r, s, child, n, limit, factors, planes, values, numbers):
    """Fill ray n of the child, where an edge crosses the plane; False where it can't be."""
    facets, rays, place = cells.facets[parent], cells.rays[parent], cells.n_facets[parent]
    if n == rays.shape[0]:
        return False
    for w in range(2):
        cells.facets[child, n, w] = facets[r, w] & facets[s, w]
    if numbers is None:
        found = cross(rays[r], values[r], rays[s], values[s], limit, cells.rays[child, n])
    else:
        found = cross_exactly(cells, parent, r, s, child, n, factors, planes, numbers)
    cells.facets[child, n, place // FACETS_PER_WORD] |= 1 << place % FACETS_PER_WORD
    return found


@inner
def add_crossings(cells, fixed, parent, child, n, limit, factors, planes, room, numbers, stop):
    """Append a ray for each edge that crosses the plane; return the number of rays, or -1.

    -1 says that the numbers grow too large or the rays too many, or that it was stopped. Nearly
    all pairs of rays are far apart: of a ray on just d - 1 facets, those that miss two of them are
    passed over many at a time.
    """
    facets, n_rays = cells.facets[parent], cells.n_rays[parent]
    values, beyond = room.values, room.beyond
    n_beyond = list_beyond(facets, n_rays, values, beyond)
    least = 0
    if fixed is None:
        least = cells.rays.shape[2] - 2
    for r in range(n_rays):
        if values[r] <= 0.0:
            continue
        if stop[0]:
            return -1
        low, high = facets[r, 0], facets[r, 1]
        is_simple = count_facets(facets[r]) == least + 1
        for begin in range(0, n_beyond, RAYS_AT_ONCE):
            end = min(begin + RAYS_AT_ONCE, n_beyond)
            if is_simple and not has_near(low, high, beyond[1, begin:end], beyond[2, begin:end]):
                continue
            for o in range(begin, end):
                s = beyond[0, o]
                if share_edge(facets, n_rays, r, s, least):
                    if not add_crossing(
                        cells, parent, r, s, child, n, limit, factors, planes, values, numbers
                    ):
                        return -1
                    n += 1
    return n


@inner
def cut(cells, parent, children, n_children, factors, planes, limit, room, stop):
    """Cut the parent into the part above the plane, the part below, and if asked the part on it.

    ``room`` has the values of the plane at each ray; only their signs count where rays have digits.
    All parts share the rays where edges cross the plane. Returns False where the numbers grow too
    large, or the rays or facets too many, or when it is stopped; the parent stays as it is.
    """
    first, values = children[0], room.values
    shared = keep_side(cells, parent, first, values, np.int64(1))  # a plain 1 has its own type
    end = add_crossings(
        cells, cells.fixed, parent, first, shared, limit, factors, planes, room, room.numbers, stop
    )
    if end < 0:
        return False
    cells.n_rays[first] = end
    for c in range(1, n_children):
        child = children[c]
        n = keep_side(cells, parent, child, values, -1 if c == 1 else 0)
        if n + end - shared > cells.rays.shape[1]:
            return False
        for r in range(shared, end):
            copy_ray(cells.rays, cells.facets, cells.digits, first, r, child, n)
            n += 1
        cells.n_rays[child] = n
    for c in range(n_children):
        child = children[c]
        if cells.n_facets[child] == MAX_FACETS:
            cells.n_facets[child] = pack_facets(
                cells.facets[child],
                cells.n_rays[child],
                cells.walls[child],
                cells.n_facets[child],
                room.keep,
            )
        if cells.n_facets[child] >= MAX_FACETS:
            return False
    return True
