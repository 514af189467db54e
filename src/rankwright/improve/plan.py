"""What the planner answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pandas as pd

__all__ = ["Plan", "UnreachableError", "plan_table"]


@dataclass(frozen=True)
class Plan:
    """A set of changes and what it does for a product.

    Attributes
    ----------
    changes : tuple of str
        The names of the changes, in the planner's order.
    cost : float
        The sum of the costs of its changes.
    gain : float
        How much the score rises, by the planner's weights.
    score : float
        The product's score after the changes.
    position : float or None
        Its position among the competitors, 1 is best and ties share the mean position; None
        without competitors.
    effects : mapping
        By factor, how much its value changes after clipping; unchanged factors are left out.
    optimal : bool
        Whether the plan is proved optimal; False only when a time limit ended the search.
    guaranteed_gain : float or None
        The smallest gain by any formula that is still possible, with the signs of the one that the
        planner was given; None for plans that are not robust.
    guaranteed_position : int or None
        The worst position by any such formula, where a tie counts as lost.

    Examples
    --------
    >>> import rankwright as rw
    >>> planner = rw.Planner({"stars": 2.0}, [rw.Change("Polish", 3, {"stars": 0.5})])
    >>> plan = planner.maximize_score({"stars": 4}, budget=5)
    >>> plan.changes, plan.cost, plan.gain, plan.score
    (('Polish',), 3.0, 1.0, 9.0)
    """

    changes: tuple[str, ...]
    cost: float
    gain: float
    score: float
    position: float | None
    effects: Mapping[str, float] = field(hash=False)
    optimal: bool
    guaranteed_gain: float | None = None
    guaranteed_position: int | None = None


class UnreachableError(ValueError):
    """Raised when no plan reaches the goal; the message says what can be reached.

    Examples
    --------
    >>> import rankwright as rw
    >>> planner = rw.Planner({"stars": 2.0}, [rw.Change("Polish", 3, {"stars": 0.5})])
    >>> planner.minimize_cost({"stars": 4}, gain=5)
    Traceback (most recent call last):
    rankwright.improve.plan.UnreachableError: no plan gains 5; the most is 1, at a cost of 3
    """


def plan_table(plans: Sequence[Plan]) -> pd.DataFrame:
    """Return plans as rows, with a column for what each factor changes by."""
    rows = [
        {
            "cost": plan.cost,
            "gain": plan.gain,
            "score": plan.score,
            "position": plan.position,
            "guaranteed gain": plan.guaranteed_gain,
            "guaranteed position": plan.guaranteed_position,
            "proved optimal": plan.optimal,
            **{f"change of {factor}": effect for factor, effect in plan.effects.items()},
        }
        for plan in plans
    ]
    changes = pd.Index(["; ".join(plan.changes) for plan in plans], name="changes")
    return pd.DataFrame(rows, index=changes).dropna(axis=1, how="all")
