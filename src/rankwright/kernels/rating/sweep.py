"""Find the best rating formula on a line of formulas, exactly, by sweeping over its crossings.

Along ``weights + t * direction`` each pair of products changes places at no more than one t.
Between two neighbouring crossings the objective is constant, so one sweep over the sorted
crossings sees every value it takes. All pairs are listed: for thousands of products see
:mod:`rankwright.kernels.rating.probes`.
"""

from rankwright.kernels.inner import inner, inner_allocating
from rankwright.kernels.rating.statistic import count, earning
from rankwright.kernels.sorting import ascending

__all__ = ["sweep"]

# Crossings closer than this, relative to their size, are taken for one: rounded factors make many
# coincide. The best place found is evaluated afresh, so that a wrong guess costs but time.
SAME = 1e-12


@inner
def place(i, k, strict, change, below, above, wins, aims, closed):
    """Count product i as above product k (change 1), or no longer (-1); return what this earns."""
    changed = k if closed else i  # those above make a position, those below the bonus
    before = earning(changed, below, above, wins, aims, closed)
    below[i] += change
    above[k] += change
    wins[i] += change * strict
    return earning(changed, below, above, wins, aims, closed) - before


@inner
def find_crossings(scores, slopes, pairs, low, high, times, crossing):
    """Fill the pairs that change places inside the range, and when; return their number."""
    n = 0
    for p in range(len(pairs.better)):
        i, k = pairs.better[p], pairs.worse[p]
        slope = slopes[i] - slopes[k]
        if slope == 0.0:
            continue
        time = (scores[k] - scores[i]) / slope
        if low < time < high:
            times[n], crossing[n] = time, p
            n += 1
    return n


@inner_allocating
def sweep(scores, slopes, low, high, pairs, aims, closed, times, crossing, counts, stop):
    """Return the best value between ``low`` and ``high`` and where it is taken.

    Once stopped, it is the best of the crossings seen so far.
    """
    below, above, wins = counts
    n = find_crossings(scores, slopes, pairs, low, high, times, crossing)
    order = ascending(times[:n])
    first = (low + times[order[0]]) / 2 if n else (low + high) / 2
    value = count(scores + first * slopes, aims, closed, below, above, wins)
    best, where = value, first
    q = 0
    while q < n and not stop[0]:
        end = q
        time = times[order[q]]
        while end < n and times[order[end]] - time <= SAME * (1.0 + abs(time)):
            end += 1
        # First everything at this crossing ties, then it has changed places.
        for change in (-1, 1):
            for e in range(q, end):
                p = crossing[order[e]]
                i, k, strict = pairs.better[p], pairs.worse[p], pairs.strict[p]
                if (slopes[i] < slopes[k]) == (change > 0):
                    i, k, strict = k, i, 0
                value += place(i, k, strict, change, below, above, wins, aims, closed)
            if change < 0 and closed and value > best:
                best, where = value, time
        following = times[order[end]] if end < n else high
        if value > best:
            best, where = value, (times[order[end - 1]] + following) / 2
        q = end
    return best, where
