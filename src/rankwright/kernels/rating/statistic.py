"""The objective of a formula from its scores, by sorting: no pair is listed.

A group of n products has n(n - 1) / 2 pairs, but what each product is above, below and wins
follows from two sorted orders in O(n log n).
"""

import numpy as np

from rankwright.kernels.compile import kernel
from rankwright.kernels.inner import inner, inner_allocating
from rankwright.kernels.sorting import ascending

__all__ = ["count", "earning", "objective_value"]


@inner
def earning(i, below, above, wins, aims, closed):
    """Return what product i contributes: its won pairs, or minus its position error."""
    if closed:
        return -abs(above[i] + 1 - aims.position[i]) if aims.position[i] else 0
    bonus = aims.bonus[i] if below[i] >= aims.threshold[i] else 0
    return wins[i] * (aims.unit[i] + bonus)


@inner
def count_lower(tree, level):
    """Return how many of the levels entered are lower (Fenwick's tree of counts)."""
    total = 0
    while level > 0:
        total += tree[level]
        level -= level & -level
    return total


@inner
def enter(tree, level):
    """Enter a level."""
    level += 1
    while level < len(tree):
        tree[level] += 1
        level += level & -level


@inner_allocating
def place_group(scores, levels, closed, below, above, wins):
    """Fill the counts of one group: in ascending order, those that tie at once."""
    n = len(scores)
    order = ascending(scores)
    highest = 0  # position errors need no wins
    if not closed:
        for i in range(n):
            highest = max(highest, levels[i])
    tree = np.zeros(highest + 2, np.int64)
    begin = 0
    while begin < n:
        end = begin
        while end < n and scores[order[end]] == scores[order[begin]]:
            end += 1
        for o in range(begin, end):
            i = order[o]
            below[i], above[i], wins[i] = begin, n - end, 0
            if not closed and levels[i] >= 0:
                wins[i] = count_lower(tree, levels[i])
        for o in range(begin, end):
            if not closed and levels[order[o]] >= 0:
                enter(tree, levels[order[o]])
        begin = end


@inner_allocating
def count(scores, aims, closed, below, above, wins):
    """Count for each product those below and above it and the pairs it wins; return the value."""
    for g in range(len(aims.slots)):
        b, e = aims.groups[g], aims.groups[g + 1]
        place_group(scores[b:e], aims.level[b:e], closed, below[b:e], above[b:e], wins[b:e])
    value = 0
    for i in range(len(scores)):
        value += earning(i, below, above, wins, aims, closed)
    return value


@kernel
def objective_value(scores, aims, closed):
    """Return the objective of scores: equal scores are ties."""
    n = len(scores)
    below, above, wins = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    return count(scores, aims, closed, below, above, wins)
