"""Count the pairs of items that two rankings order alike, oppositely, or not at all."""

import numpy as np

from rankwright.kernels.compile import kernel
from rankwright.kernels.sorting import count_inversions, ordered_bits, sort_by_key

__all__ = ["dominated_weight", "kendall_counts"]


@kernel
def tied_pairs(keys):
    """Count the pairs of equal neighbours' runs in sorted `keys`."""
    pairs = 0
    length = 0
    for i in range(1, len(keys)):
        length = length + 1 if keys[i] == keys[i - 1] else 0
        pairs += length
    return pairs


@kernel
def kendall_counts(first, second, offsets):
    """Count for each group its discordant pairs and its pairs tied in first, in second, in both.

    Knight's algorithm: sort by (first, second), then the inversions of second are the discordant
    pairs. Floats in, one row of four int64 per group out; group g is offsets[g]:offsets[g + 1].
    """
    n = len(first)
    first_keys = np.empty(n, dtype=np.uint64)
    second_keys = np.empty(n, dtype=np.uint64)
    spare_first = np.empty(n, dtype=np.uint64)
    spare_second = np.empty(n, dtype=np.uint64)
    ordered_bits(first, first_keys)
    ordered_bits(second, second_keys)
    counts = np.zeros((len(offsets) - 1, 4), dtype=np.int64)
    for group in range(len(offsets) - 1):
        low, high = offsets[group], offsets[group + 1]
        x, y = first_keys[low:high], second_keys[low:high]
        spare_x, spare_y = spare_first[low:high], spare_second[low:high]
        sort_by_key(x, y, spare_x, spare_y)
        start = 0
        for stop in range(1, high - low + 1):
            if stop < high - low and x[stop] == x[start]:
                continue
            if stop - start > 1:
                run = y[start:stop]
                sort_by_key(run, x[start:stop], spare_y[start:stop], spare_x[start:stop])
                counts[group, 1] += (stop - start) * (stop - start - 1) // 2
                counts[group, 3] += tied_pairs(run)
            start = stop
        counts[group, 0] = count_inversions(y, spare_y)
        counts[group, 2] = tied_pairs(y)
    return counts


@kernel
def dominated_weight(order, first, second_ranks, weights):
    """Sum for each item the weights of the items strictly below it in both rankings.

    `order` lists the items by ascending `first`; `second_ranks` are dense ranks from 0. A Fenwick
    tree over the second ranking holds the items already passed in the first.
    """
    n = len(order)
    tree = np.zeros(n + 1)
    below = np.zeros(n)
    start = 0
    while start < n:
        stop = start
        while stop < n and first[order[stop]] == first[order[start]]:
            node = second_ranks[order[stop]]
            while node > 0:
                below[order[stop]] += tree[node]
                node -= node & -node
            stop += 1
        for position in range(start, stop):
            node = second_ranks[order[position]] + 1
            while node <= n:
                tree[node] += weights[order[position]]
                node += node & -node
        start = stop
    return below
