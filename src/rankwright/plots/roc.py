"""ROC curves, the envelope of their replications, and the optimal curve."""

from collections.abc import Mapping
from typing import Any

from matplotlib.axes import Axes

from rankwright.metrics import RocCurve, RocEnvelope
from rankwright.plots.axes import GRID, HATCHES, INK, LINES, MUTED, SERIES, add_legend, dress
from rankwright.plots.results import CURVE, CURVES, drawn_from
from rankwright.trees.bipartite.out_of_bag import OutOfBag

__all__ = ["plot_roc"]


def plot_roc(
    curves: RocCurve | OutOfBag | Mapping[str, RocCurve | OutOfBag],
    *,
    envelope: RocEnvelope | Mapping[str, RocEnvelope] | None = None,
    optimal: RocCurve | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw ROC curves by name, with an envelope of replications and the optimal curve.

    Parameters
    ----------
    curves : RocCurve, OutOfBag, or mapping of str to RocCurve or OutOfBag
        One curve or several by name; ``oob_`` of a forest is an ``OutOfBag``.
    envelope : RocEnvelope or mapping of str to RocEnvelope, optional
        Drawn as a band behind the curves, or as one for each name.
    optimal : RocCurve, optional
        The curve no ranker can beat, dashed.
    ax : Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> import rankwright as rw
    >>> curve = rw.metrics.roc_curve([1, 0, 1, 0], [3, 2, 2, 1])
    >>> rw.plots.plot_roc({"tree": curve}).get_xlabel()
    'false positive rate'
    """
    ax = dress(ax, size=(5, 4.8), x="false positive rate", y="true positive rate", grid="both")
    (chance,) = ax.plot([0, 1], [0, 1], color=MUTED, linewidth=1, linestyle=":")
    entries: list[tuple[Any, object]] = [(chance, "chance")]
    bands = (
        {"envelope of replications": envelope} if isinstance(envelope, RocEnvelope) else envelope
    )
    for number, (name, band) in enumerate((bands or {}).items()):
        drawn = ax.fill_between(
            band.false_positive_rate,
            band.lower,
            band.upper,
            color=SERIES[number % len(SERIES)],
            alpha=0.25,
            linewidth=0,
            hatch=HATCHES[number % len(HATCHES)],
        )
        entries.append((drawn, name))
    if optimal is not None:
        (line,) = ax.plot(
            optimal.false_positive_rate,
            optimal.true_positive_rate,
            color=INK,
            linewidth=0.9,
        )
        entries.append((line, "optimal"))
    for number, (name, found) in enumerate(drawn_from(curves, CURVES).items()):
        curve: RocCurve = drawn_from(found, CURVE)
        (line,) = ax.plot(
            curve.false_positive_rate,
            curve.true_positive_rate,
            color=SERIES[number % len(SERIES)],
            linestyle=LINES[number % len(LINES)],
            linewidth=1.8,
        )
        entries.append((line, name))
    ax.set(xlim=(0, 1), ylim=(0, 1.01), aspect="equal")
    add_legend(ax, entries, loc="lower right", frameon=True, edgecolor=GRID, fontsize=9)
    return ax
