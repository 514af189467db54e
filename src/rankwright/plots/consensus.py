"""Who agrees with a consensus, and on which items."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rankwright.aggregation import Consensus
from rankwright.aggregation.votes import read_votes

__all__ = ["plot_consensus"]

MOST_LABELS = 60


def plot_consensus(
    consensus: Consensus,
    rankings: Any,
    *,
    voters: Sequence[str] | None = None,
    missing: str = "ignore",
    scores: bool = False,
) -> Figure:
    """Draw every voter's positions of the items, the items in the order of the consensus.

    Voters stand from the closest to the farthest; bars show their distance. Where all agree, the
    colours run evenly from top to bottom; grey items are not ranked by the voter. Lines part the
    items that the consensus does not tie.

    Parameters
    ----------
    consensus : Consensus
    rankings, missing, scores
        As given to ``aggregate``.
    voters : sequence of str, optional
        Names of the voters; numbers by default.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> import rankwright as rw
    >>> votes = [["tea", "milk", "water"], ["milk", ["tea", "water"]], ["tea", "water"]]
    >>> figure = rw.plots.plot_consensus(rw.aggregate(votes), votes, voters=["Ann", "Bob", "Cy"])
    >>> [text.get_text() for text in figure.axes[1].get_yticklabels()]
    ['tea', 'milk', 'water']
    """
    positions = read_votes(rankings, missing=missing, scores=scores).positions
    if positions.shape != (len(consensus.disagreement), len(consensus.items)):
        raise ValueError(
            f"rankings hold {len(positions)} voters and {positions.shape[1]} items, the consensus "
            f"{len(consensus.disagreement)} and {len(consensus.items)}; give the same rankings"
        )
    names = [str(v) for v in (range(len(positions)) if voters is None else voters)]
    by_distance = np.argsort(consensus.disagreement, kind="stable")
    by_position = np.argsort(consensus.positions, kind="stable")
    n_voters, n_items = positions.shape
    width = float(np.clip(0.25 * n_voters + 2.5, 4.5, 14))
    height = float(np.clip(0.2 * n_items + 2, 3.5, 14))
    figure = Figure(figsize=(width, height), layout="constrained")
    bars, cells = figure.subplots(2, 1, sharex=True, height_ratios=[1, max(2.5, height - 1.5)])
    _draw_distances(bars, consensus.disagreement[by_distance])
    image = positions[by_distance][:, by_position].T
    colours = cells.imshow(image, aspect="auto", cmap="viridis_r", interpolation="nearest")
    cells.set_facecolor("0.85")
    figure.colorbar(colours, ax=cells, label="voter's position (1 = best)")
    _draw_breaks(cells, consensus.positions[by_position])
    _label(cells, "y", [str(consensus.items[i]) for i in by_position])
    _label(cells, "x", [names[v] for v in by_distance])
    cells.set_xlabel("voters, the closest first")
    return figure


def _draw_distances(bars: Axes, distances: np.ndarray[Any, Any]) -> None:
    bars.bar(np.arange(len(distances)), distances, color="0.4", width=0.8)
    bars.set_ylabel("distance")
    bars.tick_params(bottom=False, labelbottom=False)
    bars.spines[["top", "right"]].set_visible(False)


def _draw_breaks(cells: Axes, sorted_positions: np.ndarray[Any, Any]) -> None:
    if 1 < len(sorted_positions) <= MOST_LABELS:
        for row in np.flatnonzero(np.diff(sorted_positions)):
            cells.axhline(row + 0.5, color="white", linewidth=0.8)


def _label(cells: Axes, axis: Literal["x", "y"], names: list[str]) -> None:
    shown = names if len(names) <= MOST_LABELS else []
    cells.set(**{f"{axis}ticks": range(len(shown)), f"{axis}ticklabels": shown})
    upright = axis == "x" and max(map(len, names)) > 2
    cells.tick_params(axis=axis, length=0, rotation=90 if upright else 0)
