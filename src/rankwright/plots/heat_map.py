"""A grid of relative improvements, better and worse in two hues."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from rankwright.explanation import one_line
from rankwright.plots.axes import INK, NAME, dress

__all__ = ["plot_improvement"]


def plot_improvement(
    table: pd.DataFrame,
    *,
    title: str | None = None,
    limit: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw relative improvements as a heat map: orange is worse, purple is better.

    Parameters
    ----------
    table : DataFrame
        Relative improvements (0.1 is ten percent); the index and the columns, with their names,
        label the axes. Missing cells stay empty.
    title : str, optional
    limit : float, optional
        The improvement at which the colours end; by default the largest in the table.
    ax : Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> import pandas as pd
    >>> import rankwright as rw
    >>> table = pd.DataFrame([[0.5, 0.1], [0.2, -0.1]], index=[2, 5], columns=[0, 1])
    >>> len(rw.plots.plot_improvement(table).texts)
    4
    """
    values = table.to_numpy(dtype=float)
    bound = limit or float(np.nanmax(np.abs(values))) or 1.0
    size = (1.6 + 0.72 * table.shape[1], 1.2 + 0.42 * table.shape[0])
    x, y = (None if name is None else str(name) for name in (table.columns.name, table.index.name))
    ax = dress(ax, size=size, title=title, x=x, y=y)
    image = ax.imshow(values, cmap="PuOr", vmin=-bound, vmax=bound, aspect="auto")
    ax.set_xticks(range(table.shape[1]), [one_line(label) for label in table.columns], **NAME)
    ax.set_yticks(range(table.shape[0]), [one_line(label) for label in table.index], **NAME)
    for (row, column), value in np.ndenumerate(values):
        if not np.isnan(value):
            colour = "white" if abs(value) > 0.5 * bound else INK
            ax.text(
                column, row, f"{100 * value:+.0f}%", ha="center", va="center", color=colour, size=8
            )
    for spine in ax.spines.values():
        spine.set_visible(False)
    bar = ax.figure.colorbar(image, ax=ax, format=PercentFormatter(1, decimals=0), shrink=0.9)
    bar.set_label("relative improvement", color=INK)
    bar.outline.set_visible(False)
    return ax
