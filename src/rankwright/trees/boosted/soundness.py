"""Whether boosted trees that came from a file fit together; see ``rankwright.trees.soundness``."""

from typing import Any

import numpy as np

from rankwright.base import check_array, require
from rankwright.trees.boosted.nodes import NODE, TreeSum
from rankwright.trees.soundness import check_tests, children_follow

__all__ = ["check_tree_sum"]


def check_tree_sum(ranker: Any, trees: TreeSum) -> None:
    """Check boosted trees against the features and categories of their ranker."""
    require(isinstance(trees, TreeSum), ranker, "its trees are none")
    check_array(trees, "nodes", (None,), NODE)
    check_array(trees, "first_node", (None,), np.int64)
    check_array(trees, "category_sets", (None, 256), np.bool_)
    starts = trees.first_node
    require(
        starts.size >= 1
        and starts[0] == 0
        and bool((np.diff(starts) > 0).all())
        and starts[-1] == trees.nodes.size,
        trees,
        "its trees do not share its nodes",
    )
    for tree in trees:
        left = tree.nodes["left"]
        require(children_follow(left), trees, "a node's child is no node")
        if trees.symmetric:
            _check_levels(trees, tree.nodes)
    is_leaf = trees.nodes["left"] < 0
    check_tests(ranker, trees.nodes[~is_leaf], trees.category_sets)
    require(bool((trees.nodes["feature"][is_leaf] < 0).all()), trees, "a leaf tests a feature")
    require(bool(np.isfinite(trees.nodes["value"]).all()), trees, "a leaf's value is no number")


def _check_levels(trees: TreeSum, nodes: Any) -> None:
    """Check that a symmetric tree is a full one, with the same test in all nodes of a level."""
    n_inner = nodes.size // 2
    full = (nodes.size + 1) & nodes.size == 0
    inner = nodes[:n_inner]
    require(
        full
        and bool((inner["left"] == 2 * np.arange(n_inner) + 1).all())
        and bool((nodes["left"][n_inner:] < 0).all()),
        trees,
        "a symmetric tree is not full",
    )
    level = np.log2(np.arange(1, n_inner + 1)).astype(np.int64)
    tests = inner[["feature", "category_set", "default_left"]]
    require(bool((tests == tests[2**level - 1]).all()), trees, "a level has two tests")
