"""By which plane to cut a cell: one that leaves both parts as little as possible.

The part of a cell on one side of a plane loses the halves (see ``rivals``) that don't meet that
side, so its bound falls by what these are worth, beyond what they were charged. Halves that share a
ray with the side, or have one on its plane, meet it. Those that share none may meet it between rays
too, but to see that takes as long as to cut the cell: here they count as lost. No bound rests on
it, only the choice.

Of two planes the one with the larger product of both losses is better, as in strong branching: what
counts is that neither part is left as it was. Of all planes only those are weighed so whose pairs
are lost at most rays, weighted by what the pairs can earn.
"""

import numpy as np

from rankwright.kernels.inner import inner, inner_allocating
from rankwright.kernels.rating.rivals import REST, list_apart, mark_of
from rankwright.kernels.rating.sides import list_touched

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
def list_worthy(halves, worthy):
    """List the halves that are worth more than they were charged; return how many there are."""
    n = 0
    for a in range(halves.count[0]):
        worthy[n] = a
        n += halves.facts[a, REST] > 0
    return n


@inner
def gather_marks(sides, halves, worthy, n, inside, stop):
    """Fill the marks of rays inside worthy halves: one word of all after the other."""
    for w in range(len(sides)):
        if stop[0]:
            break
        for k in range(n):
            inside[w * n + k] = sides[w, mark_of(halves, worthy[k])]


@inner
def lost_beyond(sides, mine, n_rays, halves, worthy, n, inside, words, bits, apart):
    """Return what the halves are worth that share no ray with one side of a plane."""
    n_words = list_touched(sides, mine ^ 1, n_rays, words, bits)
    loss = 0
    for k in range(list_apart(inside, n, n, words, bits, n_words, apart)):
        loss += halves.facts[worthy[apart[k]], REST]
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
    worthy = np.empty(halves.count[0] + 1, np.int64)
    n = list_worthy(halves, worthy)
    if n == 0:
        return chosen
    inside = np.empty(len(sides) * n, np.int64)
    gather_marks(sides, halves, worthy, n, inside, stop)
    words, bits = np.empty(len(sides), np.int64), np.empty(len(sides), np.int64)
    apart = np.empty(n + 1, np.int64)
    for c in range(n_places):
        if stop[0]:
            break
        product = 1.0
        for mine in (2 * places[c], 2 * places[c] + 1):
            product *= 1.0 + lost_beyond(
                sides, mine, n_rays, halves, worthy, n, inside, words, bits, apart
            )
        if product > most:
            chosen, most = undecided[places[c]], product
    return chosen
