"""Measurements over a scale, a curve for each method."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator

from rankwright.explanation import one_line
from rankwright.plots.axes import MARKERS, NAME, SERIES, add_legend, dress

__all__ = ["plot_curves"]


def plot_curves(
    table: pd.DataFrame,
    errors: pd.DataFrame | None = None,
    *,
    title: str | None = None,
    y: str | None = None,
    logarithmic: bool = False,
    dashed: Sequence[str] = (),
    ax: Axes | None = None,
) -> Axes:
    """Draw each column of a table as a curve over the table's index.

    Parameters
    ----------
    table : DataFrame
        Measurements; the name of the index labels the horizontal axis.
    errors : DataFrame, optional
        Standard errors of the same shape, drawn as bands of two of them.
    title, y : str, optional
        The title and the label of the vertical axis.
    logarithmic : bool
        Whether the horizontal axis is.
    dashed : sequence of str
        Columns drawn with dashes: published numbers, perhaps.
    ax : Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> import pandas as pd
    >>> import rankwright as rw
    >>> index = pd.Index([2, 5, 10], name="length")
    >>> table = pd.DataFrame({"pairwise": [0.8, 0.82, 0.83], "pointwise": [0.2, 0.4, 0.6]}, index)
    >>> len(rw.plots.plot_curves(table, y="tau", logarithmic=True).lines)
    2
    """
    x = None if table.index.name is None else str(table.index.name)
    ax = dress(ax, title=title, x=x, y=y, grid="y")
    entries: list[tuple[Any, object]] = []
    for place, column in enumerate(table.columns):
        colour = SERIES[place % len(SERIES)]
        values = table[column].astype(float)
        (curve,) = ax.plot(
            table.index,
            values,
            color=colour,
            marker=MARKERS[place % len(MARKERS)],
            markersize=4,
            linestyle="--" if column in dashed else "-",
        )
        entries.append((curve, column))
        if errors is not None and column in errors:
            band = 2 * errors[column].astype(float)
            ax.fill_between(table.index, values - band, values + band, color=colour, alpha=0.15)
    if logarithmic:
        ax.set_xscale("log")
        ax.set_xticks(table.index, [one_line(value) for value in table.index], **NAME)
        ax.xaxis.set_minor_locator(NullLocator())
    add_legend(ax, entries, frameon=False, fontsize=9)
    return ax
