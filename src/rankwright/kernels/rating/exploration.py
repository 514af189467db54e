"""Explore a cell, a cone of weights, cutting it along the planes of undecided pairs.

Each cut decides a pair for good, so that the exploration ends. What is left of a cell when it ends
early, together with what was ruled out by its bound, covers the cell: so the largest bound left is
a bound of the whole.
"""

from typing import NamedTuple

import numpy as np

from rankwright.kernels.compile import kernel, part
from rankwright.kernels.rating.cells import (
    allocate_room,
    assess,
    inherit,
    largest_entry,
    plane_values,
    start,
    sum_rays,
)
from rankwright.kernels.rating.cuts import allocate_cells, cut

__all__ = ["explore"]

N_SLOTS = 64
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


@part
def put(stock, slot, bounds, first_new):
    """Leave a cell to be explored, of new ones the most promising last."""
    left, n = stock.left, stock.counts[N_LEFT]
    left[n] = slot
    stock.counts[N_LEFT] = n + 1
    if n > first_new and bounds[left[n - 1]] > bounds[slot]:
        left[n], left[n - 1] = left[n - 1], slot


@kernel
def release(stock, slot):
    """Free a slot."""
    stock.free[stock.counts[N_FREE]] = slot
    stock.counts[N_FREE] += 1


@kernel
def set_aside(stock, slot):
    """List a cell as stuck."""
    stock.counts[N_STUCK] += 1
    stock.left[N_SLOTS - stock.counts[N_STUCK]] = slot


@part
def sort_out(
    cells, new, n_new, factors, planes, aims, closed, best, collect, room, stock, weights, stop
):
    """Bound new cells, and leave, set aside or rule out each; return the best value found.

    In a cell without undecided pairs all formulas are alike, and the bound is their value.
    """
    first_new = stock.counts[N_LEFT]
    for c in range(n_new):
        cell = new[c]
        if cells.n_rays[cell] > 0:
            assess(cells, cell, factors, planes, aims, closed, best, room, stop)
        keep = cells.n_rays[cell] > 0 and cells.bound[cell] > best
        # Looked at after the assessment: what may have been broken off counts as undecided.
        if keep and (stop[0] or cells.n_undecided[cell] > 0):
            put(stock, cell, cells.bound, first_new)
        elif keep and collect:
            set_aside(stock, cell)
        else:
            if keep:
                best = cells.bound[cell]
                sum_rays(cells.rays[cell], cells.n_rays[cell], weights)
            release(stock, cell)
    return best


@part
def divide(cells, parent, new, n_new, factors, planes, closed, limit, values, stock, stop):
    """Cut a cell into new ones, and return the rays these have; -1 where it can't be cut."""
    for c in range(n_new):
        stock.counts[N_FREE] -= 1
        new[c] = stock.free[stock.counts[N_FREE]]
    plane_values(factors, cells, parent, planes, values)
    if not cut(cells, parent, new, n_new, values, closed, limit, stop):
        stock.counts[N_FREE] += n_new
        return -1
    n_rays = 0
    for c in range(n_new):
        n_rays += cells.n_rays[new[c]]
        inherit(cells, parent, new[c], planes, closed, SIGNS[c])
    release(stock, parent)
    return n_rays


@kernel
def explore(
    factors, planes, aims, closed, rays, facets, n_facets, fixed, incumbent, budget, collect, stop
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
    stop : (1,) bool

    Returns
    -------
    best, weights : int, (d,) int64
        Best value found, or the incumbent; a formula that has it (zeros if none was found).
    cells, left, n_left, n_stuck
        The cells left are in the slots ``left[:n_left]``; those in the last ``n_stuck`` entries
        of ``left`` can't be cut: too many rays, or numbers beyond 53 bits.
    """
    n, d = factors.shape
    n_planes = len(planes.first)
    cells = allocate_cells(N_SLOTS, n, d, n_planes, closed)
    room = allocate_room(n, n_planes, closed)
    stock = Stock(np.arange(N_SLOTS), np.empty(N_SLOTS, np.int64), np.zeros(3, np.int64))
    stock.counts[N_FREE] = N_SLOTS - 1
    new, n_new = np.empty(3, np.int64), 1
    new[0] = stock.free[N_SLOTS - 1]
    start(cells, new[0], planes, closed, rays, facets, n_facets, fixed)
    limit, weights = largest_entry(factors), np.zeros(d, np.int64)
    best, work = incumbent, 0
    while True:
        best = sort_out(
            cells,
            new,
            n_new,
            factors,
            planes,
            aims,
            closed,
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
        stock.counts[N_LEFT] -= 1
        parent = stock.left[n_left - 1]
        n_new = 3 if closed else 2
        n_rays = divide(
            cells, parent, new, n_new, factors, planes, closed, limit, room.values, stock, stop
        )
        if n_rays >= 0:
            work += n_rays
        elif stop[0]:
            stock.counts[N_LEFT] += 1  # the parent is still there
            break
        else:
            set_aside(stock, parent)
            n_new = 0
    return best, weights, cells, stock.left, stock.counts[N_LEFT], stock.counts[N_STUCK]
