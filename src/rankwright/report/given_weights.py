"""Weights that somebody gives, beside those found, in words and rows."""

from rankwright.report.proof_words import NOISE, SILENT, UNKNOWN
from rankwright.report.words import percent
from rankwright.reverse.limits import at_least, at_most
from rankwright.reverse.questions import GivenWeights

__all__ = ["GIVEN_WEIGHTS", "given_rows", "given_words"]

GIVEN_WEIGHTS = ("factor", "given, %", "found, %", "range with these signs", "")


def given_rows(judged: GivenWeights) -> list[tuple[str, ...]]:
    """Return a row for each factor: the given weight, the one found, and whether it may be."""
    rows: list[tuple[str, ...]] = []
    for factor, row in judged.table.iterrows():
        is_known = row["inside"] is not None or (row["other_sign"] and row["low"] == row["low"])
        span = (
            f"{at_least(row['low'] + NOISE, 1)} to {at_most(row['high'] - NOISE, 1)}"
            if is_known
            else "not proved"
        )
        inside = {True: "inside", False: "OUTSIDE"}.get(row["inside"], "–")
        if row["inside"] is True and row["high"] - row["low"] >= SILENT:
            span, inside = UNKNOWN, "–"
        if judged.other_signs:  # then ranges refute nothing
            inside = "other sign" if row["other_sign"] else inside.lower()
        rows.append((str(factor), f"{row['given']:.1f}", f"{row['found']:.1f}", span, inside))
    return rows


def given_words(judged: GivenWeights) -> list[str]:
    """Say how many pairs the given weights lose, and what the ranges can't tell of them."""
    given, own = judged.given, judged.found
    words = [
        f"The given weights lose {given.lost:,} of {given.pairs:,} published pairs "
        f"({percent(given.share)} are right); the formula found here loses {own.lost:,}."
    ]
    if judged.scores is not None:
        n_given, n_found = judged.scores
        words.append(
            f"They reproduce {n_given:,} of the published scores as rounded, with the scale and "
            f"intercept that suit them best of those tried; the formula found here {n_found:,}."
        )
    if judged.other_signs:
        words.append(
            f"The ranges hold for formulas with the signs found. {', '.join(judged.other_signs)}: "
            "given with the opposite sign. So the ranges say nothing about the given weights as a "
            "whole and do not refute them."
        )
    elif judged.table["inside"].isna().all():
        words.append("No range of a weight was proved, so none tells whether these may be right.")
    return words
