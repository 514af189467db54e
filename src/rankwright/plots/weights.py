"""The factors' shares in a formula, with the ranges they may take."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from rankwright.plots.axes import ACCENT, AMBER, CONTRAST, GREEN, INK, NAME, dress, folded
from rankwright.plots.results import SHARES, drawn_from
from rankwright.reverse import Investigation, RatingFormula

__all__ = ["plot_weights"]

Range = tuple[float, float]
LONGEST = 34  # letters of a line: the bars need their room


def plot_weights(
    shares: RatingFormula | Investigation | Mapping[str, float],
    *,
    outer: Mapping[str, Range] | None = None,
    inner: Mapping[str, Range] | None = None,
    true: Mapping[str, float] | None = None,
    measure: str = "weight × range",
    ax: Axes | None = None,
) -> Axes:
    """Draw each factor's share of a formula as a bar, the largest first, with its ranges.

    Parameters
    ----------
    shares : RatingFormula, Investigation, or mapping of str to float
        The share of each factor, negative for a factor that counts against a product; the
        absolute values sum to 1.
    outer, inner : mapping of str to pair of floats, optional
        The smallest and largest share that equally good formulas can have at most (a thin line)
        and that formulas found do have (a thick one).
    true : mapping of str to float, optional
        The shares of the true formula, where it is known.
    measure : str
        What the shares are of, for the axis.
    ax : Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> import rankwright as rw
    >>> ranges = {"stars": (0.6, 0.9), "weight": (-0.4, -0.1)}
    >>> ax = rw.plots.plot_weights({"stars": 0.7, "weight": -0.3}, outer=ranges)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['stars', 'weight']
    """
    parts: Mapping[str, float] = drawn_from(shares, SHARES)
    factors = sorted(parts, key=lambda factor: -abs(parts[factor]))
    rows = np.arange(len(factors))
    values = np.array([parts[factor] for factor in factors])
    names = [folded(factor, LONGEST) for factor in factors]
    n_lines = 1 + max((name.count("\n") for name in names), default=0)
    ax = dress(
        ax,
        size=(6.4, 1.1 + (0.16 + 0.18 * n_lines) * len(factors)),
        x=f"{measure}, in percent of the sum",
        grid="x",
    )
    colours = [ACCENT if value >= 0 else CONTRAST for value in values]
    ax.barh(rows, values, height=0.62, color=colours, alpha=0.55, label="_bars")
    for ranges, width, what in ((outer, 1.4, "at most"), (inner, 4.0, "found")):
        if ranges is not None:
            low, high = np.array([ranges[factor] for factor in factors]).T
            ax.hlines(rows, low, high, color=INK, linewidth=width, label=f"range, {what}")
            for end in (low, high):
                ax.vlines(end, rows - 0.15, rows + 0.15, color=INK, linewidth=1.2)
    if true is not None:
        ax.plot(
            [true[factor] for factor in factors],
            rows,
            "D",
            color=GREEN,
            markeredgecolor=AMBER,
            markersize=6,
            label="true formula",
        )
    ax.axvline(0, color=INK, linewidth=1)
    ax.set_yticks(rows, names, **NAME)
    ax.set_ylim(len(factors) - 0.5, -0.5)
    ax.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    if outer is not None or inner is not None or true is not None:
        ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, frameon=False, fontsize=8.5)
    return ax
