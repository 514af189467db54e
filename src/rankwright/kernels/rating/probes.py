"""Look for a good rating formula on a line of formulas without listing pairs.

For thousands of products the crossings of a line are too many to list (see
:mod:`rankwright.kernels.rating.sweep`), but the objective of one formula takes O(n log n). So
a few formulas are tried, spread as the crossings of some sampled pairs are and close to the present
one, then again between the neighbours of the best. The best formula of the line may be missed.
"""

import numpy as np

from rankwright.kernels.inner import inner_allocating
from rankwright.kernels.rating.planes import NOTHING
from rankwright.kernels.rating.statistic import count
from rankwright.kernels.sorting import ascending

__all__ = ["probe"]

NEARER = 4.0  # each of the steps close by is so much shorter than the last
N_NEAR = 6
N_BETWEEN = 4  # formulas tried between the neighbours of the best
ROUNDS = 3


@inner_allocating
def list_probes(scores, slopes, sample, low, high, probes):
    """List places between sampled crossings, then others close to 0; return how many."""
    n = 0
    times, sizes = np.empty(len(sample)), np.empty(len(sample))
    for s in range(len(sample)):
        i, k = sample[s, 0], sample[s, 1]
        slope = slopes[i] - slopes[k]
        if slope != 0.0:
            time = (scores[k] - scores[i]) / slope
            if low < time < high:
                times[n], sizes[n] = time, abs(time)
                n += 1
    if n == 0:
        probes[0] = (low + high) / 2
        return 1
    order = ascending(times[:n])
    before = low
    for q in range(n + 1):
        after = high if q == n else times[order[q]]
        probes[q] = (before + after) / 2
        before = after
    near = sizes[ascending(sizes[:n])[n // 2]]
    n += 1
    for _ in range(N_NEAR):
        near /= NEARER
        for t in (-near, near):
            if low < t < high:
                probes[n] = t
                n += 1
    return n


@inner_allocating
def probe(scores, slopes, low, high, sample, aims, closed, counts, stop):
    """Return the best value found between ``low`` and ``high`` and where it is taken.

    ``sample`` has pairs of products, (m, 2), whose crossings say where the line is worth a look.
    """
    below, above, wins = counts
    probes = np.empty(len(sample) + 1 + 2 * N_NEAR)
    n = list_probes(scores, slopes, sample, low, high, probes)
    best, where = NOTHING, 0.0
    for _ in range(1 + ROUNDS):
        for q in range(n):
            if stop[0]:
                return best, where
            value = count(scores + probes[q] * slopes, aims, closed, below, above, wins)
            if value > best:
                best, where = value, probes[q]
        for q in range(n):
            if probes[q] < where:
                low = max(low, probes[q])
            elif probes[q] > where:
                high = min(high, probes[q])
        n = N_BETWEEN
        for q in range(n):
            probes[q] = low + (high - low) * (q + 1) / (n + 1)
    return best, where
