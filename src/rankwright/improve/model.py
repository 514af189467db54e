"""The integer program of a planning problem: (14) and (15) of Chang et al. (2012), and more."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.improve.problem import Choice, Problem, SteppedFactor
from rankwright.programs import Program, Status

__all__ = ["Model", "Rows"]

Array = NDArray[np.float64]
Rows = tuple[Array, Any, Any]  # lower <= matrix @ columns <= upper

# Objectives are scaled to coefficients of at most one; smaller differences count as none.
GAP = 1e-9


class Model:
    """The integer program of a problem, for what is too wide to be decided stage by stage.

    Its columns are the changes and, for each factor that is clipped, what is cut off above, what
    is cut off below, and whether either is; then for each factor that counts in steps, on which
    one it is. ``moves @ columns`` is how much each factor changes.

    Parameters
    ----------
    problem : Problem
    time_limit : float
        Seconds for each solve.
    weight_range : pair of arrays, optional
        The smallest and the largest weight of each factor, where they are uncertain.
    """

    blur = 0.0  # how far the gain of a plan may miss a limit

    def __init__(
        self,
        problem: Problem,
        time_limit: float = math.inf,
        weight_range: tuple[Array, Array] | None = None,
    ) -> None:
        self._problem, self._time_limit = problem, time_limit
        clipped = () if problem.refuse else problem.limited
        n, k, names = len(problem), len(clipped), list(problem.weights)
        self._stepped = [f for f in problem.limited if isinstance(f, SteppedFactor)]
        n_steps = sum(len(factor.sums()) for factor in self._stepped)
        self._whole = np.repeat([True, False, False, True, True, True], [n, k, k, k, k, n_steps])
        self.moves = np.zeros((len(names), len(self._whole)))
        for change, effects in enumerate(problem.effects):
            for name, effect in effects.items():
                self.moves[names.index(name), change] = effect
        for number, factor in enumerate(clipped):
            self.moves[names.index(factor.name), [n + number, n + k + number]] = -1, 1
        weights = np.array([float(weight) for weight in problem.weights.values()])
        self.gain_row: Array = weights @ self.moves / float(problem.gain_unit)
        self.cost_row: Array = np.r_[
            np.array(problem.costs, dtype=float), np.zeros(4 * k + n_steps)
        ]
        self._rows: list[Rows] = [
            (self._of_changes(problem.conflicts, [1]), -np.inf, 1),
            (self._of_changes(problem.requires, [1, -1]), -np.inf, 0),
            *self._limits(*(weight_range or (weights, weights))),
            *self._on_one_step(len(self._whole) - n_steps),
        ]

    def _on_one_step(self, column: int) -> Iterator[Rows]:
        """Put each factor with steps on the one where its sum of effects is, for its gain."""
        names, unit = list(self._problem.weights), float(self._problem.gain_unit)
        for factor in self._stepped:
            sums = factor.sums()
            here = np.arange(column, column + len(sums))
            column += len(sums)
            one, first, last = np.zeros((3, len(self._whole)))
            one[here] = 1
            first[here] = [float(step[0] * factor.unit) for step in sums]
            last[here] = [float(step[1] * factor.unit) for step in sums]
            self.gain_row[here] = [float(step[2]) / unit for step in sums]
            moved = self.moves[names.index(factor.name)]
            yield one[None], 1, 1
            yield (moved - first)[None], 0, np.inf
            yield (moved - last)[None], -np.inf, 0

    def _of_changes(self, sets: Sequence[Sequence[int]], coefficients: list[int]) -> Array:
        matrix = np.zeros((len(sets), len(self._whole)))
        for row, members in enumerate(sets):
            matrix[row, list(members)] = coefficients
        return matrix

    def _limits(self, smallest: Array, largest: Array) -> Iterator[Rows]:
        limited, names = self._problem.limited, list(self._problem.weights)
        if not limited:
            return
        units = [float(factor.unit) for factor in limited]
        low, high, least, most = (
            np.multiply(units, [getattr(factor, end) for factor in limited])
            for end in ("low", "high", "least", "most")
        )
        numbers = [names.index(factor.name) for factor in limited]
        value = self.moves[numbers]
        yield value, low, high
        if self._problem.refuse:
            return
        n, k, span = len(self._problem), len(limited), (high - low)[:, None]
        over, under, is_over, is_under = np.eye(len(self._whole))[n : n + 4 * k].reshape(4, k, -1)
        yield over - (most - high)[:, None] * is_over, -np.inf, 0
        yield under - (low - least)[:, None] * is_under, -np.inf, 0
        # Only what is beyond a bound may be cut off. That needs saying where less is better, or
        # below where more is: elsewhere a program that wants gain cuts off no more than it must.
        stepped = np.array([isinstance(factor, SteppedFactor) for factor in limited])
        bad, good = stepped | (smallest[numbers] < 0), stepped | (largest[numbers] > 0)
        yield (value - span * is_over)[bad], low[bad], np.inf
        yield (value + span * is_under)[good], -np.inf, high[good]

    def best_within(self, cost: float) -> Choice | None:
        """Return the cheapest of the plans with the largest gain within a cost."""
        best = next(self._search(-self.gain_row, cost, -math.inf), None)
        return best and self._refine(best, self.cost_row, best.cost, best.gain)

    def cheapest_with(self, gain: float) -> Choice | None:
        """Return the best of the cheapest plans with at least a gain."""
        cheapest = next(self._search(self.cost_row, math.inf, gain), None)
        return cheapest and self._refine(cheapest, -self.gain_row, cheapest.cost, gain)

    def frontier(self) -> list[Choice]:
        """Return a plan for every efficient pair of cost and gain, by rising cost.

        The epsilon-constraint method: costs are whole numbers, so the next plan costs at least one
        unit less.
        """
        plans: list[Choice] = []
        budget = math.inf
        while (plan := self.best_within(budget)) is not None:
            plans.append(plan)
            budget = plan.cost - 1
        return plans[::-1]

    def all_within(self, cost: float = math.inf, gain: float = -math.inf) -> Iterator[Choice]:
        """List all plans with at most a cost and at least a gain."""
        return self._search(self.cost_row, cost, gain)

    def _refine(self, first: Choice, objective: Array, cost: float, gain: float) -> Choice:
        second = next(self._search(objective, cost, gain), first)
        return replace(second, optimal=first.optimal and second.optimal)

    def _search(self, objective: Array, cost: float, gain: float) -> Iterator[Choice]:
        """List the plans within limits, best first: each is forbidden once found (Figure 6)."""
        program = Program(
            objective / _sizes(objective[None])[0],
            upper=np.where(self._whole, 1, np.inf),
            integer=self._whole,
        )
        within_cost = self.cost_row[None], -np.inf, cost
        enough_gain = self.gain_row[None], gain, np.inf
        for matrix, lower, upper in (*self._rows, within_cost, enough_gain):
            program.add_rows(*_scaled(matrix, lower, upper))
        while (found := self._solve(program)) is not None:
            broken = self._broken(found)
            if broken is not None:
                self._rows.append(broken)
                program.add_rows(*_scaled(*broken))
            elif found.cost <= cost and found.gain >= gain - self.blur:
                yield found
            program.add_rows(*self._anything_but(found))

    def _solve(self, program: Program) -> Choice | None:
        pure = bool(self._whole.all())
        solution = program.solve(time_limit=self._time_limit, gap=GAP, presolve=pure)
        if solution.x is not None:
            choice = self._value(np.flatnonzero(solution.x[: len(self._problem)] > 0.5).tolist())
            return replace(choice, optimal=solution.status is Status.OPTIMAL)
        if solution.status is Status.INFEASIBLE:
            return None
        raise RuntimeError(f"no plan was found within time_limit={self._time_limit} seconds")

    def _value(self, chosen: list[int]) -> Choice:
        return self._problem.choice(chosen)

    def _broken(self, choice: Choice) -> Rows | None:
        """Return a condition that the plan breaks and the rows do not state yet."""
        return None

    def _anything_but(self, choice: Choice) -> Rows:
        row = np.zeros((1, len(self._whole)))
        row[0, : len(self._problem)] = 1
        row[0, list(choice.chosen)] = -1
        return row, 1 - len(choice.chosen), np.inf


def _sizes(matrix: Array) -> Array:
    sizes = np.abs(matrix).max(axis=1, initial=0)
    return np.where(sizes > 0, sizes, 1.0)


def _scaled(matrix: Array, lower: Any, upper: Any) -> Rows:
    sizes = _sizes(matrix)
    return matrix / sizes[:, None], np.divide(lower, sizes), np.divide(upper, sizes)
