"""The roles of a sheet's columns: names, target, labels, factors."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.data.numerals import Numbers
from rankwright.data.observations import count, examples
from rankwright.data.sources import cells, numbers
from rankwright.data.spreadsheet import Sheet

__all__ = ["item_names", "labels_of", "read_factors", "with_target", "without_totals"]

TOTALS = re.compile(  # or no name at all
    r"((grand|sub)?[ -]?totals?|sum|average|avg|mean|median|count|summe|gesamt|mittelwert|"
    r"durchschnitt|totale|somme|moyenne|suma|promedio|media|totaal|gemiddelde)\b.*|",
    re.IGNORECASE,
)


def without_totals(sheet: Sheet, item: str, target: str) -> Sheet:
    """Leave out sums and averages below the table, and say so."""
    names = cells(sheet.frame[item])
    end = len(names)
    while end and TOTALS.fullmatch(names[end - 1]):
        end -= 1
    values = numbers(sheet, target).values
    body = values[:end][~np.isnan(values[:end])]
    if not body.size:
        return sheet
    # A last product may really be called Total: its own rank is none of these.
    totals = [np.nan, body.sum(), body.mean(), np.median(body), body.size]
    is_total = np.isclose(values[end:, None], totals, rtol=1e-9, atol=0.005, equal_nan=True)
    gone = end + np.flatnonzero(is_total.any(axis=1))
    if not gone.size:
        return sheet
    shown = [
        f"row {sheet.frame.index[i]}" + (f" ({names[i]!r})" if names[i] else "")
        for i in gone.tolist()
    ]
    note = f"Rows left out as totals below the table: {', '.join(shown)}."
    kept = np.delete(np.arange(len(names)), gone)
    return replace(sheet, frame=sheet.frame.iloc[kept], notes=(*sheet.notes, note))


def with_target(sheet: Sheet, item: str, target: str) -> tuple[Sheet, NDArray[np.float64]]:
    """Keep the rows that have a target, and tell of the others."""
    values = _finite(sheet, target, numbers(sheet, target))
    unrated = np.isnan(values)
    if not unrated.any():
        return sheet, values
    gone = item_names(sheet, item)[unrated]
    note = (
        f"{count(len(gone), 'row')} without a value in {target!r} left out: "
        f"{examples(map(repr, gone), len(gone))}."
    )
    kept = replace(sheet, frame=sheet.frame[~unrated], notes=(*sheet.notes, note))
    return kept, values[~unrated]


def item_names(sheet: Sheet, item: str) -> "pd.Index[Any]":
    """Name each row by its item, and a nameless one by its row number."""
    named = zip(cells(sheet.frame[item]), sheet.frame.index, strict=True)
    return pd.Index([name or f"row {row}" for name, row in named], name=item)


def labels_of(sheet: Sheet, column: str) -> NDArray[Any]:
    """Read a column in which every row needs a label."""
    found = sheet.frame[column]
    text = cells(found)
    gaps = [row for row, label in zip(sheet.frame.index, text, strict=True) if not label]
    if gaps:
        raise ValueError(
            f"{sheet.source}, column {column!r}: {count(len(gaps), 'row')} without a label "
            f"(row {examples(gaps, len(gaps))}); fill them in"
        )
    return found.to_numpy() if pd.api.types.is_integer_dtype(found.dtype) else np.array(text)


def read_factors(
    sheet: Sheet, labels: Sequence[str], factors: Sequence[str] | None
) -> tuple[pd.DataFrame, list[str]]:
    """Read the factors given, or every column of numbers that has no other role."""
    others = [name for name in sheet.frame.columns if name not in labels]
    found = {name: numbers(sheet, name) for name in (factors or others)}
    chosen, notes = (list(found), []) if factors else _columns_of_numbers(sheet, found)
    X = pd.DataFrame(
        {str(name): _finite(sheet, name, found[name]) for name in chosen}, index=sheet.frame.index
    )
    percents = [str(name) for name in chosen if found[name].percent]
    if percents:
        notes.append(f"Percentages read as fractions (5% is 0.05): {', '.join(percents)}.")
    return X, notes


def _finite(sheet: Sheet, column: str, found: Numbers) -> NDArray[np.float64]:
    """Check that a column holds finite numbers or nothing, and not nothing everywhere."""
    place = f"{sheet.source}, column {column!r}"
    if n_wrong := len(found.wrong):
        text = cells(sheet.frame[column].iloc[found.wrong])
        rows = sheet.frame.index[found.wrong]
        shown = (f"{cell!r} in row {row}" for cell, row in zip(text, rows, strict=True))
        raise ValueError(
            f"{place}: not a number: {examples(shown, n_wrong)}; correct or clear these cells"
        )
    if np.isnan(found.values).all():
        raise ValueError(f"{place}: every value is missing")
    if (infinite := np.isinf(found.values)).any():
        raise ValueError(f"{place}: row {sheet.frame.index[infinite][0]} holds an infinite value")
    return found.values


def _columns_of_numbers(sheet: Sheet, found: Mapping[str, Numbers]) -> tuple[list[str], list[str]]:
    """Choose the columns whose cells are numbers; tell why the others are left out."""
    chosen: list[str] = []
    text: list[str] = []
    empty: list[str] = []
    notes: list[str] = []
    for column, parsed in found.items():
        wrong, filled = len(parsed.wrong), int((~np.isnan(parsed.values)).sum())
        if not wrong:
            (chosen if filled else empty).append(column)
        elif wrong >= filled:
            text.append(str(column))
        else:
            first = parsed.wrong[:1]
            notes.append(
                f"Column {column!r} is not used as a factor: {wrong:,} of {wrong + filled:,} "
                f"cells are not numbers, such as {cells(sheet.frame[column].iloc[first])[0]!r} "
                f"in row {sheet.frame.index[first[0]]}."
            )
    if not chosen:
        raise ValueError(
            f"{sheet.source} has no column of numbers to use as a factor; besides item, target, "
            f"group and category it has {', '.join(map(repr, found)) or 'no column'}"
        )
    if text:
        notes.append(f"Columns of text, not used as factors: {', '.join(text)}.")
    if empty:
        notes.append(f"Columns without any value, not used: {', '.join(map(str, empty))}.")
    return chosen, notes
