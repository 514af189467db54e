"""Reading products: the one to improve and its competitors."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.improve.decimals import exact
from rankwright.improve.formula import Scoring

__all__ = ["Competitors", "factor_values", "read_competitors"]


@dataclass(frozen=True, eq=False)
class Competitors:
    """The products whose scores stay as they are.

    ``values`` has a row for each and a column for each factor. ``margin`` is by how much a score
    must exceed theirs to beat them: by that much or more, and by more than nothing.
    """

    values: NDArray[np.float64]
    scores: tuple[Fraction, ...]
    margin: Fraction

    def __len__(self) -> int:
        return len(self.scores)

    def position(self, score: Fraction) -> float:
        """Return the position of a score among the competitors, ties sharing the mean."""
        above = sum(rival > score for rival in self.scores)
        tied = sum(rival == score for rival in self.scores)
        return 1 + above + tied / 2

    def secured(self, score: Fraction) -> int:
        """Return the position of a score when whoever it does not beat is ahead of it."""
        return 1 + sum(score <= rival or score < rival + self.margin for rival in self.scores)

    def needed(self, position: int) -> Fraction | None:
        """Return the score to reach (without a margin: to exceed), None when any score will do."""
        if position > len(self):
            return None
        return sorted(self.scores, reverse=True)[position - 1] + self.margin


def factor_values(item: Any, factors: Iterable[str], what: str = "the item") -> dict[str, Fraction]:
    """Return the value of each factor of a product given as a mapping or a row."""
    if not hasattr(item, "keys") or getattr(item, "ndim", 1) != 1:
        raise ValueError(f"{what} is a {type(item).__name__}; give a mapping or a row of a frame")
    known = set(item.keys())
    if missing := [factor for factor in factors if factor not in known]:
        raise ValueError(f"{what} has no value for {missing}; the formula needs it")
    return {factor: exact(item[factor], f"{factor!r} of {what}") for factor in factors}


def _names(table: Any) -> Iterable[Any]:
    """Return the names of a frame's rows: its index, or numbers."""
    index = getattr(table, "index", None)
    return count() if index is None or callable(index) else index


def read_competitors(table: Any, scoring: Scoring, item: Any, margin: Any) -> Competitors:
    """Return the competitors of a frame, which must not hold the item itself."""
    weights = scoring.weights
    columns = list(getattr(table, "columns", table))
    if missing := [factor for factor in weights if factor not in columns]:
        raise ValueError(f"competitors has no column {missing}; its columns are {columns}")
    by_factor = {factor: list(table[factor]) for factor in weights}
    rows = tuple(
        factor_values(dict(zip(weights, row, strict=True)), weights, f"the competitor {name!r}")
        for name, row in zip(_names(table), zip(*by_factor.values(), strict=True), strict=False)
    )
    least = exact(margin, "margin")
    if least < 0:
        raise ValueError(f"margin={margin}; give zero or more")
    name = getattr(item, "name", None)
    if name is not None and name in getattr(table, "index", ()):
        number = list(table.index).index(name)
        if rows[number] == factor_values(item, weights):
            raise ValueError(f"competitors holds the item {name!r} itself; leave it out")
    scores = tuple(scoring.score(row) for row in rows)
    values = np.array([[float(value) for value in row.values()] for row in rows])
    return Competitors(values.reshape(len(rows), len(weights)), scores, least)
