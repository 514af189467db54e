"""The rows of a sheet that are rated, and what their ranks or scores are."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.data.cells import distinct_texts
from rankwright.data.columns import finite, item_names, notation_notes, wrong_cells
from rankwright.data.numbers import Numbers
from rankwright.data.numerals import is_number
from rankwright.data.observations import count, doubts, examples, stand_ins
from rankwright.data.printed_ranks import MEANINGS, PrintedRanks, read_ranks
from rankwright.data.sheet import (
    Sheet,
    are_empty,
    cell,
    cells,
    distinct,
    may_begin_with,
    numbers,
    texts_of,
)
from rankwright.data.targets import without_categories

__all__ = [
    "RatedRows",
    "items_alone",
    "notes_of_ranks",
    "printed_ranks",
    "rated_rows",
    "without_averages",
    "without_lone_numbers",
    "without_summaries",
    "without_sums",
    "without_totals",
]

TOTALS = re.compile(  # or no name at all
    r"((grand|sub)?[ -]?totals?|sum|average|avg|mean|median|count|summe|(ins)?gesamt(summe)?|"
    r"mittel(wert)?|durchschnitt|ø|totale|totaux|somme|moyennes?|médiane|ensemble|suma|promedio|"
    r"media|mediana|totaal|gemiddelde)(?!\w).*|",
    re.IGNORECASE,
)
# Of rows above, between or below: never one alone, which may be a name.
SUMMARY_WORDS = (
    r"averages?|avg|means?|medians?|min(imum)?|max(imum)?|totals?|std\.?|standard deviation|"
    r"weights?|mittelwert|median|minimum|maximum|moyenne|médiane|promedio|mediana"
)
SUMMARIES = re.compile(rf"({SUMMARY_WORDS})(\s*\(.*\))?", re.IGNORECASE)
BEGINNINGS = frozenset(word[:2] for word in SUMMARY_WORDS.split("|"))
CLOSE = 0.005  # relative: averages are rounded


@dataclass(frozen=True, eq=False)
class RatedRows:
    """The rows that have a rank or score: the sheet without the others, values and their prints."""

    sheet: Sheet
    values: NDArray[np.float64]
    printed: NDArray[Any]  # as the source shows them


def printed_ranks(sheet: Sheet, column: str) -> PrintedRanks:
    """Read a column of ranks, whichever way they are printed."""
    if column not in sheet.ranks:
        found = numbers(sheet, column)
        texts = distinct(sheet.frame[column]) if len(found.wrong) else distinct_texts([])
        sheet.ranks[column] = read_ranks(texts, found)
    return sheet.ranks[column]


def without_totals(sheet: Sheet, item: str, target: str, *, unrated: bool = True) -> Sheet:
    """Leave out sums and averages below the table, and say so.

    Those without a rank or score count if `unrated`: among items to be ranked, one that is called
    Total and has no rank may be new; but not one without a name, with the word in place of a rank.
    """
    end = _end_of_items(sheet, item)
    if end == len(sheet.frame):
        return sheet
    values = numbers(sheet, target).values
    if np.isnan(values).any():  # places such as 3. and =3 count in averages
        values = np.where(np.isnan(values), printed_ranks(sheet, target).numbers.values, values)
    body = values[:end][~np.isnan(values[:end])]
    if not body.size:
        return sheet
    # A last product may really be called Total: its own rank is none of these.
    totals = [body.sum(), body.mean(), np.median(body), body.size, *([np.nan] if unrated else [])]
    is_total = np.isclose(values[end:, None], totals, rtol=1e-9, atol=0.005, equal_nan=True)
    is_word = [
        bool(word) and not name and TOTALS.fullmatch(word) is not None
        for name, word in zip(
            *(cells(sheet.frame[column].iloc[end:]) for column in (item, target)), strict=True
        )
    ]
    found = is_total.any(axis=1) | _is_average_place(values[end:], body) | np.array(is_word)
    return _without(sheet, item, end + np.flatnonzero(found))


def without_summaries(sheet: Sheet, item: str) -> Sheet:
    """Leave out rows that are called average, minimum and the like, of whatever list they are."""
    rows = may_begin_with(sheet.frame[item], BEGINNINGS)
    names = texts_of(sheet.frame[item].iloc[rows])
    called = {name for name in set(names) if SUMMARIES.fullmatch(name)}
    if len(called) < 2:
        return sheet
    found = np.zeros(len(sheet.frame), dtype=bool)
    found[rows] = np.isin(names, list(called))
    listed = examples(map(repr, sorted(called)), len(called))
    return sheet.keep(~found, f"{count(int(found.sum()), 'row')} left out as summaries: {listed}.")


def without_averages(sheet: Sheet, item: str, factors: Iterable[str]) -> Sheet:
    """Leave out rows below items that are called sums or averages, and are those of the factors.

    So it is told from a new product of that name, whether there are ranks or not.
    """
    end = _end_of_items(sheet, item)
    columns = [name for name in factors if name in sheet.frame.columns]
    if not columns:
        return sheet
    values = np.column_stack([numbers(sheet, name).values for name in columns])
    body, below = values[:end], values[end:]
    of_each = [one[~np.isnan(one)] for one in body.T]
    known = [(one.sum(), one.mean(), np.median(one)) for one in of_each if len(one)]
    if len(known) < len(columns):
        return sheet
    is_one = np.isclose(below[:, :, None], np.array(known), rtol=CLOSE, atol=0).any(axis=2)
    are_most = 2 * is_one.sum(axis=1) > (~np.isnan(below)).sum(axis=1)
    return _without(sheet, item, end + np.flatnonzero(are_most))


def without_sums(sheet: Sheet, item: str, columns: Iterable[str]) -> Sheet:
    """Leave out the rows that sum up the others in columns of numbers."""
    return without_averages(without_summaries(sheet, item), item, columns)


def items_alone(sheet: Sheet, item: str, factors: Iterable[str], target: str | None) -> Sheet:
    """Leave out the rows that sum up others, of items some of which may have no rank yet."""
    sheet = without_sums(without_lone_numbers(sheet, item), item, factors)
    return sheet if target is None else without_totals(sheet, item, target, unrated=False)


def without_lone_numbers(sheet: Sheet, item: str) -> Sheet:
    """Leave out nameless rows that hold nothing but one number, as the number of a page."""
    nameless = np.flatnonzero(are_empty(sheet.frame[item]))
    if not len(nameless):
        return sheet
    rows = sheet.frame.iloc[nameless]
    texts = zip(*(cells(rows[column]) for column in rows.columns), strict=True)
    filled = [list(filter(None, row)) for row in texts]
    found = [i for i, row in enumerate(filled) if len(row) == 1 and is_number(row[0])]
    if not found:
        return sheet
    kept = np.ones(len(sheet.frame), dtype=bool)
    kept[nameless[found]] = False
    shown = (f"{filled[i][0]!r} in row {rows.index[i]}" for i in found)
    return sheet.keep(
        kept,
        f"{count(len(found), 'row')} left out, without a name and with nothing but one number, as "
        f"the number of a page: {examples(shown, len(found))}.",
    )


def _end_of_items(sheet: Sheet, item: str) -> int:
    """Return the first of the last rows that are all called totals, or their number."""
    names = sheet.frame[item]
    end = len(names)
    while end and TOTALS.fullmatch(cells(names.iloc[[end - 1]])[0]):
        end -= 1
    return end


def _without(sheet: Sheet, item: str, totals: NDArray[np.intp]) -> Sheet:
    if not totals.size:
        return sheet
    called = zip(sheet.frame.index[totals], cells(sheet.frame[item].iloc[totals]), strict=True)
    shown = [f"row {row}" + (f" ({name!r})" if name else "") for row, name in called]
    kept = np.ones(len(sheet.frame), dtype=bool)
    kept[totals] = False
    return sheet.keep(kept, f"Rows left out as totals below the table: {', '.join(shown)}.")


def _is_average_place(values: NDArray[np.float64], body: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell which values are a fraction where all others are whole and mostly differ, as places."""
    are_places = bool((body == np.round(body)).all()) and 2 * len(np.unique(body)) > len(body)
    inside = (values > body.min()) & (values < body.max())
    found: NDArray[np.bool_] = are_places & inside & (values != np.round(values))
    return found


def rated_rows(sheet: Sheet, item: str, target: str, target_is: str) -> RatedRows:
    """Keep the rows that have a rank or score, and tell of the others."""
    sheet = without_totals(without_summaries(sheet, item), item, target)
    sheet = without_lone_numbers(sheet, item)
    found, notes = _values(sheet, target, target_is)
    values = finite(sheet, target, found)
    printed = texts_of(sheet.frame[target])
    if target_is == "rank" and len(shared := _places_above(values, are_empty(sheet.frame[target]))):
        ranked = np.flatnonzero(~np.isnan(values))
        values = values.copy()
        values[shared] = values[ranked[np.searchsorted(ranked, shared) - 1]]
        notes = [
            *notes,
            f"{count(len(shared), 'row')} without a rank share the place above, because the ranks "
            f"below count them (row {examples(sheet.frame.index[shared], len(shared))}).",
        ]
    of_target = {target: found}
    sheet = sheet.noting(*notes, *doubts(sheet, of_target), *stand_ins(sheet, of_target))
    unrated = np.isnan(values)
    if not unrated.any():
        return RatedRows(sheet, values, printed)
    gone = item_names(sheet, item)[unrated]
    unreadable = f" ({wrong_cells(sheet, target, found)} can't be read)" if len(found.wrong) else ""
    note = (
        f"{count(len(gone), 'row')} without a value in {target!r} left out{unreadable}: "
        f"{examples(map(repr, gone), len(gone))}."
    )
    return RatedRows(sheet.keep(~unrated, note), values[~unrated], printed[~unrated])


def _places_above(values: NDArray[np.float64], are_empty: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the rows between ranked ones whose empty cell says that they share the place above.

    That is so where every rank is the number of its row, empty ones counted.
    """
    empty = np.flatnonzero(are_empty)
    known = np.flatnonzero(~np.isnan(values))
    between: NDArray[np.int64] = empty[(empty > known[0]) & (empty < known[-1])]
    is_counted = (values[known] == known + 1).all()
    is_all = len(between) == known[-1] + 1 - len(known)  # no cell that can't be read
    return between if len(between) > 1 and is_counted and is_all else between[:0]


def _values(sheet: Sheet, target: str, target_is: str) -> tuple[Numbers, list[str]]:
    """Read the target as ranks, as numbers, or as the order of an ordered categorical of texts."""
    dtype = sheet.frame[target].dtype
    if isinstance(dtype, pd.CategoricalDtype) and dtype.ordered:
        found = numbers(sheet, target)
        if not len(found.wrong):
            return found, []
        worst, best = dtype.categories[[0, -1]]
        note = f"{target!r} counts by the order of its categories, from {worst!r} to {best!r}."
        return Numbers(without_categories(sheet.frame[target])), [note]
    if target_is != "rank":
        found = numbers(sheet, target)
        return found, notation_notes(sheet, target, found)
    return printed_ranks(sheet, target).numbers, notes_of_ranks(sheet, target)


def notes_of_ranks(sheet: Sheet, column: str) -> list[str]:
    """Tell which forms of print and which other notations a column of ranks holds."""
    notes = notation_notes(sheet, column, numbers(sheet, column))
    said = [
        f"{many:,} such as {cell(sheet, column, first)[0]!r} as {MEANINGS[form]}"
        for form, (many, first) in printed_ranks(sheet, column).forms.items()
    ]
    if said:
        notes.append(f"Ranks in {column!r} read as printed: {', '.join(said)}.")
    return notes
