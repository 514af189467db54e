"""Count the pairs of items that two rankings order alike, oppositely, or not at all."""

import numpy as np

from rankwright.kernels.compile import kernel
from rankwright.kernels.sorting import (
    FEW,
    count_inversions,
    ordered_bits,
    rank_few,
    sort_by_key,
)

__all__ = ["dominated_weight", "kendall_counts", "short_counts", "tied_weights"]


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
def count_with_many(x, y, spare_x, spare_y, counts):
    """Count one group by Knight's algorithm: sort by (x, y), then count the inversions of y."""
    n = len(x)
    sort_by_key(x, y, spare_x, spare_y)
    start = 0
    for stop in range(1, n + 1):
        if stop < n and x[stop] == x[start]:
            continue
        if stop - start > 1:
            run = y[start:stop]
            sort_by_key(run, x[start:stop], spare_y[start:stop], spare_x[start:stop])
            counts[1] += (stop - start) * (stop - start - 1) // 2
            counts[3] += tied_pairs(run)
        start = stop
    counts[0] = count_inversions(y, spare_y)
    counts[2] = tied_pairs(y)


@kernel
def count_with_few(x, ranks, n_ranks, spare_x, spare_ranks, counts):
    """Count one group whose second ranking has few dense ranks: a Fenwick tree holds them."""
    n = len(x)
    sort_by_key(x, ranks, spare_x, spare_ranks)
    tree = np.zeros(n_ranks + 1, dtype=np.int64)
    passed = np.zeros(n_ranks, dtype=np.int64)
    in_run = np.zeros(n_ranks, dtype=np.int64)
    discordant, tied_x, tied_y, tied_both = 0, 0, 0, 0
    start = 0
    for stop in range(1, n + 1):
        if stop < n and x[stop] == x[start]:
            continue
        for i in range(start, stop):
            rank = np.int64(ranks[i])
            tied_both += in_run[rank]
            in_run[rank] += 1
            node = rank + 1
            discordant += start
            while node > 0:
                discordant -= tree[node]
                node &= node - 1
        for i in range(start, stop):
            rank = np.int64(ranks[i])
            in_run[rank] = 0
            tied_y += passed[rank]
            passed[rank] += 1
            node = rank + 1
            while node <= n_ranks:
                tree[node] += 1
                node += node & -node
        tied_x += (stop - start) * (stop - start - 1) // 2
        start = stop
    counts[0], counts[1], counts[2], counts[3] = discordant, tied_x, tied_y, tied_both


@kernel
def kendall_counts(first, second, offsets):
    """Count for each group its discordant pairs and its pairs tied in first, in second, in both.

    Floats in, one row of four int64 per group out; group g is offsets[g]:offsets[g + 1].
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
        n_first = rank_few(x) if high - low > FEW else 0
        n_second = rank_few(y) if high - low > FEW else 0
        if n_second > 0:
            count_with_few(x, y, n_second, spare_x, spare_y, counts[group])
        elif n_first > 0:
            count_with_few(y, x, n_first, spare_y, spare_x, counts[group])
            counts[group, 1], counts[group, 2] = counts[group, 2], counts[group, 1]
        else:
            count_with_many(x, y, spare_x, spare_y, counts[group])
    return counts


@kernel
def short_counts(first, second, offsets):
    """Return what `kendall_counts` does by meeting every pair, which compiles at once.

    For lists so short that sorting them would take as long.
    """
    counts = np.zeros((len(offsets) - 1, 4), dtype=np.int64)
    for group in range(len(offsets) - 1):
        discordant, tied_first, tied_second, tied_both = 0, 0, 0, 0
        for i in range(offsets[group], offsets[group + 1]):
            x, y = first[i], second[i]
            for k in range(offsets[group], i):
                tied_x, tied_y = first[k] == x, second[k] == y
                tied_first += tied_x
                tied_second += tied_y
                tied_both += tied_x & tied_y
                discordant += (first[k] < x) & (second[k] > y)
                discordant += (first[k] > x) & (second[k] < y)
        counts[group, 0], counts[group, 1] = discordant, tied_first
        counts[group, 2], counts[group, 3] = tied_second, tied_both
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


@kernel
def tied_weights(ranks, others, weights):
    """Sum the pairs that are equal in `ranks` by whether `others` tells them apart.

    Items are sorted by both. Returned are the products of weights of the pairs told apart, and of
    those equal in both: sums of what came before, never differences.
    """
    apart, alike, earlier, equal = 0.0, 0.0, 0.0, 0.0
    for i in range(len(weights)):
        if i > 0 and ranks[i] != ranks[i - 1]:
            earlier, equal = 0.0, 0.0
        elif i > 0 and others[i] != others[i - 1]:
            earlier += equal
            equal = 0.0
        apart += weights[i] * earlier
        alike += weights[i] * equal
        equal += weights[i]
    return apart, alike
