"""Battles between two items: tables and preference pairs, compressed to distinct outcomes."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

from rankwright.data import PreferencePairs
from rankwright.data.float_range import SQUARED, find_extreme
from rankwright.data.observations import count
from rankwright.data.sheet import Sheet, cell, numbers, require_columns
from rankwright.kernels.sorting import sort_by_key
from rankwright.leaderboards.outcomes import (
    Clusters,
    FloatArray,
    IntArray,
    Weights,
    cluster_outcomes,
    tally,
)
from rankwright.leaderboards.units import units_of
from rankwright.leaderboards.words import TIED, UNKNOWN, WON, read_outcomes, read_points

__all__ = [
    "Battles",
    "Columns",
    "Context",
    "ContextColumns",
    "amounts",
    "battles_of_pairs",
    "read_battles",
]

# Columns that are read from the left item's side, or by name those whose difference is taken.
Context = str | Sequence[str] | Mapping[str, str | tuple[str, str]]
ContextColumns = Mapping[str, tuple[str, ...]]
FEWEST_MIRRORED = 6  # rows: fewer may be each other's mirror images by chance


@dataclass(frozen=True)
class Columns:
    """Which column of a table of battles holds what; None where nobody said so."""

    left: str | None = None
    right: str | None = None
    outcome: str | tuple[str, str] | None = None  # two columns hold the points of both sides
    counts: str | None = None
    weights: str | None = None
    cluster: str | None = None
    wins: tuple[str, ...] | None = None  # how often the left won, the right, and perhaps neither

    def listed(self) -> list[str]:
        """Return all columns that are named."""
        values = [value for value in vars(self).values() if value is not None]
        return [c for value in values for c in ((value,) if isinstance(value, str) else value)]


@dataclass(frozen=True, eq=False)
class Battles:
    """Distinct pairs in distinct contexts, each with three outcomes: left won, right won, tied.

    Attributes
    ----------
    items : list
    left, right : (pairs,) arrays
        Numbers of the items, sorted; left is the smaller one.
    context : (pairs, covariates) array
        What describes the comparison, seen from the left item: its sign changes with the sides.
        Entries are multiples of their column's unit.
    context_names : list of str
    context_units : (covariates,) array
    weights : Weights
        Of 3 · pairs outcomes: pair after pair, won, lost, tied.
    notes : list of str
    """

    items: list[Hashable]
    left: IntArray
    right: IntArray
    context: FloatArray
    context_names: list[str]
    context_units: FloatArray
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

    @cached_property
    def begins(self) -> IntArray:
        """Where each pair begins, whatever its context."""
        new = (self.left[1:] != self.left[:-1]) | (self.right[1:] != self.right[:-1])
        return np.flatnonzero(np.append(True, new))

    def appearances(self) -> FloatArray:
        """Return the sum of the weights of each item's battles."""
        n, each = len(self.items), self.counts.sum(axis=1)
        return tally(self.left, each, n) + tally(self.right, each, n)

    def took_part(self) -> csr_array:
        """Return which items each outcome is about, in rows."""
        n = len(self.weights.total)
        items = np.repeat(np.column_stack([self.left, self.right]), 3, axis=0)
        return csr_array(
            (np.ones(2 * n), items.ravel(), np.arange(0, 2 * n + 1, 2)), shape=(n, len(self.items))
        )

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
    sheet: Sheet, columns: Columns, context: ContextColumns, *, side_advantage: bool
) -> Battles:
    """Read a table with a row for each battle, or for several of the same outcome."""
    require_columns(sheet, [*columns.listed(), *(c for pair in context.values() for c in pair)])
    frame, n_rows = sheet.frame, len(sheet.frame)
    left, right, items = _numbered(frame[columns.left], frame[columns.right])
    outcome = np.full(n_rows, WON, dtype=np.int64)
    said: list[str] = []
    if isinstance(columns.outcome, str):
        outcome, said = read_outcomes(frame[columns.outcome], left, right, items)
    elif columns.outcome is not None:
        outcome = read_points(*(_plain_numbers(sheet, column) for column in columns.outcome))
    parts = [_difference(sheet, pair) for pair in context.values()]
    if side_advantage:
        parts.insert(0, np.ones(n_rows))
    cluster: IntArray | None = None
    names: list[Hashable] = []
    notes: list[str] = []
    if columns.cluster is not None:
        cluster, names, notes = _labels(frame[columns.cluster])
    rows = _Rows(
        left,
        right,
        outcome,
        np.ones(n_rows) if columns.counts is None else amounts(sheet, columns.counts),
        None if columns.weights is None else amounts(sheet, columns.weights),
        np.column_stack(parts) if parts else np.empty((n_rows, 0)),
        cluster,
    )
    context_names = [*(["left side"] if side_advantage else []), *context]
    rows, left_out = _without_gaps(rows)
    notes += [*said, *left_out, *_note_mirrored(rows, len(items))]
    return _compressed(rows, notes, items, context_names, names)


def battles_of_pairs(pairs: PreferencePairs, clusters: ArrayLike | None) -> Battles:
    """Read pairs (better, worse), some of them tied; weights make errors robust."""
    left, right, items = _numbered(pd.Series(pairs.better), pd.Series(pairs.worse))
    cluster: IntArray | None = None
    names: list[Hashable] = []
    notes: list[str] = []
    if clusters is not None:
        if len(given := pd.Series(np.asarray(clusters))) != len(pairs):
            raise ValueError(f"cluster has {len(given)} entries; give one for each pair")
        cluster, names, notes = _labels(given)
    rows = _Rows(
        left,
        right,
        np.full(len(pairs), WON) if pairs.tied is None else np.where(pairs.tied, TIED, WON),
        np.ones(len(pairs)),
        pairs.weights,
        np.empty((len(pairs), 0)),
        cluster,
    )
    return _compressed(rows, notes, items, [], names)


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
    units = units_of(rows.context)
    context = np.where(swapped[:, None], -rows.context, rows.context) / units
    order, first = _sorted(left, right, context, len(items))
    place = np.empty_like(order)
    place[order] = 3 * (np.cumsum(first) - 1)
    weights = _weights(rows, place + outcome, 3 * int(first.sum()), clusters)
    kept = order[first]
    return Battles(
        items, left[kept], right[kept], context[kept], context_names, units, weights, notes
    )


def _sorted(
    left: IntArray, right: IntArray, context: FloatArray, n_items: int
) -> tuple[IntArray, NDArray[np.bool_]]:
    """Return the order by pair and context, and where in it a pair or context begins."""
    keys = left * n_items + right
    for covariate in context.T:
        codes, values = pd.factorize(covariate)
        keys = keys * len(values) + codes
    keys, order = keys.astype(np.uint64), np.arange(len(keys))
    sort_by_key(keys, order, np.empty_like(keys), np.empty_like(order))
    return order, np.append(True, keys[1:] != keys[:-1])


def _weights(rows: _Rows, place: IntArray, n_outcomes: int, names: list[Hashable]) -> Weights:
    each = rows.count if rows.weight is None else rows.count * rows.weight
    total = tally(place, each, n_outcomes)
    squares = total if rows.weight is None else tally(place, each * rows.weight, n_outcomes)
    clusters: Clusters | None = None
    if rows.cluster is not None:
        clusters = cluster_outcomes(rows.cluster, names, place, each, n_outcomes)
    return Weights(total, squares, float(rows.count.sum()), rows.weight is None, clusters)


def _numbered(
    left: "pd.Series[Any]", right: "pd.Series[Any]"
) -> tuple[IntArray, IntArray, list[Hashable]]:
    """Give items numbers in the order of their names, or as they come if those can't be sorted."""
    codes, names = pd.factorize(pd.concat([left, right], ignore_index=True))
    codes, listed = codes.astype(np.int64), pd.Index(names).tolist()
    nameless = codes == (listed.index("") if "" in listed else -1)  # a file's empty cell, or a gap
    if nameless.any():
        row = left.index[int(np.argmax(nameless)) % len(left)]
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
        place = int(np.argmax(same))
        raise ValueError(
            f"row {left.index[place]} compares {items[first[place]]!r} with itself; remove "
            f"{'it' if same.sum() == 1 else f'the {int(same.sum())} rows that do'}"
        )
    return first, second, items


def _labels(column: "pd.Series[Any]") -> tuple[IntArray, list[Hashable], list[str]]:
    """Give clusters numbers; a row without a name is a cluster of its own, which is said."""
    codes, names = pd.factorize(column)
    listed = pd.Index(names).tolist()
    nameless = (codes < 0) | (codes == (listed.index("") if "" in listed else -1))
    alone, codes = np.flatnonzero(nameless), codes.astype(np.int64)
    if not len(alone):
        return codes, listed, []
    codes[alone] = len(listed) + np.arange(len(alone))
    used, codes = np.unique(codes, return_inverse=True)
    listed += [f"nobody named (row {row})" for row in column.index[alone]]
    note = f"No judge or other cluster is named in {count(len(alone), 'row')}: each stands alone."
    return codes, [listed[code] for code in used], [note]


def amounts(sheet: Sheet, column: str) -> FloatArray:
    """Read counts or weights: numbers that are not negative."""
    values = numbers(sheet, column).values
    wrong = ~(np.isfinite(values) & (values >= 0))
    if wrong.any():
        text, row = cell(sheet, column, int(np.argmax(wrong)))
        raise ValueError(f"{column!r} is {text!r} in row {row}; give numbers that are not negative")
    _check_sizes(sheet, column, values)
    return values


def _check_sizes(sheet: Sheet, column: str, values: FloatArray) -> None:
    place = find_extreme(values)
    if place is not None:
        text, row = cell(sheet, column, place)
        raise ValueError(f"{column!r} is {text!r} in row {row}, and {SQUARED}; change its unit")


def _difference(sheet: Sheet, columns: tuple[str, ...]) -> FloatArray:
    if len(columns) > 2:
        raise ValueError(f"context names {columns!r}; give a column, or those of left and right")
    values = [_plain_numbers(sheet, column) for column in columns]
    for column, numbers_of_side in zip(columns, values, strict=True):
        _check_sizes(sheet, column, numbers_of_side)
    return values[0] if len(columns) == 1 else values[0] - values[1]


def _plain_numbers(sheet: Sheet, column: str) -> FloatArray:
    found = numbers(sheet, column)
    if len(found.wrong):
        text, row = cell(sheet, column, int(found.wrong[0]))
        raise ValueError(f"column {column!r} holds {text!r} in row {row}; give numbers")
    return found.values


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


def _note_mirrored(rows: _Rows, n_items: int) -> list[str]:
    """Say that every battle is listed from both sides, and so twice."""
    n_rows, left, right = len(rows.left), rows.left, rows.right
    on_left, on_right = (tally(side, rows.count, n_items) for side in (left, right))
    if n_rows < FEWEST_MIRRORED or not np.array_equal(on_left, on_right):
        return []
    seen = np.where(rows.outcome == TIED, TIED, 1 - rows.outcome)
    there = (left * n_items + right) * 3 + rows.outcome
    mirrored = (right * n_items + left) * 3 + seen
    orders = np.lexsort((rows.count, there)), np.lexsort((rows.count, mirrored))
    for first, second in ((there, mirrored), (rows.count, rows.count)):
        if not np.array_equal(first[orders[0]], second[orders[1]]):
            return []
    return [
        "Every battle seems to be listed twice, once from each side; it counts twice, which makes "
        "standard errors too small by 29%. Keep one row of each."
    ]
