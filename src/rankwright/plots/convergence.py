"""How the objective rose and the bound fell while a formula was searched."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from rankwright.plots.axes import ACCENT, CONTRAST, INK, MUTED, dress
from rankwright.plots.results import HISTORY, MOMENT, drawn_from
from rankwright.reverse import Investigation, RatingFormula
from rankwright.reverse.progress import State

__all__ = ["plot_convergence"]


def plot_convergence(
    history: RatingFormula | Investigation | Sequence[State | tuple[float, float, float]],
    *,
    title: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the objective and its bound over time; what lies between is not decided yet.

    Parameters
    ----------
    history : RatingFormula, Investigation, or sequence of State or (seconds, objective, bound)
        What was found and proved, second by second.
    title : str, optional
    ax : Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> import rankwright as rw
    >>> history = [(0.1, 0.8, 1.0), (0.5, 0.9, 0.95), (2.0, 0.91, 0.91)]
    >>> rw.plots.plot_convergence(history).get_xlabel()
    'seconds'
    """
    moments = [drawn_from(moment, MOMENT) for moment in drawn_from(history, HISTORY)]
    seconds, objective, bound = np.array(moments, dtype=float).T
    known = np.isfinite(bound)
    bound[~known] = np.nan  # a bound that is not known yet would be drawn at infinity
    ax = dress(ax, size=(6.4, 3.2), title=title, x="seconds", y="objective", grid="y")
    if known.any():
        ax.fill_between(
            seconds[known], objective[known], bound[known], step="post", color=MUTED, alpha=0.15
        )
        label = f"bound {bound[-1]:.4g}"
        ax.step(
            seconds, bound, where="post", color=CONTRAST, linewidth=1.8, linestyle="--", label=label
        )
        ax.plot(seconds[-1], bound[-1], "s", color=CONTRAST, markersize=6)
    label = f"best formula {objective[-1]:.4g}"
    ax.step(seconds, objective, where="post", color=ACCENT, linewidth=1.8, label=label)
    ax.plot(seconds[-1], objective[-1], "o", color=ACCENT, markersize=4)
    ax.legend(loc="best", frameon=False, fontsize=9, labelcolor=INK)
    ax.margins(x=0.02, y=0.1)
    return ax
