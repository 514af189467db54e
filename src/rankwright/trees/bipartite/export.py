"""A ranking tree in words: how each cell is split, and what leads to each leaf."""

from dataclasses import dataclass
from typing import Any

from sklearn.utils.validation import check_is_fitted

from rankwright.trees.bipartite.growing import CartSplits
from rankwright.trees.bipartite.tree import TreeRank
from rankwright.trees.ordinal.export import condition_text

__all__ = ["RankingRule", "describe_cell_split", "export_ranking_rules", "export_ranking_text"]


@dataclass(frozen=True)
class RankingRule:
    """One leaf of a ranking tree.

    Attributes
    ----------
    conditions : tuple of tuple of str
        One entry for each split above the leaf: the boxes, one of which the row lies in.
    score : float
        By which rows are ranked.
    share : float
        Share of positives among the training rows.
    weight : float
        Weight of the training rows: their number when they have no weights.
    """

    conditions: tuple[tuple[str, ...], ...]
    score: float
    share: float
    weight: float

    def __str__(self) -> str:
        """Return the rule as a sentence."""
        parts = [_any_of(boxes) for boxes in self.conditions]
        if len(parts) > 1:
            parts = [f"({part})" if " or " in part else part for part in parts]
        where = " and ".join(parts) or "always"
        return f"{where}: score {self.score:g}, {self.share:.1%} positive, weight {self.weight:g}"


def _any_of(boxes: tuple[str, ...]) -> str:
    if len(boxes) == 1:
        return boxes[0]
    return " or ".join(f"({box})" if " and " in box else box for box in boxes)


def describe_cell_split(
    model: TreeRank, cell: int, *, left: bool, digits: int = 4
) -> tuple[str, ...]:
    """Return the boxes of a cell that go to one of its children.

    Examples
    --------
    >>> import rankwright as rw
    >>> tree = rw.TreeRank(min_samples_leaf=1).fit([[1.0], [2.0], [3.0]], [0, 1, 0])
    >>> describe_cell_split(tree, 0, left=True), describe_cell_split(tree, 0, left=False)
    (('x0 > 1.5 and x0 <= 2.5',), ('x0 <= 1.5', 'x0 > 2.5'))
    """
    splits = model.tree_.splits
    if not isinstance(splits, CartSplits):
        name = type(model.leaf_rank).__name__
        return (f"{name} says {'better' if left else 'worse'}",)
    child = int(model.tree_.cells["left"][cell]) + (not left)
    boxes = []
    first = int((splits.cuts["cell"] == cell).argmax())
    pending: list[tuple[int, dict[Any, str]]] = [(first, {})]
    while pending:
        at, conditions = pending.pop()
        if at < 0 or splits.cuts["cell"][at] != cell:
            reached = ~at if at < 0 else int(splits.cuts["cell"][at])
            if reached == child:
                boxes.append(" and ".join(conditions.values()))
            continue
        cut = splits.cuts[at]
        for side in (False, True):
            text = condition_text(model, cut, splits.category_sets, left=side, digits=digits)
            # A threshold replaces the looser one above it on the same side.
            feature = int(cut["feature"])
            tightens = cut["category_set"] < 0 and not model.has_missing_[feature]
            key = (feature, side) if tightens else at
            kept = {other: old for other, old in conditions.items() if other != key}
            pending.append((int(cut["left" if side else "right"]), kept | {key: text}))
    return tuple(boxes)


def export_ranking_text(model: TreeRank, *, max_depth: int = 3, digits: int = 4) -> str:
    """Return a fitted ranking tree as indented text, better cells first.

    Parameters
    ----------
    model : TreeRank
    max_depth : int
        Deeper cells are summed up.
    digits : int
        Significant digits of thresholds.

    Examples
    --------
    >>> import rankwright as rw
    >>> tree = rw.TreeRank(min_samples_leaf=1).fit([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 0])
    >>> print(export_ranking_text(tree))
    all: 25.0% of 4
      better if x0 > 2.5 and x0 <= 3.5: 100.0% of 1, score 2
      worse if x0 <= 2.5 or x0 > 3.5: 0.0% of 3, score 1
    """
    check_is_fitted(model)
    tree = model.tree_
    shares, scores = tree.shares(), tree.scores()
    lines: list[str] = []
    pending = [(0, "all")]
    while pending:
        cell, text = pending.pop()
        record = tree.cells[cell]
        line = f"{text}: {shares[cell]:.1%} of {record['positives'] + record['negatives']:g}"
        line = "  " * int(record["depth"]) + line
        if record["left"] < 0:
            lines.append(f"{line}, score {scores[cell]:g}")
        elif record["depth"] >= max_depth:
            lines.append(f"{line}, split further")
        else:
            lines.append(line)
            for side, word in ((False, "worse"), (True, "better")):
                boxes = describe_cell_split(model, cell, left=side, digits=digits)
                pending.append((int(record["left"]) + (not side), f"{word} if {_any_of(boxes)}"))
    return "\n".join(lines)


def export_ranking_rules(model: TreeRank, *, digits: int = 4) -> list[RankingRule]:
    """Return what leads to each leaf of a ranking tree, best leaf first.

    Parameters
    ----------
    model : TreeRank
    digits : int
        Significant digits of thresholds.

    Examples
    --------
    >>> import rankwright as rw
    >>> tree = rw.TreeRank(min_samples_leaf=1).fit([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 0])
    >>> for rule in export_ranking_rules(tree):
    ...     print(rule)
    x0 > 2.5 and x0 <= 3.5: score 2, 100.0% positive, weight 1
    x0 <= 2.5 or x0 > 3.5: score 1, 0.0% positive, weight 3
    """
    check_is_fitted(model)
    tree = model.tree_
    shares, scores = tree.shares(), tree.scores()
    rules = []
    pending: list[tuple[int, tuple[tuple[str, ...], ...]]] = [(0, ())]
    while pending:
        cell, conditions = pending.pop()
        record = tree.cells[cell]
        if record["left"] < 0:
            weight = float(record["positives"] + record["negatives"])
            rules.append(RankingRule(conditions, float(scores[cell]), float(shares[cell]), weight))
            continue
        for side in (False, True):
            boxes = describe_cell_split(model, cell, left=side, digits=digits)
            pending.append((int(record["left"]) + (not side), (*conditions, boxes)))
    return rules
