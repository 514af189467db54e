"""Rated items with their factors, read from a spreadsheet's file or a frame."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.data import observations as tell
from rankwright.data.columns import item_names, labels_of, read_factors, with_target, without_totals
from rankwright.data.sources import as_sheet, require_columns

__all__ = ["ItemTable", "read_table"]

MEANINGS = {"rank": "1 is best", "score": "larger is better"}


@dataclass(frozen=True, eq=False, repr=False)
class ItemTable:
    """Hold rated items: their factors, their target (larger is better), and notes on them.

    Parameters
    ----------
    X : DataFrame
        Factors as numbers, one row per item; the index holds the items' names.
    y : array of shape (n,)
        The target, larger is better: ranks have been negated.
    groups, categories : array of shape (n,) or None
        Labels of the group and category columns.
    target, target_is : str
        The target column, and whether it held a ``"rank"`` or a ``"score"``.
    source : str
        The file's name.
    notes : tuple of str
        What was found and done while reading, in sentences.

    Examples
    --------
    >>> import pandas as pd
    >>> import rankwright as rw
    >>> frame = pd.DataFrame({"model": ["A1", "B2"], "zoom": [3.5, None], "rank": [2, 1]})
    >>> table = rw.read_table(frame, item="model", target="rank")
    >>> print(table)
    the frame: 2 items
    target: rank (rank, 1 is best), best 'B2', worst 'A1'
    factors:
          min  median  max  missing
    zoom  3.5     3.5  3.5        1
    notes:
    - Factor 'zoom' is missing in 1 row (row 1).
    - Missing factors are NaN in X; .complete() leaves their rows out.
    >>> list(table.complete().items)
    ['A1']
    """

    X: pd.DataFrame
    y: NDArray[np.float64]
    groups: NDArray[Any] | None
    categories: NDArray[Any] | None
    target: str
    target_is: Literal["rank", "score"]
    source: str
    notes: tuple[str, ...]

    @property
    def items(self) -> "pd.Index[Any]":
        """The items' names, in the order of the rows."""
        return self.X.index

    def __len__(self) -> int:
        return len(self.X)

    def __repr__(self) -> str:
        items, factors = tell.count(len(self), "item"), tell.count(self.X.shape[1], "factor")
        return f"<ItemTable {self.source}: {items}, {factors}>"

    def __str__(self) -> str:
        return self.describe()

    def complete(self) -> "ItemTable":
        """Leave out the rows that lack a factor, and say so in the notes."""
        keep = self.X.notna().all(axis=1).to_numpy()
        gone = self.items[~keep]
        if not len(gone):
            return self
        if not keep.any():
            raise ValueError(
                f"every row of {self.source} has a missing factor; choose other factors"
            )
        named = tell.examples(map(repr, gone), len(gone))
        return replace(
            self,
            X=self.X[keep],
            y=self.y[keep],
            groups=None if self.groups is None else self.groups[keep],
            categories=None if self.categories is None else self.categories[keep],
            notes=(
                *self.notes,
                f"{tell.count(len(gone), 'row')} left out because a factor is missing: {named}.",
            ),
        )

    def describe(self) -> str:
        """Describe the table in a few lines: its size, its ends, its factors, its notes."""
        lines = [f"{self.source}: {tell.count(len(self), 'item')}"]
        lines += [
            f"{kind}: {_sizes(labels)}"
            for kind, labels in {"groups": self.groups, "categories": self.categories}.items()
            if labels is not None
        ]
        lines.append(
            f"target: {self.target} ({self.target_is}, {MEANINGS[self.target_is]}), "
            f"best {self.items[int(self.y.argmax())]!r}, worst {self.items[int(self.y.argmin())]!r}"
        )
        summary = self.X.agg(["min", "median", "max"]).T
        summary["missing"] = self.X.isna().sum()
        lines += ["factors:", summary.to_string(float_format="{:g}".format)]
        lines += ["notes:", *(f"- {note}" for note in self.notes)] if self.notes else []
        return "\n".join(lines)


def read_table(
    path: str | PathLike[str] | Any,
    *,
    item: str,
    target: str,
    target_is: Literal["rank", "score"] = "rank",
    group: str | None = None,
    category: str | None = None,
    factors: Sequence[str] | None = None,
) -> ItemTable:
    """Read rated items from a CSV, TSV or Parquet file, or from a pandas or polars frame.

    Separators, encodings, decimal commas, thousands separators, percent and currency signs are
    recognised. Rows without a target are left out, as are totals below the table; both are named
    in the notes.

    Parameters
    ----------
    path : path or DataFrame
        The file, or a pandas or polars frame.
    item, target : str
        The columns of names and of ranks or scores.
    target_is : {"rank", "score"}, default="rank"
        Whether 1 is best in the target column, or larger is better.
    group, category : str, optional
        The columns that say which rows may be compared, and which groups share a formula.
    factors : list of str, optional
        The columns to use as features; by default all other columns that hold numbers.

    Returns
    -------
    ItemTable
        With ``X``, ``y``, ``groups``, ``categories`` and ``notes``.

    Examples
    --------
    >>> import pandas as pd
    >>> import rankwright as rw
    >>> frame = pd.DataFrame(
    ...     {"model": ["A1", "B2", "C3"], "zoom": ["3,5", "10,0", "8,0"], "rank": [3, 1, 2]}
    ... )
    >>> table = rw.read_table(frame, item="model", target="rank")
    >>> table.X["zoom"].tolist()
    [3.5, 10.0, 8.0]
    >>> table.y.tolist()
    [-3.0, -1.0, -2.0]
    """
    if target_is not in MEANINGS:
        raise ValueError(f"target_is={target_is!r}; choose from {sorted(MEANINGS)}")
    labels = [column for column in (item, target, group, category) if column is not None]
    _check_roles(item, target, labels, factors)
    sheet = as_sheet(path, [*labels, *(factors or [])])
    require_columns(sheet, [*labels, *(factors or [])])

    sheet, values = with_target(without_totals(sheet, item, target), item, target)
    rows = sheet.frame.index.tolist()
    X, factor_notes = read_factors(sheet, labels, factors)
    X.index = item_names(sheet, item)
    groups = None if group is None else labels_of(sheet, group)
    categories = None if category is None else labels_of(sheet, category)
    if groups is not None and categories is not None:
        _check_nested(sheet.source, groups, categories)
    y = -values if target_is == "rank" else values
    notes = (
        *sheet.notes,
        *tell.direction(target, target_is, values, rows),
        *tell.duplicates(X.index, rows, groups),
        *tell.ties(y, X.index, groups),
        *tell.lone_items(groups),
        *factor_notes,
        *tell.missing_factors(X, rows),
    )
    return ItemTable(X, y, groups, categories, target, target_is, sheet.source, notes)


def _check_roles(
    item: str, target: str, labels: Sequence[str], factors: Sequence[str] | None
) -> None:
    if item == target:
        raise ValueError(f"item={item!r} and target={target!r}; give two different columns")
    if isinstance(factors, str):
        raise ValueError(f"factors={factors!r}; give a list: factors=[{factors!r}]")
    if factors is not None and not len(factors):
        raise ValueError("factors=[]; name at least one column, or leave it out to use all numbers")
    for factor in factors or []:
        if factor in labels:
            raise ValueError(
                f"factors holds {factor!r}, which is the item, target, group or category"
            )
        if list(factors or []).count(factor) > 1:
            raise ValueError(f"factors holds {factor!r} more than once")


def _check_nested(source: str, groups: NDArray[Any], categories: NDArray[Any]) -> None:
    """Check that a category is a set of groups: no group lies in two of them."""
    pairs = pd.DataFrame({"group": groups, "category": categories}).drop_duplicates()
    split = pairs[pairs["group"].duplicated(keep=False)]
    if len(split):
        group = split["group"].iloc[0]
        within = split["category"][split["group"] == group].tolist()
        raise ValueError(
            f"{source}: group {group!r} is in several categories ({', '.join(map(str, within))}); "
            "a group belongs to one category, so give its parts different labels"
        )


def _sizes(labels: NDArray[Any]) -> str:
    sizes = pd.Series(labels).value_counts()
    return tell.examples((f"{label} ({size:,})" for label, size in sizes.items()), len(sizes))
