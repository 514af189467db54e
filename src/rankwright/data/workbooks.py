"""Cells of a table from a workbook: .xlsx, .xls and .ods files, read by python-calamine."""

import json
import subprocess
import sys
from collections.abc import Collection
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

from rankwright.data import workbook_cells
from rankwright.data.layout import HEAD, find_layout
from rankwright.data.sheet import Sheet
from rankwright.data.spreadsheet import sheet_of_records
from rankwright.data.textfile import read_bytes

__all__ = ["STARTS", "read_workbook"]

SECONDS, SECONDS_FOR_A_MEGABYTE = 20.0, 20.0
STARTS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # zipped workbooks, and those of old


def read_workbook(
    path: str | PathLike[str], wanted: Collection[str] = (), sheet: str | None = None
) -> Sheet:
    """Read one sheet of a workbook: the one named or numbered, else the one that looks right."""
    name = Path(path).name
    tables = _tables(read_bytes(path), name)
    title, note = _choose(tables, wanted) if sheet is None else (_named(tables, sheet, name), ())
    found = sheet_of_records(tables[title], f"{name}, sheet {title!r}", wanted)
    notes = found.notes if len(tables) == 1 else (*note, *found.notes)
    return replace(found, notes=notes, title=title, titles=tuple(tables))


def _tables(data: bytes, name: str) -> dict[str, list[list[str]]]:
    """Return the cells of every visible sheet that holds any, as texts."""
    try:
        import python_calamine  # noqa: F401
    except ImportError as error:
        raise ImportError(
            f"reading {name} needs python-calamine: pip install 'rankwright[excel]'"
        ) from error
    answer = _ask(data, name)
    if answer.get(workbook_cells.LOCKED):
        raise ValueError(f"{name} is protected by a password; save it without one")
    if "error" in answer:
        raise ValueError(f"{name} is a damaged workbook, or not one at all: {answer['error']}")
    tables = {
        title: records for title, records in answer["tables"].items() if any(map(any, records))
    }
    if not tables:
        raise ValueError(f"{name} has no visible sheet with cells")
    return tables


def _ask(data: bytes, name: str) -> dict[str, Any]:
    """Read the cells in a process of its own, which ends even if a damaged workbook does not."""
    seconds = SECONDS + SECONDS_FOR_A_MEGABYTE * len(data) / 1e6
    try:
        # -P: the modules beside the program are no modules of its own
        done = subprocess.run(  # noqa: S603  (our own file, no shell)
            [sys.executable, "-P", workbook_cells.__file__],
            input=data,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
        answer: dict[str, Any] = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        raise ValueError(
            f"{name} is a damaged workbook: it could not be read in {seconds:.0f} s"
        ) from None
    except ValueError:
        raise ValueError(f"{name} is a damaged workbook, or too large for the memory") from None
    return answer


def _named(tables: dict[str, Any], sheet: str, name: str) -> str:
    """Return the title of the sheet that is called so, or has this number from 1 on."""
    by_title = {title.strip().casefold(): title for title in tables}
    if (key := sheet.strip().casefold()) in by_title:
        return by_title[key]
    if key.isdecimal() and 1 <= int(key) <= len(tables):
        return list(tables)[int(key) - 1]
    raise ValueError(
        f"{name} has no sheet {sheet!r} with cells; it has {', '.join(map(repr, tables))}"
    )


def _choose(
    tables: dict[str, list[list[str]]], wanted: Collection[str]
) -> tuple[str, tuple[str, ...]]:
    """Choose the sheet that has the wanted columns, then the one with the most filled cells."""

    def rank(title: str) -> tuple[bool, int]:
        records = tables[title]
        has = bool(wanted) and set(wanted) <= set(find_layout(records[:HEAD], wanted).names)
        filled = (sum(map(bool, record)) for record in records)
        return has, sum(number for number in filled if number > 1)

    ranks = {title: rank(title) for title in tables}
    best = max(ranks, key=ranks.__getitem__)
    others = ", ".join(repr(title) for title in tables if title != best)
    is_alone = list(ranks.values()).count(ranks[best]) == 1
    size = "the largest table" if is_alone else "the first of the largest tables"
    why = "it has the columns asked for" if ranks[best][0] else f"it is {size}"
    return best, (f"Sheet {best!r} is read, because {why}; sheet=... takes another: {others}.",)
