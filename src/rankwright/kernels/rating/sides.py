"""Which side of planes the rays of a cell lie on, exactly, and as bits of words.

Rays are whole numbers, so that every sign is exact; where 53 bits don't hold them, scores of
rounded rays give the sign unless they are in doubt, and their digits otherwise.
"""

import numpy as np

from rankwright.kernels.inner import inner, inner_apart
from rankwright.kernels.rating.digits import exact_side
from rankwright.kernels.rating.facets import count_bits
from rankwright.kernels.rating.planes import UNFIXED

__all__ = [
    "EXACT",
    "RAYS_PER_WORD",
    "count_words",
    "gather_marks",
    "largest_entry",
    "list_touched",
    "mark_scored",
    "mark_sides",
    "plane_values",
    "score_rays",
    "side_of",
]

# Sums of whole numbers below 2**53 are exact in floating point, where they are fastest.
EXACT = float(2**53)
RAYS_PER_WORD = 64


@inner
def mark_scored(cells, fixed, slot, planes, scored):
    """Mark the products of planes that are undecided or fixed."""
    for i in range(len(scored)):
        scored[i] = False
    for q in range(cells.n_undecided[slot]):
        h = cells.undecided[slot, q]
        scored[planes.first[h]] = True
        scored[planes.second[h]] = True
    if fixed is not None:
        for h in range(fixed.shape[1]):
            if fixed[slot, h] != UNFIXED:
                scored[planes.first[h]] = True
                scored[planes.second[h]] = True


@inner
def score_rays(factors, rays, n_rays, scored, columns, scores):
    """Fill ``scores[i, r]``, the score of product i at ray r, where it is needed."""
    n, d = factors.shape
    for r in range(n_rays):  # what the innermost loop reads lies side by side
        for j in range(d):
            columns[j, r] = rays[r, j]
    for i in range(n):
        if not scored[i]:
            continue
        row = scores[i]
        for r in range(n_rays):
            row[r] = 0.0
        for j in range(d):
            factor, column = factors[i, j], columns[j]
            for r in range(n_rays):
                row[r] += factor * column[r]


@inner
def largest_entry(factors):
    """Return how large the entries of rays may be for all differences of scores to be exact."""
    largest = 1.0
    for i in range(factors.shape[0]):
        for j in range(factors.shape[1]):
            largest = max(largest, abs(factors[i, j]))
    return EXACT / (2.0 * factors.shape[1] * largest)


@inner_apart
def side_of(digits, slot, r, difference, plane, factors, planes, numbers):
    """Return a number with the sign of a plane at ray r: a difference of scores, or if in doubt 1.

    With d factors up to a size, entries of rays below 2**53 that are less than 4 off, and a
    relative error of 2**-53 of each operation, a score is off by less than ``d * (4 + d + 1)``
    times that size, a difference of two by twice as much and its own rounding, ``2 * d`` times it:
    the ``doubt`` is twice the sum.
    """
    if abs(difference) > numbers.doubt[0]:
        return difference
    i, k = planes.first[plane], planes.second[plane]
    return float(exact_side(digits[slot, r], i, k, i, i, factors, numbers))


@inner
def plane_values(factors, cells, slot, planes, values, numbers):
    """Fill for each ray the value of the plane of the next cut, a sign where it is in doubt."""
    plane = cells.plane[slot]
    i, k = planes.first[plane], planes.second[plane]
    for r in range(cells.n_rays[slot]):
        values[r] = 0.0
        for j in range(factors.shape[1]):
            values[r] += (factors[i, j] - factors[k, j]) * cells.rays[slot, r, j]
        if numbers is not None:
            values[r] = side_of(cells.digits, slot, r, values[r], plane, factors, planes, numbers)


@inner
def count_words(n_rays):
    """Return how many words have a bit for each ray."""
    return (n_rays + RAYS_PER_WORD - 1) // RAYS_PER_WORD


@inner
def mark_sides(upper, lower, doubt, sides, place):
    """Mark the rays above a plane, and those below it in the next place; return how many are.

    ``sides`` has the words of rays one after the other, each of all planes. A ray whose side is in
    ``doubt`` counts as on the plane.
    """
    positive, negative = 0, 0
    for w in range(len(sides)):
        # Of a part that begins with 0 the compiler knows that no place is negative: only then it
        # compares several rays at once.
        begin = w * RAYS_PER_WORD
        over, under = upper[begin : begin + RAYS_PER_WORD], lower[begin : begin + RAYS_PER_WORD]
        above, below = np.int64(0), np.int64(0)
        for r in range(len(over)):
            above |= np.int64(over[r] - under[r] > doubt) << r
            below |= np.int64(under[r] - over[r] > doubt) << r
        sides[w, place], sides[w, place + 1] = above, below
        positive += count_bits(above)
        negative += count_bits(below)
    return positive, negative


@inner_apart
def gather_marks(sides, places, n, gathered, stop):
    """Fill the marks of so many places: one word of all of them after the other.

    Once stopped it fills no more, and nobody may look at the marks.
    """
    for w in range(len(sides)):
        if stop[0]:
            break
        word, gathered_word = sides[w], gathered[w * n : (w + 1) * n]
        for k in range(n):
            gathered_word[k] = word[places[k]]


@inner_apart
def list_touched(sides, other, n_rays, words, bits):
    """List the words that mark rays of a half or its plane: all but those on the other side."""
    n_words = 0
    for w in range(len(sides)):
        touched, size = ~sides[w, other], n_rays - w * RAYS_PER_WORD
        if size < RAYS_PER_WORD:
            touched &= (np.int64(1) << size) - 1
        if touched != 0:
            words[n_words], bits[n_words] = w, touched
            n_words += 1
    return n_words
