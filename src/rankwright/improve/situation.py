"""One product to improve: what can be done, who competes, which formulas are possible."""

import math
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple, Protocol

from rankwright.improve.model import Model
from rankwright.improve.plan import Plan
from rankwright.improve.polytope import WeightPolytope
from rankwright.improve.problem import Choice, Problem
from rankwright.improve.products import Competitors
from rankwright.improve.robust import (
    GuaranteedGain,
    GuaranteedPosition,
    guaranteed_gain,
    guaranteed_position,
)
from rankwright.improve.stages import Stages, TooWideError

__all__ = ["FRONTIER_WORK", "Goal", "PLAN_WORK", "RobustSituation", "Situation"]

# Points of fronts to keep before the integer program takes over: a tenth of a second or two for
# one plan, and some seconds for a frontier, for which the integer program needs far longer.
PLAN_WORK = 250_000
FRONTIER_WORK = 5_000_000


class Solver(Protocol):
    """What finds plans: stage by stage, or by an integer program."""

    def best_within(self, cost: float) -> Choice | None:
        """Return the cheapest of the plans with the largest gain within a cost."""

    def cheapest_with(self, gain: float) -> Choice | None:
        """Return the best of the cheapest plans with at least a gain."""

    def frontier(self) -> list[Choice]:
        """Return a plan for every efficient pair of cost and gain, by rising cost."""

    def all_within(self, cost: float = math.inf, gain: float = -math.inf) -> Iterator[Choice]:
        """List all plans with at most a cost and at least a gain."""


class Goal(NamedTuple):
    """A gain to reach, in units, with a solver that knows what else is asked for."""

    solver: Solver
    gain: float

    def cheapest(self) -> Choice | None:
        """Return the best of the cheapest plans that reach the goal."""
        return self.solver.cheapest_with(self.gain)


@dataclass(frozen=True)
class Situation:
    """One product to improve, by weights that are taken as certain."""

    problem: Problem
    competitors: Competitors | None
    work: int
    time_limit: float

    @cached_property
    def solver(self) -> Solver:
        """Return what finds plans by their gain."""
        try:
            return Stages(self.problem, self.work)
        except TooWideError:
            return Model(self.problem, self.time_limit)

    def gain_goal(self, gain: Fraction) -> Goal:
        """Return the goal of a gain."""
        return Goal(self.solver, self.problem.gain_units(gain))

    def position_goal(self, position: int, rivals: Competitors) -> Goal:
        """Return the goal of a position or a better one."""
        score = rivals.needed(position)
        if score is None:
            return Goal(self.solver, -math.inf)
        gain = score - self.problem.score
        return Goal(self.solver, self.problem.gain_units(gain, strict=not rivals.margin))

    def secured(self, choice: Choice, rivals: Competitors) -> int:
        """Return the position that a plan is sure of, whoever it does not beat being ahead."""
        return rivals.secured(self.problem.score + self.problem.gain(choice.chosen))

    def most_gain(self) -> str:
        """Say how much can be gained at most."""
        best = self.solver.best_within(math.inf)
        assert best is not None  # there is always the plan to change nothing
        gain, cost = best.gain * self.problem.gain_unit, best.cost * self.problem.cost_unit
        return f"the most is {float(gain):.10g}, at a cost of {float(cost):.10g}"

    def best_position(self, rivals: Competitors) -> str:
        """Say which position can be reached at best."""

        def cheapest(position: int) -> Choice | None:
            return self.position_goal(position, rivals).cheapest()

        positions = range(1, len(rivals) + 2)
        best = positions[bisect_left(positions, True, key=lambda p: cheapest(p) is not None)]
        plan = cheapest(best)
        assert plan is not None  # any plan reaches the last position
        cost = plan.cost * self.problem.cost_unit
        return f"the best is position {best}, at a cost of {float(cost):.10g}"

    def position_frontier(self, rivals: Competitors) -> list[Choice]:
        """Return the cheapest plan for each position that is worth its price, by rising cost."""
        plans: list[Choice] = []
        position = len(rivals) + 1
        while position and (plan := self.position_goal(position, rivals).cheapest()) is not None:
            if plans and plans[-1].cost == plan.cost:
                plans.pop()
            plans.append(plan)
            position = self.secured(plan, rivals) - 1
        return plans

    def plan(self, choice: Choice) -> Plan:
        """Return the plan of a choice, computed anew from the inputs."""
        problem = self.problem
        if (flaw := problem.flaw(choice.chosen)) is not None:
            raise RuntimeError(f"a solver returned a plan with {flaw}; please report it")
        gain = problem.gain(choice.chosen)
        score = problem.score + gain
        effects = problem.total_effects(choice.chosen)
        return Plan(
            changes=tuple(problem.names[change] for change in choice.chosen),
            cost=float(sum(problem.prices[change] for change in choice.chosen)),
            gain=float(gain),
            score=float(score),
            position=None if self.competitors is None else self.competitors.position(score),
            effects={name: float(total) for name, total in effects.items()},
            optimal=choice.optimal,
        )


@dataclass(frozen=True)
class RobustSituation(Situation):
    """One product to improve, by any of the weights that are possible."""

    polytope: WeightPolytope

    @cached_property
    def solver(self) -> Solver:
        """Return what finds plans by their guaranteed gain."""
        return GuaranteedGain(self.problem, self.polytope, self.time_limit)

    def gain_goal(self, gain: Fraction) -> Goal:
        """Return the goal of a guaranteed gain, which need not be a whole number of units."""
        return Goal(self.solver, float(gain / self.problem.gain_unit))

    def position_goal(self, position: int, rivals: Competitors) -> Goal:
        """Return the goal of a position or a better one, by every possible formula."""
        solver = GuaranteedPosition(self.problem, self.polytope, rivals, position, self.time_limit)
        return Goal(solver, -math.inf)

    def secured(self, choice: Choice, rivals: Competitors) -> int:
        """Return the position that a plan is sure of by every possible formula."""
        return guaranteed_position(self.problem, self.polytope, choice, rivals).position

    def plan(self, choice: Choice) -> Plan:
        """Return the plan of a choice with its guarantees."""
        rivals = self.competitors
        return replace(
            super().plan(choice),
            guaranteed_gain=guaranteed_gain(self.problem, self.polytope, choice),
            guaranteed_position=None if rivals is None else self.secured(choice, rivals),
        )
