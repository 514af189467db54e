"""Explore a cell, a cone of weights, cutting it along the planes of undecided pairs.

Each cut decides a pair for good, so that the exploration ends. What is left of a cell when it ends
early, together with what was ruled out by its bound, covers the cell: so the largest bound left is
a bound of the whole.
"""

from typing import NamedTuple

import numpy as np

from rankwright.kernels.compile import leaf
from rankwright.kernels.inner import inner
from rankwright.kernels.rating.cells import (
    Room,
    allocate_room,
    assess,
    inherit,
    start,
    sum_rays,
)
from rankwright.kernels.rating.cuts import Cells, allocate_cells, cut
from rankwright.kernels.rating.planes import NOTHING
from rankwright.kernels.rating.sides import largest_entry, plane_values

__all__ = ["Workspace", "allocate_workspace", "explore"]

N_SLOTS = 64
LEAST = 2048  # rays of parts that are looked at in any case: to begin with a cell takes time too
SPARE = 4  # slots that must be free for another cut: of its parts, and one more
N_FREE, N_LEFT, N_STUCK = range(3)
SIGNS = (1, -1, 0)


class Stock(NamedTuple):
    """Which slots are free, left to explore (the most promising last), or stuck.

    ``counts`` has their numbers, N_FREE, N_LEFT and N_STUCK; stuck cells, which can't be cut, are
    listed from the end of ``left``.
    """

    free: np.ndarray
    left: np.ndarray
    counts: np.ndarray


@inner
def put(stock, slot, bounds, first_new):
    """Leave a cell to be explored, of new ones the most promising last."""
    left, n = stock.left, stock.counts[N_LEFT]
    left[n] = slot
    stock.counts[N_LEFT] = n + 1
    if n > first_new and bounds[left[n - 1]] > bounds[slot]:
        left[n], left[n - 1] = left[n - 1], slot


@inner
def take_above(stock, bounds, floor):
    """Take the cell put last of those whose bound exceeds the floor; -1 if there is none."""
    left, n = stock.left, stock.counts[N_LEFT]
    for q in range(n - 1, -1, -1):
        slot = left[q]
        if bounds[slot] > floor:
            for after in range(q + 1, n):
                left[after - 1] = left[after]
            stock.counts[N_LEFT] = n - 1
            return slot
    return np.int64(-1)


@inner
def release(stock, slot):
    """Free a slot."""
    stock.free[stock.counts[N_FREE]] = slot
    stock.counts[N_FREE] += 1


@inner
def set_aside(stock, slot):
    """List a cell as stuck."""
    stock.counts[N_STUCK] += 1
    stock.left[N_SLOTS - stock.counts[N_STUCK]] = slot


@inner
def sort_out(cells, new, n_new, factors, planes, aims, best, collect, room, stock, weights, stop):
    """Bound new cells, and leave, set aside or rule out each; return the best value found.

    In a cell without undecided pairs all formulas are alike, and the bound is their value.
    """
    first_new = stock.counts[N_LEFT]
    for c in range(n_new):
        cell = new[c]
        if cells.n_rays[cell] > 0:
            assess(cells, cell, factors, planes, aims, best, collect, room, stop)
        keep = cells.n_rays[cell] > 0 and cells.bound[cell] > best
        # Looked at after the assessment: what may have been broken off counts as undecided.
        if keep and (stop[0] or cells.n_undecided[cell] > 0):
            put(stock, cell, cells.bound, first_new)
        elif keep and collect:
            set_aside(stock, cell)
        else:
            if keep:
                best = cells.bound[cell]
                sum_rays(cells, cells.digits, cell, weights)
            release(stock, cell)
    return best


@inner
def divide(cells, parent, new, n_new, factors, planes, limit, room, stock, stop):
    """Cut a cell into new ones, and return the rays these have; -1 where it can't be cut."""
    for c in range(n_new):
        stock.counts[N_FREE] -= 1
        new[c] = stock.free[stock.counts[N_FREE]]
    plane_values(factors, cells, parent, planes, room.values, room.numbers)
    if not cut(cells, parent, new, n_new, factors, planes, limit, room, stop):
        stock.counts[N_FREE] += n_new
        return -1
    n_rays = 0
    for c in range(n_new):
        n_rays += cells.n_rays[new[c]]
        inherit(cells, cells.fixed, parent, new[c], planes, SIGNS[c])
    release(stock, parent)
    return n_rays


class Workspace(NamedTuple):
    """Slots for cells, which of them are in use, and room to work in.

    ``new`` has the slots of new cells, ``weights`` are those of the best formula found, or their
    digits, each of which may exceed a digit.
    """

    cells: Cells
    stock: Stock
    room: Room
    new: np.ndarray
    weights: np.ndarray


def allocate_workspace(n: int, d: int, n_planes: int, closed: bool, n_digits: int = 0) -> Workspace:
    """Return room to explore cells of n products with d factors, one after the other.

    Their rays have so many digits; with none, they are whole numbers that 53 bits hold.
    """
    return Workspace(
        allocate_cells(N_SLOTS, n, d, n_planes, closed, n_digits),
        Stock(np.empty(N_SLOTS, np.int64), np.empty(N_SLOTS, np.int64), np.empty(3, np.int64)),
        allocate_room(n, d, n_planes, closed, n_digits),
        np.empty(3, np.int64),
        np.empty((d, max(n_digits, 1)), np.int64),
    )


@inner
def count_parts(fixed):
    """Return how many parts a cut makes."""
    return 2 if fixed is None else 3


@inner
def clear(stock, new, weights):
    """Free all slots but one, which is for the first cell."""
    for slot in range(N_SLOTS):
        stock.free[slot] = slot
    stock.counts[N_FREE], stock.counts[N_LEFT], stock.counts[N_STUCK] = N_SLOTS - 1, 0, 0
    new[0] = N_SLOTS - 1
    for j in range(weights.shape[0]):
        for k in range(weights.shape[1]):
            weights[j, k] = 0


@leaf
def explore(
    workspace, factors, planes, aims, first, known, incumbent, floor, budget, collect, stop
):
    """Search a cell, most promising part first, for a formula better than ``incumbent``.

    Parameters
    ----------
    workspace : Workspace
    factors : (n, d) float64, whole numbers
    planes, aims
    first : (m, d) int64, (m, d, n_digits) int64, (m, 2) int64, (n_facets,) int64, (n_planes,) int8
        The cell: its extreme rays, their digits (of exact rays None; of others rays are rounded to
        53 bits), the facets of each as bits of two words, the plane of each facet (see ``Cells``),
        and which planes are fixed, for position errors, which ties may lower: the points on planes
        count, and cells are cut three ways. None is for the statistic, whose optimum lies inside
        some open cell. The workspace has room for all that such a cell has.
    known : Known
        What was found out about the cell before; it is not assessed again.
    incumbent : int
    floor : int
        Parts whose bounds don't exceed it are left, after the first few, since cells that wait
        elsewhere are more promising.
    budget : int
        Rays to look at; with 0, the cell is only bounded.
    collect : bool
        Leave the incumbent as it is and keep every decided cell that beats it as stuck.
    stop : (1,) bool

    Returns
    -------
    best, n_left, n_stuck : int
        Best value found, or the incumbent; the workspace has a formula that has it (zeros if none
        was found). The cells left are in the slots ``stock.left[:n_left]``; those in the last
        ``n_stuck`` entries can't be cut: too many rays, numbers beyond 53 bits, or too few walls.
    """
    cells, stock, room, new, weights = workspace
    clear(stock, new, weights)
    best = incumbent
    rays, digits, facets, walls, fixed = first
    limit, work = largest_entry(factors), 0
    start(cells, new[0], planes, rays, digits, facets, walls, fixed, known, limit, room)
    n_new = np.int64(1)  # a plain 1 has a type of its own, for which others would be compiled again
    if cells.plane[new[0]] >= 0:
        put(stock, new[0], cells.bound, stock.counts[N_LEFT])
        n_new = 0
    while True:
        best = sort_out(
            cells,
            new,
            n_new,
            factors,
            planes,
            aims,
            best,
            collect,
            room,
            stock,
            weights,
            stop,
        )
        while (
            stock.counts[N_LEFT] > 0 and cells.bound[stock.left[stock.counts[N_LEFT] - 1]] <= best
        ):
            stock.counts[N_LEFT] -= 1
            release(stock, stock.left[stock.counts[N_LEFT]])
        n_left, n_free = stock.counts[N_LEFT], stock.counts[N_FREE]
        if n_left == 0 or work >= budget or n_free <= SPARE or stop[0]:
            break
        parent = take_above(stock, cells.bound, floor if work >= LEAST else NOTHING)
        if parent < 0:
            break
        n_new = count_parts(cells.fixed)
        n_rays = divide(cells, parent, new, n_new, factors, planes, limit, room, stock, stop)
        if n_rays >= 0:
            work += n_rays
        elif stop[0]:
            put(stock, parent, cells.bound, stock.counts[N_LEFT])  # it is still there
            break
        else:
            set_aside(stock, parent)
            n_new = 0
    return best, stock.counts[N_LEFT], stock.counts[N_STUCK]
