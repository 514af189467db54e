"""Plans that hold for every formula that is still possible."""

import math

import numpy as np
from numpy.typing import NDArray

from rankwright.improve.model import Model, Rows
from rankwright.improve.polytope import WeightPolytope, WorstPosition
from rankwright.improve.problem import Choice, Problem
from rankwright.improve.products import Competitors

__all__ = ["GuaranteedGain", "GuaranteedPosition", "guaranteed_gain", "guaranteed_position"]

Array = NDArray[np.float64]


class GuaranteedGain(Model):
    """Count as a plan's gain the smallest one by any possible weights.

    By duality, the smallest moves @ w with A w <= b is the largest -b @ y with y >= 0 and
    A.T @ y = -moves: so the y are columns, and a program that maximises finds the worst case.
    """

    def __init__(
        self, problem: Problem, polytope: WeightPolytope, time_limit: float = math.inf
    ) -> None:
        super().__init__(problem, time_limit, polytope.box)
        self._polytope = polytope
        n_duals = len(polytope.limits)
        self._whole = np.r_[self._whole, np.zeros(n_duals, dtype=bool)]
        self._rows = [(_widen(matrix, n_duals), *limits) for matrix, *limits in self._rows]
        self._rows.append((np.hstack([self.moves, polytope.matrix.T]), 0, 0))
        self.moves = _widen(self.moves, n_duals)
        self.cost_row = _widen(self.cost_row[None], n_duals)[0]
        unit = float(problem.gain_unit)
        self.blur = 1e-9 * float(np.abs(self.gain_row).sum())
        self.gain_row = np.r_[np.zeros(len(self.gain_row)), -polytope.limits / unit]

    def _value(self, chosen: list[int]) -> Choice:
        choice = self._problem.choice(chosen)
        worst = guaranteed_gain(self._problem, self._polytope, choice)
        return Choice(choice.chosen, choice.cost, worst / float(self._problem.gain_unit))


class GuaranteedPosition(Model):
    """Accept a plan only if it reaches a position by every possible weights.

    For fixed weights a position is a linear condition: to pass the competitor who would hold it.
    Weights for which a plan fails are looked for, and give the next condition (cut generation).
    """

    def __init__(
        self,
        problem: Problem,
        polytope: WeightPolytope,
        competitors: Competitors,
        position: int,
        time_limit: float = math.inf,
    ) -> None:
        super().__init__(problem, time_limit, polytope.box)
        self._polytope, self._competitors, self._position = polytope, competitors, position

    def _broken(self, choice: Choice) -> Rows | None:
        rivals = self._competitors
        worst = guaranteed_position(self._problem, self._polytope, choice, rivals)
        if worst.position <= self._position:
            return None
        to_beat = np.sort(rivals.values @ worst.weights)[-self._position]
        before = _item_values(self._problem) @ worst.weights
        needed = to_beat + float(rivals.margin) - before
        return worst.weights[None] @ self.moves, needed, np.inf


def guaranteed_gain(problem: Problem, polytope: WeightPolytope, choice: Choice) -> float:
    """Return the smallest gain of a plan by any possible weights."""
    return polytope.least(_moves(problem, choice))


def guaranteed_position(
    problem: Problem, polytope: WeightPolytope, choice: Choice, competitors: Competitors
) -> WorstPosition:
    """Return the worst position of the product after a plan, by any possible weights."""
    values = _item_values(problem) + _moves(problem, choice)
    return polytope.worst_position(values - competitors.values, float(competitors.margin))


def _moves(problem: Problem, choice: Choice) -> Array:
    totals = problem.total_effects(choice.chosen)
    return np.array([float(totals.get(name, 0)) for name in problem.weights])


def _item_values(problem: Problem) -> Array:
    return np.array([float(problem.item[name]) for name in problem.weights])


def _widen(matrix: Array, n: int) -> Array:
    return np.hstack([matrix, np.zeros((len(matrix), n))])
