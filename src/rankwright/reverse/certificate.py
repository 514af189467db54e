"""Check a formula again, from its printed weights, in rational arithmetic and plain Python."""

from bisect import bisect_left, bisect_right, insort
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import lcm

from rankwright.reverse.limits import at_most
from rankwright.reverse.problem import Rating, RatingProblem
from rankwright.reverse.progress import FitStatus
from rankwright.reverse.search.directions import UNDECIDED
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
        The objective, computed again from these weights; what no formula of the scope can exceed
        (for position errors: fall below).
    bound_any_signs : Fraction
        The same for formulas with any signs where the data were to decide about them, one for all
        pieces of a factor.
    pairs_lost : int
        So many published pairs every formula loses at least, whatever the signs that the data were
        to decide: 0 if nothing excludes a formula that reproduces the whole order.
    is_optimal : bool
        Whether the objective is the bound: no formula of the scope is better.
    status : str
    proof : str
        What the bound rests on.
    scope : str
        The formulas that the bound speaks of, by the sign of each weight: "free" for one that the
        data decided means that no other sign does better.
    """

    weights: dict[str, Fraction]
    objective: Fraction
    bound: Fraction
    bound_any_signs: Fraction
    pairs_lost: int
    is_optimal: bool
    status: str
    proof: str
    scope: str

    @property
    def holds_for_any_signs(self) -> bool:
        """Tell whether the bound holds whatever the signs that the data were to decide."""
        return self.bound == self.bound_any_signs

    @property
    def gap(self) -> Fraction:
        """Return the difference of objective and bound: the most that a formula could gain."""
        return abs(self.bound - self.objective)

    def __str__(self) -> str:
        relation = "=" if self.is_optimal else "vs"
        lost = f"at least {self.pairs_lost:,}" if self.pairs_lost else ""
        objective = f"{float(self.objective):.6f}"
        bound = objective if self.is_optimal else at_most(self.bound, 6)
        wider = f"\nfor any signs: bound {at_most(self.bound_any_signs, 6)}"
        return (
            f"objective {objective} {relation} bound {bound} "
            f"({self.status})\nproof: {self.proof}\nfor: {self.scope}"
            + ("" if self.holds_for_any_signs else wider)
            + (f"\npublished pairs that every formula loses: {lost}" if lost else "")
        )


def certify(rating: Rating, solution: RatingSolution) -> Certificate:
    """Compute the objective of a formula again and set it beside the bound."""
    problem, own = rating.problem, solution.own_weights
    objective, limit = exact_objective(problem, own), problem.exactly_normalised(solution.bound)
    by_position = problem.objective.by_position
    if (objective < limit) if by_position else (objective > limit):
        raise AssertionError(f"objective {objective} beyond the bound {limit}; please report this")
    return Certificate(
        weights=dict(zip(rating.factor_names, own, strict=True)),
        objective=objective,
        bound=limit,
        bound_any_signs=problem.exactly_normalised(solution.bound_any_signs),
        pairs_lost=solution.pairs_lost,
        is_optimal=solution.status == FitStatus.OPTIMAL and objective == limit,
        status=str(solution.status),
        proof=solution.proof,
        scope=_scope(rating, solution),
    )


def _scope(rating: Rating, solution: RatingSolution) -> str:
    """Say which formulas the bound speaks of."""
    # Pieces of a factor have one direction, which no list of signs says.
    is_wide = solution.bound_any_signs == solution.bound and not rating.piece_of
    free = rating.problem.free | (is_wide & (rating.asked == UNDECIDED))
    signs = [
        f"{name} {'free' if is_free else '>= 0' if sign > 0 else '<= 0'}"
        for name, sign, is_free in zip(
            rating.factor_names, rating.problem.directions, free, strict=True
        )
    ]
    known = "".join(f"; with {text}" for text in rating.constraints)
    return "linear formulas with the weights " + ", ".join(signs) + known


def exact_objective(problem: RatingProblem, own: list[Fraction]) -> Fraction:
    """Return formula (2), or the summed position error, in rational numbers."""
    scores, levels, objective = (
        _whole_scores(problem, own),
        problem.levels.tolist(),
        problem.objective,
    )
    total = Fraction(0)
    for (begin, end), top in zip(problem.bounds, objective.top, strict=True):
        group = levels[begin:end], scores[begin:end]
        if objective.by_position:
            total += _position_error(*group, top)
            continue
        won, won_at_top = _pairs_won(*group, top)
        unit, bonus = (int(rate[begin]) for rate in (problem.rates.unit, problem.rates.bonus))
        total += (won * unit + won_at_top * bonus) / problem.rates.scale
    return total


def _whole_scores(problem: RatingProblem, own: list[Fraction]) -> list[int]:
    """Return the scores times the common denominator of all weights, which orders them alike."""
    weights = [w * step for w, step in zip(own, problem.factors.steps, strict=True)]
    common = lcm(*(w.denominator for w in weights))
    whole = [int(w * common) for w in weights]
    rows = problem.factors.whole.tolist()
    return [sum(w * value for w, value in zip(whole, row, strict=True)) for row in rows]


def _position_error(levels: list[int], scores: list[int], top: int) -> int:
    """Return how far the products of the published top are from their places, in sum."""
    published, reached = sorted(levels), sorted(scores)
    n = len(levels)
    places = [1 + n - bisect_right(published, level) for level in levels]
    taken = [1 + n - bisect_right(reached, score) for score in scores]
    return sum(abs(t - place) for t, place in zip(taken, places, strict=True) if place <= top)


def _pairs_won(levels: list[int], scores: list[int], top: int) -> tuple[int, int]:
    """Return the pairs ordered as published, and those won by products that score at the top."""
    n, total, at_top = len(levels), 0, 0
    below: list[int] = []  # levels of the products that score less, ascending
    ascending = sorted(range(n), key=scores.__getitem__)
    for _, tied in groupby(ascending, key=scores.__getitem__):
        members = [levels[i] for i in tied]
        won = sum(bisect_left(below, level) for level in members)
        total += won
        at_top += won if len(below) >= n - top else 0
        for level in members:
            insort(below, level)
    return total, at_top
