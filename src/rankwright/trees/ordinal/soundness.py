"""Whether ordinal trees that came from a file fit together; see ``rankwright.trees.soundness``."""

from collections.abc import Iterable
from typing import Any

from rankwright.base import check_array, require
from rankwright.trees.ordinal.nodes import NODE, Tree
from rankwright.trees.soundness import check_tests, children_follow

__all__ = ["check_trees"]


def check_trees(ranker: Any, trees: Iterable[Tree]) -> None:
    """Check ordinal trees against the features, categories and labels of their ranker."""
    n_labels = ranker.label_values_.size
    for tree in trees:
        require(isinstance(tree, Tree), ranker, "one of its trees is none")
        check_array(tree, "nodes", (None,), NODE)
        check_array(tree, "values", (tree.nodes.size, n_labels))
        left = tree.nodes["left"]
        require(children_follow(left), tree, "a node's child is no node")
        check_tests(ranker, tree.nodes[left >= 0], tree.category_sets)
