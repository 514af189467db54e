"""What a rating formula can still reach when some pairs of products are undecided.

With (2) of the paper, a formula w earns

    sum over products i of  wins_i(w) * (unit_i + bonus_i * [below_i(w) >= threshold_i]).

The bounds here hold for every formula w of a cell, since decided pairs are the same for all of
them, and an undecided pair is won or not.
"""

from typing import NamedTuple

import numpy as np

from rankwright.kernels.compile import leaf, part

__all__ = ["Prospects", "allocate_prospects", "bonus_bound", "position_bound", "top_bound"]


class Prospects(NamedTuple):
    """What undecided pairs allow each product, and who would be at the top then.

    Attributes
    ----------
    reach
        The most products that each can score above (for position errors: that can be above it).
    extra
        The most that each can earn at the top, beyond its units.
    at_top
        1 for the products with which the top earns the most, others that earn as much included.
    largest
        Room to work in.
    """

    reach: np.ndarray
    extra: np.ndarray
    at_top: np.ndarray
    largest: np.ndarray


def allocate_prospects(n: int) -> Prospects:
    """Return room for the prospects of n products."""
    return Prospects(
        np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    )


@part
def keep_largest(largest, taken, room, value):
    """Insert a value into the ``room`` largest, in descending order; return how many there are."""
    if taken < room:
        taken += 1
    elif room <= 0 or value <= largest[taken - 1]:
        return taken
    j = taken - 1
    while j > 0 and largest[j - 1] < value:
        largest[j] = largest[j - 1]
        j -= 1
    largest[j] = value
    return taken


@leaf
def bonus_bound(aims, below, reach, extra, at_top, largest):
    """Return the most that the products at the top earn beyond others, and mark these products.

    No more than ``slots`` products are at the top: the lowest of them is above ``threshold =
    size - slots`` others, none of which is at the top. Those that are there by decided pairs
    (``below``) are there for every formula of the cell; of the others only those can be that
    ``reach`` the threshold. So no formula earns more than with these places taken by those that
    earn the most there, ``extra``.
    """
    total = 0
    for g in range(len(aims.slots)):
        begin, end = aims.groups[g], aims.groups[g + 1]
        free = aims.slots[g]
        for i in range(begin, end):
            at_top[i] = below[i] >= aims.threshold[i]
            total += at_top[i] * extra[i]
            free -= at_top[i]
        taken = 0
        # Products come worst first, so that from the end the largest bonuses come early.
        for i in range(end - 1, begin - 1, -1):
            if below[i] < aims.threshold[i] <= reach[i]:
                taken = keep_largest(largest, taken, free, extra[i])
        for j in range(taken):
            total += largest[j]
        if taken > 0:
            for i in range(begin, end):
                if reach[i] >= aims.threshold[i]:
                    at_top[i] |= extra[i] >= largest[taken - 1]
    return total


@leaf
def top_bound(undecided, n_undecided, planes, aims, below, wins, prospects):
    """Return the most that the undecided pairs allow, plane by plane, and fill the prospects.

    A formula lies on one side of a plane, so that of its pairs those of the better side earn their
    unit: the larger of both sums. For the bonus each product counts all pairs that it can win,
    which is more than enough.
    """
    reach, extra = prospects.reach, prospects.extra
    total = 0
    for i in range(len(below)):
        reach[i] = below[i]
        extra[i] = aims.bonus[i] * wins[i]
        total += aims.unit[i] * wins[i]
    for q in range(n_undecided):
        h = undecided[q]
        positive, negative = 0, 0
        for p in range(planes.offsets[h], planes.offsets[h + 1]):
            i = planes.better[p]
            reach[i] += 1
            reach[planes.worse[p]] += 1
            if planes.strict[p]:
                extra[i] += aims.bonus[i]
                if planes.side[p] > 0:
                    positive += aims.unit[i]
                else:
                    negative += aims.unit[i]
        total += max(positive, negative)
    return total + bonus_bound(aims, below, reach, extra, prospects.at_top, prospects.largest)


@leaf
def position_bound(undecided, n_undecided, planes, aims, above, reach):
    """Return minus the least summed position error that the undecided pairs allow.

    A product takes the place after those above it: at least the decided ones, at most the
    undecided ones too (``reach``). Its error is at least the distance of the place it should take
    from this range, and the least sum is at least the sum of the least.
    """
    for i in range(len(above)):
        reach[i] = above[i]
    for q in range(n_undecided):
        h = undecided[q]
        for p in range(planes.offsets[h], planes.offsets[h + 1]):
            reach[planes.better[p]] += 1
            reach[planes.worse[p]] += 1
    error = 0
    for i in range(len(above)):
        wanted = aims.position[i]
        if wanted:
            error += max(0, above[i] + 1 - wanted, wanted - 1 - reach[i])
    return -error
