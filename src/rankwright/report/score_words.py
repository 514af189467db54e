"""What published scores say about a formula, in plain words."""

from collections.abc import Sequence
from fractions import Fraction
from math import isinf
from shlex import quote

import numpy as np

from rankwright.reverse import Investigation
from rankwright.reverse.limits import at_least_digits, at_most_digits
from rankwright.reverse.questions.spreadsheet import decimal
from rankwright.reverse.questions.summary import plural
from rankwright.reverse.scores import ScoreFit

__all__ = ["range_ends", "score_words", "words_of_scores"]

DIGITS = 8  # that count, of the ends of ranges


def score_words(fit: ScoreFit, dependent: Sequence[Sequence[str]] = ()) -> list[str]:
    """Say whether scores are reproduced, how they were read, and what is proved.

    ``dependent`` names sets of factors of which one follows from the others.
    """
    return [*_reproduced(fit), *_reading(fit), *_proved(fit, dependent)]


def words_of_scores(found: Investigation) -> list[str]:
    """Say all that of an investigation whose formula reproduces scores."""
    fit, names = found.formula.score_fit_, found.weights.index
    assert fit is not None
    sets = [[str(names[j]) for j in one.factors] for one in found.alike if one.are_dependent]
    return score_words(fit, sets)


def range_ends(low: float, high: float) -> tuple[str, str]:
    """Write the ends of a proved range, each rounded to the side on which it holds."""
    return (
        "no limit" if isinf(low) else at_least_digits(low, DIGITS),
        "no limit" if isinf(high) else at_most_digits(high, DIGITS),
    )


def _scope(fit: ScoreFit) -> str:
    """Name the formulas that a proof speaks of: rounded factors are read for the signs found."""
    return f"{fit.scope} with these signs" if fit.rounded_factors else fit.scope


def _reading(fit: ScoreFit) -> list[str]:
    step = decimal(Fraction(fit.step))
    words = [f"Scores are read as rounded to {step}, each an interval of that width."]
    clipped = {"smallest": fit.clipped_low, "largest": fit.clipped_high}
    ends = [end for end, is_clipped in clipped.items() if is_clipped]
    if ends:
        words.append(
            f"The {' and the '.join(ends)} published score is read as clipped, meaning this or "
            "beyond; otherwise no formula reproduces all the others."
        )
    if fit.rounded_factors:
        words.append(
            "The printed factors are read as rounded, too; otherwise no formula reproduces as many "
            "scores. What is proved holds for weights with these signs."
        )
    if fit.n_tied:
        words.append(
            f"{plural(fit.n_tied, 'pair')} of products share a published score: the formula orders "
            "them, the publication does not."
        )
    return words


def _reproduced(fit: ScoreFit) -> list[str]:
    n_missed = len(fit.contradicted)
    if not n_missed:
        return [f"The formula reproduces all {fit.n_products:,} published scores as rounded."]
    if 2 * n_missed > fit.n_products and not fit.at_least:
        return [
            f"THE TIME LIMIT ENDED THE SEARCH: the formula found misses {n_missed:,} of "
            f"{fit.n_products:,} published scores, by up to {fit.misses.max():.3g}; whether "
            f"another {_scope(fit)} explains them was not decided."
        ]
    if 2 * n_missed > fit.n_products:
        explains = "EXPLAINS" if fit.total_is_proved else "WAS FOUND THAT EXPLAINS"
        return [
            f"NO {_scope(fit).upper()} {explains} THESE SCORES: the one with the least sum of "
            f"misses found ({fit.total:.4g}) misses {n_missed:,} of {fit.n_products:,} published "
            f"scores, by up to {fit.misses.max():.3g}."
        ]
    words = [
        f"The formula reproduces {fit.n_products - n_missed:,} of {fit.n_products:,} published "
        f"scores as rounded; {plural(n_missed, 'product')} "
        f"contradict{'s' if n_missed == 1 else ''} the rest, by up to {fit.misses.max():.3g}."
    ]
    if fit.is_fewest:
        words.append(f"No {_scope(fit)} contradicts fewer: proved in rational arithmetic.")
    elif fit.at_least:
        words.append(f"Every {_scope(fit)} contradicts at least {fit.at_least}: proved.")
    else:
        words.append("The time limit ended the search: that fewer would do is not excluded.")
    words.append(
        f"The least sum of misses that any {_scope(fit)} has is {fit.total:.4g}: proved in "
        "rational arithmetic."
        if fit.total_is_proved
        else f"The least sum of misses found is {fit.total:.4g}; that no {_scope(fit)} has less is "
        "not proved."
    )
    return words


def _proved(fit: ScoreFit, dependent: Sequence[Sequence[str]]) -> list[str]:
    if 2 * len(fit.contradicted) > fit.n_products:
        return []
    what, others = "reproduces all scores", ""
    if not fit.reproduces_everything:
        what = f"reproduces the {fit.n_reproduced:,} scores that this one does"
        others = "; formulas that contradict other products may lie outside"
    words = [
        f"The ranges of the weights hold for every {_scope(fit)} that {what}: each end was "
        f"checked in rational arithmetic{others}."
    ]
    n_open = int((np.isinf(fit.low) | np.isinf(fit.high)).sum())
    if n_open and dependent:
        words += [
            f"{', '.join(one[:-1])} and {one[-1]} follow from each other: other weights for them "
            f"give the same scores, so none has a limit; --exclude {quote(one[0])} gives the "
            "others theirs."
            for one in dependent
        ]
    elif n_open:
        words.append(
            f"No limit is known for {plural(n_open, 'weight')}: factors depend on each other, "
            "products are too few, or the time limit ended the proof."
        )
    return words
