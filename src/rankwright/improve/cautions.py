"""What to be wary of before a plan is believed, in sentences."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from rankwright.improve.planner import Planner

__all__ = ["GUARANTEE", "odd_effects", "unproved_words"]

FAR = 3.0  # times the range of a factor: more is likely another unit
GUARANTEE = (
    "'guaranteed' covers formulas with these signs that fit as well; formulas in which a factor "
    "counts the other way are not considered"
)
UNPROVED = 1.0  # points of a weight between what is found and what is excluded


def odd_effects(planner: Planner, X: pd.DataFrame) -> Iterator[str]:
    """Say which effects are far larger than the table's values: points given for percentages."""
    for change, factor, effect in planner.effects:
        values = X[factor].dropna()
        span = float(values.max() - values.min())
        if span > 0 and abs(effect) > FAR * span:
            percents = (
                f" Percentages are read as fractions of 1: write {effect:g}% for {effect:g} points."
                if values.between(-1, 1).all()
                else ""
            )
            yield (
                f"{change!r} changes {factor!r} by {effect:g}, but the table's values range "
                f"from {values.min():g} to {values.max():g}.{percents}"
            )


def unproved_words(formula: Any) -> list[str]:
    """Say how much of the ranges that robust plans rest on is not proved."""
    ranges = formula.weight_ranges()
    wide = (ranges["outer_high"] - ranges["outer_low"]) - (
        ranges["inner_high"] - ranges["inner_low"]
    )
    if not (wide > UNPROVED).any():
        return []
    factors = ", ".join(str(name) for name in ranges.index[wide > UNPROVED])
    return [
        f"the fit had too little time to prove how far the weights can go ({factors}). Robust "
        "plans allow for every formula that is not ruled out, even if it would not fit as well, so "
        "a guaranteed position may be worse than the current one."
    ]
