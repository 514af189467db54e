"""Why one item is above another: what each feature adds to the difference of their scores."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from rankwright.explanation import Explanation, value_text
from rankwright.plots.axes import ACCENT, CONTRAST, INK, MUTED, NAME, dress, shortened

__all__ = ["plot_explanation"]

LONGEST, LONGEST_VALUE = 36, 20  # letters of a name, and of a value or the heading above it
BARS, LETTER = 4.6, 0.078  # inches for the bars and what stands around them, and for a letter
GAP = 12  # points between columns
ERRORS: dict[str, Any] = {"fmt": "none", "ecolor": INK, "elinewidth": 1.2, "capsize": 3}
TEXT: dict[str, Any] = NAME | {"fontsize": 8.5, "annotation_clip": False, "va": "center"}


def plot_explanation(explanation: Explanation, *, most: int = 15, ax: Axes | None = None) -> Axes:
    """Draw what each feature contributes as a bar, the largest first, with the items' values.

    Parameters
    ----------
    explanation : Explanation
        A result of ``why_above`` or of a ranker's ``explain``.
    most : int
        Bars to draw; the smallest contributions beyond are one bar together.
    ax : Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> import rankwright as rw
    >>> ranker = rw.LeastSquaresRanker("score").fit([[1.0, 0.0], [0.0, 1.0], [2.0, 2.0]], [1, 3, 8])
    >>> ax = rw.plots.plot_explanation(ranker.explain([2.0, 0.0], [0.0, 1.0]))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['x1', 'x0']
    """
    if most < 1:
        raise ValueError(f"most={most!r}; give a whole number of bars from 1 on")
    why, n_features = explanation, len(explanation.features)
    shown = n_features if n_features <= most else most - 1
    names = [shortened(name, LONGEST) for name in why.features[:shown]]
    bars = why.contributions[:shown].tolist()
    if shown < n_features:
        names.append(f"the {n_features - shown} other features" if shown else "all features")
        bars.append(float(why.contributions[shown:].sum()))
    columns = _columns(why, shown)
    letters = max(map(len, names)) + sum(len(max(column, key=len)) for column in columns)
    ax = dress(
        ax,
        size=(BARS + LETTER * letters, 1.5 + 0.34 * len(bars)),
        x="contribution to the difference of the scores",
        grid="x",
    )
    rows = np.arange(len(bars))
    ax.barh(rows, bars, height=0.62, color=[ACCENT if bar >= 0 else CONTRAST for bar in bars])
    if why.standard_errors is not None:
        ax.errorbar(bars[:shown], rows[:shown], xerr=why.standard_errors[:shown], **ERRORS)
    ax.axvline(0, color=INK, linewidth=1)
    ax.set_yticks(rows, names, **NAME)
    ax.set_ylim(len(bars) - 0.5, -0.5)
    _write_columns(ax, columns)
    first, second = (shortened(name, LONGEST) for name in (why.item, why.other))
    space = " " if len(first + second) < LONGEST else "\n"
    title = f"{first}{space}is {why.relation} {second}: {why.difference:+.4g}"
    ax.set_title(title, loc="left", fontsize=11, pad=24, **NAME)
    return ax


def _columns(why: Explanation, shown: int) -> list[list[str]]:
    """Return the two items' values as text, under the items' names."""
    return [
        [shortened(text, LONGEST_VALUE) for text in [name, *map(value_text, values[:shown])]]
        for name, values in ((why.item, why.values), (why.other, why.other_values))
    ]


def _write_columns(ax: Axes, columns: list[list[str]]) -> None:
    """Write columns of text to the right of the bars, each under its heading."""
    edge = 0.0
    for column in columns:
        edge += GAP + 72 * LETTER * len(max(column, key=len))
        for row, text in enumerate(column, start=-1):
            ax.annotate(
                text,
                xy=(1, max(row, -0.5)),
                xycoords=("axes fraction", "data"),
                xytext=(edge, 0 if row >= 0 else 12),
                textcoords="offset points",
                ha="right",
                **TEXT if row >= 0 else TEXT | {"color": MUTED},
            )
