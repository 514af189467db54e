"""Points of a plane with their grades, and the pairs made of them."""

import warnings
from collections.abc import Iterator
from itertools import cycle

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike

from rankwright.plots.axes import INK, MUTED, SERIES, add_legend, dress

__all__ = ["plot_pairs", "plot_points"]

MARKERS = "o^sDv*PXp<>h"
SMALL, MEDIUM, LARGE = 3.5, 5.0, 7.0  # points across


def plot_points(
    X: ArrayLike,
    y: ArrayLike,
    groups: ArrayLike | None = None,
    *,
    direction: ArrayLike | None = None,
    title: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw points with a colour for each grade and a marker for each group.

    There are twelve markers: with more groups they repeat, which the picture and a warning say.

    Parameters
    ----------
    X : (n, 2) array or DataFrame
    y : (n,) array
        Grades: few different values.
    groups : (n,) array, optional
        Group id of each point, drawn as markers.
    direction : (2,) array, optional
        Drawn as an arrow: where scores rise.
    title : str, optional
    ax : Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> import rankwright as rw
    >>> blocks = rw.datasets.make_blocks()
    >>> ax = rw.plots.plot_points(blocks.X, blocks.y, blocks.groups, direction=blocks.direction)
    >>> ax.get_xlabel()
    'x1'
    """
    points, names = _plane(X)
    grades, groups = np.asarray(y), np.zeros(len(points)) if groups is None else np.asarray(groups)
    labels = np.unique(groups)
    ax = dress(ax, size=(5, 4.2), title=title, x=names[0], y=names[1], grid="both")
    for colour, size, grade in _grades(np.unique(grades)):
        for marker, group in zip(cycle(MARKERS), labels, strict=False):
            chosen = points[(grades == grade) & (groups == group)]
            ax.scatter(chosen[:, 0], chosen[:, 1], s=size**2, color=colour, marker=marker)
    if direction is not None:
        _arrow(ax, points, np.asarray(direction, dtype=float))
    ax.set_aspect("equal", adjustable="datalim")
    _name_points(ax, np.unique(grades), labels)
    return ax


def _name_points(ax: Axes, grades: np.ndarray, groups: np.ndarray) -> None:
    """Name the colours and, unless there is one group, the markers as far as they go."""
    entries = [
        (_sample("o", colour, size), f"grade {grade:g}") for colour, size, grade in _grades(grades)
    ]
    if len(groups) > 1:
        entries += [
            (_sample(marker, MUTED, MEDIUM), f"group {group}")
            for marker, group in zip(MARKERS, groups, strict=False)
        ]
    if len(groups) > len(MARKERS):
        said = f"{len(groups)} groups, {len(MARKERS)} markers"
        warnings.warn(f"{said}: they repeat; draw fewer groups to tell them apart", stacklevel=3)
        entries.append((Line2D([], [], linestyle=""), said))
    place = {"loc": "upper left", "bbox_to_anchor": (1, 1)} if len(entries) > 6 else {}
    add_legend(ax, entries, frameon=False, fontsize=9 if len(entries) <= 6 else 7.5, **place)


def _grades(grades: np.ndarray) -> Iterator[tuple[str, float, float]]:
    """Yield the colour and the size of each grade: better ones are larger, for eyes and paper."""
    sizes = np.linspace(SMALL, LARGE, len(grades)) if len(grades) > 1 else [MEDIUM]
    yield from zip(cycle(SERIES), sizes, grades, strict=False)


def _sample(marker: str, colour: str, size: float) -> Line2D:
    return Line2D([], [], marker=marker, color=colour, linestyle="", markersize=size)


def plot_pairs(
    differences: ArrayLike,
    signs: ArrayLike,
    *,
    normal: ArrayLike | None = None,
    title: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw differences of rows with the sign of their preference, and the line between the signs.

    Parameters
    ----------
    differences : (n_pairs, 2) array
        As :func:`rankwright.pairwise_transform` returns them.
    signs : (n_pairs,) array
        1 where the first row of a pair is the better one, else -1.
    normal : (2,) array, optional
        The weights of a ranker: the line on which its scores tie is drawn.
    title : str, optional
    ax : Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> import rankwright as rw
    >>> blocks = rw.datasets.make_blocks()
    >>> pairs = rw.pairwise_transform(blocks.X, blocks.y, blocks.groups)
    >>> rw.plots.plot_pairs(*pairs, normal=blocks.direction).get_title(loc="left")
    ''
    """
    points, names = _plane(differences)
    signs = np.asarray(signs)
    labels = (f"difference in {name}" for name in names)
    ax = dress(ax, size=(5, 4.2), title=title, x=next(labels), y=next(labels), grid="both")
    for sign, colour, marker, word in (
        (1, SERIES[0], "o", "better"),
        (-1, SERIES[1], "x", "worse"),
    ):
        chosen = points[signs == sign]
        ax.scatter(
            chosen[:, 0],
            chosen[:, 1],
            s=12,
            color=colour,
            marker=marker,
            linewidth=0.8,
            label=f"{word} minus other",
        )
    if normal is not None:
        along = np.array([-1.0, 1.0]) * np.asarray(normal, dtype=float)[::-1]
        ax.axline((0, 0), xy2=tuple(along), color=INK, linewidth=1.2, label="scores tie")
    ax.set_aspect("equal", adjustable="datalim")
    ax.legend(fontsize=9, loc="lower right", framealpha=0.9, edgecolor="none")
    return ax


def _plane(X: ArrayLike) -> tuple[np.ndarray, tuple[str, str]]:
    points = np.asarray(X, dtype=float)
    if points.ndim != 2 or points.shape[1] != 2:
        raise ValueError(f"X has shape {points.shape}; a plane needs two columns")
    first, second = X.columns if isinstance(X, pd.DataFrame) else ("x1", "x2")
    return points, (str(first), str(second))


def _arrow(ax: Axes, points: np.ndarray, direction: np.ndarray) -> None:
    centre, spread = points.mean(axis=0), np.ptp(points, axis=0).max()
    end = centre + 0.4 * spread * direction / np.linalg.norm(direction)
    ax.annotate(
        "",
        xy=tuple(end),
        xytext=tuple(centre),
        arrowprops={"arrowstyle": "-|>", "color": INK, "linewidth": 1.6},
    )
