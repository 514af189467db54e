"""Rankers beside each other: means with their standard errors."""

from collections.abc import Mapping

from matplotlib.axes import Axes

from rankwright.comparison import Comparison
from rankwright.explanation import one_line
from rankwright.plots.axes import ACCENT, MUTED, NAME, dress
from rankwright.plots.results import MEANS, drawn_from

__all__ = ["plot_comparison"]


def plot_comparison(
    results: Comparison | Mapping[str, tuple[float, float]],
    *,
    metric: str | None = None,
    title: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the mean of each ranker with one and two standard errors, the best at the top.

    Parameters
    ----------
    results : Comparison, or mapping of str to pair of floats
        By ranker, the mean and its standard error. Rankers that failed are left out. Of a
        comparison, those that can't be told from the best (``p_best`` of its table is 0.05 or more)
        have hollow marks.
    metric : str, optional
        The metric's name, for the axis: that of the comparison by default, or Kendall's tau-b.
    title : str, optional
    ax : Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> import rankwright as rw
    >>> ax = rw.plots.plot_comparison({"linear": (0.71, 0.02), "forest": (0.78, 0.03)})
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['forest', 'linear']
    """
    metric = metric or getattr(results, "metric", "Kendall's tau-b")
    means: Mapping[str, tuple[float, float]] = drawn_from(results, MEANS)
    ordered = sorted(means.items(), key=lambda result: -result[1][0])
    ax = dress(
        ax, size=(6.4, 1.1 + 0.36 * len(ordered)), title=title, x=f"{metric}, held out", grid="x"
    )
    alike = results.alike if isinstance(results, Comparison) and _can_tell(results) else []
    for row, (name, (mean, error)) in enumerate(ordered):
        ax.plot([mean - 2 * error, mean + 2 * error], [row, row], color=ACCENT, linewidth=1.2)
        ax.plot([mean - error, mean + error], [row, row], color=ACCENT, linewidth=5, alpha=0.35)
        fill = ax.get_facecolor() if name in alike else ACCENT
        ax.plot(mean, row, "o", color=ACCENT, markerfacecolor=fill, markersize=7)
        ax.annotate(
            f"{mean:.3f}", (mean, row), (0, 7), textcoords="offset points", ha="center", size=8
        )
    if ordered:
        ax.axvline(ordered[0][1][0], color=MUTED, linewidth=1, linestyle=":")
    ax.set_yticks(range(len(ordered)), [one_line(name) for name, _ in ordered], **NAME)
    ax.set_ylim(len(ordered) - 0.5, -0.65)
    hollow = "hollow: can't be told from the best · " if alike else ""
    ax.text(
        1, 1.01, f"{hollow}band and line: one and two standard errors", transform=ax.transAxes,
        ha="right", va="bottom", size=7.5, color=MUTED,
    )  # fmt: skip
    return ax


def _can_tell(results: Comparison) -> bool:
    """Tell whether there are enough lists to call any difference clear."""
    return len(results.lists) >= results.lists_needed
