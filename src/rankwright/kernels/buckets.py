"""Local search over rankings with ties, held as bucket numbers (0 is best).

``before[i, j]`` is the cost of placing i before j, ``tied[i, j]`` that of tying them.
"""

import numpy as np

from rankwright.kernels.compile import kernel
from rankwright.kernels.sorting import insert

__all__ = ["improve"]


@kernel
def best_place(item, bucket, n_buckets, before, tied, tolerance):
    """Return the change of cost and the place of the item's best move.

    Place 2b is bucket b and place 2b - 1 a new bucket just ahead of it, counted with the item still
    in its own bucket. All places are priced in O(n): the item slides down from the top.
    """
    ahead = np.zeros(n_buckets)
    level = np.zeros(n_buckets)
    behind = np.zeros(n_buckets)
    cost = 0.0
    for j in range(len(bucket)):
        if j != item:
            b = bucket[j]
            ahead[b] += before[item, j]
            level[b] += tied[item, j]
            behind[b] += before[j, item]
            cost += before[item, j]
    best, place, present = cost, -1, 0.0
    for b in range(n_buckets):
        joined = cost - ahead[b] + level[b]
        if b == bucket[item]:
            present = joined
        if joined < best - tolerance:
            best, place = joined, 2 * b
        cost += behind[b] - ahead[b]
        if cost < best - tolerance:
            best, place = cost, 2 * b + 1
    return best - present, place


@kernel
def move(item, bucket, n_buckets, place):
    """Put the item at the place and close the gap it may leave; return the number of buckets."""
    own = bucket[item]
    fresh = place % 2 == 1
    target = (place + 1) // 2
    alone = True
    for j in range(len(bucket)):
        if j != item and bucket[j] == own:
            alone = False
    for j in range(len(bucket)):
        b = bucket[j]
        bucket[j] = b + (fresh and b >= target) - (alone and b > own)
    bucket[item] = target - (alone and target > own)
    return n_buckets + fresh - alone


@kernel
def merge_neighbours(bucket, n_buckets, before, tied, tolerance):
    """Merge adjacent buckets where that lowers the cost; return how many merges were made."""
    gains = np.zeros(n_buckets)
    for i in range(len(bucket)):
        for j in range(len(bucket)):
            if bucket[j] == bucket[i] + 1:
                gains[bucket[i]] += before[i, j] - tied[i, j]
    label = np.zeros(n_buckets, dtype=np.int64)
    merges, merged = 0, False
    for b in range(1, n_buckets):
        # A bucket that has just been merged has new neighbours: it waits for the next sweep.
        merged = not merged and gains[b - 1] > tolerance
        merges += merged
        label[b] = b - merges
    for i in range(len(bucket)):
        bucket[i] = label[bucket[i]]
    return merges


@kernel
def split(b, bucket, before, tied, tolerance):
    """Split bucket b where that lowers the cost most; return whether it was split.

    Its members are sorted by how much they would rather be ahead; cuts are made in that order.
    """
    n = len(bucket)
    members = np.empty(n, dtype=np.int64)
    lean = np.empty(n)
    k = 0
    for i in range(n):
        if bucket[i] == b:
            pull = 0.0
            for j in range(n):
                if bucket[j] == b and j != i:
                    pull += before[i, j] - before[j, i]
            insert(lean, members, k, pull, i)
            k += 1
    best, cut, change = -tolerance, 0, 0.0
    for a in range(k - 1):
        first = members[a]
        for c in range(k):
            other = members[c]
            if c < a:
                change -= before[other, first] - tied[other, first]
            elif c > a:
                change += before[first, other] - tied[first, other]
        if change < best:
            best, cut = change, a + 1
    if cut > 0:
        for i in range(n):
            bucket[i] += bucket[i] > b
        for a in range(cut, k):
            bucket[members[a]] = b + 1
    return cut > 0


@kernel
def regroup(bucket, n_buckets, before, tied, tolerance):
    """Merge and split buckets; return how many there are now, and whether any were."""
    merges = merge_neighbours(bucket, n_buckets, before, tied, tolerance)
    n_buckets -= merges
    changed = merges > 0
    b = 0
    while b < n_buckets:
        if split(b, bucket, before, tied, tolerance):
            n_buckets += 1
            changed = True
        b += 1
    return n_buckets, changed


@kernel
def improve(bucket, before, tied, tolerance, sweep, most):
    """Move items, merge and split buckets, in place, until nothing gains more than tolerance.

    Tries ``most`` items at most; returns whether it came to the end. ``sweep``, the next item and
    whether one was moved in this sweep, goes on from call to call, and begins as zeros.
    """
    n_buckets = 0
    for i in range(len(bucket)):
        n_buckets = max(n_buckets, bucket[i] + 1)
    item, moved = sweep[0], sweep[1] > 0
    for _ in range(most):
        if item == len(bucket):
            if not moved:
                n_buckets, moved = regroup(bucket, n_buckets, before, tied, tolerance)
                if not moved:
                    return True
            item, moved = 0, False
        change, place = best_place(item, bucket, n_buckets, before, tied, tolerance)
        if change < -tolerance:
            n_buckets = move(item, bucket, n_buckets, place)
            moved = True
        item += 1
    sweep[0], sweep[1] = item, moved
    return False
