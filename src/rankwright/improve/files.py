"""Changes and conditions on them from CSV and TOML files."""

import tomllib
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from rankwright.data import read_numbers
from rankwright.data.rated_rows import without_sums
from rankwright.data.sheet import Sheet, are_empty, cell, numbers
from rankwright.data.sources import as_sheet
from rankwright.data.spreadsheet import read_sheet
from rankwright.data.textfile import read_text
from rankwright.improve.change import Change, changes_of_table

__all__ = ["change_table", "read_changes", "read_conditions", "read_conflicts"]

CONDITIONS = ("conflicts", "requires", "bounds")


def read_changes(path: str | Path) -> tuple[Change, ...]:
    r"""Read changes from a CSV or TOML file.

    Parameters
    ----------
    path : str or Path
        A CSV file with the names in its first column, a column ``cost`` and a column for each
        factor that changes move (an empty cell: no effect; any other cell is a number); or a TOML
        file with ``[[changes]]``, each with ``name``, ``cost`` and a table of ``effects``.

    Returns
    -------
    tuple of Change

    Examples
    --------
    >>> from pathlib import Path
    >>> import rankwright as rw
    >>> path = Path(getfixture("tmp_path")) / "changes.csv"
    >>> _ = path.write_text("change,stars,weight,cost\nPolish,0.5,,3\nLighter case,,-1,4.50\n")
    >>> [change.name for change in rw.read_changes(path)]
    ['Polish', 'Lighter case']
    """
    if _is_toml(path):
        return tuple(_change_of_entry(entry, path) for entry in _document(path).get("changes", []))
    return changes_of_table(change_table(path))


def change_table(source: Any) -> pd.DataFrame:
    """Read costs and effects by change; an effect is 0 where its cell is empty, a cost never is."""
    sheet = as_sheet(source, [])
    names, *columns = map(str, sheet.frame.columns)
    sheet = without_sums(sheet, names, columns)
    for column in columns:
        _check_cells(sheet, names, column)
    return read_numbers(sheet, item=names).fillna(0.0)


def _check_cells(sheet: Sheet, names: str, column: str) -> None:
    """Refuse a column of costs or effects in which a cell is not read."""
    is_cost = column == "cost"
    unread = np.isnan(numbers(sheet, column).values)
    if not is_cost:
        unread &= ~are_empty(sheet.frame[column])
    if not unread.any():
        return
    first = int(unread.argmax())
    (text, row), (name, _) = (cell(sheet, one, first) for one in (column, names))
    what = "cost" if is_cost else f"effect on {column!r}"
    found = f"the {what} {text!r}, which is no number like those of its column"
    remedy = "give 0 if it costs nothing" if is_cost else "leave the cell empty if it has none"
    found = found if text else "no cost"
    raise ValueError(f"{sheet.source}, row {row}: {name!r} has {found}; {remedy}")


def read_conflicts(path: str | Path) -> tuple[tuple[str, ...], ...]:
    r"""Read sets of conflicting changes from a CSV or TOML file.

    Parameters
    ----------
    path : str or Path
        A CSV file of two columns, the label of a set and a change in it, or several changes
        separated by semicolons; or a TOML file with ``conflicts``, a list of lists of names.

    Returns
    -------
    tuple of tuples of str

    Examples
    --------
    >>> from pathlib import Path
    >>> import rankwright as rw
    >>> path = Path(getfixture("tmp_path")) / "conflicts.csv"
    >>> _ = path.write_text("set,changes\n1,Polish;Lighter case\n2,Polish\n2,Engrave\n")
    >>> rw.read_conflicts(path)
    (('Polish', 'Lighter case'), ('Polish', 'Engrave'))
    """
    if _is_toml(path):
        return tuple(tuple(members) for members in _document(path).get("conflicts", []))
    table = read_sheet(path).in_texts().frame
    if table.shape[1] != 2:
        raise ValueError(
            f"{path} has columns {list(table.columns)}; "
            "give two, the label of a set and a change in it"
        )
    sets: dict[str, list[str]] = {}
    for label, names in table.itertuples(index=False):
        sets.setdefault(label, []).extend(name.strip() for name in names.split(";"))
    return tuple(tuple(members) for members in sets.values())


def read_conditions(path: str | Path) -> dict[str, Any]:
    """Return the conflicts, prerequisites and bounds of a TOML file; a CSV file has none."""
    document = _document(path) if _is_toml(path) else {}
    return {key: document[key] for key in CONDITIONS if key in document}


def _is_toml(path: str | Path) -> bool:
    suffix = Path(path).suffix.lower()
    if suffix not in {".csv", ".toml"}:
        raise ValueError(f"{path} is neither a .csv nor a .toml file")
    return suffix == ".toml"


def _document(path: str | Path) -> dict[str, Any]:
    text, _ = read_text(path)
    try:
        document = tomllib.loads(text, parse_float=_decimal)
    except (ValueError, RecursionError) as error:  # an integer of too many digits is among them
        raise ValueError(f"{path} can't be read as TOML: {error}") from error
    if unknown := sorted(set(document) - set(SHAPES)):
        raise ValueError(f"{path} has {unknown}; a file of changes has {sorted(SHAPES)}")
    for key, value in document.items():
        is_right, shape = SHAPES[key]
        if not is_right(value):
            raise ValueError(f"{path} has {key} = {value!r}; give {shape}")
    return document


def _decimal(number: str) -> Decimal:
    try:
        return Decimal(number)
    except ArithmeticError:
        raise ValueError(f"{number} is too large; give a number within ±1e100") from None


def _change_of_entry(entry: Any, path: str | Path) -> Change:
    if not isinstance(entry, dict) or set(entry) != {"name", "cost", "effects"}:
        raise ValueError(f"{path} has a change {entry}; give it name, cost and effects")
    return Change(**entry)


def _is_lists_of_names(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(names, list) and all(isinstance(name, str) for name in names) for names in value
    )


# By key of a TOML file, what it has to look like, as a test and in words.
SHAPES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "changes": (lambda value: isinstance(value, list), "[[changes]] with name, cost and effects"),
    "conflicts": (_is_lists_of_names, 'lists of names, such as [["a", "b"], ["c", "d", "e"]]'),
    "requires": (_is_lists_of_names, 'pairs of names, such as [["a", "what a needs"]]'),
    "bounds": (lambda value: isinstance(value, dict), "a table of factors, such as stars = [1, 5]"),
}
