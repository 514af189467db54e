"""Pictures of ordinal trees."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, to_hex
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from rankwright.explanation import one_line
from rankwright.plots.axes import TEXT, add_legend
from rankwright.trees import OrdinalTree
from rankwright.trees.ordinal.export import describe_split, label_text
from rankwright.trees.ordinal.nodes import Tree

__all__ = ["place_nodes", "plot_partition", "plot_tree"]

NODE_WIDTH, NODE_HEIGHT = 0.86, 0.5
MARKERS = "os^Dv*PXp<>h"
# Where the labels are named: to the right of the picture.
BESIDE: dict[str, Any] = {
    "title": "label", "fontsize": 7, "title_fontsize": 7, "frameon": False,
    "loc": "upper left", "bbox_to_anchor": (1.0, 1.0),
}  # fmt: skip


def _label(label: Any) -> str:
    return one_line(label_text(label))


def _label_colours(n_labels: int) -> list[str]:
    return [to_hex(colour) for colour in colormaps["viridis"](np.linspace(0.05, 0.95, n_labels))]


def place_nodes(nodes: NDArray[Any], max_depth: int) -> dict[int, tuple[float, int]]:
    """Give leaves the next free column, and other nodes the middle of their children."""
    places: dict[int, tuple[float, int]] = {}
    n_columns = 0

    def place(node: int) -> float:
        nonlocal n_columns
        depth = int(nodes["depth"][node])
        left = int(nodes["left"][node])
        if left < 0 or depth == max_depth:
            x = float(n_columns)
            n_columns += 1
        else:
            x = (place(left) + place(left + 1)) / 2
        places[node] = (x, depth)
        return x

    place(0)
    return places


def _draw_node(
    ax: Axes, x: float, y: float, shares: NDArray[np.float64], colours: list[str]
) -> None:
    """Draw a node's label histogram as bars in a frame."""
    frame = Rectangle(
        (x - NODE_WIDTH / 2, y), NODE_WIDTH, NODE_HEIGHT, facecolor="white", edgecolor="0.6", lw=0.8
    )
    ax.add_patch(frame)
    width = NODE_WIDTH / len(shares)
    for label, share in enumerate(shares):
        corner = (x - NODE_WIDTH / 2 + label * width, y)
        ax.add_patch(Rectangle(corner, width, share * NODE_HEIGHT, facecolor=colours[label], lw=0))


def plot_tree(model: OrdinalTree, *, max_depth: int = 4, ax: Axes | None = None) -> Axes:
    """Draw a tree with the label histogram in each node.

    The left branch of a split is the one where its condition holds. A leaf shows the label that it
    predicts, a split its condition, both with the weight of their rows.

    Parameters
    ----------
    model : OrdinalTree
        Fitted.
    max_depth : int
        Deeper nodes are left out; a node cut off there ends in dots.
    ax : Axes, optional
        A figure of fitting size by default.

    Returns
    -------
    Axes

    Examples
    --------
    >>> import rankwright as rw
    >>> from rankwright.plots import plot_tree
    >>> data = rw.datasets.make_ordinal_squares(500, random_state=0)
    >>> ax = plot_tree(rw.OrdinalTree(max_depth=2).fit(data.X, data.y))
    """
    check_is_fitted(model)
    tree = model.tree_
    places = place_nodes(tree.nodes, max_depth)
    n_columns = 1 + max(x for x, _ in places.values())
    n_levels = 1 + max(depth for _, depth in places.values())
    if ax is None:
        _, ax = plt.subplots(
            figsize=(1.25 * n_columns + 1, 1.3 * n_levels + 0.4), layout="constrained"
        )
    colours = _label_colours(model.labels_.size)
    shares = tree.distributions()
    for node, (x, depth) in places.items():
        y = -float(depth)
        left = int(tree.nodes["left"][node])
        weight = f"{tree.nodes['weight'][node]:.6g}"
        if left in places:
            for child in (left, left + 1):
                ends = [x, places[child][0]], [y - 0.16, -float(places[child][1]) + NODE_HEIGHT]
                ax.plot(*ends, color="0.7", lw=0.9, zorder=0)
            says = describe_split(model, node, left=True, digits=3)
        else:
            dots = " ..." if left >= 0 else ""
            says = f"{_label(model.labels_[tree.nodes['label'][node]])}{dots}"
        _draw_node(ax, x, y, shares[node], colours)
        ax.text(
            x,
            y - 0.04,
            f"{one_line(says)}\n{weight}",
            ha="center",
            va="top",
            fontsize=7,
            linespacing=1.1,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6},
            **TEXT,
        )
    ax.set_xlim(-0.6, n_columns - 0.4)
    ax.set_ylim(0.45 - n_levels, NODE_HEIGHT + 0.1)
    ax.set_axis_off()
    handles = [Rectangle((0, 0), 1, 1, facecolor=colour) for colour in colours[:12]]
    add_legend(ax, zip(handles, map(_label, model.labels_), strict=False), **BESIDE)
    return ax


def plot_partition(
    model: OrdinalTree,
    X: Any,
    y: ArrayLike,
    *,
    features: Sequence[int] = (0, 1),
    ax: Axes | None = None,
) -> Axes:
    """Draw how a tree cuts the plane of two features, as figures 3 and 4 of Xia et al. (2008) do.

    Parameters
    ----------
    model : OrdinalTree
        Fitted on two numeric features, or on more, of which the others are held at their median.
    X : (n, d) frame or array
    y : (n,) array
        Labels of the examples.
    features : two ints
        The features on the axes.
    ax : Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> import rankwright as rw
    >>> from rankwright.plots import plot_partition
    >>> data = rw.datasets.make_ordinal_squares(300, random_state=0)
    >>> ax = plot_partition(rw.OrdinalTree(max_depth=2).fit(data.X, data.y), data.X, data.y)
    """
    check_is_fitted(model)
    if ax is None:
        _, ax = plt.subplots(figsize=(4.6, 4.2), layout="constrained")
    rows = np.asarray(X, dtype=np.float64)
    across, up = features
    edges = [_cell_edges(model.tree_, rows[:, feature], feature) for feature in (across, up)]
    middles = [(edge[:-1] + edge[1:]) / 2 for edge in edges]
    cells = np.tile(np.nanmedian(rows, axis=0), (middles[0].size * middles[1].size, 1))
    cells[:, [across, up]] = np.array(np.meshgrid(*middles)).reshape(2, -1).T
    leaves = model.tree_.apply(cells)
    codes = model.tree_.nodes["label"][leaves].reshape(middles[1].size, middles[0].size)
    colours = _label_colours(model.labels_.size)
    ax.pcolormesh(
        *edges,
        codes,
        cmap=ListedColormap(colours),
        vmin=-0.5,
        vmax=model.labels_.size - 0.5,
        alpha=0.35,
    )
    _draw_borders(ax, edges, leaves.reshape(codes.shape))
    labels, entries = np.asarray(y), []
    for code, label in enumerate(model.labels_):
        here = labels == label
        dots = ax.scatter(
            rows[here, across],
            rows[here, up],
            s=9,
            marker=MARKERS[code % len(MARKERS)],
            color=colours[code],
            edgecolor="white",
            lw=0.2,
        )
        entries.append((dots, _label(label)))
    names = getattr(model, "feature_names_in_", [f"x{j}" for j in range(model.n_features_in_)])
    ax.set_xlabel(one_line(names[across]), **TEXT)
    ax.set_ylabel(one_line(names[up]), **TEXT)
    add_legend(ax, entries, **BESIDE)
    return ax


def _cell_edges(tree: Tree, values: NDArray[np.float64], feature: int) -> NDArray[np.float64]:
    """Return the thresholds of a feature between its extremes."""
    low, high = np.nanmin(values), np.nanmax(values)
    thresholds = tree.nodes["threshold"][(tree.nodes["feature"] == feature) & ~tree.is_leaf]
    inside = thresholds[(thresholds > low) & (thresholds < high)]
    return np.unique(np.concatenate([[low], inside, [high]]))


def _draw_borders(ax: Axes, edges: list[NDArray[np.float64]], leaves: NDArray[np.int32]) -> None:
    """Draw a line wherever neighbouring cells belong to different leaves."""
    across, up = edges
    rows, columns = np.nonzero(leaves[:, 1:] != leaves[:, :-1])
    ax.vlines(across[columns + 1], up[rows], up[rows + 1], color="0.25", lw=0.8)
    rows, columns = np.nonzero(leaves[1:] != leaves[:-1])
    ax.hlines(up[rows + 1], across[columns], across[columns + 1], color="0.25", lw=0.8)
