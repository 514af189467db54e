"""The formula for new products, in words."""

from rankwright.reverse.problem import Rating
from rankwright.reverse.solution import RatingSolution
from rankwright.reverse.stable.choice import Trial
from rankwright.reverse.stable.stable_formula import StableFormula

__all__ = ["stable_words", "trial_words"]

EXPLAINED = {
    "order": "the published order, up to noise",
    "scores": "the published scores, up to noise",
}


def stable_words(
    rating: Rating, solution: RatingSolution, stable: StableFormula | None
) -> list[str]:
    """Say what the formula for new products is, and what it reaches; nothing without one."""
    if stable is None:
        return []
    reached = rating.problem.normalised(solution.value)
    sentences = [_what_it_is(stable)]
    if stable.amount > 0:
        sentences.append(
            f"On the published order it reaches {stable.objective:.4f}, the accurate formula "
            f"{reached:.4f}; nothing is proved about it."
        )
    if not stable.is_complete:
        sentences.append(
            "Time was too short to "
            + ("hold out products and so to choose it." if stable.amount else "find it.")
        )
    return sentences + _held_out_words(stable)


def _what_it_is(stable: StableFormula) -> str:
    if stable.amount == 0:
        return "For new products: the accurate formula."
    mean = f"the mean of all formulas, each as probable as it makes {EXPLAINED[stable.towards]}"
    if stable.amount == 1:
        return f"For new products: {mean}."
    return f"For new products: {stable.amount:.0%} of the way from the accurate formula to {mean}."


def _held_out_words(stable: StableFormula) -> list[str]:
    accurate = next((one for one in stable.trials if one.amount == 0), None)
    if accurate is None or accurate is stable.trials[0]:
        return []
    chosen = stable.trials[0]
    return [
        f"On products held out ({chosen.n_folds} folds) formulas of its kind get {_shares(chosen)} "
        "of the pairs at the top (M1), of all pairs (M2), and of products in or out of the top "
        f"(M3); accurate ones, by a short search, {_shares(accurate)}."
    ]


def _shares(trial: Trial) -> str:
    return f"{trial.m1:.1%}, {trial.m2:.1%} and {trial.m3:.1%}"


def trial_words(trial: Trial) -> str:
    """Name a blend.

    Examples
    --------
    >>> trial_words(Trial("order", 0.5, 0.8, 0.9, 0.9, 0.0, 0.0, 10))
    '50% towards the order'
    """
    if trial.amount == 0:
        return "the accurate formula"
    return f"{trial.amount:.0%} towards the {trial.towards}"
