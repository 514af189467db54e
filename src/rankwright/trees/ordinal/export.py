"""A tree in words: as indented text and as rules."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from rankwright.trees.ordinal.nodes import Tree
from rankwright.trees.ordinal.tree import OrdinalTree

__all__ = [
    "Rule",
    "condition_text",
    "describe_split",
    "export_rules",
    "export_text",
    "label_text",
]


@dataclass(frozen=True)
class Rule:
    """One leaf as an if-then rule.

    Attributes
    ----------
    conditions : tuple of str
        All of them hold in the leaf; none for a tree of one leaf.
    label : object
        What is predicted.
    expected : float
        The expected label, by which rows are ranked.
    weight : float
        Weight of the training rows: their number when they have no weights.
    """

    conditions: tuple[str, ...]
    label: object
    expected: float
    weight: float

    def __str__(self) -> str:
        """Return the rule as a sentence."""
        conditions = " and ".join(self.conditions) or "always"
        outcome = f"{label_text(self.label)} (expected {self.expected:.4g}, weight {self.weight:g})"
        return f"if {conditions} then {outcome}"


def label_text(label: object) -> str:
    """Return a label as text, whole numbers without a decimal point."""
    return f"{label:g}" if isinstance(label, float | np.floating) else str(label)


def _feature_name(model: BaseEstimator, feature: int) -> str:
    names = getattr(model, "feature_names_in_", None)
    return f"x{feature}" if names is None else str(names[feature])


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


def condition_text(
    model: BaseEstimator,
    split: Any,
    category_sets: NDArray[np.bool_],
    *,
    left: bool,
    digits: int,
) -> str:
    """Return the condition of one side of a split: a record of feature, threshold and the like."""
    name = _feature_name(model, split["feature"])
    missing = " or missing" if bool(split["default_left"]) == left else ""
    if split["category_set"] >= 0:
        known = model.categories_[int(split["feature"])]
        sides = category_sets[split["category_set"], : len(known)]
        chosen = [
            str(category) for category, side in zip(known, sides, strict=True) if side == left
        ]
        return f"{name} in {{{', '.join(chosen)}}}" + missing.replace("missing", "new")
    if np.isinf(split["threshold"]):  # all values on the left, missing ones on the right
        return f"{name} is not missing" if left else f"{name} is missing"
    missing = missing if model.has_missing_[split["feature"]] else ""
    return f"{name} {'<=' if left else '>'} {split['threshold']:.{digits}g}{missing}"


def _children(tree: Tree, node: int) -> tuple[tuple[int, bool], tuple[int, bool]]:
    left = int(tree.nodes["left"][node])
    return (left, True), (left + 1, False)


def _leaf_text(model: OrdinalTree, node: int) -> str:
    tree = model.tree_
    expected = float(tree.distributions()[node] @ model.label_values_)
    label = model.labels_[tree.nodes["label"][node]]
    return f"{label_text(label)} (expected {expected:.4g}, weight {tree.nodes['weight'][node]:g})"


def export_text(model: OrdinalTree, *, max_depth: int = 10, digits: int = 4) -> str:
    """Return a fitted tree as indented text.

    Parameters
    ----------
    model : OrdinalTree
    max_depth : int
        Deeper parts are summed up.
    digits : int
        Significant digits of thresholds.

    Examples
    --------
    >>> import rankwright as rw
    >>> tree = rw.OrdinalTree().fit([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 2])
    >>> print(export_text(tree))
    x0 <= 2.5: 0 (expected 0, weight 2)
    x0 > 2.5
      x0 <= 3.5: 1 (expected 1, weight 1)
      x0 > 3.5: 2 (expected 2, weight 1)
    """
    check_is_fitted(model)
    tree = model.tree_
    if tree.is_leaf[0]:
        return "always: " + _leaf_text(model, 0)
    lines: list[str] = []
    pending = list(reversed([(child, 0, left) for child, left in _children(tree, 0)]))
    parents = {child: 0 for child, _ in _children(tree, 0)}
    while pending:
        node, depth, left = pending.pop()
        line = "  " * depth + describe_split(model, parents[node], left=left, digits=digits)
        if tree.is_leaf[node]:
            lines.append(f"{line}: {_leaf_text(model, node)}")
        elif depth + 1 >= max_depth:
            lines.append(f"{line}: ... {_leaf_text(model, node)}")
        else:
            lines.append(line)
            for child, is_left in reversed(_children(tree, node)):
                parents[child] = node
                pending.append((child, depth + 1, is_left))
    return "\n".join(lines)


def _add_condition(
    model: OrdinalTree, conditions: dict[Any, str], node: int, left: bool, digits: int
) -> dict[Any, str]:
    """Add a split's condition; a threshold replaces the looser one above it on the same side."""
    split = model.tree_.nodes[node]
    feature = int(split["feature"])
    replaces = split["category_set"] < 0 and not model.has_missing_[feature]
    key = (feature, left) if replaces else node
    kept = {other: text for other, text in conditions.items() if other != key}
    return kept | {key: describe_split(model, node, left=left, digits=digits)}


def export_rules(model: OrdinalTree, *, digits: int = 4) -> list[Rule]:
    """Return a fitted tree as if-then rules, one for each leaf, best expected label first.

    Parameters
    ----------
    model : OrdinalTree
    digits : int
        Significant digits of thresholds.

    Examples
    --------
    >>> import rankwright as rw
    >>> tree = rw.OrdinalTree().fit([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 2])
    >>> for rule in export_rules(tree):
    ...     print(rule)
    if x0 > 3.5 then 2 (expected 2, weight 1)
    if x0 > 2.5 and x0 <= 3.5 then 1 (expected 1, weight 1)
    if x0 <= 2.5 then 0 (expected 0, weight 2)
    """
    check_is_fitted(model)
    tree = model.tree_
    expected = tree.distributions() @ model.label_values_
    rules = []
    pending: list[tuple[int, dict[Any, str]]] = [(0, {})]
    while pending:
        node, conditions = pending.pop()
        if tree.is_leaf[node]:
            label = model.labels_[tree.nodes["label"][node]]
            weight = float(tree.nodes["weight"][node])
            rules.append(Rule(tuple(conditions.values()), label, float(expected[node]), weight))
            continue
        for child, left in _children(tree, node):
            pending.append((child, _add_condition(model, conditions, node, left, digits)))
    return sorted(rules, key=lambda rule: -rule.expected)
