"""The functions that an additive score is the sum of."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from rankwright.explanation import one_line
from rankwright.plots.axes import ACCENT, CONTRAST, MUTED, TEXT, dress, shortened
from rankwright.plots.panels import panels
from rankwright.plots.results import TERMS, drawn_from
from rankwright.trees.boosted.additive import ShapeFunction
from rankwright.trees.boosted.booster import Booster

__all__ = ["plot_shapes"]

LONGEST_NAME = 14


def plot_shapes(functions: Booster | Sequence[ShapeFunction], *, most: int = 12) -> list[Axes]:
    """Draw the terms of an additive score: steps, bars for categories, maps for pairs.

    All terms of one feature have the same vertical scale, so that heights can be compared.

    Parameters
    ----------
    functions : BoostedRanker, BoostedOrdinal, or list of ShapeFunction
        A booster fitted with ``interactions``, or some of its ``shape_functions()``.
    most : int
        How many to draw at most, the first ones.

    Returns
    -------
    list of Axes
        One for each term.

    Examples
    --------
    >>> import numpy as np
    >>> import rankwright as rw
    >>> X = np.random.default_rng(0).normal(size=(200, 2))
    >>> ranker = rw.BoostedRanker(20, interactions=0, random_state=0).fit(X, X[:, 0] > 0)
    >>> len(rw.plots.plot_shapes(ranker))
    1
    """
    if most < 1:
        raise ValueError(f"most={most!r}; give a whole number from 1 on")
    shown: list[ShapeFunction] = list(drawn_from(functions, TERMS))[:most]
    if not shown:
        raise ValueError("there is no function to draw: no tree of the ranker has a split")
    columns = min(len(shown), 4)
    axes = panels(-(-len(shown) // columns), columns, size=(3.0, 2.6))
    heights = np.concatenate(
        [f.values.ravel() for f in shown if len(f.features) == 1] or [np.zeros(1)]
    )
    gaps = [f.missing for f in shown if f.missing is not None]
    low, high = min([heights.min(), *gaps]), max([heights.max(), *gaps])
    margin = 0.05 * (high - low) or 1.0
    for ax, function in zip(axes, shown, strict=False):
        if len(function.features) == 1:
            _draw_one(ax, function)
            ax.set_ylim(low - margin, high + margin)
        else:
            _draw_pair(ax, function)
    for ax in axes[len(shown) :]:
        ax.remove()
    return axes[: len(shown)]


def _is_steps(points: list[Any]) -> bool:
    """Return whether points are the ends of steps: the last one is infinity."""
    return isinstance(points[-1], float) and np.isinf(points[-1])


def _edges(points: list[Any]) -> NDArray[np.float64]:
    """Return the ends of steps, with finite ones for the first and the last."""
    inner: NDArray[np.float64] = np.array(points[:-1])
    if inner.size == 0:
        return np.array([0.0, 1.0])
    width = 0.05 * float(np.ptp(inner)) or 1.0
    return np.concatenate([[inner[0] - width], inner, [inner[-1] + width]])


def _draw_one(ax: Axes, function: ShapeFunction) -> None:
    dress(ax, x=function.features[0], y="adds to the score", grid="y")
    points, values = function.points[0], function.values
    if _is_steps(points):
        edges = _edges(points)
        ax.stairs(values, edges, baseline=None, color=ACCENT, linewidth=1.6)
    else:
        ax.plot(np.arange(len(values)), values, "o", color=ACCENT)
        _name_places(ax, points, "x")
        edges = np.array([-0.5, len(values) - 0.5])
    if function.missing is not None:
        ax.plot(edges[[0, -1]], 2 * [function.missing], ":", color=CONTRAST, linewidth=1.2)
        ax.annotate(
            "missing", (edges[-1], function.missing), ha="right", va="bottom", fontsize=7,
            color=CONTRAST,
        )  # fmt: skip
    ax.axhline(0.0, color=MUTED, linewidth=0.6)


def _draw_pair(ax: Axes, function: ShapeFunction) -> None:
    dress(ax, x=function.features[0], y=function.features[1])
    largest = float(np.abs(function.values).max()) or 1.0
    grids: list[NDArray[Any]] = []
    for axis, points in zip("xy", function.points, strict=True):
        if _is_steps(points):
            grids.append(_edges(points))
        else:
            grids.append(np.arange(len(points) + 1) - 0.5)
            _name_places(ax, points, axis)
    drawn = ax.pcolormesh(
        *grids, function.values.T, cmap="PuOr_r", vmin=-largest, vmax=largest, shading="flat"
    )
    bar = ax.figure.colorbar(drawn, ax=ax, fraction=0.08)
    bar.ax.tick_params(labelsize=7)


def _name_places(ax: Axes, names: list[Any], axis: str) -> None:
    texts = [
        "missing" if name is None else shortened(one_line(name), LONGEST_NAME) for name in names
    ]
    set_ticks = ax.set_xticks if axis == "x" else ax.set_yticks
    labels: dict[str, Any] = {"fontsize": 7, **TEXT}
    if axis == "x" and len(texts) > 4:
        labels |= {"rotation": 30, "ha": "right"}
    set_ticks(np.arange(len(texts)), texts, **labels)
