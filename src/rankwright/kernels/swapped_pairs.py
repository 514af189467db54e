"""Pairs at the top of a list, weighted by what it would gain or lose if they swapped places.

A list is worth its discounted gains, the sum of gain * discount(place). Two rows that swap places
change it by |difference of gains| * |difference of discounts|: the weight of their pair, times
those of both rows. Places beyond the discounts count nothing, so only pairs with a row at the top
have a weight, and there are few of them.
"""

import numpy as np

from rankwright.kernels.compile import kernel, part
from rankwright.kernels.newton_pairs import newton_pair
from rankwright.kernels.sorting import insert

__all__ = ["newton_swaps"]


@part
def find_top(scores, start, end, least, top):
    """Fill the rows of the highest scores, best first; return how many. ``least`` is room.

    Rows are sorted by y: of equal scores the worse row comes first, so that a tie counts as wrong.
    """
    n = 0
    for i in range(start, end):
        if n < top.size:
            insert(least, top, n, -scores[i], i)
            n += 1
        elif -scores[i] < least[n - 1]:
            insert(least, top, n - 1, -scores[i], i)
    return n


@kernel
def newton_swaps(scores, gains, weights, groups, totals, discounts, gradient, curvature):
    """Add the derivatives of the logistic loss over the pairs of each group, which weigh its total.

    Groups whose total is 0 are left out.
    """
    widest = 0
    for g in range(groups.size - 1):
        widest = max(widest, groups[g + 1] - groups[g])
    slopes, bends, own = np.empty(widest), np.empty(widest), np.empty(widest)
    least, top = np.empty(discounts.size), np.empty(discounts.size, np.int64)
    for g in range(groups.size - 1):
        start, end = groups[g], groups[g + 1]
        if totals[g] == 0.0:
            continue
        for k in range(end - start):
            slopes[k], bends[k], own[k] = 0.0, 0.0, 0.0
        n_top = find_top(scores, start, end, least, top)
        for place in range(n_top):
            own[top[place] - start] = discounts[place]
        total = 0.0
        for place in range(n_top):
            i = top[place]
            for k in range(start, end):
                gain = gains[i] - gains[k]
                if gain == 0.0 or own[k - start] > discounts[place]:
                    continue  # a row above i has met it
                weight = weights[i] * weights[k] * abs(gain) * (discounts[place] - own[k - start])
                behind = scores[k] - scores[i]
                p, h = newton_pair(behind if gain > 0.0 else -behind)
                rise = weight * p if gain > 0.0 else -weight * p
                total += weight
                slopes[i - start] -= rise
                slopes[k - start] += rise
                bends[i - start] += weight * h
                bends[k - start] += weight * h
        scale = totals[g] / total if total > 0.0 else 0.0
        for k in range(end - start):
            gradient[start + k] += scale * slopes[k]
            curvature[start + k] += scale * bends[k]
