"""What earlier decisions about changes mean for later ones."""

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from rankwright.improve.problem import LimitedFactor, Problem

__all__ = ["Rule", "State", "decision_order", "rules"]


class State(NamedTuple):
    """What earlier decisions mean for later ones; changes are bits by their stage."""

    blocked: int
    needed: int
    sums: tuple[int, ...]  # of the effects on each limited factor


@dataclass(frozen=True)
class Watch:
    """What deciding one change does to the sum of a limited factor."""

    number: int
    effect: int
    low: int  # sums below are as good as it: later changes can't lift them above the lower limit
    high: int  # sums above are as good as it: later changes can't bring them below the upper limit
    refuse: bool
    settled: LimitedFactor | None  # after the last change that moves it
    gain_unit: Fraction

    def after(self, total: int, taken: bool) -> tuple[int, int] | None:
        """Return the sum to carry on and the gain, None when the decision is refused."""
        total += self.effect * taken
        limited = min(max(total, self.low), self.high)
        if self.refuse and limited != total:
            return None
        return (limited, 0) if self.settled is None else (0, self._gain(self.settled, limited))

    def _gain(self, factor: LimitedFactor, total: int) -> int:
        return int(factor.gain(total) / self.gain_unit)


@dataclass(frozen=True)
class Rule:
    """What deciding one change does to the state."""

    bit: int
    cost: int
    gain: int
    conflicting: int  # later changes that taking it blocks
    dependent: int  # later changes that leaving it blocks
    needed: int  # later changes that taking it makes necessary
    watches: tuple[Watch, ...]

    def decide(self, state: State, taken: bool) -> tuple[State, int] | None:
        """Return the next state and the gain; None when the state forbids the decision."""
        if (state.blocked if taken else state.needed) & self.bit:
            return None
        blocked = state.blocked | (self.conflicting if taken else self.dependent)
        needed = state.needed | (self.needed if taken else 0)
        if blocked & needed:
            return None
        sums, gain = list(state.sums), self.gain * taken
        for watch in self.watches:
            after = watch.after(sums[watch.number], taken)
            if after is None:
                return None
            sums[watch.number] = after[0]
            gain += after[1]
        return State(blocked & ~self.bit, needed & ~self.bit, tuple(sums)), gain


def rules(problem: Problem, order: list[int]) -> list[Rule]:
    """Return the rule of each change, in the order in which they are decided."""
    stages = {change: stage for stage, change in enumerate(order)}

    def mask(changes: set[int], stage: int) -> int:
        return sum(1 << stages[change] for change in changes if stages[change] > stage)

    return [
        Rule(
            bit=1 << stage,
            cost=problem.costs[change],
            gain=problem.gains[change],
            conflicting=mask({o for m in problem.conflicts if change in m for o in m}, stage),
            dependent=mask({a for a, needed in problem.requires if needed == change}, stage),
            needed=mask({needed for a, needed in problem.requires if a == change}, stage),
            watches=tuple(
                _watch(problem, number, change, order[stage + 1 :])
                for number, factor in enumerate(problem.limited)
                if factor.effects[change]
            ),
        )
        for stage, change in enumerate(order)
    ]


def _watch(problem: Problem, number: int, change: int, later: list[int]) -> Watch:
    factor = problem.limited[number]
    rest = [factor.effects[other] for other in later if factor.effects[other]]
    return Watch(
        number=number,
        effect=factor.effects[change],
        low=factor.low - sum(effect for effect in rest if effect > 0),
        high=factor.high - sum(effect for effect in rest if effect < 0),
        refuse=problem.refuse,
        settled=None if rest else factor,
        gain_unit=problem.gain_unit,
    )


def decision_order(problem: Problem) -> list[int]:
    """Order the changes so that few ties between decided and later ones are open at any time.

    Greedily: of the changes tied to decided ones, the one that leaves the fewest ties open; of
    several, the one that has waited longest.
    """
    n = len(problem)
    tied: list[set[int]] = [set() for _ in range(n)]
    for members in (*problem.conflicts, *problem.requires):
        for change in members:
            tied[change].update(members)
    movers = [{c for c in range(n) if f.effects[c]} for f in problem.limited]
    remaining, waiting, order = set(range(n)), list[int](), list[int]()
    opened: list[set[int]] = []

    def open_ties_after(change: int) -> int:
        later = remaining - {change}
        unsettled = [m for m in movers if m & later and (m in opened or change in m)]
        return len(later & (tied[change] | set(waiting))) + len(unsettled)

    while remaining:
        begun = dict.fromkeys([*waiting, *(c for m in opened for c in m & remaining)])
        change = min(begun or remaining, key=open_ties_after)
        order.append(change)
        remaining.discard(change)
        waiting = [c for c in dict.fromkeys([*waiting, *tied[change]]) if c in remaining]
        opened = [m for m in movers if m & remaining and not m.isdisjoint(order)]
    return order
