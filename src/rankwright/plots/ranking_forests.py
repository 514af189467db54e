"""Pictures of ranking trees and forests."""

import numpy as np
from matplotlib import colormaps
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from sklearn.utils.validation import check_is_fitted

from rankwright.explanation import one_line
from rankwright.plots.axes import TEXT
from rankwright.plots.roc import plot_roc
from rankwright.plots.trees import place_nodes
from rankwright.trees import RankingForest, TreeRank
from rankwright.trees.bipartite.export import describe_cell_split

__all__ = ["plot_oob_roc", "plot_ranking_tree"]

CELL_WIDTH, CELL_HEIGHT = 0.85, 0.2
# Boxes of a split that are written out.
MOST_BOXES = 2


def _split_text(model: TreeRank, cell: int) -> str:
    boxes = describe_cell_split(model, cell, left=True, digits=3)
    shown = [one_line(box).replace(" and ", "\nand ") for box in boxes[:MOST_BOXES]]
    more = len(boxes) - len(shown)
    return "left if " + "\nor ".join(shown) + (f"\nor {more} more" if more > 0 else "")


def plot_ranking_tree(model: TreeRank, *, max_depth: int = 3, ax: Axes | None = None) -> Axes:
    """Draw an oriented tree, the best cell at the left.

    Each cell shows its share of positives, as a filled bar and in percent, and the weight of its
    rows; a split cell the rule by which rows go left, the better side.

    Parameters
    ----------
    model : TreeRank
        Fitted.
    max_depth : int
        Deeper cells are left out; a cell cut off there ends in dots.
    ax : Axes, optional
        A figure of fitting size by default.

    Returns
    -------
    Axes

    Examples
    --------
    >>> import rankwright as rw
    >>> from rankwright.plots import plot_ranking_tree
    >>> data = rw.datasets.make_rf10_sparse(500, random_state=0)
    >>> ax = plot_ranking_tree(rw.TreeRank(max_depth=2, max_depth_leaf=2).fit(data.X, data.y))
    """
    check_is_fitted(model)
    cells, shares = model.tree_.cells, model.tree_.shares()
    places = place_nodes(cells, max_depth)
    n_columns = 1 + max(x for x, _ in places.values())
    n_levels = 1 + max(depth for _, depth in places.values())
    if ax is None:
        size = (1.15 * n_columns + 0.3, 1.2 * n_levels + 0.2)
        _, ax = plt.subplots(figsize=size, layout="constrained")
    colours = colormaps["RdYlBu"]
    for cell, (x, depth) in places.items():
        y, left = -float(depth), int(cells["left"][cell])
        corner = (x - CELL_WIDTH / 2, y)
        ax.add_patch(Rectangle(corner, CELL_WIDTH, CELL_HEIGHT, fc="white", ec="0.5", lw=0.8))
        filled = Rectangle(
            corner,
            CELL_WIDTH * shares[cell],
            CELL_HEIGHT,
            fc=colours(shares[cell]),
            lw=0,
            zorder=1.5,
        )
        ax.add_patch(filled)
        weight = cells["positives"][cell] + cells["negatives"][cell]
        text = f"{shares[cell]:.0%} of {weight:.6g}"
        ax.text(x, y + CELL_HEIGHT / 2, text, ha="center", va="center", fontsize=7.5)
        if left in places:
            for child in (left, left + 1):
                ends = [x, places[child][0]], [y, -float(places[child][1]) + CELL_HEIGHT]
                ax.plot(*ends, color="0.7", lw=0.9, zorder=0)
        rule = _split_text(model, cell) if left in places else "..." if left >= 0 else ""
        ax.text(x, y - 0.03, rule, ha="center", va="top", fontsize=7.5, linespacing=1.15,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8}, **TEXT)  # fmt: skip
    ax.set_xlim(-0.6, n_columns - 0.4)
    ax.set_ylim(0.75 - n_levels, CELL_HEIGHT + 0.15)
    ax.set_axis_off()
    return ax


def plot_oob_roc(
    model: RankingForest,
    *,
    n_resamples: int = 50,
    random_state: int | np.random.RandomState | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the out-of-bag ROC curve of a forest, within the envelope of resampled rows.

    Parameters
    ----------
    model : RankingForest
        Fitted with ``oob_score=True``.
    n_resamples : int
        Bootstrap samples of the rows for the envelope.
    random_state : int, RandomState or None
        For the samples.
    ax : Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> import rankwright as rw
    >>> from rankwright.plots import plot_oob_roc
    >>> data = rw.datasets.make_rf10_sparse(300, random_state=0)
    >>> forest = rw.RankingForest(20, oob_score=True, random_state=0).fit(data.X, data.y)
    >>> ax = plot_oob_roc(forest, random_state=0)
    """
    check_is_fitted(model)
    if not hasattr(model, "oob_"):
        raise ValueError("the forest has no out-of-bag scores; fit it with oob_score=True")
    return plot_roc(
        {f"out of bag, AUC over pairs {model.oob_.auc:.3f}": model.oob_.roc_curve()},
        envelope=model.oob_.roc_envelope(n_resamples, random_state),
        ax=ax,
    )
