"""The table of nodes while a tree grows: its records, and what all ways to grow do with them."""

import numpy as np

from rankwright.kernels.compile import kernel, part
from rankwright.kernels.trees.impurity import RANKING, node_cost, side_statistics

__all__ = [
    "GROWING_NODE",
    "add_children",
    "choose_sides",
    "close",
    "describe",
    "goes_left",
    "may_split",
    "next_node",
    "plant_root",
    "reorder",
]

# The right child of a node follows its left child; children follow their parents.
GROWING_NODE = np.dtype(
    [
        ("feature", np.int32),  # -1 in a leaf
        ("left", np.int32),  # the left child, -1 in a leaf
        ("cut", np.int32),  # bins up to this one go left
        ("default_left", np.int32),  # where missing values go: 0, 1, or -1 for the larger side
        ("depth", np.int32),
        ("start", np.int32),  # the node's rows, in the grower's order
        ("stop", np.int32),
        ("weight", np.float64),
        ("statistic", np.float64),  # of the criterion
        ("cost", np.float64),  # the impurity, in the form that adds up over leaves
        ("decrease", np.float64),  # of the cost, by the split
    ],
    align=True,
)


@kernel
def goes_left(code, n_bins, categorical, categories, cut, default_left):
    """Return on which side of a split a bin lies."""
    if code == n_bins:
        return default_left == 1
    if categorical:
        return categories[code]
    return code <= cut


@part
def plant_root(nodes, n_rows):
    """Make node 0 of all rows."""
    nodes[0].start = 0
    nodes[0].stop = n_rows
    nodes[0].depth = 0


@part
def describe(node, limits, rows, gaps, totals):
    """Sum up a node's rows: the weight of each label, the cost; no split yet."""
    for label in range(totals.size):
        totals[label] = 0.0
    node.weight = 0.0
    labels, weights = rows.labels, rows.weights
    for i in range(node.start, node.stop):
        weight = 1.0 if weights.size == 0 else weights[i]
        totals[labels[i]] += weight
        node.weight += weight
    node.statistic, _ = side_statistics(
        limits.criterion, totals, totals, gaps, node.weight, node.weight
    )
    node.cost = node_cost(limits.criterion, node.statistic, node.weight)
    node.feature = -1
    node.left = -1
    node.decrease = limits.min_decrease


@kernel
def may_split(node, limits):
    """Return whether a split is allowed and could be of use."""
    # A cost that sums over pairs is small beside the number of pairs.
    scale = node.weight * node.weight if limits.criterion == RANKING else node.weight
    return (
        node.depth < limits.max_depth
        and node.stop - node.start >= 2 * limits.min_samples_leaf
        and node.cost > limits.pure * scale
    )


@part
def next_node(nodes, pending, n_pending, limits):
    """Move the node to be split next to the end of the pending ones: the last, or the best."""
    last = n_pending - 1
    if limits.max_leaf_nodes > 0:
        best = 0
        for i in range(1, n_pending):
            if nodes[pending[i]].decrease > nodes[pending[best]].decrease:
                best = i
        this = pending[best]
        for i in range(best, last):
            pending[i] = pending[i + 1]
        pending[last] = this
    return pending[last]


@part
def choose_sides(node, features, categories, numbers, sides):
    """Note for each row of a node whether it goes left; return how many do."""
    bins = features.bins[node.feature]
    n_bins = features.n_bins[node.feature]
    categorical = features.categorical[node.feature]
    n_left = 0
    for i in range(node.start, node.stop):
        code = bins[numbers[i]]
        side = goes_left(code, n_bins, categorical, categories, node.cut, node.default_left)
        sides[numbers[i]] = side
        n_left += side
    return n_left


@kernel
def reorder(items, rows, sides, start, stop, buffer):
    """Move the items whose rows go left to the front, keeping the order on both sides."""
    n_left = start
    n_right = 0
    for i in range(start, stop):
        if sides[rows[i]]:
            items[n_left] = items[i]
            n_left += 1
        else:
            buffer[n_right] = items[i]
            n_right += 1
    for i in range(n_right):
        items[n_left + i] = buffer[i]


@part
def add_children(nodes, this, n_left, n_nodes):
    """Give the node ``this`` two children at ``n_nodes``."""
    node = nodes[this]
    node.left = n_nodes
    for child in range(n_nodes, n_nodes + 2):
        nodes[child].depth = node.depth + 1
        nodes[child].start = node.start
        nodes[child].stop = node.stop
    nodes[n_nodes].stop = node.start + n_left
    nodes[n_nodes + 1].start = node.start + n_left


@part
def close(nodes, pending, n_pending):
    """Make leaves of the nodes that were not split."""
    for i in range(n_pending):
        nodes[pending[i]].feature = -1
        nodes[pending[i]].decrease = 0.0
