"""The growth of a ranking tree: a master tree of cells, split by classification trees (LeafRank).

A cell is a range of the rows, as a node is in ``growing``, whose trees split it: the leaves where
positives weigh more than in the cell go left, the others right. What a split of a cell needs to
send a row left or right is kept as *cuts*: the inner nodes of its classification tree, less those
both sides of which go the same way. A cut points to the next one, or to the cell that the row has
reached.
"""

import numpy as np

from rankwright.kernels.compile import kernel, part
from rankwright.kernels.draws import draw_below
from rankwright.kernels.trees.growing import grow
from rankwright.kernels.trees.growth import Grown, Rows
from rankwright.kernels.trees.nodes import reorder

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


@part
def _weigh(cell, rows, weights):
    """Sum up the classes in a cell, and balance them: a positive costs 1 - p, a negative p."""
    numbers, labels, costs = rows.numbers, rows.labels, rows.weights
    cell.negatives = 0.0
    cell.positives = 0.0
    for i in range(cell.start, cell.stop):
        if labels[i] == 1:
            cell.positives += weights[numbers[i]]
        else:
            cell.negatives += weights[numbers[i]]
    # The share of each class by a quotient: 1 - p is 0 where p rounds to 1.
    better = cell.positives / (cell.positives + cell.negatives)
    worse = cell.negatives / (cell.positives + cell.negatives)
    for i in range(cell.start, cell.stop):
        costs[i] = weights[numbers[i]] * (worse if labels[i] == 1 else better)


@part
def _judge(cell, nodes, rows, weights, verdicts):
    """Decide for each node of a cell's tree whether its rows are better, worse, or some of both."""
    numbers, labels = rows.numbers, rows.labels
    for t in range(nodes.size - 1, -1, -1):
        left = nodes[t].left
        if left >= 0:
            same = verdicts[left] == verdicts[left + 1]
            verdicts[t] = verdicts[left] if same else BOTH
            continue
        negatives = 0.0
        positives = 0.0
        for i in range(cell.start + nodes[t].start, cell.start + nodes[t].stop):
            if labels[i] == 1:
                positives += weights[numbers[i]]
            else:
                negatives += weights[numbers[i]]
        # A larger share than the cell's, without a division.
        is_better = positives * cell.negatives > negatives * cell.positives
        verdicts[t] = BETTER if is_better else WORSE


@part
def _keep_cuts(this, child, tree, verdicts, places, cuts, n_cuts, category_sets):
    """Append the cuts of a cell's tree that separate better from worse; return their number."""
    nodes = tree.nodes
    for t in range(nodes.size):
        if verdicts[t] == BOTH:
            places[t] = n_cuts
            n_cuts += 1
    for t in range(nodes.size):
        if verdicts[t] != BOTH:
            continue
        cut = cuts[places[t]]
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
            to = places[below]
            if verdicts[below] != BOTH:
                to = ~child if verdicts[below] == BETTER else ~(child + 1)
            if side == 0:
                cut.left = to
            else:
                cut.right = to
        if tree.category_sets.shape[0] > 1:
            # Not as one assignment of arrays: its error message takes two seconds to compile.
            for category in range(category_sets.shape[1]):
                category_sets[places[t], category] = tree.category_sets[t, category]
    return n_cuts


@part
def _enlarge(cuts, n_cuts):
    """Copy the cuts to an array with room for twice as many as asked for."""
    larger = np.empty(2 * n_cuts, dtype=cuts.dtype)
    for i in range(cuts.size):
        larger[i] = cuts[i]
    return larger


@part
def _enlarge_sets(category_sets, n_cuts):
    """Copy the category sets to an array with room for twice as many cuts as asked for."""
    larger = np.empty((2 * n_cuts, category_sets.shape[1]), dtype=np.bool_)
    for i in range(category_sets.shape[0]):
        for category in range(category_sets.shape[1]):
            larger[i, category] = category_sets[i, category]
    return larger


@part
def _divide(cells, this, child, nodes, verdicts, rows, sides, buffer):
    """Give a cell two children and move the better rows to the front."""
    cell = cells[this]
    n_left = 0
    for t in range(nodes.size):
        if nodes[t].left < 0:
            for i in range(cell.start + nodes[t].start, cell.start + nodes[t].stop):
                sides[rows.numbers[i]] = verdicts[t] == BETTER
            if verdicts[t] == BETTER:
                n_left += nodes[t].stop - nodes[t].start
    reorder(rows.labels, rows.numbers, sides, cell.start, cell.stop, buffer)
    reorder(rows.numbers, rows.numbers, sides, cell.start, cell.stop, buffer)
    cell.left = child
    for side in range(2):
        cells[child + side].depth = cell.depth + 1
        cells[child + side].position = 2 * cell.position + side
        cells[child + side].start = cell.start + n_left if side == 1 else cell.start
        cells[child + side].stop = cell.stop if side == 1 else cell.start + n_left


@part
def _may_split(cell, master):
    """Return whether a cell may be split: it holds both classes, is not too deep nor too small."""
    return (
        cell.depth < master.max_depth
        and cell.stop - cell.start >= master.min_samples_split
        and min(cell.positives, cell.negatives) > 0.0
    )


@part
def _draw_features(order, n_drawn, state):
    """Move features drawn at random to the front."""
    for visited in range(n_drawn if n_drawn < order.size else 0):
        other = visited + draw_below(state, order.size - visited)
        order[visited], order[other] = order[other], order[visited]


@part
def _grow_in_cell(cell, tree, limits, features, labels, rows, order, pool, state):
    """Grow the classification tree that is to split a cell; return its nodes."""
    start, stop = cell.start, cell.stop
    room = Grown(tree.nodes[: min(tree.nodes.size, 2 * (stop - start) - 1)], tree.category_sets)
    own = Rows(rows.numbers[start:stop], rows.labels[start:stop], rows.weights[start:stop])
    n_nodes = grow(room, limits, features, labels, own, order, pool, None, state)
    return Grown(tree.nodes[:n_nodes], tree.category_sets)


@part
def _lead_on(cuts, first_cuts):
    """Let cuts that lead to a cell lead to the first cut of that cell, if it was split later."""
    for i in range(cuts.size):
        if cuts[i].left < 0 and first_cuts[~cuts[i].left] >= 0:
            cuts[i].left = first_cuts[~cuts[i].left]
        if cuts[i].right < 0 and first_cuts[~cuts[i].right] >= 0:
            cuts[i].right = first_cuts[~cuts[i].right]


@kernel
def grow_ranking_tree(
    cells, cuts, category_sets, master, limits, features, labels, rows, weights, room, pool, state
):
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
    features, labels, pool, state
        As in ``growing.grow``; a positive has label 1.
    rows : Rows
        The rows to grow on; their weights are memory for what each costs in its cell.
    weights : (n,) float64
        By row number.
    room : Grown
        Memory for one classification tree.
    """
    order = np.arange(features.n_bins.size)
    sides = np.empty(features.bins.shape[1], dtype=np.bool_)
    buffer = np.empty(rows.numbers.size, dtype=np.int32)
    verdicts = np.empty(room.nodes.size, dtype=np.int64)
    places = np.empty(room.nodes.size, dtype=np.int64)
    first_cuts = np.full(cells.size, -1)
    cells[0].start = 0
    cells[0].stop = rows.numbers.size
    cells[0].depth = 0
    cells[0].position = 0
    n_cells = np.int64(1)
    n_cuts = np.int64(0)
    this = 0
    while this < n_cells:
        cell = cells[this]
        _weigh(cell, rows, weights)
        cell.left = -1
        if _may_split(cell, master):
            _draw_features(order, master.max_features, state)
            drawn = order[: master.max_features]
            tree = _grow_in_cell(cell, room, limits, features, labels, rows, drawn, pool, state)
            _judge(cell, tree.nodes, rows, weights, verdicts)
            if verdicts[0] == BOTH:
                n_needed = n_cuts + tree.nodes.size
                if n_needed > cuts.size:
                    cuts = _enlarge(cuts, n_needed)
                    if category_sets.shape[0] > 1:
                        category_sets = _enlarge_sets(category_sets, n_needed)
                first_cuts[this] = n_cuts
                n_cuts = _keep_cuts(
                    this, n_cells, tree, verdicts, places, cuts, n_cuts, category_sets
                )
                _divide(cells, this, n_cells, tree.nodes, verdicts, rows, sides, buffer)
                n_cells += 2
        this += 1
    _lead_on(cuts[:n_cuts], first_cuts)
    return n_cells, cuts[:n_cuts], category_sets
