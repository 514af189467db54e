"""Columns of a sheet checked for what they should hold: names, labels, finite numbers."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.data.cells import Cells
from rankwright.data.notations import MEANINGS
from rankwright.data.numbers import Numbers
from rankwright.data.numerals import is_missing, is_number
from rankwright.data.observations import count, examples
from rankwright.data.sheet import Sheet, are_empty, cell, cells, distinct, texts_of

__all__ = [
    "about_formulas",
    "are_different",
    "check_alike",
    "finite",
    "item_names",
    "labels_of",
    "mixed_marks",
    "mixture",
    "notation_notes",
    "unread",
    "wrong_cells",
]


def item_names(sheet: Sheet, item: str) -> "pd.Index[Any]":
    """Name each row by its item, and a nameless one by its row number."""
    column = sheet.frame[item]
    nameless = np.flatnonzero(are_empty(column))
    if isinstance(column.array, Cells) and not len(nameless):
        found: pd.Index[Any] = pd.Index(column.array.as_strings(), name=item)
        return found
    names = texts_of(column)
    names[nameless] = [f"row {row}" for row in sheet.frame.index[nameless]]
    return pd.Index(names, name=item)


def are_different(column: "pd.Series[Any]") -> bool:
    """Tell that no two cells of a large file's column are the same; others are not looked at."""
    return isinstance(column.array, Cells) and column.array.are_different()


def labels_of(sheet: Sheet, column: str) -> NDArray[Any]:
    """Read a column in which every row needs a label."""
    found = sheet.frame[column]
    text = np.array(cells(found))
    if len(gaps := sheet.frame.index[are_empty(found)]):
        raise ValueError(
            f"{sheet.source}, column {column!r}: {count(len(gaps), 'row')} without a label "
            f"(row {examples(gaps, len(gaps))}); fill them in"
        )
    return found.to_numpy() if pd.api.types.is_integer_dtype(found.dtype) else text


def finite(sheet: Sheet, column: str, found: Numbers) -> NDArray[np.float64]:
    """Check that a column holds finite numbers or nothing but for a few cells, which are missing.

    ``unread`` tells of these cells.
    """
    place = f"{sheet.source}, column {column!r}"
    if len(found.wrong) and not found.is_mostly_read:
        raise ValueError(
            f"{place}: not a number: {wrong_cells(sheet, column, found)}; "
            "correct or clear these cells"
        )
    if np.isnan(found.values).all():
        raise ValueError(
            f"{place}: every value is missing; fill some in, or leave the column out"
            f"{about_formulas(sheet)}"
        )
    if (infinite := np.isinf(found.values)).any():
        text, row = cell(sheet, column, int(infinite.argmax()))
        raise ValueError(
            f"{place}: row {row} holds an infinite value ({text[:40]}); correct or clear the cell"
        )
    check_alike(sheet, column, found)
    return found.values


def about_formulas(sheet: Sheet) -> str:
    """Tell why a column of a workbook may look empty, which what reads workbooks does not tell."""
    if not sheet.title:
        return ""
    return "; formulas without stored results look empty: open the workbook in Excel and save it"


def unread(sheet: Sheet, column: str, found: Numbers) -> list[str]:
    """Tell of the few cells that are no numbers in a column of them."""
    if not len(found.wrong):
        return []
    are = (
        "cell is not a number and counts"
        if len(found.wrong) == 1
        else "cells are not numbers and count"
    )
    return [
        f"Column {column!r}: {len(found.wrong):,} {are} as missing: "
        f"{wrong_cells(sheet, column, found)}."
    ]


def notation_notes(sheet: Sheet, column: str, found: Numbers) -> list[str]:
    """Tell how cells were read that are written in another way than plain numbers."""
    notes = []
    for notation, first in found.notations.items():
        text, row = cell(sheet, column, first)
        bare = _without_unit(sheet, column) if notation == "unit" else ""
        notes.append(
            f"{text!r} (row {row}, column {column!r}) and others like it were read as "
            f"{found.values[first]:.6g}: {MEANINGS[notation]}.{bare}"
        )
    return notes


def _without_unit(sheet: Sheet, column: str) -> str:
    """Name the first cell that is a number without a unit beside those that have one."""
    texts = distinct(sheet.frame[column])
    ends = ((i, text) for i, text in enumerate(texts.texts) if text[-1:].isdecimal())
    first = next((int(texts.firsts[i]) for i, text in ends if is_number(text)), None)
    if first is None:
        return ""
    text, row = cell(sheet, column, first)
    return f" {text!r} in row {row} has none."


def wrong_cells(sheet: Sheet, column: str, found: Numbers) -> str:
    """List the cells of a column that are no numbers, with their rows."""
    text = cells(sheet.frame[column].iloc[found.wrong])
    rows = sheet.frame.index[found.wrong]
    shown = (f"{one!r} in row {row}" for one, row in zip(text, rows, strict=True))
    return examples(shown, len(found.wrong))


def check_alike(sheet: Sheet, column: str, found: Numbers) -> None:
    """Refuse numbers that can't be compared."""
    if said := mixture(sheet, column, found):
        raise ValueError(f"{sheet.source}, column {column!r}: {said}; write all of them alike")


def mixture(sheet: Sheet, column: str, found: Numbers) -> str:
    """Tell of two cells that can't be compared, if there are any."""
    if found.bare.size:
        return _mixed_percent(sheet, column, found)
    if len(found.currencies) < 2:
        return ""
    firsts = sorted(found.currencies.values())[:2]
    one, other = (cell(sheet, column, first) for first in firsts)
    return f"{one[0]!r} in row {one[1]} and {other[0]!r} in row {other[1]} are different currencies"


def mixed_marks(sheet: Sheet, column: str, found: Numbers) -> str:
    """Tell of two cells of a column of nothing but numbers that have different decimal marks."""
    texts = [text for text in distinct(sheet.frame[column]).texts if not is_missing(text)]
    if not len(found.wrong) or not all(map(is_number, texts)):
        return ""
    read = np.flatnonzero(~np.isnan(found.values)).tolist()
    first = next((i for i in read if not cell(sheet, column, i)[0].isdecimal()), None)
    if first is None:
        return ""
    both = (cell(sheet, column, i) for i in sorted([first, int(found.wrong[0])]))
    shown = " and ".join(f"{text!r} in row {row}" for text, row in both)
    return f"{shown} have different decimal marks"


def _mixed_percent(sheet: Sheet, column: str, found: Numbers) -> str:
    """Tell where a percent sign stands and where not: 0.5 may be a half, or half a percent."""
    bare, row = cell(sheet, column, int(found.bare[0]))
    text = cells(sheet.frame[column])
    signed = next(i for i, one in enumerate(text) if "%" in one)
    return (
        f"{text[signed]!r} in row {sheet.frame.index[signed]} has a percent sign and "
        f"{bare!r} in row {row} has none"
    )
