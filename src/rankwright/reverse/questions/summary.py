"""A formula in words."""

import numpy as np

from rankwright.reverse.limits import at_most_digits
from rankwright.reverse.problem import Rating
from rankwright.reverse.progress import FitStatus
from rankwright.reverse.questions.chance import ChanceCheck
from rankwright.reverse.questions.held_out import HeldOut
from rankwright.reverse.questions.spreadsheet import decimal
from rankwright.reverse.search.directions import UNDECIDED
from rankwright.reverse.solution import RatingSolution

__all__ = [
    "chance_words",
    "held_out_words",
    "measured",
    "percent",
    "plural",
    "range_scope",
    "scope_words",
    "status_words",
    "summary",
    "twin_words",
]

MEANING = {
    FitStatus.OPTIMAL: "No linear formula with {limits} does better: proved.",
    FitStatus.GAP: "Stopped at the gap asked for.",
    FitStatus.TIME_LIMIT: "The time limit ended the proof.",
    FitStatus.INTERRUPTED: "Interrupted; this is the best formula so far.",
    FitStatus.WORK_LIMIT: "Some cells are too large to be cut further, so the proof is incomplete.",
    FitStatus.SEARCHED: "Found by search; no proof was attempted beyond single pairs.",
    FitStatus.BY_SCORES: "Chosen by the published scores, not by their order.",
}
MEASURES = {
    "m1": "pairs at the top (M1)",
    "m2": "all pairs (M2)",
    "m3": "in or out of the top (M3)",
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
    objective = problem.normalised(solution.value)
    exact, bound = (problem.exactly_normalised(v) for v in (solution.value, solution.bound))
    limit = f"{objective:.6g}" if exact == bound else at_most_digits(bound, 6)
    gap = at_most_digits(abs(bound - exact), 3)
    name = "position error" if problem.objective.by_position else "statistic"
    lines += [
        "",
        f"{name} {objective:.6g}, bound {limit}, gap {gap} "
        f"({solution.status}). {status_words(solution.status, scope_words(rating))}",
    ]
    if problem.n_twins:
        lines.append(twin_words(rating, solution))
    if held_out is not None:
        lines.append(held_out_words(held_out))
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


def percent(share: float) -> str:
    """Write a share so that 100% means all of it, and 0% none.

    Examples
    --------
    >>> percent(0.98765), percent(0.99999), percent(1.0)
    ('98.8%', '99.999%', '100%')
    """
    if share != share:
        return "–"
    if share in (0.0, 1.0):
        return f"{share:.0%}"
    digits = 1
    while digits < 9 and round(100 * share, digits) in (0.0, 100.0):
        digits += 1
    return f"{share:.{digits}%}"


def scope_words(rating: Rating) -> str:
    """Say what the formulas have in common that a proof speaks of."""
    limits = ["these signs"] + ["constraints"] * bool(rating.constraints)
    limits += ["pieces"] * bool(rating.piece_of)
    return " and ".join(", ".join(limits).rsplit(", ", 1))


def range_scope(rating: Rating) -> str:
    """Say which formulas ranges speak of: those with the signs found, whoever decided them.

    Where the data decided a sign, formulas with the other one may fit as well: none is looked at.
    """
    decided = [
        name
        for name, asked in zip(rating.factor_names, rating.asked, strict=True)
        if asked == UNDECIDED
    ]
    if rating.objective == "scores" or not decided:
        return ""
    listed = "all factors" if len(decided) == len(rating.factor_names) else ", ".join(decided)
    return (
        f"The data decided the signs of {listed}; formulas with other signs may fit as well, and "
        "these ranges do not cover them."
    )


def status_words(status: str, limits: str) -> str:
    """Say why a fit ended, and so what its bound means."""
    return MEANING[FitStatus(status)].format(limits=limits)


def twin_words(rating: Rating, solution: RatingSolution) -> str:
    """Say how many published pairs no formula can tell apart, and what is left to reach."""
    problem = rating.problem
    achievable = at_most_digits(problem.exactly_normalised(solution.achievable), 6)
    n_twins = problem.n_twins
    pairs = f"{plural(n_twins, 'pair')} of products {'has' if n_twins == 1 else 'have'}"
    return (
        f"{pairs} equal factors but different ranks, which no formula explains; judged by single "
        f"pairs, no formula with {scope_words(rating)} can "
        + ("fall below" if problem.objective.by_position else "exceed")
        + f" {achievable}."
    )


def measured(held_out: HeldOut) -> list[tuple[str, float, float]]:
    """Return the measures of held-out products by name, each with what guessing gets."""
    return [
        (words, getattr(held_out.measures, name), getattr(held_out.guessed, name))
        for name, words in MEASURES.items()
    ]


def held_out_words(held_out: HeldOut) -> str:
    """Say how much of what is told of held-out products is right."""
    parts = [
        f"{what}: "
        + ("nothing to count" if np.isnan(share) else f"{percent(share)} (chance: {by:.1%})")
        for what, share, by in measured(held_out)
    ]
    times = plural(held_out.n_products, "product")  # most of them in two folds
    return f"Right on products left out of the fit ({times} over all folds): {', '.join(parts)}."


def chance_words(chance: ChanceCheck) -> str:
    """Say whether a formula fits better than one would by chance."""
    if chance.is_counted:
        return (
            f"Better than chance (p <= {at_most_digits(chance.p_value, 1)}, counted): if the "
            "products were ranked at random, some formula would fit as well with at most that "
            "probability."
        )
    is_lowest = chance.p_value == chance.lowest_p_value
    p = f"<= {at_most_digits(chance.p_value, 2)}" if is_lowest else f"= {chance.p_value:.2g}"
    judged = f"(p {p}, {plural(len(chance.shuffled), 'shuffle')})"
    reached = (
        f"a short search reaches {chance.objective:.4g} on the published ranks, and "
        f"{chance.shuffled.mean():.4g} on average on shuffled ones"
    )
    if not chance.can_tell:
        return (
            f"Too few shuffles to tell whether it is better than chance {judged}: {reached}. Allow "
            "more time for more shuffles."
        )
    if chance.is_better_than_chance:
        return f"Better than chance {judged}: {reached}."
    return (
        f"NO BETTER THAN CHANCE {judged}: {reached}. With so many factors for so few products a "
        "formula that fits says little about the rating."
    )
