"""Check a formula again, from its printed weights, in rational arithmetic and plain Python."""

from dataclasses import dataclass
from fractions import Fraction

from rankwright.reverse.problem import Rating, RatingProblem
from rankwright.reverse.progress import FitStatus
from rankwright.reverse.solution import RatingSolution

__all__ = ["Certificate", "certify", "exact_objective"]


@dataclass(frozen=True)
class Certificate:
    """What is known about a formula, exactly.

    Attributes
    ----------
    weights : dict of str to Fraction
        The formula, as printed.
    objective, bound : Fraction
        The objective, computed again from these weights; what no formula can exceed (for position
        errors: fall below).
    is_optimal : bool
    status : str
    proof : str
        What the bound rests on.
    scope : str
        The formulas that the bound speaks of.
    """

    weights: dict[str, Fraction]
    objective: Fraction
    bound: Fraction
    is_optimal: bool
    status: str
    proof: str
    scope: str

    def __str__(self) -> str:
        relation = "=" if self.is_optimal else "vs"
        return (
            f"objective {float(self.objective):.6f} {relation} bound {float(self.bound):.6f} "
            f"({self.status})\nproof: {self.proof}\nfor: {self.scope}"
        )


def certify(rating: Rating, solution: RatingSolution) -> Certificate:
    """Compute the objective of a formula again and set it beside the bound."""
    problem, own = rating.problem, solution.own_weights
    objective, limit = exact_objective(problem, own), problem.exactly_normalised(solution.bound)
    by_position = problem.objective.by_position
    if (objective < limit) if by_position else (objective > limit):
        raise AssertionError(f"objective {objective} beyond the bound {limit}; please report this")
    signs = [
        f"{name} {'free' if free else '>= 0' if sign > 0 else '<= 0'}"
        for name, sign, free in zip(
            rating.factor_names, problem.directions, problem.free, strict=True
        )
    ]
    return Certificate(
        weights=dict(zip(rating.factor_names, own, strict=True)),
        objective=objective,
        bound=limit,
        is_optimal=solution.status == FitStatus.OPTIMAL and objective == limit,
        status=str(solution.status),
        proof=solution.proof,
        scope="linear formulas with the weights " + ", ".join(signs),
    )


def exact_objective(problem: RatingProblem, own: list[Fraction]) -> Fraction:
    """Return formula (2), or the summed position error, written out in rational numbers."""
    factors = problem.factors
    turned = [w * step for w, step in zip(own, factors.steps, strict=True)]
    scores = [
        sum((w * value for w, value in zip(turned, row, strict=True)), Fraction(0))
        for row in factors.whole.tolist()
    ]
    levels, objective = problem.levels.tolist(), problem.objective
    total = Fraction(0)
    offsets = problem.offsets.tolist()
    for begin, end, top in zip(offsets, offsets[1:], objective.top, strict=False):
        group = range(begin, end)
        for i in group:
            if objective.by_position:
                place = 1 + sum(levels[k] > levels[i] for k in group)
                taken = 1 + sum(scores[k] > scores[i] for k in group)
                total += abs(taken - place) if place <= top else 0
                continue
            rank = sum(scores[i] > scores[k] for k in group)
            won = sum(levels[i] > levels[k] and scores[i] > scores[k] for k in group)
            unit = Fraction(int(problem.rates.unit[i])) / problem.rates.scale
            bonus = Fraction(int(problem.rates.bonus[i])) / problem.rates.scale
            total += won * (unit + (bonus if rank >= end - begin - top else 0))
    return total
