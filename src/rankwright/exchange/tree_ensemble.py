"""Trees as one ONNX operator: ``TreeEnsemble`` of the domain ai.onnx.ml, version 5."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.exchange.graph import TREES, Graph

__all__ = ["FlatTree", "add_trees"]

AT_MOST, MEMBER = 0, 6  # modes of nodes: x <= split, x in a set
SUM, NO_TRANSFORM = 1, 0


@dataclass(frozen=True)
class FlatTree:
    """A tree of splits by single features.

    Attributes
    ----------
    splits : structured array
        With the fields ``feature``, ``threshold``, ``category_set`` and ``default_left``.
    category_sets : (n_sets, .) bool
        Whether a category goes left.
    left, right : (n_splits,) int
        Where a split sends a row: another split, or the complement ~i of leaf i.
    values : (n_leaves,) float64
        What the tree adds to its target.
    target : int
        The column of the sum that it adds to.
    """

    splits: NDArray[Any]
    category_sets: NDArray[np.bool_]
    left: NDArray[Any]
    right: NDArray[Any]
    values: NDArray[np.float64]
    target: int = 0


def add_trees(graph: Graph, trees: Sequence[FlatTree]) -> str:
    """Add the sums of trees by target, (n, n_targets), and return their name."""
    table = _Table()
    for tree in trees:
        table.plant(tree)
    return graph.add(
        "TreeEnsemble",
        graph.X,
        domain=TREES,
        n_targets=1 + max(tree.target for tree in trees),
        aggregate_function=SUM,
        post_transform=NO_TRANSFORM,
        **table.attributes(graph),
    )


class _Table:
    """The columns of the operator while trees are written into them."""

    def __init__(self) -> None:
        self.roots: list[int] = []
        self.nodes: list[dict[str, float]] = []
        self.members: list[float] = []
        self.leaves: list[tuple[int, float]] = []

    def plant(self, tree: FlatTree) -> None:
        """Add a tree."""
        first_node, first_leaf = len(self.nodes), len(self.leaves)
        self.roots.append(first_node)
        self.leaves.extend((tree.target, float(value)) for value in tree.values)
        if not len(tree.splits):  # the operator knows no root that is a leaf
            self._add_node(0, 0.0, AT_MOST, (first_leaf, True), (first_leaf, True), True)
        for split, left, right in zip(tree.splits, tree.left, tree.right, strict=True):
            to_left, to_right = (
                (first_leaf + ~int(to), True) if to < 0 else (first_node + int(to), False)
                for to in (left, right)
            )
            is_number = split["category_set"] < 0
            self._add_node(
                int(split["feature"]),
                float(split["threshold"]) if is_number else 0.0,
                AT_MOST if is_number else MEMBER,
                to_left,
                to_right,
                bool(split["default_left"] == 1),
            )
            if not is_number:
                chosen = np.flatnonzero(tree.category_sets[split["category_set"]])
                self.members.extend([*chosen.tolist(), np.nan])  # NaN ends a set

    def _add_node(
        self,
        feature: int,
        split: float,
        mode: int,
        left: tuple[int, bool],
        right: tuple[int, bool],
        missing_left: bool,
    ) -> None:
        self.nodes.append(
            {
                "featureids": feature,
                "splits": split,
                "modes": mode,
                "truenodeids": left[0],
                "trueleafs": left[1],
                "falsenodeids": right[0],
                "falseleafs": right[1],
                "missing_value_tracks_true": missing_left,
            }
        )

    def attributes(self, graph: Graph) -> dict[str, Any]:
        """Return the columns as attributes of the operator."""
        kinds = {"splits": np.float64, "modes": np.uint8}
        columns: dict[str, Any] = {
            f"nodes_{name}": [int(node[name]) for node in self.nodes]
            for name in self.nodes[0]
            if name not in kinds
        }
        for name, kind in kinds.items():
            values = np.array([node[name] for node in self.nodes], dtype=kind)
            columns[f"nodes_{name}"] = graph.tensor(values)
        if self.members:
            columns["membership_values"] = graph.tensor(np.array(self.members))
        targets, weights = zip(*self.leaves, strict=True)
        columns["leaf_targetids"] = list(targets)
        columns["leaf_weights"] = graph.tensor(np.array(weights))
        return {**columns, "tree_roots": self.roots}
