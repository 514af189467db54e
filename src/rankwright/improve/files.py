"""Changes and conditions on them from CSV and TOML files."""

import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

from rankwright.data import read_numbers
from rankwright.data.spreadsheet import read_sheet
from rankwright.improve.change import Change, changes_of_table

__all__ = ["read_changes", "read_conditions", "read_conflicts"]

CONDITIONS = ("conflicts", "requires", "bounds")
KEYS = {"changes", *CONDITIONS}


def read_changes(path: str | Path) -> tuple[Change, ...]:
    r"""Read changes from a CSV or TOML file.

    Parameters
    ----------
    path : str or Path
        A CSV file with the names in its first column, a column ``cost`` and a column for each
        factor that changes move (an empty cell: no effect); or a TOML file with ``[[changes]]``,
        each with ``name``, ``cost`` and a table of ``effects``.

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
        return tuple(_change_of_entry(entry, path) for entry in _document(path).get("changes", ()))
    return changes_of_table(read_numbers(path).fillna(0.0))


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
        return tuple(tuple(members) for members in _document(path).get("conflicts", ()))
    table = read_sheet(path).frame
    if table.shape[1] != 2:
        raise ValueError(f"{path} has columns {list(table.columns)}; give a set and its changes")
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
    with Path(path).open("rb") as file:
        document = tomllib.load(file, parse_float=Decimal)
    if unknown := sorted(set(document) - KEYS):
        raise ValueError(f"{path} has {unknown}; a file of changes has {sorted(KEYS)}")
    return document


def _change_of_entry(entry: dict[str, Any], path: str | Path) -> Change:
    if set(entry) != {"name", "cost", "effects"}:
        raise ValueError(f"{path} has a change {entry}; give it name, cost and effects")
    return Change(**entry)
