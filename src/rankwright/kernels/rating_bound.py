"""What a rating formula can still reach when some pairs of products are undecided.

The weights of a formula are split into cells by the hyperplanes on which two products score the
same. Inside a cell some pairs are decided; the bounds here hold for every formula of the cell.
"""

from typing import NamedTuple

import numpy as np

from rankwright.kernels.compile import kernel, part

__all__ = ["Aims", "Planes", "crown", "position_bound", "top_bound"]


class Planes(NamedTuple):
    """Pairs of products, merged by the hyperplane of weights on which they tie.

    On the positive side of plane h, ``first[h]`` scores above ``second[h]``. Its pairs are
    ``offsets[h]`` to ``offsets[h + 1]``: ``better`` is published at least as high as ``worse``,
    strictly if ``strict``, and scores above it on the side of sign ``side``.
    """

    first: np.ndarray
    second: np.ndarray
    offsets: np.ndarray
    better: np.ndarray
    worse: np.ndarray
    side: np.ndarray
    strict: np.ndarray


class Aims(NamedTuple):
    """What each product can earn.

    Each pair that product i wins earns ``unit[i]``, and ``bonus[i]`` more if i scores above at
    least ``threshold[i]`` products of its group; group g has ``slots[g]`` such places and products
    ``groups[g]`` to ``groups[g + 1]``. For position errors, ``position[i]`` is the place that
    product i should take, 0 where it doesn't matter.
    """

    unit: np.ndarray
    bonus: np.ndarray
    threshold: np.ndarray
    slots: np.ndarray
    groups: np.ndarray
    position: np.ndarray


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


@kernel
def crown(aims, below, reach, hopes, largest, crowned):
    """Return the most that the products at the top earn beyond others, and mark these products.

    At most ``slots`` products of a group that can still reach its top take the bonus, forced ones
    first.
    """
    total = 0
    for g in range(len(aims.slots)):
        begin, end = aims.groups[g], aims.groups[g + 1]
        free = aims.slots[g]
        for i in range(begin, end):
            crowned[i] = below[i] >= aims.threshold[i]
            total += crowned[i] * aims.bonus[i] * hopes[i]
            free -= crowned[i]
        taken = 0
        # Products come worst first, so that from the end the largest bonuses come early.
        for i in range(end - 1, begin - 1, -1):
            if below[i] < aims.threshold[i] <= reach[i]:
                taken = keep_largest(largest, taken, free, aims.bonus[i] * hopes[i])
        for j in range(taken):
            total += largest[j]
        if taken > 0:
            for i in range(begin, end):
                if reach[i] >= aims.threshold[i]:
                    crowned[i] |= aims.bonus[i] * hopes[i] >= largest[taken - 1]
    return total


@kernel
def top_bound(undecided, n_undecided, planes, aims, below, wins, scratch):
    """Return the most that the undecided pairs allow, one by one.

    Undecided pairs count as won, those that exclude each other (the same plane) once. ``scratch``
    gets the most products that each can score above, the pairs that each can win, and which of
    them take the bonus then; its third row is room to work in.
    """
    reach, hopes, largest, crowned = scratch[0], scratch[1], scratch[2], scratch[3]
    total = 0
    for i in range(len(below)):
        reach[i] = below[i]
        hopes[i] = wins[i]
        total += aims.unit[i] * wins[i]
    for q in range(n_undecided):
        h = undecided[q]
        positive, negative = 0, 0
        for p in range(planes.offsets[h], planes.offsets[h + 1]):
            i = planes.better[p]
            reach[i] += 1
            reach[planes.worse[p]] += 1
            if planes.strict[p]:
                hopes[i] += 1
                if planes.side[p] > 0:
                    positive += aims.unit[i]
                else:
                    negative += aims.unit[i]
        total += max(positive, negative)
    return total + crown(aims, below, reach, hopes, largest, crowned)


@kernel
def position_bound(undecided, n_undecided, planes, aims, above, reach):
    """Return minus the least summed position error that the undecided pairs allow."""
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
