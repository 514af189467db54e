"""Tables without a rating: items to be ranked by a model, and plain tables of numbers."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.data.columns import item_names, labels_of
from rankwright.data.factors import read_factors
from rankwright.data.observations import examples, missing_factors
from rankwright.data.rated_rows import without_sums
from rankwright.data.sheet import require_columns
from rankwright.data.sources import as_sheet

__all__ = ["UnratedItems", "read_items", "read_numbers"]


@dataclass(frozen=True, eq=False)
class UnratedItems:
    """Hold items that have factors and no rating.

    Parameters
    ----------
    X : DataFrame
        Factors as numbers, one row per item; the index holds the items' names.
    groups : array of shape (n,) or None
        Labels of the group column.
    source : str
        The file's name.
    notes : tuple of str
        What was found and done while reading, in sentences.
    rows : tuple
        The row of the file, or the label of the frame's index, of each item.

    Examples
    --------
    >>> import pandas as pd
    >>> from rankwright.data import read_items
    >>> frame = pd.DataFrame({"model": ["A1", "B2", "C3"], "kind": list("ppq"), "zoom": [3, 5, 8]})
    >>> items = read_items(frame, item="model", factors=["zoom"], group="kind")
    >>> items.find("B2"), items.competitors(1).index.tolist()
    (1, ['A1'])
    >>> items.rows, items.find("row 2")
    ((0, 1, 2), 2)
    """

    X: pd.DataFrame
    groups: NDArray[Any] | None
    source: str
    notes: tuple[str, ...]
    rows: tuple[Any, ...] = ()

    def find(self, item: str) -> int:
        """Return the position of an item, by its name or, as ``"row 12"`` or ``"12"``, its row.

        A name has to be there once.

        Parameters
        ----------
        item : str

        Returns
        -------
        int
        """
        named = np.flatnonzero(self.X.index == item)
        if len(named) == 1:
            return int(named[0])
        if len(named):
            rows = [f"row {self.rows[i]}" if self.rows else f"place {i}" for i in named.tolist()]
            raise ValueError(
                f"{self.source} has {len(rows)} items called {item!r}, in "
                f"{examples(rows, len(rows))}; give {rows[0]!r} or another row instead of the name"
            )
        number = item.removeprefix("row ")
        places = {str(row): place for place, row in enumerate(self.rows)}
        if number in places:
            return places[number]
        if number != item and number.isdecimal():
            raise ValueError(f"{self.source} has no item in row {number}, or it was left out")
        close = get_close_matches(item, [str(name) for name in self.X.index])
        hint = f"; did you mean {' or '.join(map(repr, close))}?" if close else ""
        raise ValueError(f"{self.source} has no item {item!r}{hint}")

    def keep(self, kept: NDArray[np.bool_]) -> "UnratedItems":
        """Return some of the items, and note which row a name means that others had too.

        Parameters
        ----------
        kept : array of bool of shape (n,)

        Returns
        -------
        UnratedItems
        """
        chosen, gone = self.X.index[kept], self.X.index[~kept]
        unclear = chosen[chosen.isin(gone) & ~chosen.duplicated(keep=False)]
        rows = tuple(row for row, one in zip(self.rows, kept, strict=True) if one)
        notes = [
            f"{name!r} appears in several rows, of which only row {rows[chosen.get_loc(name)]} is "
            "left, so the name means that one."
            for name in unclear
        ]
        groups = None if self.groups is None else self.groups[kept]
        return replace(self, X=self.X[kept], groups=groups, rows=rows, notes=(*self.notes, *notes))

    def competitors(self, row: int) -> pd.DataFrame:
        """Return the factors of the other items in a row's group.

        Parameters
        ----------
        row : int

        Returns
        -------
        DataFrame
        """
        others = np.arange(len(self.X)) != row
        if self.groups is not None:
            others &= self.groups == self.groups[row]
        return self.X.iloc[np.flatnonzero(others)]


def read_items(
    path: str | PathLike[str] | Any,
    *,
    item: str,
    factors: Sequence[str],
    group: str | None = None,
) -> UnratedItems:
    """Read items to be ranked, with the factors that a model needs.

    Parameters
    ----------
    path : path or DataFrame
        As for ``read_table``.
    item : str
        The column of names.
    factors : list of str
        The columns to use as features, in this order.
    group : str, optional
        The column that says which rows may be compared.

    Returns
    -------
    UnratedItems

    Examples
    --------
    >>> import pandas as pd
    >>> from rankwright.data import read_items
    >>> frame = pd.DataFrame({"model": ["A1", "B2"], "zoom": ["3,5", "10,0"]})
    >>> read_items(frame, item="model", factors=["zoom"]).X["zoom"].tolist()
    [3.5, 10.0]
    """
    labels = [item] if group is None else [item, group]
    factors = list(factors)  # of an array or an index, too
    sheet = as_sheet(path, [*labels, *factors])
    require_columns(sheet, labels)
    X, notes = read_factors(sheet, labels, factors)
    rows = sheet.frame.index.tolist()
    X.index = item_names(sheet, item)
    return UnratedItems(
        X,
        None if group is None else labels_of(sheet, group),
        sheet.source,
        (*sheet.notes, *notes, *missing_factors(X, rows)),
        tuple(rows),
    )


def read_numbers(path: str | PathLike[str] | Any, *, item: str | None = None) -> pd.DataFrame:
    """Read a table that holds numbers beside its names, such as votes or features.

    What was understood or left out to read them is warned of, as ``read_table`` notes it. Rows
    that sum up the others are left out.

    Parameters
    ----------
    path : path or DataFrame
        As for ``read_table``; every name once.
    item : str, optional
        The column of names; by default the first one.

    Returns
    -------
    DataFrame
        Numbers by name and column, NaN where a cell is empty or can't be read.

    Examples
    --------
    >>> import pandas as pd
    >>> from rankwright.data import read_numbers
    >>> frame = pd.DataFrame({"film": ["Up", "Her"], "ann": [1, 2], "bob": [2, None]})
    >>> read_numbers(frame)["bob"].tolist()
    [2.0, nan]
    """
    wanted = [] if item is None else [item]
    sheet = as_sheet(path, wanted)
    require_columns(sheet, wanted)
    name = str(sheet.frame.columns[0]) if item is None else item
    others = [str(column) for column in sheet.frame.columns if column != name]
    sheet = without_sums(sheet, name, others)
    table, notes = read_factors(sheet, [name], others)
    for note in (*sheet.notes, *notes):
        warnings.warn(f"{sheet.source}: {note}", stacklevel=2)
    table.index = item_names(sheet, name)
    if repeated := table.index[table.index.duplicated()].tolist():
        raise ValueError(f"{sheet.source} has {repeated[0]!r} more than once; name each row once")
    return table
