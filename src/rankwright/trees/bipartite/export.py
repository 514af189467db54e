"""A ranking tree in words: how each cell is split, and what it holds."""

from typing import Any

from rankwright.trees.bipartite.splits import CartSplits
from rankwright.trees.bipartite.tree import TreeRank
from rankwright.trees.conditions import add_condition

__all__ = ["RankingWords", "describe_cell_split"]


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
        at, path = pending.pop()
        if at < 0 or splits.cuts["cell"][at] != cell:
            reached = ~at if at < 0 else int(splits.cuts["cell"][at])
            if reached == child:
                boxes.append(" and ".join(path.values()))
            continue
        cut = splits.cuts[at]
        for side, to in ((False, int(cut["right"])), (True, int(cut["left"]))):
            longer = add_condition(
                path, model, cut, at, splits.category_sets, left=side, digits=digits
            )
            pending.append((to, longer))
    return tuple(boxes)


class RankingWords:
    """What a ranking tree says of itself; see ``rankwright.trees.export.Words``."""

    def __init__(self, model: TreeRank, digits: int) -> None:
        self.model, self.digits = model, digits
        cells = model.tree_.cells
        self.left = cells["left"]
        self.weights = cells["positives"] + cells["negatives"]
        self.scores = model.tree_.scores()
        self.shares = model.tree_.shares()

    def branch(self, node: int, *, left: bool) -> str:
        """Return when a row of a cell goes to one of its children."""
        return f"{'better' if left else 'worse'} if {self._boxes(node, left=left)}"

    def add_branch(self, path: dict[Any, str], node: int, *, left: bool) -> dict[Any, str]:
        """Return the conditions of a child, given those of its parent."""
        return path | {node: self._boxes(node, left=left)}

    def outcome(self, node: int) -> str:
        """Return what a cell says of its rows."""
        told = f"{self.shares[node]:.1%} positive, weight {self.weights[node]:g}"
        return told if self.left[node] >= 0 else f"score {self.scores[node]:.17g} ({told})"

    def prediction(self, node: int) -> object:
        """Return the score of a cell."""
        return float(self.scores[node])

    def _boxes(self, cell: int, *, left: bool) -> str:
        boxes = describe_cell_split(self.model, cell, left=left, digits=self.digits)
        if len(boxes) == 1:
            return boxes[0]
        return " or ".join(f"({box})" if " and " in box else box for box in boxes)
