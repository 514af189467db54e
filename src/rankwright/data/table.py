"""Rated items with their factors, read from a spreadsheet's file or a frame."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.data import observations as tell
from rankwright.data.alike import note_alike
from rankwright.data.columns import are_different, item_names, labels_of
from rankwright.data.conditions import rows_where
from rankwright.data.factors import category_factors as made_of_categories
from rankwright.data.factors import read_factors
from rankwright.data.no_factors import Order
from rankwright.data.rated_rows import rated_rows
from rankwright.data.remedies import Remedy, remedied
from rankwright.data.sheet import Sheet, require_columns
from rankwright.data.sources import as_sheet

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
    printed : array of shape (n,) or None
        The rank or score of each row as its source prints it: ``"=6"``, ``"201-225"``.

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
    >>> list(table.complete().items), table.complete().printed.tolist()
    (['A1'], ['2'])
    """

    X: pd.DataFrame
    y: NDArray[np.float64]
    groups: NDArray[Any] | None
    categories: NDArray[Any] | None
    target: str
    target_is: Literal["rank", "score"]
    source: str
    notes: tuple[str, ...]
    printed: NDArray[Any] | None = None

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

    def complete(self, missing: str = "rows") -> "ItemTable":
        """Return the table without gaps in its factors, and say in the notes what was done.

        Parameters
        ----------
        missing : {"rows", "factors", "medians", "indicators", "few"}
            Leave out the rows or the factors with gaps, or fill the gaps with the factor's median,
            or do so and add a factor of 0 and 1 that tells where it was missing; or leave out
            few: factors with many gaps, then rows, so that as many values as possible are left.

        Returns
        -------
        ItemTable
        """
        if missing in list(Remedy) and not self.X.isna().to_numpy().any():
            return self
        found = remedied(self.X, missing, self.source)
        keep = found.keep
        return replace(
            self,
            X=found.X,
            y=self.y[keep],
            groups=None if self.groups is None else self.groups[keep],
            categories=None if self.categories is None else self.categories[keep],
            notes=(
                *(note for note in self.notes if note != tell.HAS_GAPS),
                found.note,
                *tell.gone_from_top(self.places()["first"], self.groups, ~keep),
            ),
            printed=None if self.printed is None else self.printed[keep],
        )

    def places(self) -> pd.DataFrame:
        """Return the first and the last place of each item's tie or band among the rows here.

        An item whose reproduced place lies between the two stands where it was published.

        Returns
        -------
        DataFrame
            By item: ``first`` and ``last``, counted from 1 inside its group.

        Examples
        --------
        >>> import pandas as pd
        >>> import rankwright as rw
        >>> frame = pd.DataFrame({"name": list("ABC"), "zoom": [3, 2, 1]})
        >>> frame["rank"] = ["1", "2-9", "2-9"]
        >>> rw.read_table(frame, item="name", target="rank").places()["last"].tolist()
        [1, 3, 3]
        """
        rows = pd.Series(-self.y)
        grouped = rows.groupby(np.zeros(len(rows)) if self.groups is None else self.groups)
        places = {"first": grouped.rank(method="min"), "last": grouped.rank(method="max")}
        return pd.DataFrame(places, dtype=np.int64).set_axis(self.items)

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
    category_factors: Sequence[str] = (),
    exclude: Sequence[str] = (),
    where: str | Sequence[str] = (),
    sheet: str | None = None,
) -> ItemTable:
    """Read rated items from a text file, a workbook, a Parquet file, or a pandas or polars frame.

    Ranks and numbers are understood as people print them. Rows without a target are left out, as
    are totals and remarks below the table, and columns that are the published order rather than a
    reason for it; all are named in the notes.

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
        The columns to use as features; by default all other columns that hold numbers and are not
        the published order, row numbers, years, identifiers or constants.
    category_factors : list of str
        Columns of few texts to use as factors of 0 and 1, one for each text but the most frequent.
    exclude : list of str
        Columns that are no factors.
    where : str or list of str
        Conditions that rows have to meet, such as ``"year = 2015"``.
    sheet : str, optional
        The name or the number of a workbook's sheet; by default the one that looks right.

    Returns
    -------
    ItemTable
        With ``X``, ``y``, ``groups``, ``categories``, ``notes`` and ``printed``.

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
    factors = None if factors is None else list(factors)  # of an array or an index, too
    named = [*labels, *(factors or []), *category_factors, *exclude]
    table = as_sheet(path, named, sheet)
    require_columns(table, [*labels, *category_factors, *exclude])
    rated = rated_rows(rows_where(table, where), item, target, target_is)
    groups = None if group is None else labels_of(rated.sheet, group)
    y = -rated.values if target_is == "rank" else rated.values
    order = Order(target, target_is, y, groups)
    roles = [*labels, *category_factors, *exclude]
    rows = rated.sheet.frame.index
    with ThreadPoolExecutor(1) as aside:  # texts and numbers of large tables at the same time
        names = aside.submit(item_names, rated.sheet, item)
        named_once = aside.submit(are_different, rated.sheet.frame[item])
        X, factor_notes = _factors(rated.sheet, roles, factors, category_factors, order)
    X.index = names.result()
    categories = None if category is None else labels_of(rated.sheet, category)
    if groups is not None and categories is not None:
        _check_nested(table.source, groups, categories)
    notes = (
        *rated.sheet.notes,
        *tell.direction(target, target_is, rated.values, rows),
        *(tell.begun_again(target, -y, rows) if target_is == "rank" and groups is None else []),
        *(
            []
            if groups is None
            else note_alike(pd.unique(groups).tolist(), f"Labels in {group!r}", "groups")
        ),
        *([] if named_once.result() else tell.duplicates(X.index, rows, groups)),
        *tell.ties(y, X.index, groups),
        *tell.lone_items(groups),
        *factor_notes,
        *tell.missing_factors(X, rows),
    )
    return ItemTable(
        X, y, groups, categories, target, target_is, table.source, notes, rated.printed
    )


def _factors(
    sheet: Sheet,
    roles: Sequence[str],
    factors: Sequence[str] | None,
    categories: Sequence[str],
    order: Order,
) -> tuple[pd.DataFrame, list[str]]:
    """Read the factors, those made of categories behind the others."""
    X, notes = read_factors(sheet, roles, factors, order)
    if not len(categories):
        return X, notes
    made, made_notes = made_of_categories(sheet, categories)
    return pd.concat([X, made], axis=1), [*notes, *made_notes]


def _check_roles(
    item: str, target: str, labels: Sequence[str], factors: Sequence[str] | None
) -> None:
    for role, column in {"item": item, "target": target}.items():
        if column is None:
            raise ValueError(f"{role}=None; give the name of a column")
    if item == target:
        raise ValueError(f"item={item!r} and target={target!r}; give two different columns")
    if isinstance(factors, str):
        raise ValueError(f"factors={factors!r}; give a list: factors=[{factors!r}]")
    if factors is None:
        return
    if not len(factors):
        raise ValueError("factors=[]; name at least one column, or leave it out to use all numbers")
    for factor in factors:
        if factor in labels:
            raise ValueError(
                f"factors holds {factor!r}, which is the item, target, group or category"
            )
        if list(factors).count(factor) > 1:
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
