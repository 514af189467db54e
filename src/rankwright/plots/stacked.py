"""Bars stacked from several parts."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from rankwright.explanation import one_line
from rankwright.plots.axes import HATCHES, NAME, SERIES, add_legend, dress

__all__ = ["plot_stacked"]


def plot_stacked(
    table: pd.DataFrame,
    *,
    title: str | None = None,
    y: str | None = None,
    legend: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw each row of a table as a bar, stacked from the values of its columns.

    Parameters
    ----------
    table : DataFrame
        Values that are not negative; the index names the bars.
    title, y : str, optional
        The title and the label of the vertical axis.
    legend : bool
        Whether to name the columns.
    ax : Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> import pandas as pd
    >>> import rankwright as rw
    >>> table = pd.DataFrame({"M1": [0.1, 0.0], "M2": [0.0, 0.2]}, index=["LS1", "LS2"])
    >>> ax = rw.plots.plot_stacked(table, y="above the worst")
    >>> [label.get_text() for label in ax.get_xticklabels()], len(ax.patches)
    (['LS1', 'LS2'], 4)
    """
    ax = dress(ax, title=title, y=y, grid="y")
    bottom = np.zeros(len(table))
    entries: list[tuple[Any, object]] = []
    for number, column in enumerate(table.columns):
        values = table[column].to_numpy(dtype=float)
        colour = SERIES[number % len(SERIES)]
        hatch = HATCHES[number % len(HATCHES)]
        bars = ax.bar(
            range(len(table)), values, 0.7, bottom, color=colour, edgecolor="white", hatch=hatch
        )
        entries.append((bars, column))
        bottom += values
    ax.set_xticks(range(len(table)), [one_line(name) for name in table.index], fontsize=9, **NAME)
    if legend:
        ax.set_ylim(top=1.25 * max(bottom.max(), 1e-9))  # room above the bars
        add_legend(ax, entries, frameon=False, fontsize=8, ncols=table.shape[1], loc="upper left")
    return ax
