"""Explore a cell of weights, cutting it along the hyperplanes of undecided pairs.

Rays are whole numbers, so that every sign is exact. Each cut decides a pair for good, so that the
exploration ends.
"""

import numpy as np

from rankwright.kernels.compile import kernel, part
from rankwright.kernels.rating_bound import position_bound, top_bound
from rankwright.kernels.rating_cuts import MAX_RAYS, allocate_cells, copy, cut, pack_facets
from rankwright.kernels.rating_rivals import allocate_halves, rivals_loss

__all__ = ["explore"]

N_SLOTS = 64
# Sums of whole numbers below 2**53 are exact in floating point, where they are fastest.
EXACT = float(2**53)
SIGNS = (1, -1, 0)
HOPE = 4  # times the loss to rivals in a cell: more is not expected in its parts
UNKNOWN = 2**60  # loss of a cell that comes from outside; HOPE times this exceeds all earnings
UNBOUNDED = 2**62


@kernel
def decide(plane, sign, planes, below, above, wins):
    """Count the pairs of a plane whose side is known; on the plane itself (0) nobody is above."""
    if sign == 0:
        return
    for p in range(planes.offsets[plane], planes.offsets[plane + 1]):
        i, k = planes.better[p], planes.worse[p]
        if planes.side[p] == sign:
            below[i] += 1
            above[k] += 1
            wins[i] += planes.strict[p]
        else:
            below[k] += 1
            above[i] += 1


@part
def score_rays(factors, rays, n_rays, scores):
    """Fill ``scores[i, r]``, the score of product i at ray r."""
    n, d = factors.shape
    columns = np.empty((d, n_rays))  # what the innermost loop reads lies side by side
    for r in range(n_rays):
        for j in range(d):
            columns[j, r] = rays[r, j]
    for i in range(n):
        row = scores[i]
        for r in range(n_rays):
            row[r] = 0.0
        for j in range(d):
            factor, column = factors[i, j], columns[j]
            for r in range(n_rays):
                row[r] += factor * column[r]


@kernel
def sum_rays(rays, n_rays, weights):
    """Fill weights inside the cell."""
    for j in range(len(weights)):
        weights[j] = 0
        for r in range(n_rays):
            weights[j] += rays[r, j]


@part
def largest_entry(factors):
    """Return how large the entries of rays may be for all differences of scores to be exact."""
    largest = 1.0
    for i in range(factors.shape[0]):
        for j in range(factors.shape[1]):
            largest = max(largest, abs(factors[i, j]))
    return EXACT / (2.0 * factors.shape[1] * largest)


@part
def plane_values(factors, cells, slot, planes, values):
    """Fill for each ray the value of the plane of the next cut."""
    i, k = planes.first[cells.plane[slot]], planes.second[cells.plane[slot]]
    for r in range(cells.n_rays[slot]):
        values[r] = 0.0
        for j in range(factors.shape[1]):
            values[r] += (factors[i, j] - factors[k, j]) * cells.rays[slot, r, j]


@part
def is_empty(cells, slot, planes, scores):
    """Tell whether a closed cell has no ray on the side where one of its planes is fixed."""
    for h in range(cells.fixed.shape[1]):
        sign = cells.fixed[slot, h]
        if sign == 0 or sign == 2:
            continue
        found = False
        for r in range(cells.n_rays[slot]):
            difference = scores[planes.first[h], r] - scores[planes.second[h], r]
            if sign * difference > 0.0:
                found = True
                break
        if not found:
            return True
    return False


@part
def classify(cells, slot, planes, closed, scores, lost):
    """Decide the pairs that all rays agree on; ``lost[q]`` are the rays on either side of a plane.

    Inside an open cell a plane that no ray crosses is decided; a closed cell also has the points
    on the plane.
    """
    m = cells.n_rays[slot]
    below, above, wins = cells.below[slot], cells.above[slot], cells.wins[slot]
    undecided = cells.undecided[slot]
    n_undecided = 0
    for q in range(cells.n_undecided[slot]):
        h = np.int64(undecided[q])
        upper, lower = scores[planes.first[h]], scores[planes.second[h]]
        positive, negative = 0, 0
        for r in range(m):
            positive += upper[r] > lower[r]
            negative += upper[r] < lower[r]
        if closed:
            decided = max(positive, negative) == m or positive + negative == 0
        else:
            decided = positive == 0 or negative == 0
        if decided:
            decide(h, (positive > negative) - (positive < negative), planes, below, above, wins)
        else:
            undecided[n_undecided] = h
            lost[n_undecided, 0], lost[n_undecided, 1] = negative, positive
            n_undecided += 1
    cells.n_undecided[slot] = n_undecided


@part
def choose_plane(cells, slot, planes, aims, reach, lost):
    """Choose the plane whose pairs are lost at most rays, weighted by what they can earn."""
    most = -1
    for q in range(cells.n_undecided[slot]):
        h = cells.undecided[slot, q]
        loss = 0
        for p in range(planes.offsets[h], planes.offsets[h + 1]):
            i = planes.better[p]
            earnings = aims.unit[i]
            if reach[i] >= aims.threshold[i]:
                earnings += aims.bonus[i]
            loss += earnings * (1 + lost[q, 0 if planes.side[p] > 0 else 1])
        if loss > most:
            cells.plane[slot], most = h, loss


@kernel
def assess(cells, slot, factors, planes, aims, closed, nothing, room, scratch, lost, halves):
    """Classify a cell and bound it by what it can still reach, or ``nothing`` if it is empty.

    A bound that is known already stays if it is lower.
    """
    # Rows that follow each other closely share the cache; rows MAX_RAYS apart evict each other.
    n_scores = len(factors) * cells.n_rays[slot]
    scores = room[:n_scores].reshape((len(factors), cells.n_rays[slot]))
    score_rays(factors, cells.rays[slot], cells.n_rays[slot], scores)
    if closed and is_empty(cells, slot, planes, scores):
        cells.bound[slot] = nothing
        return
    classify(cells, slot, planes, closed, scores, lost)
    undecided, n_undecided = cells.undecided[slot], cells.n_undecided[slot]
    if closed:
        bound = position_bound(undecided, n_undecided, planes, aims, cells.above[slot], scratch[0])
    else:
        below, wins = cells.below[slot], cells.wins[slot]
        bound = top_bound(undecided, n_undecided, planes, aims, below, wins, scratch)
        enough = bound - nothing
        if 0 < enough <= HOPE * cells.loss[slot]:
            cells.loss[slot] = rivals_loss(
                scores, undecided, n_undecided, planes, aims, below, scratch, lost, halves, enough
            )
            bound -= cells.loss[slot]
    cells.bound[slot] = min(cells.bound[slot], bound)
    if cells.bound[slot] > nothing:
        choose_plane(cells, slot, planes, aims, scratch[0], lost)


@part
def start(cells, slot, planes, closed, rays, facets, n_facets, fixed):
    """Fill a slot with a cell whose planes are undecided except the fixed ones."""
    for r in range(len(rays)):
        copy(rays[r], cells.rays[slot, r])
        copy(facets[r], cells.facets[slot, r])
    cells.n_rays[slot] = len(rays)
    cells.loss[slot], cells.bound[slot] = UNKNOWN, UNBOUNDED
    cells.n_facets[slot] = pack_facets(cells.facets[slot], len(rays), n_facets)
    for i in range(cells.below.shape[1]):
        cells.below[slot, i] = 0
        cells.above[slot, i] = 0
        cells.wins[slot, i] = 0
    copy(fixed, cells.fixed[slot])
    cells.n_undecided[slot] = 0
    for h in range(len(planes.first)):
        if closed and fixed[h] != 2:
            sign = np.int64(fixed[h])  # as elsewhere: one specialisation of decide
            decide(h, sign, planes, cells.below[slot], cells.above[slot], cells.wins[slot])
        else:
            cells.undecided[slot, cells.n_undecided[slot]] = h
            cells.n_undecided[slot] += 1


@part
def inherit(cells, parent, child, planes, closed, sign):
    """Hand on what is decided, and in closed cells the side of the parent's plane."""
    for i in range(cells.below.shape[1]):
        cells.below[child, i] = cells.below[parent, i]
        cells.above[child, i] = cells.above[parent, i]
        cells.wins[child, i] = cells.wins[parent, i]
    copy(cells.fixed[parent], cells.fixed[child])
    cells.loss[child], cells.bound[child] = cells.loss[parent], cells.bound[parent]
    n_undecided = 0
    plane = cells.plane[parent]
    for q in range(cells.n_undecided[parent]):
        h = cells.undecided[parent, q]
        if not (closed and h == plane):
            cells.undecided[child, n_undecided] = h
            n_undecided += 1
    cells.n_undecided[child] = n_undecided
    if closed:
        cells.fixed[child, plane] = sign
        decide(plane, sign, planes, cells.below[child], cells.above[child], cells.wins[child])


@kernel
def explore(
    factors, planes, aims, closed, rays, facets, n_facets, fixed, incumbent, budget, collect
):
    """Search a cell, most promising part first, for a formula better than ``incumbent``.

    Parameters
    ----------
    factors : (n, d) float64, whole numbers
    planes, aims
    closed : bool
        For position errors, which ties may lower: the points on planes count, and cells are cut
        three ways. Without it, the statistic, whose optimum lies inside some open cell.
    rays, facets : (m, d) int64, (m, 2) int64
        Extreme rays of the cell and the facets of each, as bits of two words.
    n_facets : int
    fixed : (n_planes,) int8, or (0,) for an open cell
    incumbent : int
    budget : int
        Rays to look at; with 0, the cell is only bounded.
    collect : bool
        Leave the incumbent as it is and keep every decided cell that beats it as stuck.

    Returns
    -------
    best, weights : int, (d,) int64
        Best value found, or the incumbent; a formula that has it (zeros if none was found).
    cells, left, n_left, n_stuck
        The cells left are in the slots ``left[:n_left]``; those in the last ``n_stuck`` entries
        of ``left`` can't be cut: too many rays, or numbers beyond 53 bits.
    """
    n, d = factors.shape
    cells = allocate_cells(N_SLOTS, n, d, len(planes.first), closed)
    room, values = np.empty(n * MAX_RAYS), np.empty(MAX_RAYS)
    scratch = np.empty((6, n), np.int64)
    halves = allocate_halves(0 if closed else len(planes.first), MAX_RAYS)
    lost = np.empty((len(planes.first), 2), np.int64)
    limit = largest_entry(factors)
    weights = np.zeros(d, np.int64)
    best = incumbent
    free, n_free = np.arange(N_SLOTS), N_SLOTS - 1
    left, n_left, n_stuck = np.empty(N_SLOTS, np.int64), 0, 0
    new, n_new = np.empty(3, np.int64), 1
    new[0] = free[n_free]
    start(cells, new[0], planes, closed, rays, facets, n_facets, fixed)
    work = 0
    while True:
        first_new = n_left
        for c in range(n_new):
            cell = new[c]
            if cells.n_rays[cell] > 0:
                assess(
                    cells, cell, factors, planes, aims, closed, best, room, scratch, lost, halves
                )
            keep = cells.n_rays[cell] > 0 and cells.bound[cell] > best
            if keep and cells.n_undecided[cell] > 0:
                left[n_left] = cell
                n_left += 1
                if n_left - 1 > first_new and cells.bound[left[n_left - 2]] > cells.bound[cell]:
                    left[n_left - 1], left[n_left - 2] = left[n_left - 2], cell
            elif keep and collect:
                n_stuck += 1
                left[N_SLOTS - n_stuck] = cell
            else:
                if keep:
                    best = cells.bound[cell]
                    sum_rays(cells.rays[cell], cells.n_rays[cell], weights)
                free[n_free] = cell
                n_free += 1
        while n_left > 0 and cells.bound[left[n_left - 1]] <= best:
            n_left -= 1
            free[n_free] = left[n_left]
            n_free += 1
        if n_left == 0 or work >= budget or n_free <= 4:
            break
        n_left -= 1
        parent = left[n_left]
        n_new = 3 if closed else 2
        for c in range(n_new):
            n_free -= 1
            new[c] = free[n_free]
        plane_values(factors, cells, parent, planes, values)
        if cut(cells, parent, new, n_new, values, closed, limit):
            for c in range(n_new):
                work += cells.n_rays[new[c]]
                inherit(cells, parent, new[c], planes, closed, SIGNS[c])
            free[n_free] = parent
            n_free += 1
        else:
            n_stuck += 1
            left[N_SLOTS - n_stuck] = parent
            n_free += n_new
            n_new = 0
    return best, weights, cells, left, n_left, n_stuck
