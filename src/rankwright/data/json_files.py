"""Tables from JSON: a list of records, a record in each line, or columns by name."""

import json
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from rankwright.data.textfile import encoding_notes, lines_of, read_text

__all__ = ["read_json"]

RECORDS = 'write a list of records, such as [{"name": "A", "rank": 1}]'
SPLIT = {"columns", "data"}  # as pandas writes a frame with orient="split"
IN_LINES = "a file with a record in each line is called .jsonl"


def read_json(path: str | PathLike[str], *, in_lines: bool) -> tuple[pd.DataFrame, list[str]]:
    """Read a table, and say what encoding it is in.

    Numbers are those of Python: pandas rounds many of them otherwise.
    """
    name = Path(path).name
    text, encoding = read_text(path)
    found = _records_in_lines(text, name) if in_lines else _loaded(text, name)
    columns = found if isinstance(found, list) else _columns(found, name)
    if isinstance(columns, list):
        _check_records(columns, name)
    return pd.DataFrame(columns), encoding_notes(encoding)


def _loaded(text: str, name: str, line: int = 1) -> Any:
    """Read a JSON document, which begins in a line of the file."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        at = f"line {error.lineno + line - 1}, column {error.colno}"
        remedy = IN_LINES if error.msg == "Extra data" else "correct it there"
        raise ValueError(f"{name} holds no list of records: {at}: {error.msg}; {remedy}") from error
    except (ValueError, RecursionError) as error:  # thousands of digits, or of brackets
        raise ValueError(f"{name} holds no list of records: {error}; {RECORDS}") from error


def _records_in_lines(text: str, name: str) -> list[Any]:
    """Read a record from each line that is not blank: all at once if nothing is wrong."""
    lines = {
        i: line for i, line in enumerate(lines_of(text), start=1) if not line.isspace() and line
    }
    try:
        found: list[Any] = json.loads(f"[{','.join(lines.values())}]")
    except (ValueError, RecursionError):
        found = []
    if len(found) == len(lines):
        return found
    return [_loaded(line, name, number) for number, line in lines.items()]


def _columns(found: Any, name: str) -> dict[str, Any]:
    """Return columns by name, all of them lists of values of one length, or mappings by row."""
    if isinstance(found, dict) and not set(found) >= SPLIT:
        columns = list(found.values())
        are_lists = all(isinstance(one, list) and not _holds_records(one) for one in columns)
        if (are_lists and len(set(map(len, columns))) == 1) or all(
            isinstance(one, dict) for one in columns
        ):
            return found
    raise ValueError(f"{name} holds no list of records: {_shape(found)}; {RECORDS}")


def _holds_records(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)


def _shape(found: Any) -> str:
    """Tell what a JSON document holds in place of a table."""
    if not isinstance(found, dict):
        return f"it is {str(found)[:40]!r}"
    if set(found) >= SPLIT:
        return "names stand apart from rows, in 'columns' and 'data'"
    records = [
        f", of which {key!r} is one; save that" for key in found if _holds_records(found[key])
    ]
    return f"it is an object of {', '.join(map(repr, list(found)[:3]))}{''.join(records[:1])}"


def _check_records(records: list[Any], name: str) -> None:
    for place, record in enumerate(records, start=1):
        if not isinstance(record, dict):
            raise ValueError(
                f"{name} holds no list of records: entry {place} is {str(record)[:40]!r}; {RECORDS}"
            )
