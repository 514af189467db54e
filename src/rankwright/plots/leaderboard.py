"""A leaderboard as it deserves to be drawn: with intervals, rank sets and tiers."""

from textwrap import wrap
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.transforms import blended_transform_factory

from rankwright.leaderboards import Leaderboard
from rankwright.plots.axes import ACCENT, GRID, INK, MUTED, NAME, dress, shortened

__all__ = ["plot_leaderboard"]

MOST_ROWS = 60
LONGEST = 32  # letters of a name
LINE = 76  # letters below the picture
UNITS = {
    "mean_score": "mean of standardised scores",
    "mean_rank": "places above the middle, mean over tasks",
}


def plot_leaderboard(board: Leaderboard, *, ax: Axes | None = None) -> Axes:
    """Draw the strengths with their intervals, the best on top, beside the ranks each may have.

    Every other tier is shaded. The numbers on the right are the ranks that each item may have by
    itself, and in grey those that hold for all items at once. Arrows mark strengths without a
    limit. At most 60 items are drawn.

    Parameters
    ----------
    board : Leaderboard
        A result of ``leaderboard``.
    ax : Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> import rankwright as rw
    >>> orders = [["tea", "milk"], ["milk", "tea"], ["tea", "milk", "water"]]
    >>> board = rw.leaderboard(orders, alpha=1)
    >>> ax = rw.plots.plot_leaderboard(board)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['tea', 'milk', 'water']
    """
    table = board.table()
    shown = table.head(MOST_ROWS)
    rows = np.arange(len(shown))
    unit = UNITS.get(board.model, "strength (log-odds)")
    size = (7.2, 1.3 + 0.27 * len(shown))
    note = wrap(board.best_beside_ranks, LINE, max_lines=3, placeholder=" …")
    ax = dress(ax, size=size, grid="x")
    ax.set_xlabel("\n".join([f"{unit}, {board.level:.0%} intervals", *note]), **NAME)
    _shade_tiers(ax, shown["tier"].to_numpy())
    finite = np.isfinite(shown["strength"].to_numpy())
    ax.hlines(
        rows[finite], shown["low"][finite], shown["high"][finite], color=ACCENT, linewidth=2.2
    )
    ax.plot(shown["strength"][finite], rows[finite], "o", color=ACCENT, markersize=5)
    ax.set_yticks(rows, [shortened(item, LONGEST) for item in shown.index], **NAME)
    ax.set_ylim(len(shown) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    _mark_unlimited(ax, shown["strength"].to_numpy())
    _write_ranks(ax, shown)
    if len(table) > len(shown):
        title = f"the first {len(shown)} of {len(table):,}"
        ax.set_title(title, loc="left", fontsize=9, color=MUTED)
    return ax


def _shade_tiers(ax: Axes, tiers: "np.ndarray") -> None:
    for row, tier in enumerate(tiers):
        if tier % 2:
            ax.axhspan(row - 0.5, row + 0.5, color=GRID, alpha=0.55, linewidth=0)
    ends = np.flatnonzero(np.diff(tiers)) + 0.5
    for end in ends:
        ax.axhline(end, color=MUTED, linewidth=0.6)


def _mark_unlimited(ax: Axes, strengths: "np.ndarray") -> None:
    """Put an arrow at the edge for infinite strengths, a question mark for unknown ones."""
    edge = blended_transform_factory(ax.transAxes, ax.transData)
    for row, strength in enumerate(strengths):
        if not np.isfinite(strength):
            place = {np.inf: (0.97, ">"), -np.inf: (0.03, "<")}.get(strength, (0.5, "$?$"))
            ax.plot(place[0], row, marker=place[1], color=MUTED, markersize=7, transform=edge)


def _write_ranks(ax: Axes, shown: pd.DataFrame) -> None:
    beside = blended_transform_factory(ax.transAxes, ax.transData)
    columns = (
        (1.03, "ranks", "rank_low", "rank_high", INK),
        (1.16, "all at once", "all_low", "all_high", MUTED),
    )
    for x, title, low, high, colour in columns:
        words: dict[str, Any] = {"fontsize": 9, "color": colour, "transform": beside}
        ax.text(x, -0.95, title, va="bottom", fontweight="bold", **words)
        for row, (first, last) in enumerate(zip(shown[low], shown[high], strict=True)):
            ax.text(
                x, row, f"{first}" if first == last else f"{first}–{last}", va="center", **words
            )
