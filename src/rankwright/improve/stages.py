"""All efficient plans, change by change, in whole numbers.

The changes are decided one after the other. What is decided matters for the rest only through a
*state*: which later changes are now blocked, which are now needed, and the sums of the factors that
can still pass their bounds. Among decisions that lead to the same state only the efficient ones can
become an efficient plan, so every state keeps the front of its (cost, gain) pairs. After the last
change one state is left, and its front is the efficient frontier.

Read backwards, the fronts say whether some decisions with at most this cost and at least this gain
lead to a state; so all plans within such limits are listed without a dead end.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankwright.improve.problem import Choice, Problem
from rankwright.improve.states import Rule, State, decision_order, rules

__all__ = ["Stages", "TooWideError"]

# What a state costs beside its front, in points of a front (both measured in time).
STATE_WORK = 100


class TooWideError(Exception):
    """The states of a problem are too many to be listed with the work allowed."""


class Step(NamedTuple):
    """How a state was reached."""

    previous: State
    taken: bool
    gain: int


@dataclass(frozen=True)
class Front:
    """Efficient pairs of cost and gain, both rising.

    ``origins`` says where each came from: the number of a pair in the fronts of the steps that lead
    to the state, one after the other.
    """

    costs: NDArray[Any]
    gains: NDArray[Any]
    origins: NDArray[np.intp]

    def __len__(self) -> int:
        return len(self.costs)

    def reaches(self, cost: float, gain: float) -> bool:
        """Return whether some pair has at most this cost and at least this gain."""
        within = int(self.costs.searchsorted(cost, side="right"))
        return within > 0 and bool(self.gains[within - 1] >= gain)


class Stages:
    """Decide the changes of a problem one after the other.

    Parameters
    ----------
    problem : Problem
    work : int
        How many points of fronts to keep at most; TooWideError is raised beyond.
    """

    def __init__(self, problem: Problem, work: int) -> None:
        self._problem = problem
        self._order = decision_order(problem)
        start = State(0, 0, (0,) * len(problem.limited))
        nothing = np.zeros(1, dtype=np.int64 if problem.fits_int64 else object)
        self._fronts = [{start: Front(nothing, nothing, np.zeros(1, dtype=np.intp))}]
        self._steps: list[dict[State, list[Step]]] = []
        for rule in rules(problem, self._order):
            self._steps.append(self._reachable(rule))
            self._fronts.append(self._merge(rule))
            work -= sum(STATE_WORK + len(front) for front in self._fronts[-1].values())
            if work < 0:
                raise TooWideError
        (self._end,) = self._fronts[-1]

    def frontier(self) -> list[Choice]:
        """Return a plan for every efficient pair of cost and gain, by rising cost."""
        return [self._plan_at(point) for point in range(len(self._fronts[-1][self._end]))]

    def best_within(self, cost: float) -> Choice | None:
        """Return the cheapest of the plans with the largest gain within a cost."""
        within = int(self._fronts[-1][self._end].costs.searchsorted(cost, side="right"))
        return self._plan_at(within - 1) if within else None

    def cheapest_with(self, gain: float) -> Choice | None:
        """Return the best of the cheapest plans with at least a gain."""
        front = self._fronts[-1][self._end]
        reached = int(front.gains.searchsorted(gain, side="left"))
        return self._plan_at(reached) if reached < len(front) else None

    def all_within(self, cost: float = math.inf, gain: float = -math.inf) -> Iterator[Choice]:
        """List all plans with at most a cost and at least a gain."""
        pending: list[tuple[int, State, float, float, tuple[int, ...]]]
        pending = [(len(self._problem), self._end, cost, gain, ())]
        while pending:
            stage, state, cost, gain, chosen = pending.pop()
            if not self._fronts[stage][state].reaches(cost, gain):
                continue
            if stage == 0:
                yield self._problem.choice(chosen)
                continue
            change = self._order[stage - 1]
            price = self._problem.costs[change]
            for before, taken, gained in reversed(self._steps[stage - 1][state]):
                more = (*chosen, change) if taken else chosen
                pending.append((stage - 1, before, cost - price * taken, gain - gained, more))

    def _plan_at(self, point: int) -> Choice:
        state, chosen = self._end, []
        front = self._fronts[-1][state]
        expected = front.costs[point], front.gains[point]
        for stage in range(len(self._problem), 0, -1):
            point = int(self._fronts[stage][state].origins[point])
            for step in self._steps[stage - 1][state]:
                size = len(self._fronts[stage - 1][step.previous])
                if point < size:
                    break
                point -= size
            state = step.previous
            if step.taken:
                chosen.append(self._order[stage - 1])
        choice = self._problem.choice(chosen)
        if (choice.cost, choice.gain) != expected:
            raise RuntimeError(f"{choice} should have cost and gain {expected}; please report it")
        return choice

    def _reachable(self, rule: Rule) -> dict[State, list[Step]]:
        """Return the states after a stage, each with the steps to it, changing nothing first."""
        steps: dict[State, list[Step]] = {}
        for taken in (False, True):
            for state in self._fronts[-1]:
                reached = rule.decide(state, taken)
                if reached is not None:
                    steps.setdefault(reached[0], []).append(Step(state, taken, reached[1]))
        return steps

    def _merge(self, rule: Rule) -> dict[State, Front]:
        before = self._fronts[-1]
        return {
            state: efficient(
                np.concatenate([before[s.previous].costs + rule.cost * s.taken for s in steps]),
                np.concatenate([before[s.previous].gains + s.gain for s in steps]),
            )
            for state, steps in self._steps[-1].items()
        }


def efficient(costs: NDArray[Any], gains: NDArray[Any]) -> Front:
    """Keep the pairs that no other pair beats, of equal ones the first."""
    order = (-gains).argsort(kind="stable")
    order = order[costs[order].argsort(kind="stable")]
    costs, gains = costs[order], gains[order]
    kept = np.ones(len(gains), dtype=bool)
    kept[1:] = gains[1:] > np.maximum.accumulate(gains)[:-1]
    return Front(costs[kept], gains[kept], order[kept])
