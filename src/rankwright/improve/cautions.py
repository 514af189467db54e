"""What to be wary of before a plan is believed, in sentences."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from rankwright.improve.planner import Planner

__all__ = ["GUARANTEE", "odd_effects", "unproved_words"]

FAR = 3.0  # times the range of a factor: more is likely another unit
GUARANTEE = (
    "'guaranteed' holds for formulas with these signs of the weights that fit as well; formulas in "
    "which a factor counts the other way are not looked at"
)
UNPROVED = 1.0  # points of a weight between what is found and what is excluded


def odd_effects(planner: Planner, X: pd.DataFrame) -> Iterator[str]:
    """Say which effects are far larger than the table's values: points given for percentages."""
    for change, factor, effect in planner.effects:
        values = X[factor].dropna()
        span = float(values.max() - values.min())
        if span > 0 and abs(effect) > FAR * span:
            percents = (
                f" Percentages are read as parts of 1: write {effect:g}% for {effect:g} points."
                if values.between(-1, 1).all()
                else ""
            )
            yield (
                f"{change!r} changes {factor!r} by {effect:g}, where the table's values go "
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
        "how far the weights could go is not proved in the time of the fit "
        f"({factors}). Robust plans count every formula that is not excluded, also those that "
        "would not fit as well, so that a guaranteed position may be worse than the present one."
    ]
