"""A formula in words."""

import numpy as np

from rankwright.reverse.problem import Rating
from rankwright.reverse.progress import FitStatus
from rankwright.reverse.questions.chance import ChanceCheck
from rankwright.reverse.questions.held_out import HeldOut
from rankwright.reverse.questions.spreadsheet import decimal
from rankwright.reverse.solution import RatingSolution

__all__ = ["chance_words", "plural", "status_words", "summary", "twin_words"]

MEANING = {
    FitStatus.OPTIMAL: "No linear formula with these directions does better: proved.",
    FitStatus.GAP: "Stopped at the gap asked for.",
    FitStatus.TIME_LIMIT: "The time limit ended the proof.",
    FitStatus.INTERRUPTED: "Interrupted; this is the best formula so far.",
    FitStatus.WORK_LIMIT: "Some cells are too large to be cut further; the proof is open.",
    FitStatus.SEARCHED: "Found by search; no proof was attempted beyond single pairs.",
}


def summary(
    rating: Rating,
    solution: RatingSolution,
    held_out: HeldOut | None = None,
    chance: ChanceCheck | None = None,
) -> str:
    """Return a formula in words: what it is, what is proved, and how far to trust it."""
    problem = rating.problem
    n_products, n_groups = len(problem.levels), len(problem.sizes)
    lines = [
        f"Rating formula for {plural(n_products, 'product')} in {plural(n_groups, 'group')}",
        "",
    ]
    width = max(len(factor) for factor in rating.factor_names)
    shares, weights = solution.shares(problem), solution.own_weights
    lines += [
        f"  {rating.factor_names[j]:<{width}}  {shares[j]:5.1f} %  weight {decimal(weights[j])}"
        for j in np.argsort(-shares, kind="stable")
    ]
    objective, bound = (problem.normalised(value) for value in (solution.value, solution.bound))
    name = "position error" if problem.objective.by_position else "statistic"
    lines += [
        "",
        f"{name} {objective:.6g}, bound {bound:.6g}, gap {abs(bound - objective):.3g} "
        f"({solution.status}). {status_words(solution.status)}",
    ]
    if problem.n_twins:
        lines.append(twin_words(rating, solution))
    if held_out is not None:
        lines.append(
            f"Of the pairs at the top, {held_out.measures.m1:.1%} are right on held-out products "
            f"(M1; of all pairs {held_out.measures.m2:.1%}, M2)."
        )
    if chance is not None:
        lines.append(chance_words(chance))
    return "\n".join(lines)


def plural(number: int, noun: str) -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> plural(1, "pair"), plural(1200, "pair")
    ('1 pair', '1,200 pairs')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def status_words(status: str) -> str:
    """Say why a fit ended, and so what its bound means."""
    return MEANING[FitStatus(status)]


def twin_words(rating: Rating, solution: RatingSolution) -> str:
    """Say how many published pairs no formula can tell apart, and what is left to reach."""
    problem = rating.problem
    achievable = problem.normalised(solution.achievable)
    n_twins = problem.n_twins
    pairs = f"{plural(n_twins, 'pair')} of products {'has' if n_twins == 1 else 'have'}"
    return (
        f"{pairs} equal factors but different ranks, which no formula explains; judged by single "
        "pairs, no formula with these directions can "
        + ("fall below" if problem.objective.by_position else "exceed")
        + f" {achievable:.6g}."
    )


def chance_words(chance: ChanceCheck) -> str:
    """Say whether a formula fits better than one would by chance."""
    reached = (
        f"on {plural(len(chance.shuffled), 'shuffle')} of the ranks a short search reaches "
        f"{chance.shuffled.mean():.4g} on average"
    )
    if chance.is_better_than_chance:
        return f"Better than chance (p = {chance.p_value:.2g}): {reached}."
    return (
        f"NO BETTER THAN CHANCE (p = {chance.p_value:.2g}): {reached}. With so many factors for so "
        "few products a formula that fits says little about the rating."
    )
