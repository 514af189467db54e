"""Two rankings of the same items side by side, joined by lines."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from rankwright.aggregation import Consensus
from rankwright.explanation import one_line
from rankwright.leaderboards import Leaderboard
from rankwright.plots.axes import CONTRAST, GREEN, GRID, MUTED, NAME, dress, shortened
from rankwright.plots.results import PLACES, drawn_from

__all__ = ["plot_slope"]

ROOM, MIDDLE = 0.22, 2.2  # inches of a row, and between the two rankings
LETTER = 0.032  # width of a letter as a share of the middle
LONGEST = 40


def plot_slope(
    first: ArrayLike | Consensus | Leaderboard,
    second: ArrayLike | Consensus | Leaderboard,
    items: Sequence[str],
    *,
    printed: Sequence[str] | None = None,
    moved: ArrayLike | None = None,
    names: tuple[str, str] = ("published", "reproduced"),
    top: int | None = None,
    title: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the positions of items in two rankings; items that move are marked.

    Parameters
    ----------
    first, second : Consensus, Leaderboard, or array-like of shape (n_items,)
        Positions, 1 is best, in the order of ``items``.
    items : sequence of str
        The items' names.
    printed : sequence of str, optional
        The first positions as they were printed, bands and ties for instance; by default numbers.
    moved : array-like of shape (n_items,), optional
        How many places each item moves up (negative: down); by default the difference of the
        positions. Items of a tie or band that stay inside it have not moved.
    names : pair of str
        What the two rankings are called.
    top : int, optional
        A line below this position says where the top ends.
    title : str, optional
    ax : Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> import rankwright as rw
    >>> ax = rw.plots.plot_slope([1, 2, 3], [1, 3, 2], ["A1", "B2", "C3"])
    >>> len(ax.lines)
    3
    """
    before, after = (np.asarray(drawn_from(one, PLACES), dtype=float) for one in (first, second))
    rows = np.column_stack([_rows(before), _rows(after)])
    moves = before - after if moved is None else np.asarray(moved, dtype=float)
    said = [f"{place:g}" for place in before] if printed is None else list(map(one_line, printed))
    labels = [shortened(item, LONGEST) for item in items]
    longest = max(map(len, labels)) + max(map(len, said)) + 8
    width = LETTER * longest  # of a label, in widths of the middle
    size = (MIDDLE * (1 + 2 * width), max(2.0, ROOM * len(rows) + 0.8))
    ax = dress(ax, size=size, title=title)
    for (left, right), place, reached, label, move in zip(
        rows.tolist(), said, after.tolist(), labels, moves.tolist(), strict=True
    ):
        _draw(ax, left, right, f"{label}  {place}", f"{reached:g}  {label}", -move)
    if top is not None and top < len(rows):
        ax.axhline(top + 0.5, color=GRID, linewidth=1.2, zorder=0)
        ax.text(1 + width, top + 0.45, f"top {top}", ha="right", fontsize=7, color=MUTED)
    ax.set(xlim=(-width, 1 + width), ylim=(len(rows) + 0.7, 0.3), yticks=[])
    ax.set_xticks([0, 1], [one_line(name) for name in names], **NAME)
    ax.xaxis.tick_top()
    ax.tick_params(length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)
    return ax


def _draw(ax: Axes, left: float, right: float, before: str, after: str, move: float) -> None:
    """Draw one item's line with its labels; one that moves is coloured, in bold, and says so."""
    colour = MUTED if move == 0 else GREEN if move < 0 else CONTRAST
    ax.plot([0, 1], [left, right], color=colour, linewidth=1 if move == 0 else 1.8)
    ax.text(-0.03, left, before, ha="right", va="center", fontsize=8, **NAME)
    weight = "bold" if move else "normal"
    moved = f"{after}  {_moved(move)}" if move else after
    ax.text(1.03, right, moved, ha="left", va="center", fontsize=8, weight=weight, **NAME)


def _rows(positions: ArrayLike) -> NDArray[np.int64]:
    """Give every item a row of its own, in the order of the positions."""
    rows = np.empty(np.size(positions), dtype=np.int64)
    rows[np.argsort(positions, kind="stable")] = np.arange(1, np.size(positions) + 1)
    return rows


def _moved(move: float) -> str:
    return f"▲{-move:g}" if move < 0 else f"▼{move:g}"
