"""Efficient plans: what each cost buys at most."""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import numpy as np
from matplotlib.axes import Axes

from rankwright.explanation import one_line
from rankwright.plots.axes import ACCENT, AMBER, CONTRAST, INK, MUTED, NAME, dress

__all__ = ["plot_frontier"]

# Above a frontier there is nothing, so that is where labels go first.
ABOVE = {"xytext": (-6, 6), "ha": "right", "va": "bottom"}
BELOW = {"xytext": (8, -4), "ha": "left", "va": "top"}


class DrawnPlan(Protocol):
    """What is drawn of a plan."""

    @property
    def cost(self) -> float: ...
    @property
    def gain(self) -> float: ...
    @property
    def changes(self) -> tuple[str, ...]: ...
    @property
    def position(self) -> float | None: ...


class DrawnRobustPlan(DrawnPlan, Protocol):
    """What is drawn of a robust plan."""

    @property
    def guaranteed_gain(self) -> float | None: ...


def plot_frontier(
    plans: Sequence[DrawnPlan],
    *,
    marked: Sequence[DrawnPlan] = (),
    cloud: Iterable[DrawnPlan] = (),
    robust: Sequence[DrawnRobustPlan] = (),
    budget: float | None = None,
    gain: float | None = None,
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
    cloud : iterable of Plan, optional
        All plans, as ``Planner.plans`` lists them: small points behind the frontier.
    robust : sequence of Plan, optional
        The robust frontier, drawn by its guaranteed gain; how far it lies to the right of the
        other one is the price of certainty.
    budget, gain : float, optional
        Limits to draw as dotted lines.
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
    ax = dress(ax, size=(7, 4.4), title=title, x="cost", y="gain in score", grid="both")
    dots = np.array([(plan.cost, plan.gain) for plan in cloud]).reshape(-1, 2)
    ax.plot(*dots.T, ".", color=MUTED, alpha=0.45, markersize=3.5)
    cost, gains = ([getattr(plan, value) for plan in plans] for value in ("cost", "gain"))
    ax.step(cost, gains, where="post", color=MUTED, linewidth=1)
    ax.plot(cost, gains, "o", color=ACCENT, markersize=5, label="frontier")
    if robust:
        sure = np.array([(plan.cost, plan.guaranteed_gain) for plan in robust], dtype=float)
        ax.step(*sure.T, where="post", color=CONTRAST, linewidth=1)
        ax.plot(*sure.T, "s", color=CONTRAST, markersize=4, label="guaranteed")
        ax.legend(frameon=False, loc="lower right")
    if budget is not None:
        ax.axvline(budget, color=INK, linestyle=":", linewidth=1.2)
    if gain is not None:
        ax.axhline(gain, color=INK, linestyle=":", linewidth=1.2)
    best = np.inf
    for plan in plans:
        if plan.position is not None and plan.position < best:
            best = plan.position
            _label(ax, plan, f"position {best:g}", ABOVE)
    for plan in marked:
        ax.plot(plan.cost, plan.gain, "D", color=AMBER, markeredgecolor=INK, zorder=3)
        _label(
            ax,
            plan,
            "\n".join(map(one_line, plan.changes)) or "no change",
            BELOW if best < np.inf else ABOVE,
        )
    ax.margins(x=0.14, y=0.1)
    return ax


def _label(ax: Axes, plan: DrawnPlan, text: str, place: dict[str, Any]) -> None:
    ax.annotate(
        text,
        (plan.cost, plan.gain),
        textcoords="offset points",
        size=8,
        zorder=4,
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 0.8},
        **place,
        **NAME,
    )
