"""A fitted tree in words: as indented text and as rules, best leaf first."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from rankwright.trees.bipartite.export import RankingWords
from rankwright.trees.bipartite.tree import TreeRank
from rankwright.trees.ordinal.export import OrdinalWords
from rankwright.trees.ordinal.tree import OrdinalTree

__all__ = ["Rule", "export_rules", "export_text"]


@dataclass(frozen=True)
class Rule:
    """One leaf as an if-then rule.

    Attributes
    ----------
    conditions : tuple of str
        All of them hold in the leaf; none for a tree of one leaf.
    outcome : str
        What the leaf says, in words.
    prediction : object
        What ``predict`` returns: a label of an ordinal tree, the score of a ranking tree.
    score : float
        By which rows are ranked.
    weight : float
        Weight of the training rows: their number when they have no weights.

    Examples
    --------
    >>> import rankwright as rw
    >>> tree = rw.OrdinalTree().fit([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 2])
    >>> best = rw.export_rules(tree)[0]
    >>> best.conditions, best.score, best.weight
    (('x0 > 3.5',), 2.0, 1.0)
    """

    conditions: tuple[str, ...]
    outcome: str
    prediction: object
    score: float
    weight: float

    def __str__(self) -> str:
        """Return the rule as a sentence."""
        parts: list[str] = list(self.conditions)
        if len(parts) > 1:
            parts = [f"({part})" if " or " in part else part for part in parts]
        return (
            f"if {' and '.join(parts)} then {self.outcome}" if parts else f"always {self.outcome}"
        )


class Words(Protocol):
    """What a kind of tree has to say of itself."""

    left: NDArray[np.int32]  # the left child of each node, -1 in a leaf; the right one follows it
    scores: NDArray[np.float64]  # by which the rows of a leaf are ranked
    weights: NDArray[np.float64]  # of the training rows of each node

    def branch(self, node: int, *, left: bool) -> str:
        """Return when a row of a node goes to one of its children."""

    def add_branch(self, path: dict[Any, str], node: int, *, left: bool) -> dict[Any, str]:
        """Return the conditions of a child, given those of its parent."""

    def outcome(self, node: int) -> str:
        """Return what a node says of its rows."""

    def prediction(self, leaf: int) -> object:
        """Return what is predicted in a leaf."""


WORDS: Mapping[type, Any] = {OrdinalTree: OrdinalWords, TreeRank: RankingWords}


def _words(model: Any, digits: int) -> Words:
    for kind, words in WORDS.items():
        if isinstance(model, kind):
            check_is_fitted(model)
            told: Words = words(model, digits)
            return told
    raise TypeError(
        f"{type(model).__name__} is not one tree; give a fitted "
        f"{' or '.join(kind.__name__ for kind in WORDS)}"
    )


def export_text(model: OrdinalTree | TreeRank, *, max_depth: int = 5, digits: int = 4) -> str:
    """Return a fitted tree as indented text, a line for each node.

    Parameters
    ----------
    model : OrdinalTree or TreeRank
        A fitted tree.
    max_depth : int
        Deeper parts are left out: their line ends in "split further".
    digits : int
        Significant digits of thresholds.

    Examples
    --------
    >>> import rankwright as rw
    >>> X = [[1.0], [2.0], [3.0], [4.0]]
    >>> print(rw.export_text(rw.OrdinalTree().fit(X, [0, 0, 1, 2])))
    all: 0 (expected 0.75, weight 4)
      x0 <= 2.5: 0 (expected 0, weight 2)
      x0 > 2.5: 1 (expected 1.5, weight 2)
        x0 <= 3.5: 1 (expected 1, weight 1)
        x0 > 3.5: 2 (expected 2, weight 1)
    >>> print(rw.export_text(rw.TreeRank(min_samples_leaf=1).fit(X, [0, 0, 1, 0])))
    all: 25.0% positive, weight 4
      better if x0 > 2.5 and x0 <= 3.5: score 1.5 (100.0% positive, weight 1)
      worse if x0 <= 2.5 or x0 > 3.5: score 0.5 (0.0% positive, weight 3)
    """
    words = _words(model, digits)
    lines = []
    pending = [(0, 0, "all")]
    while pending:
        node, depth, branch = pending.pop()
        child = int(words.left[node])
        line = f"{'  ' * depth}{branch}: {words.outcome(node)}"
        if child >= 0 and depth == max_depth:
            line += ", split further"
        elif child >= 0:
            pending.append((child + 1, depth + 1, words.branch(node, left=False)))
            pending.append((child, depth + 1, words.branch(node, left=True)))
        lines.append(line)
    return "\n".join(lines)


def export_rules(model: OrdinalTree | TreeRank, *, digits: int = 4) -> list[Rule]:
    """Return a fitted tree as if-then rules, one for each leaf, best score first.

    Parameters
    ----------
    model : OrdinalTree or TreeRank
        A fitted tree.
    digits : int
        Significant digits of thresholds.

    Examples
    --------
    >>> import rankwright as rw
    >>> X = [[1.0], [2.0], [3.0], [4.0]]
    >>> for rule in rw.export_rules(rw.OrdinalTree().fit(X, [0, 0, 1, 2])):
    ...     print(rule)
    if x0 > 3.5 then 2 (expected 2, weight 1)
    if x0 > 2.5 and x0 <= 3.5 then 1 (expected 1, weight 1)
    if x0 <= 2.5 then 0 (expected 0, weight 2)
    """
    words = _words(model, digits)
    rules = []
    pending: list[tuple[int, dict[Any, str]]] = [(0, {})]
    while pending:
        node, path = pending.pop()
        child = int(words.left[node])
        if child >= 0:
            pending.append((child, words.add_branch(path, node, left=True)))
            pending.append((child + 1, words.add_branch(path, node, left=False)))
            continue
        rules.append(
            Rule(
                tuple(path.values()),
                words.outcome(node),
                words.prediction(node),
                float(words.scores[node]),
                float(words.weights[node]),
            )
        )
    return sorted(rules, key=lambda rule: -rule.score)
