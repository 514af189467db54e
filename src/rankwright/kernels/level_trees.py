"""Halve the levels of a group until the parts are short: the nodes that pair blocks compare."""

import numpy as np

from rankwright.kernels.compile import kernel

__all__ = ["split_levels"]

DEEPEST = 256  # splits above each other: two of them halve the rows


@kernel
def _cut(offsets, first, last):
    """Return the level, after the first, that begins nearest to the middle of the rows."""
    middle = (offsets[first] + offsets[last]) / 2
    low, high = first + 1, last - 1
    while low < high:
        probe = (low + high) // 2
        if offsets[probe] < middle:
            low = probe + 1
        else:
            high = probe
    if low > first + 1 and offsets[low] - middle > middle - offsets[low - 1]:
        low -= 1
    return low


@kernel
def split_levels(offsets, first, last, leaf_rows, base, nodes, blocks):
    """Split the levels first:last in halves until short or single; return the number of nodes.

    Parameters
    ----------
    offsets : (levels + 1,) int64
        Level l is the rows offsets[l] : offsets[l + 1].
    base : int64
        The number of the first node.
    nodes : (nodes, 4) int64, or empty to count only
        Filled with start row, end row, parent or -1, and whether a leaf; children before parents.
    blocks : (nodes - leaves, 2) int64
        Filled with the worse and the better half of each node that is split.
    """
    # What is left to do: levels first:last, and 0 before the halves, 1 between them, 2 after.
    stack = np.empty((DEEPEST, 4), np.int64)  # first, last, stage, the worse half
    stack[0, 0], stack[0, 1], stack[0, 2] = first, last, 0
    depth, n_nodes, n_blocks, latest = 1, 0, 0, -1
    while depth > 0:
        task = stack[depth - 1]
        low, high = task[0], task[1]
        leaf = high - low == 1 or offsets[high] - offsets[low] <= leaf_rows
        if not leaf and task[2] < 2:
            cut = _cut(offsets, low, high)
            if task[2] == 1:
                task[3] = latest
            stack[depth, 0] = low if task[2] == 0 else cut
            stack[depth, 1] = cut if task[2] == 0 else high
            stack[depth, 2] = 0
            task[2] += 1
            depth += 1
            continue
        if nodes.shape[0]:
            nodes[n_nodes, 0], nodes[n_nodes, 1] = offsets[low], offsets[high]
            nodes[n_nodes, 2], nodes[n_nodes, 3] = -1, leaf
            if not leaf:
                nodes[task[3] - base, 2] = nodes[latest - base, 2] = base + n_nodes
                blocks[n_blocks, 0], blocks[n_blocks, 1] = task[3], latest
        n_blocks += not leaf
        latest = base + n_nodes
        n_nodes += 1
        depth -= 1
    return n_nodes
