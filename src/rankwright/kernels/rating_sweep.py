"""Find the best rating formula on a line of formulas, exactly, by sweeping over its crossings.

Along ``weights + t * direction`` each pair of products changes places at no more than one t.
Between two neighbouring crossings the objective is constant, so one sweep over the sorted
crossings sees every value it takes.
"""

import numpy as np

from rankwright.kernels.compile import kernel

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


@kernel
def place(i, k, strict, step, below, above, wins):
    """Count product i as above product k (step 1), or no longer (step -1)."""
    below[i] += step
    above[k] += step
    wins[i] += step * strict


@kernel
def count(scores, planes, below, above, wins):
    """Count for each product those below and above it, and the published pairs that it wins."""
    for i in range(len(scores)):
        below[i], above[i], wins[i] = 0, 0, 0
    for p in range(len(planes.better)):
        i, k = planes.better[p], planes.worse[p]
        if scores[i] > scores[k]:
            place(i, k, planes.strict[p], 1, below, above, wins)
        elif scores[i] < scores[k]:
            place(k, i, 0, 1, below, above, wins)


@kernel
def objective_value(scores, planes, aims, closed):
    """Return the objective of scores: equal scores are ties."""
    n = len(scores)
    below, above, wins = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    count(scores, planes, below, above, wins)
    total = 0
    for i in range(n):
        total += earning(i, below, above, wins, aims, closed)
    return total


@kernel
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


@kernel
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


@kernel
def best_on_line(scores, slopes, low, high, planes, aims, closed, times, pairs, counts):
    """Return the best value between ``low`` and ``high`` and where it is taken."""
    below, above, wins = counts
    n = find_crossings(scores, slopes, planes, low, high, times, pairs)
    order = np.argsort(times[:n])
    first = (low + times[order[0]]) / 2 if n else (low + high) / 2
    count(scores + first * slopes, planes, below, above, wins)
    value = 0
    for i in range(len(scores)):
        value += earning(i, below, above, wins, aims, closed)
    best, where = value, first
    q = 0
    while q < n:
        end = q
        time = times[order[q]]
        while end < n and times[order[end]] - time <= SAME * (1.0 + abs(time)):
            end += 1
        # First everything at this crossing ties, then it has changed places.
        for half in range(2):
            for e in range(q, end):
                p = pairs[order[e]]
                i, k, strict = planes.better[p], planes.worse[p], planes.strict[p]
                if slopes[i] < slopes[k]:
                    upper, lower, leaves = i, k, strict
                    enters = 0
                else:
                    upper, lower, leaves = k, i, 0
                    enters = strict
                value -= earning(i, below, above, wins, aims, closed)
                value -= earning(k, below, above, wins, aims, closed)
                if half == 0:
                    place(upper, lower, leaves, -1, below, above, wins)
                else:
                    place(lower, upper, enters, 1, below, above, wins)
                value += earning(i, below, above, wins, aims, closed)
                value += earning(k, below, above, wins, aims, closed)
            if half == 0 and closed and value > best:
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
