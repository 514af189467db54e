"""Ranking trees: cells that are split by classification trees.

A cell is reached through many cuts, which no tree of the ONNX operator may share. So each cell that
is split becomes a tree of its own, which says 1 where a row goes left. A leaf at depth d has d
cells above it; a row ends in it if it takes the leaf's side in all of them.
"""

import numpy as np
from numpy.typing import NDArray

from rankwright.exchange.graph import Graph
from rankwright.exchange.tree_ensemble import FlatTree, add_trees
from rankwright.trees.bipartite.nodes import RankingTree
from rankwright.trees.bipartite.splits import CartSplits

__all__ = ["add_cells"]


def add_cells(graph: Graph, tree: RankingTree, values: NDArray[np.float64]) -> str:
    """Add what a ranking tree says of rows, (n, 1), given the values of its cells."""
    if not isinstance(tree.splits, CartSplits):
        raise ValueError("its cells are split by classifiers (leaf_rank=); only cuts are exported")
    inner, leaves = np.flatnonzero(~tree.is_leaf), np.flatnonzero(tree.is_leaf)
    if inner.size == 0:
        none = tree.splits.cuts[:0]
        alone = FlatTree(none, tree.splits.category_sets, none["left"], none["right"], values)
        return add_trees(graph, [alone])
    goes_left = add_trees(
        graph,
        [_turn(tree, tree.splits, cell, column) for column, cell in enumerate(inner.tolist())],
    )
    above = _sides_above(tree, inner, leaves)
    agreeing = graph.add("MatMul", goes_left, graph.constant(above.T))
    n_left = (above > 0).sum(axis=1).astype(np.float64)
    # A row agrees with all left turns above a leaf and with none of the right ones.
    reached = graph.add("Equal", agreeing, graph.constant(n_left[None]))
    weights = graph.add("Cast", reached, to=int(graph.onnx.TensorProto.DOUBLE))
    return graph.add("MatMul", weights, graph.constant(values[leaves][:, None]))


def _turn(tree: RankingTree, splits: CartSplits, cell: int, column: int) -> FlatTree:
    """Return the tree that adds 1 to a column where a row goes left in a cell."""
    cuts = splits.cuts
    own = np.flatnonzero(cuts["cell"] == cell)
    left_child = tree.cells["left"][cell]

    def following(to: NDArray[np.int32]) -> NDArray[np.int64]:
        next_cut = np.maximum(to, 0)
        next_cell = np.where(to < 0, ~to, cuts["cell"][next_cut])
        side = np.where(next_cell == left_child, ~0, ~1)
        return np.where((to >= 0) & (next_cell == cell), np.searchsorted(own, next_cut), side)

    to_left, to_right = (following(cuts[side][own]) for side in ("left", "right"))
    says = np.array([1.0, 0.0])
    return FlatTree(cuts[own], splits.category_sets, to_left, to_right, says, column)


def _sides_above(
    tree: RankingTree, inner: NDArray[np.int64], leaves: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return for each leaf 1 for the cells above it that it is left of, -1 for the others."""
    paths = np.zeros((tree.cells.size, inner.size))
    for column, cell in enumerate(inner):
        left = tree.cells["left"][cell]
        paths[[left, left + 1]] = paths[cell]
        paths[left, column], paths[left + 1, column] = 1.0, -1.0
    return paths[leaves]
