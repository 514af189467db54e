"""Efficient plans: what each cost buys at most."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from matplotlib.axes import Axes

from rankwright.plots.axes import ACCENT, AMBER, INK, MUTED, dress

__all__ = ["plot_frontier"]


class Plan(Protocol):
    """What is drawn of a plan."""

    @property
    def cost(self) -> float: ...
    @property
    def gain(self) -> float: ...
    @property
    def changes(self) -> tuple[str, ...]: ...
    @property
    def position(self) -> float | None: ...


def plot_frontier(
    plans: Sequence[Plan],
    *,
    marked: Sequence[Plan] = (),
    title: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the gain in score of efficient plans over their cost.

    Parameters
    ----------
    plans : sequence of Plan
        By rising cost, as ``Planner.frontier`` returns them; where they know the position they
        reach, the cheapest plan for each position is labelled with it.
    marked : sequence of Plan, optional
        Drawn as diamonds and labelled with their changes.
    title : str, optional
    ax : Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> import rankwright as rw
    >>> plans = [
    ...     SimpleNamespace(cost=0, gain=0.0, changes=(), position=9),
    ...     SimpleNamespace(cost=3, gain=2.5, changes=("Better lens",), position=4),
    ... ]
    >>> rw.plots.plot_frontier(plans, marked=plans[1:]).get_xlabel()
    'cost'
    """
    cost = np.array([float(plan.cost) for plan in plans])
    gain = np.array([float(plan.gain) for plan in plans])
    ax = dress(ax, size=(7, 4.4), title=title, x="cost", y="gain in score", grid="both")
    ax.step(cost, gain, where="post", color=MUTED, linewidth=1)
    ax.plot(cost, gain, "o", color=ACCENT, markersize=5)
    best = np.inf
    for plan in plans:
        if plan.position is not None and plan.position < best:
            best = plan.position
            _label(ax, plan, f"position {best:g}", (-6, 6), "right")
    for plan in marked:
        ax.plot(float(plan.cost), float(plan.gain), "D", color=AMBER, markeredgecolor=INK)
        _label(ax, plan, "\n".join(plan.changes) or "no change", (8, -4), "left")
    ax.margins(x=0.14, y=0.1)
    return ax


def _label(ax: Axes, plan: Plan, text: str, shift: tuple[int, int], side: str) -> None:
    ax.annotate(
        text,
        (float(plan.cost), float(plan.gain)),
        shift,
        textcoords="offset points",
        ha=side,
        va="bottom" if side == "right" else "top",
        size=8,
        color=INK,
    )
