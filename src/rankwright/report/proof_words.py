"""How sure a formula is: ranges of weights, what is proved, and what can't be told apart."""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy as np
import pandas as pd

from rankwright.reverse import Certificate, Investigation
from rankwright.reverse.limits import at_least, at_most
from rankwright.reverse.questions import AlikeFactors
from rankwright.reverse.questions.summary import (
    plural,
    range_scope,
    scope_words,
    status_words,
    twin_words,
)
from rankwright.reverse.search.directions import SIGNED

__all__ = [
    "FOUND",
    "NOISE",
    "SILENT",
    "UNKNOWN",
    "alike_words",
    "any_sign_words",
    "certificate_words",
    "drawn_words",
    "interval_words",
    "limit_text",
    "proof_words",
    "range_words",
]

SILENT = 50.0  # points: a range as wide as this says nothing unless formulas were seen at its ends
REACHED = 0.1
UNKNOWN, FOUND = "not known", "found"
NOISE = 1e-6  # points: ranges are this much wider than proved, at most, and rounded outwards


def range_words(found: Investigation, factor: str) -> str:
    """Say how far a factor's weight can go among formulas with these signs that fit as well.

    A range that says nothing is not written as one: then it is what was found, and says so, or
    nothing where no other formula was seen.
    """
    assert found.weight_ranges is not None
    inner_low, inner_high, low, high = ends = _ends(found.weight_ranges, factor)
    if not _says_nothing(*ends):
        return _span(found, factor, low + NOISE, high - NOISE, outwards=True)
    if round(inner_high - inner_low, 6) == 0:
        return UNKNOWN
    return f"{_span(found, factor, inner_low, inner_high)} {FOUND}"


def any_sign_words(found: Investigation, factor: str) -> str:
    """Say how far a factor's weight can go among formulas of any signs that fit as well."""
    assert found.any_sign_ranges is not None
    _, _, low, high = ends = _ends(found.any_sign_ranges, factor)
    if _says_nothing(*ends):
        return UNKNOWN
    return interval_words([(low, high)])


def interval_words(intervals: Iterable[tuple[float, float]]) -> str:
    """Write the intervals that hold a weight, rounded outwards: 1.5 to 2.0; 7.1 to 7.3."""
    ends = ((at_least(low + NOISE, 1), at_most(high - NOISE, 1)) for low, high in intervals)
    return "; ".join(low if low == high else f"{low} to {high}" for low, high in ends)


def _ends(ranges: pd.DataFrame, factor: str) -> tuple[float, ...]:
    """Return how far formulas that were seen go, and how far any can go."""
    ends = ("inner_low", "inner_high", "outer_low", "outer_high")
    return tuple(_entry(ranges, factor, end) for end in ends)


def _says_nothing(inner_low: float, inner_high: float, low: float, high: float) -> bool:
    """Tell whether a bound is too wide to say anything, and no formula comes near it."""
    return high - low >= SILENT and max(inner_low - low, high - inner_high) > REACHED


def drawn_words(found: Investigation, factor: str) -> str:
    """Say where nine in ten of a factor's weights lie when products are drawn again."""
    assert found.drawn_again is not None
    ends = (_entry(found.drawn_again, factor, end) for end in ("low", "high"))
    return _span(found, factor, *ends)


def _span(
    found: Investigation, factor: str, low: float, high: float, *, outwards: bool = False
) -> str:
    """Write a range of a weight on the side of zero where the factor counts."""
    if _entry(found.weights, factor, "weight") < 0:
        low, high = -high, -low
    if outwards:
        ends = [at_least(low, 1), at_most(high, 1)]
    else:
        ends = [f"{round(end, 1) + 0.0:.1f}" for end in (low, high)]  # never -0.0
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def _entry(frame: pd.DataFrame, factor: str, column: str) -> float:
    return float(frame[column].to_numpy()[list(map(str, frame.index)).index(factor)])


def proof_words(found: Investigation) -> list[str]:
    """Say how sure the formula is, without technical words."""
    certificate, ranges = found.certificate, found.weight_ranges
    if certificate.is_optimal:
        sentences = [f"No weighted sum{_scope(found)} fits better: that is proved."]
    else:
        sentences = [
            *_imperfect(found),
            f"A better weighted sum{_scope(found)} may exist; it is proved that it could "
            f"gain at most {_gap_words(found)}. More time may close this gap.",
        ]
    if ranges is not None:
        written = [range_words(found, str(factor)) for factor in ranges.index]
        scope = scope_words(found.formula.rating_)
        is_found = [words.endswith(FOUND) for words in written]
        if not any(is_found) and UNKNOWN not in written:
            sentences.append(
                f"Every weighted sum with {scope} that fits as well has its weights within the "
                "ranges: proved."
            )
        if any(is_found):
            sentences.append(
                f"Ranges marked '{FOUND}' are not proved: formulas with {scope} that fit as well "
                "were found to reach this far; others may go farther."
            )
        if all(words == UNKNOWN for words in written):
            sentences.append(
                "How far the weights can go is not known: nothing was proved of it, and no other "
                "weights that fit as well were found."
            )
            written = []
        elif UNKNOWN in written:
            sentences.append(
                f"Where a range is {UNKNOWN}, no such formula with another weight was found."
            )
        sentences += _sign_words(found, written)
    else:
        if "weight_ranges" in found.left_out:
            sentences.append("There are no ranges of the weights; a note says why.")
        sentences += _sign_words(found, [])
    if found.drawn_again is not None:
        sentences.append(
            "'Drawn again' is where nine in ten weights lie when the products are resampled at "
            "random: how far the published order, with its errors, pins them down."
        )
    return sentences + alike_words(found)


def _sign_words(found: Investigation, written: list[str]) -> list[str]:
    """Say what is known of formulas with other signs, where the data decided about signs."""
    wide = found.any_sign_ranges
    narrow = [range_scope(found.formula.rating_)] if written else []
    if wide is None:
        return [*filter(None, narrow)]
    anyhow = [any_sign_words(found, str(factor)) for factor in wide.index]
    if anyhow == written and UNKNOWN not in written:
        return ["No formula with other signs that fits as well goes beyond these ranges: proved."]
    if UNKNOWN not in anyhow:
        return [
            "'Any signs' are the ranges of all weighted sums that fit as well, whatever the signs "
            "that were open: proved."
        ]
    return [*filter(None, narrow)]


def _scope(found: Investigation) -> str:
    """Say for which formulas a bound holds, unless it holds for all."""
    rating = found.formula.rating_
    is_wide = found.certificate.holds_for_any_signs and not np.isin(rating.asked, SIGNED).any()
    is_limited = bool(rating.constraints or rating.piece_of)
    return "" if is_wide and not is_limited else f" with {scope_words(rating)}"


def _imperfect(found: Investigation) -> list[str]:
    """Say that no formula reproduces the whole order, where that is proved."""
    lost = found.certificate.pairs_lost
    if not lost:
        return []
    rating = found.formula.rating_
    is_any = not (rating.is_limited or np.isin(rating.asked, SIGNED).any())
    scope, signs = ("", ", whatever its signs") if is_any else (f" with {scope_words(rating)}", "")
    return [
        f"No weighted sum{scope} reproduces the whole order{signs}: each loses at least "
        f"{lost:,} of the published pairs, and this one loses {found.how_well.formula.lost:,}. "
        "That is proved."
    ]


def _gap_words(found: Investigation) -> str:
    gap, problem = found.certificate.gap, found.formula.rating_.problem
    if problem.objective.by_position:
        return plural(round(gap), "place")
    every = problem.exactly_normalised(problem.largest_value)
    # With the digits of the technical words: the same gain is the same number.
    return f"{at_most(100 * gap / every, _telling_places(gap) - 2)}% of what counts"


def alike_words(found: Investigation) -> list[str]:
    """Say which factors can't be told apart, and what they weigh together."""
    weights = found.weights[found.unit]
    names = [str(name) for name in weights.index]
    sentences = []
    for one in found.alike:
        members = [names[j] for j in one.factors]
        listed = f"{', '.join(members[:-1])} and {members[-1]}"
        why = (
            "follow from each other"
            if one.correlation is None
            else f"say nearly the same (correlation {one.correlation:.3f})"
        )
        if one.correlation is None and len(members) > 2:
            sentences.append(
                f"{listed} {why}: other weights for them give the same order, so single weights "
                "say nothing."
            )
        elif one.correlation is not None and _are_told_apart(found, members):
            sentences.append(
                f"{listed} {why}; the published order is exact enough to tell them apart among "
                "formulas with these signs."
            )
        else:
            together = float(weights.to_numpy()[list(one.factors)] @ np.array(one.signs))
            sentences.append(
                f"{listed} {why}: a few other ranks may move weight from one to the other, so "
                f"trust their sum, {together:.1f}%{_turned(one, members)}."
            )
    return sentences


def _turned(one: AlikeFactors, members: Sequence[str]) -> str:
    turned = [name for name, sign in zip(members, one.signs, strict=True) if sign < 0]
    return f" (with {', '.join(turned)} turned round)" if turned else ""


def _are_told_apart(found: Investigation, factors: Sequence[str]) -> bool:
    """Tell whether an order without any error leaves weights of these signs no room."""
    ranges = found.weight_ranges
    if ranges is None or found.how_well.formula.lost:
        return False
    width = ranges["outer_high"] - ranges["outer_low"]
    return bool((width.loc[list(factors)] <= 5.0).all())


def limit_text(certificate: Certificate, limit: Fraction) -> str:
    """Write a limit, rounded upwards, with the places that tell the objective from its bound.

    Position errors are whole numbers, which rounding leaves as they are.
    """
    return at_most(limit, _telling_places(certificate.gap))


def certificate_words(found: Investigation) -> list[str]:
    """Say what is proved."""
    formula, certificate = found.formula, found.certificate
    objective, places = float(certificate.objective), _telling_places(certificate.gap)
    by_position = found.formula.rating_.problem.objective.by_position
    if certificate.is_optimal:
        sentences = [
            f"No linear formula{_scope(found)} does better: proved "
            f"(objective {objective:.4f}{_of_every(found)}, by {certificate.proof})."
        ]
    else:
        sentences = [
            f"The formula reaches {objective:.{places}f}{_of_every(found)}, and "
            f"none{_scope(found)} can {'fall below' if by_position else 'exceed'} "
            f"{limit_text(certificate, certificate.bound)}: a better one could gain at most "
            f"{limit_text(certificate, certificate.gap)}. "
            + status_words(certificate.status, scope_words(formula.rating_)),
            *_imperfect(found),
        ]
    sentences.append(
        f"{_objective_words(found)} It was computed again from the printed weights in exact "
        "arithmetic."
    )
    if formula.n_twins_:
        sentences.append(twin_words(formula.rating_, formula.solution_))
    return [*sentences, f"This holds for {certificate.scope}."]


def _telling_places(gap: Fraction) -> int:
    """Return how many decimal places tell an objective from its bound: four or more."""
    return 4 if gap == 0 else max(4, 1 - math.floor(math.log10(gap)))


def _of_every(found: Investigation) -> str:
    """Say what every pair would be, where that is not 1: products may share the last top place."""
    every = found.formula.every_pair_
    by_position = found.formula.rating_.problem.objective.by_position
    return "" if by_position or abs(every - 1) < 5e-5 else f" of {every:.4f} for every pair"


def _objective_words(found: Investigation) -> str:
    """Say what the objective counts."""
    rating = found.formula.rating_
    sizes = sorted(set(rating.tops))
    top = f"top {sizes[0]}" if len(sizes) == 1 else f"top (of {sizes[0]} to {sizes[-1]} products)"
    if rating.objective == "positions":
        return (
            f"The objective adds up how far each product in the published {top} of its group is "
            "from its published position, in places; 0 is perfect."
        )
    every = found.formula.every_pair_
    return (
        "The objective counts the pairs of products that the formula orders as published; those "
        f"won by a product in the {top} of its group count {1 + rating.emphasis:g} times. "
        f"{every:g} would be every pair."
    )
