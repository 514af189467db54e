"""The Kendall distance of two rankings with ties and weighted items, in O(n log n)."""

import numpy as np

from rankwright.kernels.compile import kernel

__all__ = ["disagreement"]


@kernel
def disagreement(first, second, weights, penalty):
    """Return the weight of discordant pairs plus ``penalty`` times that of pairs tied once.

    A pair weighs the product of its items' weights. The codes of the two rankings are 0, 1, ...;
    the items come sorted by ``first`` and then by ``second``.
    """
    n = len(first)
    # tree is a Fenwick tree of the weights seen so far by their code in the second ranking.
    tree = np.zeros(n + 1)
    seen = 0.0
    discordant = tied_first = tied_both = 0.0
    begin = 0
    while begin < n:
        end = begin
        mass = run = 0.0  # of the items tied in the first ranking, and of those tied in both
        while end < n and first[end] == first[begin]:
            if end > begin and second[end] != second[end - 1]:
                run = 0.0
            tied_first += weights[end] * mass
            tied_both += weights[end] * run
            mass += weights[end]
            run += weights[end]
            at_most, at = 0.0, second[end] + 1
            while at > 0:
                at_most += tree[at]
                at -= at & -at
            discordant += weights[end] * (seen - at_most)
            end += 1
        for i in range(begin, end):
            at = second[i] + 1
            while at <= n:
                tree[at] += weights[i]
                at += at & -at
        seen += mass
        begin = end
    level = np.zeros(n)
    tied_second = 0.0
    for i in range(n):
        tied_second += weights[i] * level[second[i]]
        level[second[i]] += weights[i]
    tied_once = tied_first + tied_second - 2.0 * tied_both
    return discordant + penalty * tied_once
