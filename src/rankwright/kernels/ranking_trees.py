"""The growth of a ranking tree: a master tree of cells, split by classification trees (LeafRank).

A cell is a range of the rows, as a node is in ``growing``, whose trees split it: the leaves where
positives weigh more than in the cell go left, the others right. What a split of a cell needs to
send a row left or right is kept as *cuts*: the inner nodes of its classification tree, less those
both sides of which go the same way. A cut points to the next one, or to the cell that the row has
reached.
"""

import numpy as np

from rankwright.kernels.compile import kernel
from rankwright.kernels.draws import draw_below
from rankwright.kernels.growing import grow
from rankwright.kernels.nodes import reorder

__all__ = ["CELL", "CUT", "MASTER", "grow_ranking_tree"]

# When to stop splitting cells.
MASTER = np.dtype(
    [
        ("max_depth", np.int64),
        ("min_samples_split", np.int64),
        ("max_features", np.int64),  # drawn for each cell
    ]
)

# The right child of a cell follows its left child, the better one; children follow their parents.
CELL = np.dtype(
    [
        ("left", np.int32),  # the left child, -1 in a leaf
        ("depth", np.int32),
        ("start", np.int32),  # the cell's rows in the grower's order
        ("stop", np.int32),
        ("position", np.int64),  # from the left among the 2^depth cells of its depth
        ("negatives", np.float64),  # their weight
        ("positives", np.float64),
    ],
    align=True,
)

CUT = np.dtype(
    [
        ("feature", np.int32),
        ("bin", np.int32),  # the threshold as a bin number
        ("threshold", np.float64),  # values up to it go left; minus infinity for categories
        ("category_set", np.int32),  # row of the category sets, or -1 for numbers
        ("default_left", np.int32),  # where missing values and unknown categories go
        ("left", np.int32),  # the next cut, or the complement ~c of a cell c
        ("right", np.int32),
        ("cell", np.int32),  # the cell that it helps to split
        ("decrease", np.float64),  # of the cost of the classification tree
    ],
    align=True,
)

WORSE, BETTER, BOTH = range(3)


@kernel
def _weigh(cell, rows, labels, weights, costs):
    """Sum up the classes in a cell, and balance them: a positive costs 1 - p, a negative p."""
    cell.negatives = 0.0
    cell.positives = 0.0
    for i in range(cell.start, cell.stop):
        if labels[i] == 1:
            cell.positives += weights[rows[i]]
        else:
            cell.negatives += weights[rows[i]]
    share = cell.positives / (cell.positives + cell.negatives)
    for i in range(cell.start, cell.stop):
        costs[i] = weights[rows[i]] * (1.0 - share if labels[i] == 1 else share)


@kernel
def _judge(cell, nodes, n_nodes, rows, labels, weights, verdicts):
    """Decide for each node of a cell's tree whether its rows are better, worse, or some of both."""
    for t in range(n_nodes - 1, -1, -1):
        left = nodes[t].left
        if left >= 0:
            same = verdicts[left] == verdicts[left + 1]
            verdicts[t] = verdicts[left] if same else BOTH
            continue
        negatives = 0.0
        positives = 0.0
        for i in range(cell.start + nodes[t].start, cell.start + nodes[t].stop):
            if labels[i] == 1:
                positives += weights[rows[i]]
            else:
                negatives += weights[rows[i]]
        # A larger share than the cell's, without a division.
        is_better = positives * cell.negatives > negatives * cell.positives
        verdicts[t] = BETTER if is_better else WORSE


@kernel
def _keep_cuts(this, child, nodes, n_nodes, verdicts, numbers, cuts, n_cuts):
    """Append the cuts of a cell's tree that separate better from worse; return their number."""
    for t in range(n_nodes):
        if verdicts[t] == BOTH:
            numbers[t] = n_cuts
            n_cuts += 1
    for t in range(n_nodes):
        if verdicts[t] != BOTH:
            continue
        cut = cuts[numbers[t]]
        node = nodes[t]
        cut.feature = node.feature
        cut.bin = node.cut
        cut.default_left = node.default_left
        if node.default_left < 0:
            cut.default_left = nodes[node.left].weight >= nodes[node.left + 1].weight
        cut.decrease = node.decrease
        cut.cell = this
        for side in range(2):
            below = node.left + side
            to = numbers[below]
            if verdicts[below] != BOTH:
                to = ~child if verdicts[below] == BETTER else ~(child + 1)
            if side == 0:
                cut.left = to
            else:
                cut.right = to
    return n_cuts


@kernel
def _enlarge(cuts, n_cuts):
    """Copy the cuts to an array with room for twice as many as asked for."""
    larger = np.empty(2 * n_cuts, dtype=cuts.dtype)
    for i in range(cuts.size):
        larger[i] = cuts[i]
    return larger


@kernel
def _enlarge_sets(category_sets, n_cuts):
    """Copy the category sets to an array with room for twice as many cuts as asked for."""
    larger = np.empty((2 * n_cuts, category_sets.shape[1]), dtype=np.bool_)
    for i in range(category_sets.shape[0]):
        for category in range(category_sets.shape[1]):
            larger[i, category] = category_sets[i, category]
    return larger


@kernel
def _divide(cells, this, child, nodes, n_nodes, verdicts, rows, labels, sides, buffer):
    """Give a cell two children and move the better rows to the front."""
    cell = cells[this]
    n_left = 0
    for t in range(n_nodes):
        if nodes[t].left < 0:
            for i in range(cell.start + nodes[t].start, cell.start + nodes[t].stop):
                sides[rows[i]] = verdicts[t] == BETTER
            if verdicts[t] == BETTER:
                n_left += nodes[t].stop - nodes[t].start
    reorder(labels, rows, sides, cell.start, cell.stop, buffer)
    reorder(rows, rows, sides, cell.start, cell.stop, buffer)
    cell.left = child
    for side in range(2):
        cells[child + side].depth = cell.depth + 1
        cells[child + side].position = 2 * cell.position + side
        cells[child + side].start = cell.start + n_left if side == 1 else cell.start
        cells[child + side].stop = cell.stop if side == 1 else cell.start + n_left


@kernel
def grow_ranking_tree(
    cells, cuts, category_sets, master, limits, bins, bounds, n_bins, categorical, first_bin,
    rows, labels, weights, nodes, node_sets, pool, state,
):  # fmt: skip
    """Grow a ranking tree; return the number of its cells, its cuts and their category sets.

    Parameters
    ----------
    cells : array of CELL
        Written.
    cuts : array of CUT
    category_sets : (cuts, bins) bool
        The memory to begin with; both are replaced by larger arrays when full. Without categorical
        features there is one row of category sets.
    master : MASTER record
    limits : LIMITS record
        Of the classification trees.
    bins, bounds, n_bins, categorical, first_bin, pool, state
        As in ``growing.grow``.
    rows, labels : (m,) int32
        The rows to grow on and their labels, 1 for a positive; reordered.
    weights : (n,) float64
        By row number.
    nodes, node_sets : array of NODE, (nodes, bins) bool
        Memory for one classification tree.
    """
    values = np.array([0.0, 1.0])
    gaps = np.ones(1)
    costs = np.empty(rows.size)
    features = np.arange(n_bins.size)
    sides = np.empty(bins.shape[1], dtype=np.bool_)
    buffer = np.empty(rows.size, dtype=np.int32)
    verdicts = np.empty(nodes.size, dtype=np.int64)
    numbers = np.empty(nodes.size, dtype=np.int64)
    first_cuts = np.empty(cells.size, dtype=np.int64)
    cells[0].start = 0
    cells[0].stop = rows.size
    cells[0].depth = 0
    cells[0].position = 0
    n_cells = np.int64(1)
    n_cuts = np.int64(0)
    this = 0
    while this < n_cells:
        cell = cells[this]
        _weigh(cell, rows, labels, weights, costs)
        cell.left = -1
        first_cuts[this] = -1
        n_rows = cell.stop - cell.start
        if (
            cell.depth < master.max_depth
            and n_rows >= master.min_samples_split
            and min(cell.positives, cell.negatives) > 0.0
        ):
            if master.max_features < features.size:
                for visited in range(master.max_features):
                    other = visited + draw_below(state, features.size - visited)
                    features[visited], features[other] = features[other], features[visited]
            n_nodes = grow(
                nodes[: min(nodes.size, 2 * n_rows - 1)], node_sets, limits, bins, bounds, n_bins,
                categorical, first_bin, values, gaps, rows[cell.start : cell.stop],
                labels[cell.start : cell.stop], costs[cell.start : cell.stop],
                features[: master.max_features], pool, state,
            )  # fmt: skip
            _judge(cell, nodes, n_nodes, rows, labels, weights, verdicts)
            if verdicts[0] == BOTH:
                if n_cuts + n_nodes > cuts.size:
                    cuts = _enlarge(cuts, n_cuts + n_nodes)
                    if node_sets.shape[0] > 1:
                        category_sets = _enlarge_sets(category_sets, n_cuts + n_nodes)
                first_cuts[this] = n_cuts
                n_kept = _keep_cuts(this, n_cells, nodes, n_nodes, verdicts, numbers, cuts, n_cuts)
                if node_sets.shape[0] > 1:
                    for t in range(n_nodes):
                        if verdicts[t] == BOTH:
                            for category in range(node_sets.shape[1]):
                                category_sets[numbers[t], category] = node_sets[t, category]
                n_cuts = n_kept
                _divide(cells, this, n_cells, nodes, n_nodes, verdicts, rows, labels, sides, buffer)
                n_cells += 2
        this += 1
    # A cut that leads to a cell leads to the first cut of that cell, if it was split later.
    for i in range(n_cuts):
        if cuts[i].left < 0 and first_cuts[~cuts[i].left] >= 0:
            cuts[i].left = first_cuts[~cuts[i].left]
        if cuts[i].right < 0 and first_cuts[~cuts[i].right] >= 0:
            cuts[i].right = first_cuts[~cuts[i].right]
    return n_cells, cuts[:n_cuts], category_sets
