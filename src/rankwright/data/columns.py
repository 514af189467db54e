"""The roles of a sheet's columns: names, target, labels, factors."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.data.numerals import Numbers
from rankwright.data.observations import SHOWN, count, examples
from rankwright.data.sources import cells, numbers
from rankwright.data.spreadsheet import Sheet
from rankwright.data.targets import without_categories

__all__ = ["doubts", "item_names", "labels_of", "read_factors", "with_target", "without_totals"]

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
    found, notes = _target_numbers(sheet, target)
    values = _finite(sheet, target, found)
    sheet = replace(sheet, notes=(*sheet.notes, *notes, *doubts(sheet, {target: found})))
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


def _target_numbers(sheet: Sheet, target: str) -> tuple[Numbers, list[str]]:
    """Read the target as numbers, or as the order of an ordered categorical of texts."""
    found = numbers(sheet, target)
    dtype = sheet.frame[target].dtype
    if not (isinstance(dtype, pd.CategoricalDtype) and dtype.ordered and len(found.wrong)):
        return found, []
    worst, best = dtype.categories[[0, -1]]
    note = f"{target!r} counts by the order of its categories, from {worst!r} to {best!r}."
    return Numbers(without_categories(sheet.frame[target])), [note]


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
    return X, [*notes, *doubts(sheet, {name: found[name] for name in chosen})]


def doubts(sheet: Sheet, found: Mapping[str, Numbers]) -> list[str]:
    """Tell how 1,234 and 4.761 were read in columns where nothing settles what they mean."""
    notes = []
    for column, parsed in found.items():
        if parsed.doubtful is not None:
            cell, row = _cell(sheet, column, parsed.doubtful)
            mark = "comma" if "," in cell else "point"
            notes.append(
                f"{cell!r} (row {row}, column {column!r}) was read as "
                f"{parsed.values[parsed.doubtful]:.15g}: nothing in the table settles whether the "
                f"{mark} is a decimal mark or separates thousands."
            )
    return notes


def _cell(sheet: Sheet, column: str, position: int) -> tuple[str, Any]:
    """Return the text of a cell and the row that the source shows for it."""
    return cells(sheet.frame[column].iloc[[position]])[0], sheet.frame.index[position]


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
        raise ValueError(f"{place}: every value is missing; fill some in, or leave the column out")
    if (infinite := np.isinf(found.values)).any():
        cell, row = _cell(sheet, column, int(infinite.argmax()))
        raise ValueError(
            f"{place}: row {row} holds an infinite value ({cell[:40]}); correct or clear the cell"
        )
    if found.bare.size:
        raise ValueError(f"{place}: {_mixed(sheet, column, found)}; write all of them alike")
    return found.values


def _mixed(sheet: Sheet, column: str, found: Numbers) -> str:
    """Tell where a percent sign stands and where not: 0.5 may be a half, or half a percent."""
    bare, row = _cell(sheet, column, int(found.bare[0]))
    text = cells(sheet.frame[column])
    signed = next(i for i, cell in enumerate(text) if cell.endswith("%"))
    return (
        f"{text[signed]!r} in row {sheet.frame.index[signed]} has a percent sign and "
        f"{bare!r} in row {row} has none"
    )


def _columns_of_numbers(sheet: Sheet, found: Mapping[str, Numbers]) -> tuple[list[str], list[str]]:
    """Choose the columns whose cells are numbers; tell why the others are left out."""
    chosen: list[str] = []
    text: list[str] = []
    empty: list[str] = []
    notes: list[str] = []
    for column, parsed in found.items():
        wrong, filled = len(parsed.wrong), int((~np.isnan(parsed.values)).sum())
        if not wrong and parsed.bare.size:
            mixed = _mixed(sheet, column, parsed)
            notes.append(f"Column {column!r} is not used as a factor: {mixed}.")
        elif not wrong:
            (chosen if filled else empty).append(column)
        elif wrong >= filled:
            text.append(column)
        else:
            cell, row = _cell(sheet, column, int(parsed.wrong[0]))
            notes.append(
                f"Column {column!r} is not used as a factor: {wrong:,} of {wrong + filled:,} "
                f"cells are not numbers, such as {cell!r} in row {row}."
            )
    if not chosen:
        spoilt = [_cell(sheet, column, int(found[column].wrong[0])) for column in text]
        notes += [
            f"Column {column!r} is text, such as {cell!r} in row {row}."
            for column, (cell, row) in zip(text, spoilt, strict=True)
        ]
        raise ValueError(
            f"{sheet.source} has no column of numbers to use as a factor; besides item, target, "
            f"group and category it has {', '.join(map(repr, found)) or 'no column'}. "
            + " ".join(notes[:SHOWN])
        )
    if text:
        notes.append(f"Columns of text, not used as factors: {', '.join(map(str, text))}.")
    if empty:
        notes.append(f"Columns without any value, not used: {', '.join(map(str, empty))}.")
    return chosen, notes
