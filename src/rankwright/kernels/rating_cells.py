"""Explore a cell of weights, cutting it along the hyperplanes of undecided pairs.

A cell is a cone, given by its extreme rays: whole numbers, so that every sign is exact. Cutting it
by a hyperplane keeps the rays on one side and adds one on each edge that crosses it (the double
description method); two rays share an edge if no third lies on all their common facets. Each cut
decides a pair for good, so that the exploration ends.
"""

from typing import NamedTuple

import numpy as np

from rankwright.kernels.compile import kernel
from rankwright.kernels.rating_bound import position_bound, top_bound

__all__ = ["Cells", "allocate_cells", "explore"]

MAX_RAYS = 1024
MAX_FACETS = 62
N_SLOTS = 64
# Sums of whole numbers below 2**53 are exact in floating point, where they are fastest.
EXACT = float(2**53)
SIGNS = (1, -1, 0)


class Cells(NamedTuple):
    """Room for cells: one slot each, along the first axis.

    ``facets`` has a bit for each facet that a ray lies on. ``fixed`` is the sign of each plane
    that a three-way cut has decided, and 2 where none has; it has no columns in open cells.
    """

    rays: np.ndarray
    facets: np.ndarray
    n_rays: np.ndarray
    n_facets: np.ndarray
    fixed: np.ndarray
    undecided: np.ndarray
    n_undecided: np.ndarray
    below: np.ndarray
    above: np.ndarray
    wins: np.ndarray
    plane: np.ndarray
    bound: np.ndarray


@kernel
def allocate_cells(n_slots, n, d, n_planes, closed):
    """Return empty slots for cells of ``d`` weights, ``n`` products and ``n_planes`` planes."""
    return Cells(
        np.empty((n_slots, MAX_RAYS, d), np.int64),
        np.empty((n_slots, MAX_RAYS), np.int64),
        np.empty(n_slots, np.int64),
        np.empty(n_slots, np.int64),
        np.full((n_slots, n_planes if closed else 0), 2, np.int8),
        np.empty((n_slots, n_planes), np.int32),
        np.empty(n_slots, np.int64),
        np.empty((n_slots, n), np.int64),
        np.empty((n_slots, n), np.int64),
        np.empty((n_slots, n), np.int64),
        np.empty(n_slots, np.int64),
        np.empty(n_slots, np.int64),
    )


@kernel
def greatest_divisor(a, b):
    """Return the greatest common divisor."""
    a, b = abs(a), abs(b)
    while b:
        a, b = b, a % b
    return a


@kernel
def lies_inside(facets, n_rays, f, e):
    """Tell whether facet f only has rays of facet e, which is no whole cell and not f's later twin."""
    extra, missing = 0, 0
    for r in range(n_rays):
        on_f, on_e = (facets[r] >> f) & 1, (facets[r] >> e) & 1
        if on_f and not on_e:
            return False
        extra += on_e and not on_f
        missing += not on_e
    return missing > 0 and (extra > 0 or e < f)


@kernel
def pack_facets(facets, n_rays, n_facets):
    """Renumber the facets, leaving out those that bound nothing; return how many are left."""
    kept = 0
    keep = np.empty(MAX_FACETS + 1, np.int64)
    for f in range(n_facets):
        count = 0
        for r in range(n_rays):
            count += (facets[r] >> f) & 1
        useful = 0 < count < n_rays
        for e in range(n_facets):
            if not useful:
                break
            if e != f and lies_inside(facets, n_rays, f, e):
                useful = False
        if useful:
            keep[kept] = f
            kept += 1
    for r in range(n_rays):
        mask = 0
        for j in range(kept):
            mask |= ((facets[r] >> keep[j]) & 1) << j
        facets[r] = mask
    return kept


@kernel
def count_bits(bits):
    """Return the number of bits that are set."""
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


@kernel
def share_edge(facets, n_rays, r, s, least):
    """Tell whether two rays span an edge: no third ray lies on all their common facets.

    An edge of a d-dimensional cone lies on at least d - 2 facets, which is quicker to see.
    """
    common = facets[r] & facets[s]
    if count_bits(common) < least:
        return False
    for t in range(n_rays):
        if t != r and t != s and facets[t] & common == common:
            return False
    return True


@kernel
def cross(ray, value, other, other_value, limit, result):
    """Fill the ray where the edge meets the plane: False where 53 bits don't hold its scores."""
    divisor = greatest_divisor(np.int64(value), np.int64(other_value))
    a, b = np.int64(value) // divisor, -np.int64(other_value) // divisor
    divisor = 0
    for j in range(len(ray)):
        if float(a) * abs(float(other[j])) + float(b) * abs(float(ray[j])) > 4e18:
            return False
        result[j] = a * other[j] + b * ray[j]
        divisor = greatest_divisor(divisor, result[j])
    for j in range(len(ray)):
        result[j] //= divisor
        if abs(float(result[j])) > limit:
            return False
    return True


@kernel
def cut(cells, parent, child, values, sign, closed, limit):
    """Make the child the part of the parent where ``sign * values >= 0``, or ``values == 0``.

    Returns False where the numbers grow too large or the rays too many.
    """
    rays, facets, n_rays = cells.rays[parent], cells.facets[parent], cells.n_rays[parent]
    new_rays, new_facets = cells.rays[child], cells.facets[child]
    bit = 1 << cells.n_facets[parent]
    least = 0 if closed else rays.shape[1] - 2
    n = 0
    for r in range(n_rays):
        if values[r] == 0.0 or values[r] * sign > 0.0:
            new_rays[n] = rays[r]
            new_facets[n] = facets[r] | (bit if values[r] == 0.0 else 0)
            n += 1
    for r in range(n_rays):
        if values[r] <= 0.0:
            continue
        for s in range(n_rays):
            if values[s] < 0.0 and share_edge(facets, n_rays, r, s, least):
                if n == MAX_RAYS or not cross(
                    rays[r], values[r], rays[s], values[s], limit, new_rays[n]
                ):
                    return False
                new_facets[n] = (facets[r] & facets[s]) | bit
                n += 1
    cells.n_rays[child] = n
    cells.n_facets[child] = cells.n_facets[parent] + 1
    if cells.n_facets[child] > MAX_FACETS - 1:
        cells.n_facets[child] = pack_facets(new_facets, n, cells.n_facets[child])
    return cells.n_facets[child] < MAX_FACETS


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


@kernel
def score_rays(factors, rays, n_rays, scores):
    """Fill ``scores[i, r]``, the score of product i at ray r."""
    for i in range(factors.shape[0]):
        for r in range(n_rays):
            scores[i, r] = 0.0
        for j in range(factors.shape[1]):
            for r in range(n_rays):
                scores[i, r] += factors[i, j] * rays[r, j]


@kernel
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


@kernel
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
        h = undecided[q]
        i, k = planes.first[h], planes.second[h]
        positive, negative = 0, 0
        for r in range(m):
            difference = scores[i, r] - scores[k, r]
            positive += difference > 0.0
            negative += difference < 0.0
        if closed:
            decided = max(positive, negative) == m or positive + negative == 0
        else:
            decided = positive == 0 or negative == 0
        if decided:
            decide(h, np.sign(positive - negative), planes, below, above, wins)
        else:
            undecided[n_undecided] = h
            lost[n_undecided, 0], lost[n_undecided, 1] = negative, positive
            n_undecided += 1
    cells.n_undecided[slot] = n_undecided


@kernel
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
def assess(cells, slot, factors, planes, aims, closed, nothing, scores, scratch, lost):
    """Classify a cell and bound it by what it can still reach, or ``nothing`` if it is empty."""
    score_rays(factors, cells.rays[slot], cells.n_rays[slot], scores)
    if closed and is_empty(cells, slot, planes, scores):
        cells.bound[slot] = nothing
        return
    classify(cells, slot, planes, closed, scores, lost)
    undecided, n_undecided = cells.undecided[slot], cells.n_undecided[slot]
    if closed:
        cells.bound[slot] = position_bound(
            undecided, n_undecided, planes, aims, cells.above[slot], scratch[0]
        )
    else:
        cells.bound[slot] = top_bound(
            undecided, n_undecided, planes, aims, cells.below[slot], cells.wins[slot], scratch
        )
    if cells.bound[slot] > nothing:
        choose_plane(cells, slot, planes, aims, scratch[0], lost)


@kernel
def start(cells, slot, planes, closed, rays, facets, n_facets, fixed):
    """Fill a slot with a cell whose planes are undecided except the fixed ones."""
    cells.rays[slot, : len(rays)] = rays
    cells.facets[slot, : len(rays)] = facets
    cells.n_rays[slot] = len(rays)
    cells.n_facets[slot] = pack_facets(cells.facets[slot], len(rays), n_facets)
    cells.below[slot], cells.above[slot], cells.wins[slot] = 0, 0, 0
    cells.fixed[slot] = fixed
    cells.n_undecided[slot] = 0
    for h in range(len(planes.first)):
        if closed and fixed[h] != 2:
            decide(h, fixed[h], planes, cells.below[slot], cells.above[slot], cells.wins[slot])
        else:
            cells.undecided[slot, cells.n_undecided[slot]] = h
            cells.n_undecided[slot] += 1


@kernel
def inherit(cells, parent, child, planes, closed, sign):
    """Hand on what is decided, and in closed cells the side of the parent's plane."""
    cells.below[child] = cells.below[parent]
    cells.above[child] = cells.above[parent]
    cells.wins[child] = cells.wins[parent]
    cells.fixed[child] = cells.fixed[parent]
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
    rays, facets : (m, d) int64, (m,) int64
        Extreme rays of the cell and the facets of each, as bits.
    n_facets : int
    fixed : (n_planes,) int8, or (0,) for an open cell
    incumbent : int
    budget : int
        Cells to look at.
    collect : bool
        Leave the incumbent as it is and keep every decided cell that beats it as stuck.

    Returns
    -------
    best, weights : int, (d,) int64
        Best value found, or the incumbent; a formula that has it (zeros if none was found).
    visited : int
    cells, left, n_left, n_stuck
        The cells left are in the slots ``left[:n_left]``; those in the last ``n_stuck`` entries
        of ``left`` can't be cut: too many rays, or numbers beyond 53 bits.
    """
    n, d = factors.shape
    cells = allocate_cells(N_SLOTS, n, d, len(planes.first), closed)
    scores, values = np.empty((n, MAX_RAYS)), np.empty(MAX_RAYS)
    scratch = np.empty((3, n), np.int64)
    lost = np.empty((len(planes.first), 2), np.int64)
    limit = EXACT / (2.0 * d * max(1.0, np.abs(factors).max()))
    weights = np.zeros(d, np.int64)
    best = incumbent
    free, n_free = np.arange(N_SLOTS), N_SLOTS - 1
    left, n_left, n_stuck = np.empty(N_SLOTS, np.int64), 1, 0
    left[0] = free[n_free]
    start(cells, left[0], planes, closed, rays, facets, n_facets, fixed)
    assess(cells, left[0], factors, planes, aims, closed, best, scores, scratch, lost)
    visited = 1
    if cells.n_undecided[left[0]] == 0 and cells.bound[left[0]] > best:
        n_left = 0
        if collect:
            n_stuck = 1
            left[N_SLOTS - 1] = left[0]
        else:
            best = cells.bound[left[0]]
            weights[:] = cells.rays[left[0], : len(rays)].sum(axis=0)
    while n_left > 0 and visited < budget and n_free > 4:
        n_left -= 1
        parent = left[n_left]
        if cells.bound[parent] <= best:
            free[n_free] = parent
            n_free += 1
            continue
        score_rays(factors, cells.rays[parent], cells.n_rays[parent], scores)
        h = cells.plane[parent]
        for r in range(cells.n_rays[parent]):
            values[r] = scores[planes.first[h], r] - scores[planes.second[h], r]
        first_new = n_left
        for branch in range(3 if closed else 2):
            child = free[n_free - 1]
            if not cut(cells, parent, child, values, SIGNS[branch], closed, limit):
                while n_left > first_new:
                    n_left -= 1
                    free[n_free] = left[n_left]
                    n_free += 1
                n_stuck += 1
                left[N_SLOTS - n_stuck] = parent
                break
            if cells.n_rays[child] == 0:
                continue
            inherit(cells, parent, child, planes, closed, SIGNS[branch])
            assess(cells, child, factors, planes, aims, closed, best, scores, scratch, lost)
            visited += 1
            if cells.bound[child] <= best:
                continue
            if cells.n_undecided[child] == 0 and not collect:
                best = cells.bound[child]
                for j in range(d):
                    weights[j] = cells.rays[child, : cells.n_rays[child], j].sum()
                continue
            if cells.n_undecided[child] == 0:
                n_free -= 1
                n_stuck += 1
                left[N_SLOTS - n_stuck] = child
                continue
            n_free -= 1
            left[n_left] = child
            n_left += 1
            if n_left - 1 > first_new and cells.bound[left[n_left - 2]] > cells.bound[child]:
                left[n_left - 1], left[n_left - 2] = left[n_left - 2], child
        else:
            free[n_free] = parent
            n_free += 1
    return best, weights, visited, cells, left, n_left, n_stuck
