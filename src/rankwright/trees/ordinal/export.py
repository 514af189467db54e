"""An ordinal tree in words: its conditions, and what its nodes predict."""

from typing import Any

import numpy as np

from rankwright.trees.conditions import add_condition, condition_text
from rankwright.trees.ordinal.tree import OrdinalTree

__all__ = ["OrdinalWords", "describe_split", "label_text"]


def label_text(label: object) -> str:
    """Return a label as text, whole numbers without a decimal point."""
    return f"{label:g}" if isinstance(label, float | np.floating) else str(label)


def describe_split(model: OrdinalTree, node: int, *, left: bool, digits: int = 4) -> str:
    """Return the condition under which a row goes to a child of a node.

    Examples
    --------
    >>> import rankwright as rw
    >>> tree = rw.OrdinalTree().fit([[1.0], [3.0]], [0, 1])
    >>> describe_split(tree, 0, left=True), describe_split(tree, 0, left=False)
    ('x0 <= 2', 'x0 > 2')
    """
    tree = model.tree_
    return condition_text(model, tree.nodes[node], tree.category_sets, left=left, digits=digits)


class OrdinalWords:
    """What an ordinal tree says of itself; see ``rankwright.trees.export.Words``."""

    def __init__(self, model: OrdinalTree, digits: int) -> None:
        self.model, self.digits = model, digits
        self.left = model.tree_.nodes["left"]
        self.weights = model.tree_.nodes["weight"]
        self.scores = model.tree_.distributions() @ model.label_values_

    def branch(self, node: int, *, left: bool) -> str:
        """Return when a row of a node goes to one of its children."""
        return describe_split(self.model, node, left=left, digits=self.digits)

    def add_branch(self, path: dict[Any, str], node: int, *, left: bool) -> dict[Any, str]:
        """Return the conditions of a child, given those of its parent."""
        tree = self.model.tree_
        return add_condition(
            path,
            self.model,
            tree.nodes[node],
            node,
            tree.category_sets,
            left=left,
            digits=self.digits,
        )

    def outcome(self, node: int) -> str:
        """Return what a node says of its rows."""
        label, expected = label_text(self.prediction(node)), self.scores[node]
        return f"{label} (expected {expected:.4g}, weight {self.weights[node]:g})"

    def prediction(self, node: int) -> object:
        """Return the label of least expected rank loss in a node."""
        label: object = self.model.labels_[self.model.tree_.nodes["label"][node]]
        return label
