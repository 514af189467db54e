"""Weights that somebody gives, judged by the published order and by what is proved about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.data import read_numbers
from rankwright.data.numbers import parse_numbers
from rankwright.data.sources import as_sheet
from rankwright.reverse.problem import Rating
from rankwright.reverse.questions.agreement import Agreement, agreement
from rankwright.reverse.questions.weight_units import in_percent, shown_sizes
from rankwright.reverse.solution import RatingSolution

__all__ = ["GivenWeights", "judge_weights", "read_weights"]

Floats = NDArray[np.float64]
ROUNDING = 0.05  # points: a weight that is printed to a tenth of a percent may be off by this


@dataclass(frozen=True, eq=False)
class GivenWeights:
    """Given weights beside those found.

    Attributes
    ----------
    given, found : Agreement
        The published pairs that each orders as published.
    scores : tuple of two int, or None
        Where scores are to be reproduced: how many the given weights reproduce as rounded, with
        the scale and intercept that suit them best of those tried, and how many the formula found.
    table : DataFrame
        By factor, in percent, in the unit that is shown first: ``given``, ``found``, the
        proved range ``low`` to ``high`` of formulas with the signs found that are as good as the
        one found, and whether the given weight is ``inside`` it; None where nothing is proved, and
        where the given weight has the ``other_sign``, of which the range does not speak. ``weight``
        is as it was given.
    """

    given: Agreement
    found: Agreement
    table: pd.DataFrame
    scores: tuple[int, int] | None = None

    @property
    def outside(self) -> list[str]:
        """Return the factors whose given weight lies outside the proved range."""
        return [str(name) for name, row in self.table.iterrows() if row["inside"] is False]

    @property
    def other_signs(self) -> list[str]:
        """Return the factors whose given weight has not the sign that the ranges speak of."""
        return [str(name) for name in self.table.index[self.table["other_sign"].to_numpy()]]


def read_weights(path: str | PathLike[str]) -> dict[str, float]:
    """Read weights by factor: the first column names the factors, the second holds the weights.

    A first row that holds a weight is no header.
    """
    sheet = as_sheet(path, [])
    frame = read_numbers(sheet)
    if frame.shape[1] != 1 or frame.isna().any(axis=None):
        listed = ", ".join(repr(str(name)) for name in frame.columns) or "no column"
        raise ValueError(
            f"{path} has {listed} beside the names; weights to test need one column, with a "
            "weight in every row"
        )
    header = parse_numbers([str(frame.columns[0])])
    first = {} if len(header.wrong) else {str(sheet.frame.columns[0]): float(header.values[0])}
    return first | {str(name): float(weight) for name, weight in frame.iloc[:, 0].items()}


def judge_weights(
    rating: Rating,
    solution: RatingSolution,
    weights: Mapping[Any, float],
    ranges: pd.DataFrame | None = None,
) -> GivenWeights:
    """Count the pairs that given weights lose, and compare them with the ranges in that unit."""
    names = rating.factor_names
    if unknown := [repr(str(name)) for name in weights if str(name) not in names]:
        raise ValueError(
            f"weights are given for {', '.join(unknown)}; the factors are "
            f"{', '.join(map(repr, names))}"
        )
    if missing := [repr(name) for name in names if name not in {str(key) for key in weights}]:
        raise ValueError(
            f"no weight is given for {', '.join(missing)}; give 0 for a factor without weight"
        )
    by_name = {str(name): float(weight) for name, weight in weights.items()}
    own = np.array([by_name[name] for name in names])
    if not np.any(own):
        raise ValueError("all given weights are 0; give one that is not")
    counted = rating.counted
    X, y, groups = rating.X[counted], rating.y[counted], rating.groups[counted]
    sizes = shown_sizes(rating)
    table = pd.DataFrame(
        {
            "weight": own,
            "given": in_percent(own, sizes),
            "found": in_percent(solution.weights, sizes),
        },
        index=pd.Index(names, name="factor"),
    )
    signs = np.where(rating.problem.directions < 0, -1, 1)
    table["other_sign"] = signs * own < 0
    table[["low", "high", "inside"]] = _ranges(table, signs, ranges)
    return GivenWeights(
        agreement(y, _scores(X, own), groups),
        agreement(y, _scores(X, solution.weights), groups),
        table,
    )


def _scores(X: Floats, weights: Floats) -> Floats:
    """Return scores without the digits that are noise of floating point, which would break ties."""
    scores = X @ weights
    largest = float(np.abs(X * weights).sum(axis=1).max(initial=0.0)) or 1.0
    rounded: Floats = np.round(scores / largest, 12)
    return rounded


def _ranges(
    table: pd.DataFrame, signs: NDArray[np.int64], ranges: pd.DataFrame | None
) -> pd.DataFrame:
    nothing = pd.DataFrame({"low": np.nan, "high": np.nan, "inside": None}, index=table.index)
    if ranges is None:
        return nothing
    low, high = (ranges[f"outer_{end}"].to_numpy() for end in ("low", "high"))
    ends = np.sort([signs * low, signs * high], axis=0)
    given = table["given"].to_numpy()
    is_inside = (ends[0] - ROUNDING <= given) & (given <= ends[1] + ROUNDING)
    says_nothing = ((high - low) >= 100 - 1e-6) | table["other_sign"].to_numpy()
    nothing["low"], nothing["high"] = ends
    nothing["inside"] = [
        None if silent else bool(inside)
        for inside, silent in zip(is_inside, says_nothing, strict=True)
    ]
    return nothing
