"""Find the best rating formula on a line of formulas, exactly, by sweeping over its crossings.

Along ``weights + t * direction`` each pair of products changes places at no more than one t.
Between two neighbouring crossings the objective is constant, so one sweep over the sorted
crossings sees every value it takes.
"""

import numpy as np

from rankwright.kernels.compile import kernel, part
from rankwright.kernels.sorting import ascending

__all__ = ["climb", "objective_value"]

# Crossings closer than this, relative to their size, are taken for one: rounded factors make many
# coincide. The best place found is evaluated afresh, so that a wrong guess costs but time.
SAME = 1e-12
FAR = 1e6


@kernel
def earning(i, below, above, wins, aims, closed):
    """Return what product i contributes: its won pairs, or minus its position error."""
    if closed:
        return -abs(above[i] + 1 - aims.position[i]) if aims.position[i] else 0
    bonus = aims.bonus[i] if below[i] >= aims.threshold[i] else 0
    return wins[i] * (aims.unit[i] + bonus)


@part
def place(i, k, strict, step, below, above, wins, aims, closed):
    """Count product i as above product k (step 1), or no longer (-1); return what this earns."""
    changed = k if closed else i  # those above make a position, those below the bonus
    before = earning(changed, below, above, wins, aims, closed)
    below[i] += step
    above[k] += step
    wins[i] += step * strict
    return earning(changed, below, above, wins, aims, closed) - before


@kernel
def count(scores, planes, aims, closed, below, above, wins):
    """Count for each product those below and above it and the pairs it wins; return the value."""
    for i in range(len(scores)):
        below[i], above[i], wins[i] = 0, 0, 0
    for p in range(len(planes.better)):
        i, k, strict = planes.better[p], planes.worse[p], planes.strict[p]
        if scores[i] < scores[k]:
            i, k, strict = k, i, 0
        if scores[i] > scores[k]:
            below[i] += 1
            above[k] += 1
            wins[i] += strict
    value = 0
    for i in range(len(scores)):
        value += earning(i, below, above, wins, aims, closed)
    return value


@kernel
def objective_value(scores, planes, aims, closed):
    """Return the objective of scores: equal scores are ties."""
    n = len(scores)
    below, above, wins = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    return count(scores, planes, aims, closed, below, above, wins)


@part
def feasible_range(weights, direction, free):
    """Return the smallest and largest t that leave no weight negative but free ones."""
    low, high = -FAR, FAR
    for j in range(len(weights)):
        if free[j]:
            continue
        if direction[j] > 0.0:
            low = max(low, -weights[j] / direction[j])
        elif direction[j] < 0.0:
            high = min(high, -weights[j] / direction[j])
    return low, high


@part
def find_crossings(scores, slopes, planes, low, high, times, pairs):
    """Fill the pairs that change places inside the range, and when; return their number."""
    n = 0
    for p in range(len(planes.better)):
        i, k = planes.better[p], planes.worse[p]
        slope = slopes[i] - slopes[k]
        if slope == 0.0:
            continue
        time = (scores[k] - scores[i]) / slope
        if low < time < high:
            times[n], pairs[n] = time, p
            n += 1
    return n


@part
def best_on_line(scores, slopes, low, high, planes, aims, closed, times, pairs, counts):
    """Return the best value between ``low`` and ``high`` and where it is taken."""
    below, above, wins = counts
    n = find_crossings(scores, slopes, planes, low, high, times, pairs)
    order = ascending(times[:n])
    first = (low + times[order[0]]) / 2 if n else (low + high) / 2
    value = count(scores + first * slopes, planes, aims, closed, below, above, wins)
    best, where = value, first
    q = 0
    while q < n:
        end = q
        time = times[order[q]]
        while end < n and times[order[end]] - time <= SAME * (1.0 + abs(time)):
            end += 1
        # First everything at this crossing ties, then it has changed places.
        for step in (-1, 1):
            for e in range(q, end):
                p = pairs[order[e]]
                i, k, strict = planes.better[p], planes.worse[p], planes.strict[p]
                if (slopes[i] < slopes[k]) == (step > 0):
                    i, k, strict = k, i, 0
                value += place(i, k, strict, step, below, above, wins, aims, closed)
            if step < 0 and closed and value > best:
                best, where = value, time
        following = times[order[end]] if end < n else high
        if value > best:
            best, where = value, (times[order[end - 1]] + following) / 2
        q = end
    return best, where


@kernel
def climb(factors, weights, directions, planes, aims, closed, free):
    """Improve a formula by exact line searches until no direction helps.

    Only ``free`` weights may become negative. Returns the weights, their value and the number of
    line searches.
    """
    n = len(factors)
    times, pairs = np.empty(len(planes.better)), np.empty(len(planes.better), np.int64)
    counts = (np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64))
    weights = weights.copy()
    value = objective_value(factors @ weights, planes, aims, closed)
    searches, idle, at = 0, 0, 0
    while idle < len(directions):
        direction = directions[at]
        low, high = feasible_range(weights, direction, free)
        searches += 1
        idle += 1
        if low < high:
            scores, slopes = factors @ weights, factors @ direction
            found, where = best_on_line(
                scores, slopes, low, high, planes, aims, closed, times, pairs, counts
            )
            if found > value:
                candidate = weights + where * direction
                size = 0.0
                for j in range(len(candidate)):
                    if candidate[j] < 0.0 and not free[j]:
                        candidate[j] = 0.0
                    size = max(size, abs(candidate[j]))
                found = objective_value(factors @ candidate, planes, aims, closed)
                if found > value and size > 0.0:
                    weights, value, idle = candidate / size, found, 0
        at = (at + 1) % len(directions)
    return weights, value, searches
