"""A metric's value in each group."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from rankwright.comparison import Comparison
from rankwright.explanation import one_line
from rankwright.metrics import GroupValues
from rankwright.plots.axes import LINES, MARKERS, MUTED, NAME, SERIES, add_legend, dress
from rankwright.plots.results import GROUPS, LISTS, drawn_from

__all__ = ["plot_by_group"]


def plot_by_group(
    values: Comparison | GroupValues | Mapping[str, GroupValues | Mapping[str, float]],
    *,
    metric: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw a metric's value in each group, one dot for each ranker, and the means as lines.

    Parameters
    ----------
    values : Comparison, GroupValues, or mapping of str to GroupValues or mapping of str to float
        By ranker, the value in each group: what ``rw.compare`` and ``rw.metrics.by_group`` return.
    metric : str, optional
        The metric's name, for the axis: that of the comparison by default, or Kendall's tau-b.
    ax : Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> import rankwright as rw
    >>> forest, linear = {"compact": 0.8, "reflex": 0.9}, {"compact": 0.6, "reflex": 1.0}
    >>> rw.plots.plot_by_group({"forest": forest, "linear": linear}).get_xlabel()
    "Kendall's tau-b"
    """
    metric = metric or getattr(values, "metric", "Kendall's tau-b")
    by_ranker: dict[str, Mapping[str, float]] = {
        ranker: drawn_from(found, GROUPS) for ranker, found in drawn_from(values, LISTS).items()
    }
    groups = list(dict.fromkeys(group for found in by_ranker.values() for group in found))
    ax = dress(ax, size=(6.4, 1.2 + 0.3 * len(groups)), x=metric, grid="both")
    entries: list[tuple[Any, object]] = []
    for number, (ranker, found) in enumerate(by_ranker.items()):
        colour = SERIES[number % len(SERIES)]
        taus = np.array([found.get(group, np.nan) for group in groups])
        offset = 0.16 * (number - (len(by_ranker) - 1) / 2)
        ax.axvline(
            float(np.nanmean(taus)),
            color=colour,
            linewidth=1.2,
            alpha=0.7,
            linestyle=LINES[number % len(LINES)],
        )
        (dots,) = ax.plot(
            taus,
            np.arange(len(groups)) + offset,
            MARKERS[number % len(MARKERS)],
            color=colour,
            markersize=6,
        )
        entries.append((dots, f"{ranker} (mean {np.nanmean(taus):.3f})"))
    if ax.get_xlim()[0] < 0:
        ax.axvline(0, color=MUTED, linewidth=1)
    ax.set_yticks(range(len(groups)), [one_line(group) for group in groups], **NAME)
    ax.set_ylim(len(groups) - 0.5, -0.5)
    longest = max((len(one_line(ranker)) for ranker in by_ranker), default=0)
    place = {"loc": "lower left", "bbox_to_anchor": (0, 1)}
    add_legend(ax, entries, **place, frameon=False, fontsize=9, ncols=1 if longest > 24 else 2)
    return ax
