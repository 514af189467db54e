"""What is asked of a planner: the best score for a budget, the least cost for a goal."""

import math
from collections.abc import Iterator
from decimal import Decimal
from numbers import Integral, Real

from rankwright.improve.decimals import Number, exact
from rankwright.improve.plan import Plan, UnreachableError
from rankwright.improve.problem import Choice
from rankwright.improve.situation import Goal, Situation

__all__ = ["all_plans", "best_choice", "budget_units", "cheapest_choice"]


def budget_units(situation: Situation, budget: Number) -> float:
    """Return the most units of cost that a budget pays."""
    if budget == math.inf:
        return math.inf
    if not (isinstance(budget, Real | Decimal) and budget >= 0):
        raise ValueError(
            f"budget={budget!r}; give zero or more (frontier lists plans that save money)"
        )
    return situation.problem.cost_units(exact(budget, "budget"))


def best_choice(situation: Situation, within: float) -> Choice:
    """Return the cheapest of the choices with the best score within a cost."""
    best = situation.solver.best_within(within)
    assert best is not None  # changing nothing costs nothing
    return best


def cheapest_choice(
    situation: Situation, gain: Number | None, position: int | None
) -> tuple[Goal, Choice]:
    """Return the goal of a gain or a position, and the best of the cheapest choices for it."""
    goal = _goal(situation, gain, position)
    cheapest = goal.cheapest()
    if cheapest is None:
        raise UnreachableError(_unreachable(situation, gain, position))
    return goal, cheapest


def all_plans(situation: Situation, first: Choice, choices: Iterator[Choice]) -> list[Plan]:
    """Return the plans of equally good choices, the one that would be returned alone first."""

    def key(choice: Choice) -> tuple[int, float, bool]:
        return choice.cost, -choice.gain, choice.chosen != first.chosen

    return [situation.plan(choice) for choice in sorted(choices, key=key)]


def _goal(situation: Situation, gain: Number | None, position: int | None) -> Goal:
    if gain is not None and position is None:
        return situation.gain_goal(exact(gain, "gain"))
    if gain is not None or position is None:
        raise ValueError(f"gain={gain}, position={position}; give one of the two")
    if situation.competitors is None:
        raise ValueError(
            f"position={position} needs competitors; give the table of the other products"
        )
    last = len(situation.competitors) + 1
    if not isinstance(position, Integral) or not 1 <= position <= last:
        raise ValueError(f"position={position!r}; choose from 1 to {last} (behind all competitors)")
    return situation.position_goal(int(position), situation.competitors)


def _unreachable(situation: Situation, gain: Number | None, position: int | None) -> str:
    if position is None or situation.competitors is None:
        return f"no plan gains {gain}; {situation.most_gain()}"
    return f"no plan reaches position {position}; {situation.best_position(situation.competitors)}"
