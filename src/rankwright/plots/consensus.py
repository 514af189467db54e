"""Who agrees with a consensus, and on which items."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from rankwright.aggregation import Consensus
from rankwright.aggregation.votes import read_votes
from rankwright.explanation import one_line
from rankwright.plots.axes import GRID, INK, MUTED, NAME, dress

__all__ = ["plot_consensus"]

MOST_LABELS = 60
BARS = (0.0, 1.03, 1.0, 0.2)  # the place of the distances above the cells, in their units


def plot_consensus(
    consensus: Consensus,
    rankings: Any,
    *,
    voters: Sequence[str] | None = None,
    missing: str = "ignore",
    scores: bool = False,
    ax: Axes | None = None,
) -> Axes:
    """Draw every voter's positions of the items, the items in the order of the consensus.

    Voters stand from the closest to the farthest; bars show their distance. Where all agree, the
    colours run evenly from top to bottom; grey items are not ranked by the voter. Lines part the
    items that the consensus does not tie.

    Parameters
    ----------
    consensus : Consensus
        A result of ``aggregate``.
    rankings, missing, scores
        As given to ``aggregate``.
    voters : sequence of str, optional
        Names of the voters; numbers by default.
    ax : Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> import rankwright as rw
    >>> votes = [["tea", "milk", "water"], ["milk", ["tea", "water"]], ["tea", "water"]]
    >>> ax = rw.plots.plot_consensus(rw.aggregate(votes), votes, voters=["Ann", "Bob", "Cy"])
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['tea', 'milk', 'water']
    """
    positions = read_votes(rankings, missing=missing, scores=scores).positions
    n_voters, n_items = len(consensus.disagreement), len(consensus.items)
    if positions.shape != (n_voters, n_items):
        raise ValueError(
            f"rankings hold {len(positions)} voters and {positions.shape[1]} items, the consensus "
            f"{n_voters} and {n_items}; give the same rankings"
        )
    names = [one_line(voter) for voter in (range(n_voters) if voters is None else voters)]
    by_distance = np.argsort(consensus.disagreement, kind="stable")
    by_position = np.argsort(consensus.positions, kind="stable")
    size = np.clip([0.26 * n_voters + 2.6, 0.2 * n_items + 2], [4.6, 3.6], 14)
    ax = dress(ax, size=(size[0], size[1]), x="voters, the closest first")
    ax.set_facecolor(GRID)
    image = positions[by_distance][:, by_position].T
    colours = ax.imshow(image, aspect="auto", cmap="viridis_r", interpolation="nearest")
    bar = ax.figure.colorbar(colours, ax=ax)
    bar.set_label("voter's position (1 = best)", color=INK)
    _part_items(ax, consensus.positions[by_position])
    rows = [one_line(consensus.items[i]) for i in by_position]
    columns = [names[voter] for voter in by_distance]
    ax.set_yticks(*_labels(rows), **NAME)
    ax.set_xticks(*_labels(columns), rotation=90 if max(map(len, names)) > 2 else 0, **NAME)
    ax.tick_params(length=0)
    _draw_distances(ax, consensus.disagreement[by_distance])
    return ax


def _draw_distances(ax: Axes, distances: NDArray[np.float64]) -> None:
    bars = dress(ax.inset_axes(BARS), y="distance")
    bars.bar(np.arange(len(distances)), distances, color=MUTED, width=0.8)
    bars.set(xlim=ax.get_xlim(), xticks=[])


def _part_items(ax: Axes, sorted_positions: NDArray[np.float64]) -> None:
    if len(sorted_positions) <= MOST_LABELS:
        for row in np.flatnonzero(np.diff(sorted_positions)):
            ax.axhline(row + 0.5, color="white", linewidth=0.8)


def _labels(names: list[str]) -> tuple[range, list[str]]:
    shown = names if len(names) <= MOST_LABELS else []
    return range(len(shown)), shown
