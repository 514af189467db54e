"""What was found out about a rating, in plain words."""

from rankwright.reverse import HeldOut, Investigation
from rankwright.reverse.investigation import INTERRUPTED
from rankwright.reverse.questions.summary import chance_words, status_words, twin_words

__all__ = ["certificate_words", "formula_words", "left_out_words", "measured", "trust_words"]

MEASURES = {
    "m1": "pairs at the top (M1)",
    "m2": "all pairs (M2)",
    "m3": "in or out of the top (M3)",
}
QUESTIONS = {
    "suspects": "suspicious products",
    "weight_ranges": "ranges of the weights",
    "held_out": "held-out products",
    "chance": "comparison with chance",
}


def formula_words(found: Investigation) -> list[str]:
    """Say what counts most."""
    formula, names = found.formula, [str(name) for name in found.table.X.columns]
    by_share = sorted(range(len(names)), key=lambda j: -formula.shares_[j])
    less = [", less is better" if weight < 0 else "" for weight in formula.weights_]
    strongest = [
        f"{names[j]} ({formula.shares_[j]:.0f}%{less[j]})"
        for j in by_share[:3]
        if formula.shares_[j] > 0
    ]
    unused = [names[j] for j in by_share if formula.weights_[j] == 0]
    sentences = (
        [f"The factors that explain the rank most: {', '.join(strongest)}."] if strongest else []
    )
    if unused:
        sentences.append(f"Factors without any weight: {', '.join(unused)}.")
    return sentences


def certificate_words(found: Investigation) -> list[str]:
    """Say what is proved."""
    formula, certificate = found.formula, found.certificate
    objective, bound = float(certificate.objective), float(certificate.bound)
    by_position = found.formula.rating_.problem.objective.by_position
    if certificate.is_optimal:
        sentences = [
            f"No linear formula with these directions does better: proved "
            f"(objective {objective:.4f}, by {certificate.proof})."
        ]
    else:
        sentences = [
            f"The formula reaches {objective:.4f}, and none with these directions can "
            f"{'fall below' if by_position else 'exceed'} {bound:.4f}: a better one could gain at "
            f"most {formula.gap_:.4f}. {status_words(certificate.status)}"
        ]
    sentences.append(
        f"{_objective_words(found)} It was computed again from the printed weights in exact "
        "arithmetic."
    )
    if formula.n_twins_:
        sentences.append(twin_words(formula.rating_, formula.solution_))
    return [*sentences, f"This holds for {certificate.scope}."]


def _objective_words(found: Investigation) -> str:
    """Say what the objective counts."""
    rating = found.formula.rating_
    sizes = sorted(set(rating.tops))
    top = f"top {sizes[0]}" if len(sizes) == 1 else f"top (of {sizes[0]} to {sizes[-1]} products)"
    if rating.objective == "positions":
        return (
            f"The objective sums how many places each product published in the {top} of its group "
            "is away from its published position; 0 is none."
        )
    every = sum(rating.category_weights[name] for name in set(rating.problem.categories))
    return (
        "The objective counts the pairs of products that the formula orders as published, those "
        f"won by a product of the {top} of its group counting {1 + rating.emphasis:g} times; "
        f"{every:g} is every pair."
    )


def left_out_words(found: Investigation) -> list[str]:
    """Say whether the run was interrupted, what could not be found out, and why."""
    missing = [
        words for name, words in QUESTIONS.items() if found.left_out.get(name) == INTERRUPTED
    ]
    sentences = []
    if found.interrupted:
        sentences.append(f"The run was interrupted; missing: {', '.join(missing) or 'nothing'}.")
    reasons = {name: why for name, why in found.left_out.items() if why != INTERRUPTED}
    return [*sentences, *(f"Left out, {QUESTIONS[name]}: {why}." for name, why in reasons.items())]


def measured(held_out: HeldOut | None) -> list[tuple[str, float, float]]:
    """Return the measures of held-out products by name, each with what guessing gets."""
    if held_out is None:
        return []
    return [
        (words, getattr(held_out.measures, name), getattr(held_out.guessed, name))
        for name, words in MEASURES.items()
    ]


def trust_words(found: Investigation) -> list[str]:
    """Say whether the formula would hold for new products."""
    sentences = []
    parts = [
        f"{what} {value:.0%} (chance: {guessed:.0%})"
        for what, value, guessed in measured(found.held_out)
        if value == value
    ]
    if parts:
        sentences.append(f"Correct on products left out of the fit: {', '.join(parts)}.")
    if found.chance is not None:
        sentences.append(chance_words(found.chance))
    return sentences
