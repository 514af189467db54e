"""A ranking as bars of scores."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from rankwright.plots.axes import ACCENT, CONTRAST, INK, NAME, dress, shortened

__all__ = ["plot_ranking"]

LONGEST = 40


def plot_ranking(
    scores: ArrayLike,
    items: Sequence[str],
    *,
    positions: ArrayLike | None = None,
    title: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the score of each item as a bar, in the given order.

    Parameters
    ----------
    scores : array-like of shape (n_items,)
        Larger is better.
    items : sequence of str
        The items' names.
    positions : array-like of shape (n_items,), optional
        Written before the names.
    title : str, optional
    ax : Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> import rankwright as rw
    >>> ax = rw.plots.plot_ranking([0.9, 0.4], ["A1", "B2"], positions=[1, 2])
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['1  A1', '2  B2']
    """
    values = np.asarray(scores, dtype=float)
    names = [shortened(item, LONGEST) for item in items]
    if positions is not None:
        names = [f"{p:g}  {name}" for p, name in zip(np.asarray(positions), names, strict=True)]
    rows = np.arange(len(values))
    ax = dress(ax, size=(6.4, 1.0 + 0.26 * len(values)), title=title, x="score", grid="x")
    ax.barh(rows, values, height=0.66, color=[ACCENT if v >= 0 else CONTRAST for v in values])
    ax.axvline(0, color=INK, linewidth=1)
    ax.set_yticks(rows, names, **NAME)
    ax.set_ylim(len(values) - 0.5, -0.5)
    return ax
