"""The steps by which a tree grows: one cut divides a set of nodes, and cuts of the parts are found.

A step has three parts: `begin` chooses the set, `divide` divides its rows and `look` counts
histograms and finds cuts. Threads may share the second by nodes and the third by features.
"""

import numpy as np

from rankwright.kernels.boosted.cuts import TINY, find_cut
from rankwright.kernels.boosted.histograms import BLOCK, fill_children
from rankwright.kernels.boosted.packing import unpack
from rankwright.kernels.boosted.rows import split_rows
from rankwright.kernels.boosted.tree import CUT
from rankwright.kernels.compile import kernel
from rankwright.kernels.inner import inner, inner_allocating

__all__ = ["advance", "divide", "leaf_values", "look"]

# A Newton step where the loss is all but straight would have no end.
LARGEST_VALUE = 10.0


@inner
def _value(node, limits):
    """Return the Newton value of a node, within its bounds."""
    slope, bend = unpack(node.total, limits.unit, limits.bend_unit)
    value = -slope / (bend + limits.l2 + TINY)
    return min(max(value, max(node.low, -LARGEST_VALUE)), min(node.high, LARGEST_VALUE))


@inner
def _note(tree, found):
    """Write down the best cut of each new set; ``found`` (parts, sets) are those of all parts."""
    sets, new = tree.sets, tree.limits[0].new_sets
    for s in range(found.shape[1]):
        best = 0
        for part in range(1, found.shape[0]):
            if found[part, s].gain > found[best, s].gain:
                best = part
        cut = found[best, s]
        sets[new + s].gain = cut.gain if cut.feature >= 0 else 0.0
        sets[new + s].feature, sets[new + s].place = cut.feature, cut.place
        sets[new + s].missing_left = cut.missing_left


@inner
def _choose(tree):
    """Return the set whose cut gains most, -1 if there is none."""
    sets, allowed, chosen, gain = tree.sets, tree.allowed, -1, 0.0
    for s in range(tree.limits[0].n_sets):
        if sets[s].test < 0 and sets[s].gain > gain and allowed[sets[s].feature]:
            chosen, gain = s, sets[s].gain
    return chosen


@inner
def _restrict(features, tree, feature):
    """Allow only what may be cut in a tree that has cut this feature as well.

    By loops: an assignment of a whole array takes a second to compile.
    """
    limits, allowed, partners = tree.limits[0], tree.allowed, features.partners
    if partners.size == 0 or limits.alone == feature:
        return
    if limits.alone < 0:
        limits.alone = feature
        for j in range(allowed.size):
            allowed[j] = partners[feature, j]
    else:
        for j in range(allowed.size):
            allowed[j] = j == limits.alone or j == feature


@inner
def _begin(features, tree, found):
    """Note the cuts found, and choose the next set; return False if there is none."""
    limits, sets = tree.limits[0], tree.sets
    _note(tree, found)
    chosen = _choose(tree)
    n_leaves = (limits.n_nodes + 1) // 2
    if chosen < 0 or n_leaves >= limits.max_leaves:
        return False
    own, cut = sets[chosen], limits.n_cuts
    goes_left, size = tree.goes_left[cut], own.last - own.first
    for c in range(goes_left.size):
        goes_left[c] = False
    for c in range(own.place + 1):
        goes_left[features.orders[own.feature, c]] = True
    if features.missing[own.feature] >= 0:
        goes_left[features.missing[own.feature]] = own.missing_left
    _restrict(features, tree, own.feature)
    own.test = cut
    limits.divided, limits.children, limits.new_sets = chosen, limits.n_nodes, limits.n_sets
    limits.n_nodes += 2 * size
    limits.n_cuts += 1
    if n_leaves + size < limits.max_leaves and own.depth + 1 < limits.max_depth:
        step = 2 * size if limits.together else 1
        for first in range(limits.children, limits.n_nodes, step):
            new = sets[limits.n_sets]
            new.first, new.last, new.depth, new.test = first, first + step, own.depth + 1, -1
            limits.n_sets += 1
    return True


@inner
def _set_bounds(left, right, sign, limits):
    """Keep everything left of a monotone cut on one side of what is right of it."""
    middle = (_value(left, limits) + _value(right, limits)) / 2
    lower, upper = (left, right) if sign > 0 else (right, left)
    lower.high = middle
    upper.low = middle


@inner
def _divide(features, rows, tree, first, last):
    nodes, limits = tree.nodes, tree.limits[0]
    chosen = tree.sets[limits.divided]
    column = features.blocks[chosen.feature // BLOCK][:, chosen.feature % BLOCK]
    goes_left, sign = tree.goes_left[chosen.test], features.signs[chosen.feature]
    n_slots = (limits.children + 1) // 2  # so many leaves there were before this step
    for z in range(first, last):
        number = chosen.first + z
        node = nodes[number]
        node.left, node.test = limits.children + 2 * z, chosen.test
        left, right = nodes[node.left], nodes[node.left + 1]
        middle, left_total = split_rows(
            column, goes_left, node.start, node.stop, rows.rows, rows.packed, rows.spare,
            rows.spare_packed,
        )  # fmt: skip
        left.start, left.stop, left.total = node.start, middle, left_total
        right.start, right.stop, right.total = middle, node.stop, node.total - left_total
        right_is_small = right.stop - right.start < left.stop - left.start
        left.slot = node.slot if right_is_small else n_slots + z
        right.slot = n_slots + z if right_is_small else node.slot
        for child in (left, right):
            child.low, child.high, child.parent, child.left = node.low, node.high, number, -1
        if sign != 0:
            _set_bounds(left, right, sign, limits)


@kernel
def divide(features, rows, tree, first, last):
    """Divide the nodes first:last of the chosen set."""
    _divide(features, rows, tree, first, last)


@inner_allocating
def _look(features, rows, tree, first, last, best):
    limits, sets = tree.limits[0], tree.sets
    children = tree.nodes[limits.children : limits.n_nodes]
    if best.size and limits.children > 0:
        fill_children(features, rows.rows, rows.packed, children, first, last, rows.pool)
        if limits.counts_rows:
            fill_children(features, rows.rows, rows.ones, children, first, last, rows.counts)
    end = min(BLOCK * last, features.n_places.size)
    for s in range(best.size):
        own = sets[limits.new_sets + s]
        nodes = tree.nodes[own.first : own.last]
        find_cut(features, rows, tree.allowed, nodes, limits, BLOCK * first, end, best[s])


@kernel
def look(features, rows, tree, first, last, best):
    """Count the new nodes' histograms and find the ``best`` cut (CUT) of each new set.

    Of the blocks first:last of features.
    """
    _look(features, rows, tree, first, last, best)


@kernel
def advance(features, rows, tree, found, shared_from):
    """Grow up to the next step that divides ``shared_from`` rows; return whether there is one.

    Its set is chosen; dividing it and looking at its parts is left to the caller's threads.
    ``found`` (parts, sets) are the cuts of the new sets, by part of the features; without a part,
    those of the root are yet to be found.
    """
    nodes, limits, n_blocks = tree.nodes, tree.limits[0], features.blocks.shape[0]
    if found.shape[0] == 0:
        found = np.empty((1, 1), CUT)
        _look(features, rows, tree, 0, n_blocks, found[0])
    while _begin(features, tree, found):
        own = tree.sets[limits.divided]
        n_rows = nodes[own.last - 1].stop - nodes[own.first].start
        if n_rows >= shared_from:
            return True
        _divide(features, rows, tree, 0, own.last - own.first)
        found = np.empty((1, limits.n_sets - limits.new_sets), CUT)
        _look(features, rows, tree, 0, n_blocks, found[0])
    return False


@kernel
def leaf_values(tree):
    """Give nodes their Newton values, or that of their parent if they have too few rows.

    The values of leaves count, those of the nodes above are for leaves that have too few.
    """
    nodes, limits = tree.nodes, tree.limits[0]
    for z in range(limits.n_nodes):
        node = nodes[z]
        if z > 0 and node.stop - node.start < limits.min_rows:
            node.value = min(max(nodes[node.parent].value, node.low), node.high)
        else:
            node.value = _value(node, limits)
