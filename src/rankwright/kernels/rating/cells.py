"""Assess a cell, a cone of weights: which pairs it decides, what it can reach, where to cut it."""

from typing import NamedTuple

import numpy as np

from rankwright.kernels.inner import inner, inner_allocating
from rankwright.kernels.rating.bound import (
    Prospects,
    allocate_prospects,
    position_bound,
    top_bound,
)
from rankwright.kernels.rating.branching import choose_plane
from rankwright.kernels.rating.cuts import copy, most_rays
from rankwright.kernels.rating.digits import Numbers, allocate_numbers, doubt_of
from rankwright.kernels.rating.facets import MAX_FACETS, pack_facets
from rankwright.kernels.rating.planes import NOTHING, UNFIXED
from rankwright.kernels.rating.rivals import Halves, allocate_halves, rivals_loss
from rankwright.kernels.rating.sides import (
    EXACT,
    count_words,
    mark_scored,
    mark_sides,
    score_rays,
    side_of,
)

__all__ = [
    "Known",
    "Room",
    "allocate_room",
    "assess",
    "inherit",
    "start",
    "sum_rays",
    "unassessed",
]

# Where cells are collected, rivals are worth looking for if they may rule a cell out: the loss of
# its parent, times this, is what they are expected to bring at most. Where the best formula is to
# be proved they always are, if there is one to beat: the bounds say which cell comes next.
WORTHWHILE = 4
UNKNOWN = 2**60  # loss of a cell that comes from outside; times WORTHWHILE it exceeds all earnings
PLANE, LOSS, BOUND = range(3)


class Known(NamedTuple):
    """What an assessment found, so that nobody has to assess a cell again when its turn comes.

    ``counts`` has what is decided, ``below``, ``above`` and ``wins``; ``facts`` the plane of the
    next cut, the loss to rivals and the bound. A plane of -1 says that the cell is not assessed.
    """

    undecided: np.ndarray
    counts: np.ndarray
    facts: np.ndarray


def unassessed() -> Known:
    """Return that nothing is known of a cell."""
    facts = np.array([-1, UNKNOWN, -NOTHING], np.int64)
    return Known(np.empty(0, np.int32), np.empty((3, 0), np.int64), facts)


class Room(NamedTuple):
    """Room to work in: scores and values of rays, prospects, rays lost on planes, halves.

    ``scored`` marks the products that have scores: where thousands are decided, few are needed.
    ``columns`` has rays by factor, ``beyond`` those below a plane with their facets, ``keep`` the
    facets that stay, ``numbers`` is for exact signs.
    """

    scores: np.ndarray
    scored: np.ndarray
    columns: np.ndarray
    values: np.ndarray
    beyond: np.ndarray
    prospects: Prospects
    lost: np.ndarray
    halves: Halves
    keep: np.ndarray
    numbers: Numbers


def allocate_room(n: int, d: int, n_planes: int, closed: bool, n_digits: int) -> Room:
    """Return room to assess cells of n products with d factors."""
    most = most_rays(n, d, n_digits)
    return Room(
        np.empty(n * most),
        np.empty(n, np.bool_),
        np.empty(d * most),
        np.empty(most),
        np.empty((3, most), np.int64),
        allocate_prospects(n),
        np.empty((n_planes, 2), np.int64),
        allocate_halves(0 if closed else n_planes, n),
        np.empty(MAX_FACETS, np.int64),
        allocate_numbers(d, n_digits),
    )


@inner
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


@inner
def sum_rays(cells, digits, slot, weights):
    """Fill weights inside the cell, or their digits, which are not carried."""
    for j in range(weights.shape[0]):
        for k in range(weights.shape[1]):
            weights[j, k] = 0
            for r in range(cells.n_rays[slot]):
                if digits is None:
                    weights[j, k] += cells.rays[slot, r, j]
                else:
                    weights[j, k] += digits[slot, r, j, k]


@inner
def is_empty(cells, fixed, slot, factors, planes, scores, numbers):
    """Tell whether a closed cell has no ray on the side where one of its planes is fixed.

    Then none of its formulas is on that side: they belong to the part on the plane.
    """
    if fixed is None:
        return False
    for h in range(fixed.shape[1]):
        sign = fixed[slot, h]
        if sign == 0 or sign == UNFIXED:
            continue
        found = False
        for r in range(cells.n_rays[slot]):
            side = scores[planes.first[h], r] - scores[planes.second[h], r]
            if numbers is not None:
                side = side_of(cells.digits, slot, r, side, np.int64(h), factors, planes, numbers)
            if sign * side > 0.0:
                found = True
                break
        if not found:
            return True
    return False


@inner
def classify(cells, fixed, slot, factors, planes, scores, sides, lost, numbers, stop):
    """Decide the pairs that all rays agree on.

    A formula inside an open cell is a sum of all rays with positive multipliers: no ray beyond a
    plane, and it is decided. A closed cell also has the points on the plane, so that all rays must
    lie strictly on one side, or on it. ``sides`` marks the rays on either side of each undecided
    plane, and ``lost[q]`` are those where the pairs of the plane's positive and negative side are
    lost. Once stopped, the cell is not fit for more than to be left.
    """
    m = cells.n_rays[slot]
    below, above, wins = cells.below[slot], cells.above[slot], cells.wins[slot]
    undecided = cells.undecided[slot]
    n_undecided, doubt = 0, doubt_of(numbers)
    for q in range(cells.n_undecided[slot]):
        if stop[0]:
            return
        h = np.int64(undecided[q])
        upper, lower = scores[planes.first[h]], scores[planes.second[h]]
        # No one looks for rivals in closed cells: there is room for one plane.
        place = np.int64(0) if fixed is not None else 2 * n_undecided
        positive, negative = mark_sides(upper, lower, doubt, sides, place)
        if numbers is not None and positive + negative < m:
            positive, negative = 0, 0
            for r in range(m):
                difference = upper[r] - lower[r]
                side = side_of(cells.digits, slot, r, difference, h, factors, planes, numbers)
                positive += side > 0.0
                negative += side < 0.0
        if fixed is None:
            decided = positive == 0 or negative == 0
        else:
            decided = max(positive, negative) == m or positive + negative == 0
        if decided:
            sign = np.int64(positive > negative) - np.int64(positive < negative)
            decide(h, sign, planes, below, above, wins)
        else:
            undecided[n_undecided] = h
            lost[n_undecided, 0], lost[n_undecided, 1] = negative, positive
            n_undecided += 1
    cells.n_undecided[slot] = n_undecided


@inner
def bound_cell(cells, fixed, slot, factors, planes, aims, best, collect, scores, sides, room, stop):
    """Return what a classified cell can still reach."""
    undecided, n_undecided = cells.undecided[slot], cells.n_undecided[slot]
    prospects = room.prospects
    room.halves.count[0] = 0
    if fixed is not None:
        above = cells.above[slot]
        return position_bound(undecided, n_undecided, planes, aims, above, prospects.reach)
    below, wins = cells.below[slot], cells.wins[slot]
    bound = top_bound(undecided, n_undecided, planes, aims, below, wins, prospects)
    enough = bound - best
    hope = cells.loss[slot] if collect else np.int64(UNKNOWN)
    if 0 < enough <= WORTHWHILE * hope:
        cells.loss[slot] = rivals_loss(
            cells,
            slot,
            factors,
            scores,
            sides,
            undecided,
            n_undecided,
            planes,
            aims,
            below,
            prospects,
            room.lost,
            room.halves,
            enough,
            room.numbers,
            stop,
        )
        bound -= cells.loss[slot]
    return bound


@inner_allocating
def assess(cells, slot, factors, planes, aims, best, collect, room, stop):
    """Classify a cell and bound it by what it can still reach, or ``NOTHING`` if it is empty.

    A bound that is known already stays if it is lower. Stopped, it leaves the bound as it is.
    """
    # Rows that follow each other closely share the cache; rows far apart evict each other.
    n_scores, fixed = len(factors) * cells.n_rays[slot], cells.fixed
    scores = room.scores[:n_scores].reshape((len(factors), cells.n_rays[slot]))
    mark_scored(cells, fixed, slot, planes, room.scored)
    columns = room.columns[: factors.shape[1] * cells.n_rays[slot]].reshape(
        (factors.shape[1], cells.n_rays[slot])
    )
    score_rays(factors, cells.rays[slot], cells.n_rays[slot], room.scored, columns, scores)
    if is_empty(cells, fixed, slot, factors, planes, scores, room.numbers):
        cells.bound[slot] = NOTHING
        return
    n_places = 2 if fixed is not None else 2 * cells.n_undecided[slot]
    sides = np.empty((count_words(cells.n_rays[slot]), n_places), np.int64)
    classify(cells, fixed, slot, factors, planes, scores, sides, room.lost, room.numbers, stop)
    if stop[0]:
        return
    bound = bound_cell(
        cells, fixed, slot, factors, planes, aims, best, collect, scores, sides, room, stop
    )
    cells.bound[slot] = min(cells.bound[slot], bound)
    if cells.bound[slot] > best and cells.n_undecided[slot] > 0:
        cells.plane[slot] = choose_plane(
            cells.undecided[slot],
            cells.n_undecided[slot],
            planes,
            aims,
            room.prospects.reach,
            room.lost,
            cells.n_rays[slot],
            sides,
            room.halves,
            stop,
        )


@inner
def start(cells, slot, planes, rays, digits, facets, walls, fixed, known, limit, room):
    """Fill a slot with a cell, and with what is known of it.

    With digits, rays are rounded: how large a difference of their scores is in doubt follows from
    the largest entry that exact ones may have.
    """
    for r in range(len(rays)):
        copy(rays[r], cells.rays[slot, r])
        copy(facets[r], cells.facets[slot, r])
    if digits is not None:
        room.numbers.doubt[0] = 2.0 * (rays.shape[1] + 6) * EXACT / limit
        for r in range(len(digits)):
            for j in range(digits.shape[1]):
                copy(digits[r, j], cells.digits[slot, r, j])
    copy(walls, cells.walls[slot])
    cells.n_rays[slot] = len(rays)
    cells.n_facets[slot] = pack_facets(
        cells.facets[slot], len(rays), cells.walls[slot], len(walls), room.keep
    )
    if fixed is not None:
        copy(fixed, cells.fixed[slot])
    cells.plane[slot], cells.loss[slot] = known.facts[PLANE], known.facts[LOSS]
    cells.bound[slot] = known.facts[BOUND]
    if known.facts[PLANE] < 0:
        leave_undecided(cells, cells.fixed, slot, planes)
        return
    copy(known.counts[0], cells.below[slot])
    copy(known.counts[1], cells.above[slot])
    copy(known.counts[2], cells.wins[slot])
    copy(known.undecided, cells.undecided[slot])
    cells.n_undecided[slot] = len(known.undecided)


@inner
def leave_undecided(cells, fixed, slot, planes):
    """Leave all planes of a cell undecided except the fixed ones."""
    for i in range(cells.below.shape[1]):
        cells.below[slot, i] = 0
        cells.above[slot, i] = 0
        cells.wins[slot, i] = 0
    cells.n_undecided[slot] = 0
    for h in range(len(planes.first)):
        sign = np.int64(UNFIXED)
        if fixed is not None:
            sign = np.int64(fixed[slot, h])  # as elsewhere: one specialisation of decide
        if sign == UNFIXED:
            cells.undecided[slot, cells.n_undecided[slot]] = h
            cells.n_undecided[slot] += 1
        else:
            decide(h, sign, planes, cells.below[slot], cells.above[slot], cells.wins[slot])


@inner
def inherit(cells, fixed, parent, child, planes, sign):
    """Hand on what is decided, and in closed cells the side of the parent's plane."""
    for i in range(cells.below.shape[1]):
        cells.below[child, i] = cells.below[parent, i]
        cells.above[child, i] = cells.above[parent, i]
        cells.wins[child, i] = cells.wins[parent, i]
    cells.loss[child], cells.bound[child] = cells.loss[parent], cells.bound[parent]
    n_undecided = 0
    plane = cells.plane[parent]
    for q in range(cells.n_undecided[parent]):
        h = cells.undecided[parent, q]
        cells.undecided[child, n_undecided] = h
        n_undecided += fixed is None or h != plane
    cells.n_undecided[child], cells.plane[child] = n_undecided, -1
    if fixed is not None:
        copy(fixed[parent], fixed[child])
        fixed[child, plane] = sign
        decide(plane, sign, planes, cells.below[child], cells.above[child], cells.wins[child])
