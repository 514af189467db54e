"""The sides of planes that the rays of a cell lie on, as bits of words."""

import numpy as np

from rankwright.kernels.inner import inner
from rankwright.kernels.rating.facets import count_bits

__all__ = ["RAYS_PER_WORD", "count_words", "mark_sides"]

RAYS_PER_WORD = 64


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
