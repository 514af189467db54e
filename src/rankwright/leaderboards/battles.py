"""Battles between two items: tables and preference pairs, compressed to distinct outcomes."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from rankwright.data import PreferencePairs
from rankwright.data.observations import count
from rankwright.data.sources import numbers, require_columns
from rankwright.data.spreadsheet import Sheet
from rankwright.leaderboards.outcomes import (
    Clusters,
    FloatArray,
    IntArray,
    Weights,
    cluster_outcomes,
    tally,
)
from rankwright.leaderboards.words import TIED, UNKNOWN, WON, read_outcomes

__all__ = ["Battles", "Columns", "Context", "battles_of_pairs", "read_battles"]

# A column that is read from the left item's side, or the two columns whose difference is taken.
Context = Sequence[str] | Mapping[str, str | tuple[str, str]]


@dataclass(frozen=True)
class Columns:
    """Which column of a table of battles holds what."""

    left: str
    right: str
    outcome: str | None = None
    counts: str | None = None
    weights: str | None = None
    cluster: str | None = None


@dataclass(frozen=True, eq=False)
class Battles:
    """Distinct pairs in distinct contexts, each with three outcomes: left won, right won, tied.

    Attributes
    ----------
    items : list
    left, right : (pairs,) arrays
        Numbers of the items; left is the smaller one.
    context : (pairs, covariates) array
        What describes the comparison, seen from the left item: its sign changes with the sides.
    context_names : list of str
    weights : Weights
        Of 3 · pairs outcomes: pair after pair, won, lost, tied.
    notes : list of str
    """

    items: list[Hashable]
    left: IntArray
    right: IntArray
    context: FloatArray
    context_names: list[str]
    weights: Weights
    notes: list[str]

    @property
    def counts(self) -> FloatArray:
        """The weights of won, lost and tied, by pair."""
        return self.weights.total.reshape(-1, 3)

    @property
    def n_comparisons(self) -> float:
        """The number of battles."""
        return self.weights.count

    @property
    def n_distinct(self) -> int:
        """The number of distinct outcomes."""
        return int(np.count_nonzero(self.weights.total))

    def appearances(self) -> FloatArray:
        """Return the sum of the weights of each item's battles."""
        n, each = len(self.items), self.counts.sum(axis=1)
        return tally(self.left, each, n) + tally(self.right, each, n)

    def take(self, kept: NDArray[np.bool_]) -> "Battles":
        """Return the battles between the items that are marked."""
        pairs = np.flatnonzero(kept[self.left] & kept[self.right])
        number = np.cumsum(kept) - 1
        return replace(
            self,
            items=[item for item, stays in zip(self.items, kept, strict=True) if stays],
            left=number[self.left[pairs]],
            right=number[self.right[pairs]],
            context=self.context[pairs],
            weights=self.weights.take((3 * pairs[:, None] + np.arange(3)).ravel()),
        )


@dataclass(frozen=True, eq=False)
class _Rows:
    """Battles one by one, before they are compressed."""

    left: IntArray
    right: IntArray
    outcome: IntArray
    count: FloatArray
    weight: FloatArray | None
    context: FloatArray
    cluster: IntArray | None

    def take(self, kept: Any) -> "_Rows":
        return _Rows(
            *(None if part is None else part[kept] for part in vars(self).values())  # type: ignore[arg-type]
        )


def read_battles(
    sheet: Sheet, columns: Columns, context: Context | None, *, side_advantage: bool
) -> Battles:
    """Read a table with a row for each battle, or for several of the same outcome."""
    pairs = _context_columns(context)
    given = [column for column in vars(columns).values() if column is not None]
    require_columns(sheet, [*given, *(c for pair in pairs.values() for c in pair)])
    left, right, items = _numbered(sheet.frame[columns.left], sheet.frame[columns.right])
    n_rows = len(sheet.frame)
    outcome = np.full(n_rows, WON, dtype=np.int64)
    if columns.outcome is not None:
        outcome = read_outcomes(sheet.frame[columns.outcome], left, right, items)
    parts = [_difference(sheet, pair) for pair in pairs.values()]
    if side_advantage:
        parts.insert(0, np.ones(n_rows))
    cluster: IntArray | None = None
    names: list[Hashable] = []
    if columns.cluster is not None:
        cluster, names = _labels(sheet.frame[columns.cluster])
    rows = _Rows(
        left,
        right,
        outcome,
        np.ones(n_rows) if columns.counts is None else _amounts(sheet, columns.counts),
        None if columns.weights is None else _amounts(sheet, columns.weights),
        np.column_stack(parts) if parts else np.empty((n_rows, 0)),
        cluster,
    )
    context_names = [*(["left side"] if side_advantage else []), *pairs]
    return _compressed(*_without_gaps(rows), items, context_names, names)


def battles_of_pairs(pairs: PreferencePairs, clusters: ArrayLike | None) -> Battles:
    """Read pairs (better, worse), some of them tied; weights make errors robust."""
    left, right, items = _numbered(pd.Series(pairs.better), pd.Series(pairs.worse))
    cluster: IntArray | None = None
    names: list[Hashable] = []
    if clusters is not None:
        if len(given := pd.Series(np.asarray(clusters))) != len(pairs):
            raise ValueError(f"cluster has {len(given)} entries; give one for each pair")
        cluster, names = _labels(given)
    rows = _Rows(
        left,
        right,
        np.full(len(pairs), WON) if pairs.tied is None else np.where(pairs.tied, TIED, WON),
        np.ones(len(pairs)),
        pairs.weights,
        np.empty((len(pairs), 0)),
        cluster,
    )
    return _compressed(rows, [], items, [], names)


def _compressed(
    rows: _Rows,
    notes: list[str],
    items: list[Hashable],
    context_names: list[str],
    clusters: list[Hashable],
) -> Battles:
    """Add up battles of the same pair, context and outcome: the fit never sees single rows."""
    if len(items) < 2:
        raise ValueError(f"there is one item, {items[0]!r}; a leaderboard needs at least two")
    if len(rows.left) == 0 or not rows.count.any():
        raise ValueError("no battle has an outcome; give at least one")
    swapped = rows.left > rows.right
    left, right = np.minimum(rows.left, rows.right), np.maximum(rows.left, rows.right)
    outcome = np.where(swapped & (rows.outcome != TIED), 1 - rows.outcome, rows.outcome)
    context = np.where(swapped[:, None], -rows.context, rows.context)
    key = left * len(items) + right
    if context.shape[1]:
        table = np.unique(context, axis=0, return_inverse=True)
        key = key * len(table[0]) + table[1].ravel()
    distinct, pair = np.unique(key, return_inverse=True)
    first = np.empty(len(distinct), dtype=np.int64)
    first[pair[::-1]] = np.arange(len(pair))[::-1]
    place = 3 * pair + outcome
    weights = _weights(rows, place, 3 * len(distinct), clusters)
    return Battles(items, left[first], right[first], context[first], context_names, weights, notes)


def _weights(rows: _Rows, place: IntArray, n_outcomes: int, names: list[Hashable]) -> Weights:
    each = rows.count if rows.weight is None else rows.count * rows.weight
    squared = each if rows.weight is None else each * rows.weight
    clusters: Clusters | None = None
    if rows.cluster is not None:
        clusters = cluster_outcomes(rows.cluster, names, place, each, n_outcomes)
    return Weights(
        tally(place, each, n_outcomes),
        tally(place, squared, n_outcomes),
        float(rows.count.sum()),
        rows.weight is None,
        clusters,
    )


def _numbered(
    left: "pd.Series[Any]", right: "pd.Series[Any]"
) -> tuple[IntArray, IntArray, list[Hashable]]:
    """Give items numbers in the order of their names, or as they come if those can't be sorted."""
    codes, names = pd.factorize(pd.concat([left, right], ignore_index=True))
    codes, listed = codes.astype(np.int64), pd.Index(names).tolist()
    nameless = codes == (listed.index("") if "" in listed else -1)  # a file's empty cell, or a gap
    if nameless.any():
        row = int(np.argmax(nameless)) % len(left)
        raise ValueError(f"row {row} lacks the name of an item; fill it in or leave the row out")
    try:
        order = sorted(range(len(listed)), key=lambda place: listed[place])
    except TypeError:  # names of several kinds have no order of their own
        order = list(range(len(listed)))
    number = np.empty(len(listed), dtype=np.int64)
    number[order] = np.arange(len(listed))
    codes = number[codes]
    first, second = codes[: len(left)], codes[len(left) :]
    items = [listed[place] for place in order]
    if (same := first == second).any():
        row = int(np.argmax(same))
        raise ValueError(
            f"row {row} compares {items[first[row]]!r} with itself; remove "
            f"{'it' if same.sum() == 1 else f'the {int(same.sum())} rows that do'}"
        )
    return first, second, items


def _labels(column: "pd.Series[Any]") -> tuple[IntArray, list[Hashable]]:
    codes, names = pd.factorize(column)
    if (codes < 0).any():
        row = int(np.argmax(codes < 0))
        raise ValueError(f"row {row} has no cluster; say who made the comparison in every row")
    return codes.astype(np.int64), pd.Index(names).tolist()


def _amounts(sheet: Sheet, column: str) -> FloatArray:
    """Read counts or weights: numbers that are not negative."""
    values = numbers(sheet, column).values
    wrong = ~(np.isfinite(values) & (values >= 0))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ValueError(
            f"{column!r} is {str(sheet.frame[column].iloc[row])!r} in row {row}; "
            "give numbers that are not negative"
        )
    return values


def _context_columns(context: Context | None) -> dict[str, tuple[str, ...]]:
    named = context if isinstance(context, Mapping) else {name: name for name in context or ()}
    return {name: (c,) if isinstance(c, str) else tuple(c) for name, c in named.items()}


def _difference(sheet: Sheet, columns: tuple[str, ...]) -> FloatArray:
    if len(columns) > 2:
        raise ValueError(f"context names {columns!r}; give a column, or those of left and right")
    for column in columns:
        if len(wrong := numbers(sheet, column).wrong):
            found = str(sheet.frame[column].iloc[wrong[0]])
            raise ValueError(f"context {column!r} holds {found!r} in row {wrong[0]}; give numbers")
    values = [numbers(sheet, column).values for column in columns]
    return values[0] if len(columns) == 1 else values[0] - values[1]


def _without_gaps(rows: _Rows) -> tuple[_Rows, list[str]]:
    """Leave out battles without an outcome or with a gap in their context, and say so."""
    unfinished, gaps = rows.outcome == UNKNOWN, np.isnan(rows.context).any(axis=1)
    lacking = {
        "without an outcome": unfinished,
        "with a gap in their context": gaps & ~unfinished,
    }
    notes = [
        f"Left out: {count(int(left_out.sum()), 'battle')} {words}."
        for words, left_out in lacking.items()
        if left_out.any()
    ]
    return (rows.take(~(unfinished | gaps)) if notes else rows), notes
