"""Value functions: what a factor is worth, as a sum of pieces that each have a weight."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.reverse.task import LEVELS

__all__ = ["ValueFunctions", "given_functions"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ValueFunctions:
    """Pieces of factors: each counts how far a factor goes from ``low`` towards ``high``.

    The sum of a factor's pieces is the factor, less its first knot; weights of one sign make it
    monotone, and equal ones a straight line. The outer pieces go on beyond the data. Where ``low``
    equals ``high``, the piece is 1 at that level of the factor and 0 elsewhere; a level that was
    not among the data is worth nothing.

    Attributes
    ----------
    factors : (p,) int64
        The factor of each piece.
    low, high : (p,) float64
    names : list of str
        Of the pieces.

    Examples
    --------
    >>> import numpy as np
    >>> pieces = ValueFunctions.of({0: [10.0]}, [(0.0, 50.0), (1.0, 5.0)], ["price", "stars"])
    >>> pieces.names, pieces.expand(np.array([[30.0, 4.0]])).tolist()
    (['price up to 10', 'price over 10', 'stars'], [[10.0, 20.0, 4.0]])
    """

    factors: NDArray[np.int64]
    low: Floats
    high: Floats
    names: list[str]

    @classmethod
    def of(
        cls,
        knots: Mapping[int, Sequence[float]],
        ends: Sequence[tuple[float, float]],
        names: Sequence[str],
        levels: Mapping[int, Sequence[float]] | None = None,
    ) -> Self:
        """Return the pieces between inner knots; factors without knots stay as they are."""
        factors: list[int] = []
        pieces: list[tuple[float, float, str]] = []
        for j, (low, high) in enumerate(ends):
            if j in (levels or {}):
                part = [(v, v, f"{names[j]} = {_digits(v)}") for v in (levels or {})[j]]
            elif len(knots.get(j, ())):
                part = list(_between([low, *map(float, knots[j]), high], names[j]))
            else:
                part = [(-np.inf, np.inf, names[j])]
            factors += [j] * len(part)
            pieces += part
        lows, highs, titles = zip(*pieces, strict=True)
        return cls(np.array(factors, dtype=np.int64), np.array(lows), np.array(highs), [*titles])

    @property
    def has_levels(self) -> NDArray[np.bool_]:
        """Tell of each factor whether its pieces are its levels."""
        return np.asarray(np.bincount(self.factors, self.low == self.high) > 0)

    def expand(self, X: Floats) -> Floats:
        """Return the pieces of rows of factors."""
        first = np.r_[True, np.diff(self.factors) != 0]
        last = np.r_[np.diff(self.factors) != 0, True]
        columns = []
        for p, (j, low, high) in enumerate(zip(self.factors, self.low, self.high, strict=True)):
            x = X[:, j]
            if low == high:
                columns.append((x == low).astype(np.float64))
            elif np.isinf(low):
                columns.append(x)
            else:
                above = x if first[p] else np.maximum(x, low)
                columns.append((above if last[p] else np.minimum(above, high)) - low)
        return np.column_stack(columns)

    def collapse(self, pieces: Floats) -> Floats:
        """Return the factors that pieces are of."""
        first = np.r_[True, np.diff(self.factors) != 0]
        is_level = self.low == self.high
        worth = np.where(is_level, self.low, 1.0)
        start = np.where(first & ~is_level & np.isfinite(self.low), self.low, 0.0)
        starts = np.bincount(self.factors, start)
        sums = [np.bincount(self.factors, row * worth) for row in pieces]
        return np.asarray(np.array(sums) + starts)

    def collapse_row(self, row: "pd.Series[float]", names: Sequence[str]) -> "pd.Series[float]":
        """Return the factors, with their names, of a row of pieces."""
        factors = self.collapse(np.asarray(row, dtype=np.float64)[None, :])[0]
        return pd.Series(factors, index=list(names), name=row.name)

    def as_given(self, names: Sequence[str]) -> dict[str, list[float] | str]:
        """Return knots or "levels" by the name of the factor, as they are given to a fit.

        Examples
        --------
        >>> ValueFunctions.of({1: [3.0]}, [(0.0, 5.0), (1.0, 9.0)], ["a", "b"]).as_given(["a", "b"])
        {'b': [3.0]}
        """
        given: dict[str, list[float] | str] = {}
        for j, name in enumerate(names):
            pieces = np.flatnonzero(self.factors == j)
            if self.has_levels[j]:
                given[name] = LEVELS
            elif len(pieces) > 1:
                given[name] = self.high[pieces[:-1]].tolist()
        return given

    def worths(self, weights: Floats, names: Sequence[str]) -> pd.DataFrame:
        """Return what factors in pieces are worth at their ends and knots, or at their levels.

        ``worth`` is in points of score, more than where the factor is worth least. A row for each
        ``factor`` and number it is ``at``.
        """
        rows: list[tuple[str, float, float]] = []
        for j in self.as_given(names):
            pieces = np.flatnonzero(self.factors == list(names).index(j))
            low, high, slopes = self.low[pieces], self.high[pieces], weights[pieces]
            if (low == high).all():
                at, worth = low, slopes
            else:
                at = np.append(low, high[-1])
                worth = np.append(0.0, np.cumsum(slopes * (high - low)))
            rows += zip([j] * len(at), at.tolist(), (worth - worth.min()).tolist(), strict=True)
        return pd.DataFrame(rows, columns=["factor", "at", "worth"])

    def add_up(self, values: Floats) -> Floats:
        """Return the sum over the pieces of each factor."""
        return np.bincount(self.factors, values).astype(np.float64)

    def excel_term(self, piece: int, cell: str) -> str:
        """Return a piece for a spreadsheet, given the cell of its factor."""
        low, high = (f"{end:.15g}" for end in (self.low[piece], self.high[piece]))
        same = np.flatnonzero(self.factors == self.factors[piece])
        if self.low[piece] == self.high[piece]:
            return f"({cell}={low})"
        if np.isinf(self.low[piece]):
            return cell
        above = cell if piece == same[0] else f"MAX({cell},{low})"
        inside = above if piece == same[-1] else f"MIN({above},{high})"
        return f"({inside}-{low})".replace("--", "+")


def _digits(value: float) -> str:
    """Write a knot or level with all digits that factors are read with: two of them differ."""
    return f"{value:.12g}"


def _between(ends: list[float], name: str) -> list[tuple[float, float, str]]:
    pieces, written = list(pairwise(ends)), [_digits(end) for end in ends]
    titles = [f"{name} {low} to {high}" for low, high in pairwise(written)]
    titles[0], titles[-1] = f"{name} up to {written[1]}", f"{name} over {written[-2]}"
    return [(low, high, title) for (low, high), title in zip(pieces, titles, strict=True)]


def given_functions(given: Mapping[Any, Any], X: Floats, names: Sequence[str]) -> ValueFunctions:
    """Return the value functions that a mapping from factors to knots, or "levels", asks for."""
    unknown = [name for name in given if name not in names]
    if unknown:
        raise ValueError(
            f"value_functions names the unknown factors {unknown}; the factors are {[*names]}"
        )
    knots: dict[int, list[float]] = {}
    levels: dict[int, list[float]] = {}
    for name, wanted in given.items():
        j = list(names).index(name)
        column = X[:, j]
        if isinstance(wanted, str):
            if wanted != LEVELS:
                raise ValueError(
                    f"value_functions[{name!r}] is {wanted!r}; list knots, or 'levels'"
                )
            levels[j] = np.unique(column).tolist()
            continue
        knots[j] = _checked(wanted, column, name)
    ends = [(float(column.min()), float(column.max())) for column in X.T]
    return ValueFunctions.of(knots, ends, names, levels)


def _checked(wanted: Any, column: Floats, name: Any) -> list[float]:
    try:
        knots = sorted({float(knot) for knot in wanted})
    except (TypeError, ValueError):
        raise ValueError(
            f"value_functions[{name!r}] is {wanted!r}; list the numbers where its slope may change"
        ) from None
    outside = [knot for knot in knots if not column.min() < knot < column.max()]
    if outside:
        raise ValueError(
            f"value_functions[{name!r}] has the knots {outside}, where the slope can't change: the "
            f"factor goes from {column.min():g} to {column.max():g}; give knots in between"
        )
    return knots
