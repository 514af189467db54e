"""By which plane to cut a cell: one that leaves both parts as little as possible.

The part of a cell on one side of a plane loses the halves (see ``rivals``) that don't meet that
side, and its bound falls by about what these are worth beyond their charges. A half meets the side
if one of the rays inside it lies there, or on the plane. If none does they may meet between rays,
which would take a test for each half; here it counts as lost. No bound rests on this, only the
choice.

Of two planes the one with the larger product of both losses is better, as in strong branching: what
counts is that neither part is left as it was. Of all planes only those are weighed so whose pairs
are lost at most rays, weighted by what the pairs can earn.
"""

import numpy as np

from rankwright.kernels.inner import inner, inner_allocating
from rankwright.kernels.rating.rivals import REST, list_apart, mark_of
from rankwright.kernels.rating.sides import gather_marks, list_touched

__all__ = ["choose_plane"]

CANDIDATES = 32  # planes that are weighed


@inner
def list_candidates(undecided, n_undecided, planes, aims, reach, lost, places, losses):
    """List the places of planes whose pairs are lost at most rays; return how many there are."""
    n = 0
    for q in range(n_undecided):
        h = undecided[q]
        loss = 0
        for p in range(planes.offsets[h], planes.offsets[h + 1]):
            i = planes.better[p]
            earnings = aims.unit[i]
            if reach[i] >= aims.threshold[i]:
                earnings += aims.bonus[i]
            loss += earnings * (1 + lost[q, 0 if planes.side[p] > 0 else 1])
        if n < len(places):
            n += 1
        elif loss <= losses[n - 1]:
            continue
        j = n - 1
        while j > 0 and losses[j - 1] < loss:
            losses[j], places[j] = losses[j - 1], places[j - 1]
            j -= 1
        losses[j], places[j] = loss, q
    return n


@inner
def list_worthy(halves, marks, rests):
    """List the halves that are worth more than they were charged; return how many there are."""
    n = 0
    for a in range(halves.count[0]):
        marks[n], rests[n] = mark_of(halves, a), halves.facts[a, REST]
        n += rests[n] > 0
    return n


@inner
def lost_beyond(sides, mine, n_rays, inside, rests, n, words, bits, apart):
    """Return what the halves are worth that share no ray with one side of a plane."""
    n_words = list_touched(sides, mine ^ 1, n_rays, words, bits)
    loss = 0
    for k in range(list_apart(inside, n, n, words, bits, n_words, apart)):
        loss += rests[apart[k]]
    return loss


@inner_allocating
def choose_plane(undecided, n_undecided, planes, aims, reach, lost, n_rays, sides, halves, stop):
    """Choose the plane of the next cut.

    ``sides`` and ``halves`` are what an assessment found; where nobody looked for rivals there are
    no halves, and the first candidate is chosen, as it is once stopped.
    """
    places, losses = np.empty(CANDIDATES, np.int64), np.empty(CANDIDATES, np.int64)
    n_places = list_candidates(undecided, n_undecided, planes, aims, reach, lost, places, losses)
    chosen, most = undecided[places[0]], -1.0
    size = halves.count[0] + 1
    marks, rests = np.empty(size, np.int64), np.empty(size, np.int64)
    apart = np.empty(size, np.int64)
    n = list_worthy(halves, marks, rests)
    if n == 0:
        return chosen
    inside = np.empty(len(sides) * n, np.int64)
    gather_marks(sides, marks, n, inside, stop)
    words, bits = np.empty(len(sides), np.int64), np.empty(len(sides), np.int64)
    for c in range(n_places):
        if stop[0]:
            break
        product = 1.0
        for mine in (2 * places[c], 2 * places[c] + 1):
            loss = lost_beyond(sides, mine, n_rays, inside, rests, n, words, bits, apart)
            product *= 1.0 + loss
        if product > most:
            chosen, most = undecided[places[c]], product
    return chosen
