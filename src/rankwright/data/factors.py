"""Factors of a sheet: those asked for, or every column of numbers that may be one."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.data.columns import (
    about_formulas,
    finite,
    mixed_marks,
    mixture,
    notation_notes,
    unread,
)
from rankwright.data.no_factors import (
    CONSTANT,
    LOOKS_LIKE,
    RANK_NAME,
    SCORE_WORD,
    TOTAL_WORD,
    Order,
    runs_against,
    why_no_factor,
    why_of_other_year,
)
from rankwright.data.notations import is_clock
from rankwright.data.numbers import Numbers
from rankwright.data.numerals import is_missing
from rankwright.data.observations import SHOWN, count, doubts, examples, stand_ins
from rankwright.data.rated_rows import printed_ranks
from rankwright.data.remedies import IS_MISSING
from rankwright.data.score_parts import ScoreParts, score_parts, without_part
from rankwright.data.sheet import Sheet, cell, cells, distinct, numbers, require_columns

__all__ = ["category_factors", "few_texts", "read_factors", "readings"]

Floats = NDArray[np.float64]
MOST_TEXTS = 12
MOST_ROWS, MOST = 2_000, 0.95  # rows that tell which columns make a sum, and the share it fits
FINE = 1e-9  # relative: what adding up floats may be off by
MOST_GROUPS = 50  # whose scores are looked at one by one
MEASURE = re.compile(  # 12 kg, 3,5 Zoll, (12), 1:05
    r"\s*[(+\-–−]?[$€£¥]?\d[\d.,:'’]*\)?\s*(?:[^\W\d_][^\d\s]{0,7})?\s*"
)
ANSWER = re.compile(r"(?P<column>.+) = (?P<value>.*)", re.DOTALL)


def read_factors(
    sheet: Sheet, labels: Sequence[str], factors: Sequence[str] | None, order: Order | None = None
) -> tuple[pd.DataFrame, list[str]]:
    """Read the factors given, or every column of numbers that has no other role.

    With the published order, columns that are this order, number the rows, or say nothing are left
    out; the notes tell which.
    """
    others = [name for name in sheet.frame.columns if name not in labels]
    made = {
        name: made_of for name in factors or [] if (made_of := _made(sheet, str(name))) is not None
    }
    require_columns(sheet, [name for name in factors or [] if name not in made])
    found = {name: numbers(sheet, name) for name in (factors or others) if name not in made}
    chosen = list(found)
    notes: list[str] = []
    if factors is None:
        chosen, notes = _columns_of_numbers(sheet, found)
        chosen, left_out = _without_lookalikes({name: found[name] for name in chosen}, order)
        notes += left_out
    read = {name: finite(sheet, name, found[name]) for name in chosen}
    X = pd.DataFrame(
        {str(name): made[name] if name in made else read[name] for name in factors or chosen},
        index=sheet.frame.index,
        copy=False,
    )
    if order is not None:
        notes += _against(sheet, [name for name in others if name not in chosen], order)
    return X, [*notes, *readings(sheet, {name: found[name] for name in chosen})]


def category_factors(sheet: Sheet, columns: Sequence[str]) -> tuple[pd.DataFrame, list[str]]:
    """Make a factor of 0 and 1 for each text of a column but the most frequent one."""
    require_columns(sheet, columns)
    made: dict[str, NDArray[np.float64]] = {}
    notes = []
    for column in columns:
        text = pd.Series(cells(sheet.frame[column]))
        known = text[~text.map(is_missing)]
        sizes = known.sort_values().value_counts()  # of equals the first one is the usual
        if not 2 <= len(sizes) <= len(text) / 2:
            raise ValueError(
                f"{sheet.source}, column {column!r} holds {count(len(sizes), 'different text')} in "
                f"{count(len(text), 'row')}; 0/1 factors need at least two, each used repeatedly"
            )
        usual = sizes.index[0]
        for value in sorted(sizes.index[1:]):
            made[f"{column} = {value}"] = np.where(text.map(is_missing), np.nan, text == value)
        notes.append(f"{column!r} counts as 0/1 factors, compared with {usual!r}.")
    return pd.DataFrame(made, index=sheet.frame.index, dtype=np.float64), notes


def few_texts(sheet: Sheet, column: str) -> list[str] | None:
    """Return the different texts of a column if they are few, and used repeatedly."""
    different = {text for text in distinct(sheet.frame[column]).texts if not is_missing(text)}
    most = min(MOST_TEXTS, len(sheet.frame) / SHOWN)
    return sorted(different) if 2 <= len(different) <= most else None


def _made(sheet: Sheet, name: str) -> NDArray[np.float64] | None:
    """Make the factor of 0 and 1 that a name without a column asks for; None if it asks for none.

    It says whether a column holds a text, or whether another factor is missing.
    """
    if name in sheet.frame.columns:
        return None
    of = name.removesuffix(IS_MISSING)
    if of == name:
        return _answer(sheet, name)
    is_column = of in sheet.frame.columns
    values = finite(sheet, of, numbers(sheet, of)) if is_column else _answer(sheet, of)
    return None if values is None else np.isnan(values).astype(np.float64)


def _answer(sheet: Sheet, name: str) -> NDArray[np.float64] | None:
    """Make the factor that says whether a column holds a text, as ``category_factors`` names it."""
    match = ANSWER.fullmatch(name)
    if match is None or match["column"] not in sheet.frame.columns:
        return None
    text = cells(sheet.frame[match["column"]])
    return np.array([np.nan if is_missing(one) else float(one == match["value"]) for one in text])


def _against(sheet: Sheet, columns: Sequence[str], order: Order) -> list[str]:
    """Tell of ranks that say of the scores that their smallest are the best."""
    named = [str(name) for name in columns if RANK_NAME.fullmatch(str(name))]
    ranks = {name: printed_ranks(sheet, name).numbers.values for name in named}
    return [
        f"{name!r} (1 is best) runs against {order.target!r} (larger is better): if smaller is "
        "better there, pass target_is='rank'."
        for name, values in ranks.items()
        if runs_against(name, values, order)
    ]


def _without_lookalikes(
    found: Mapping[str, Numbers], order: Order | None
) -> tuple[list[str], list[str]]:
    """Leave out columns that are no factors, unless none would be left."""
    if order is None:
        return list(found), []
    reasons = {
        name: why
        for name, parsed in found.items()
        if (
            why := why_of_other_year(str(name), order, found)
            or why_no_factor(str(name), parsed.values, order)
        )
    }
    reasons = _without_sums({name: parsed.values for name, parsed in found.items()}, reasons)
    chosen = {name: parsed.values for name, parsed in found.items() if name not in reasons}
    if not chosen:
        why_none = (f"{name!r} {why.partition(';')[0]}" for name, why in reasons.items())
        listed = examples(why_none, len(reasons))
        return list(found), [
            f"No column of numbers looks like a factor, so all are used: {listed}."
        ]
    notes = _reasons(reasons)
    scores = {name: found[name].values for name in reasons if SCORE_WORD.search(str(name))}
    if order.target_is == "score":
        scores = {order.target: order.y}
    for name, score in scores.items():
        if (parts := score_parts(score, chosen)) is not None:
            gone = without_part(score, chosen, parts)
            return [one for one in chosen if one not in gone], notes + _parts(name, parts, gone)
        gone, said = _by_group(name, score, chosen, order.groups)
        if gone:
            return [one for one in chosen if one not in gone], notes + said
    return list(chosen), notes


def _without_sums(columns: Mapping[str, Floats], reasons: Mapping[str, str]) -> dict[str, str]:
    """Leave out plain sums rather than what they add up, though it may look like the order.

    With both, nothing tells the weight of the sum from those of its parts.
    """
    alike = {name for name, why in reasons.items() if LOOKS_LIKE in why}
    known = {name: one for name, one in columns.items() if name in alike or name not in reasons}
    found = dict(reasons)
    n = len(next(iter(columns.values()), []))
    rows = np.linspace(0, n - 1, min(n, MOST_ROWS)).astype(np.int64)
    for name, values in known.items():
        # To look at all columns would take long: those that are called so, or may add up the order.
        is_called = TOTAL_WORD.search(str(name)) is not None
        if not (is_called or any((values >= known[one]).all() for one in alike - {name})):
            continue
        others = {one: column[rows] for one, column in known.items() if one != name}
        parts = score_parts(values[rows], others)
        if parts is None or not parts.is_total:
            continue
        missed = np.abs(values - np.sum([known[part] for part in parts.names], axis=0))
        rounded = 2 * np.nanquantile(missed[rows], MOST) + FINE * np.nanmax(np.abs(values))
        if np.nanquantile(missed, MOST) > rounded:  # it is one in the rows looked at only
            continue
        added = [one for one in known if one in parts.names]
        for part in added:
            found.pop(part, None)
        found.setdefault(
            name,
            f"is the sum of {', '.join(map(repr, added))}, from which nothing tells its "
            "weight apart; factors=[...] includes it anyway",
        )
    return found


def _by_group(
    name: str, score: Floats, columns: Mapping[str, Floats], groups: NDArray[Any] | None
) -> tuple[list[str], list[str]]:
    """List the columns that are no part of a score in any group that tells, and say so.

    So a table of several years tells its factors though the weights have changed. Most groups have
    to tell: in some a part may be missing too often.
    """
    labels = [] if groups is None else pd.unique(groups[~np.isnan(score)]).tolist()
    if len(labels) > MOST_GROUPS:
        return [], []
    found = []
    for label in labels:
        rows = np.flatnonzero(groups == label)
        here = {other: values[rows] for other, values in columns.items()}
        if (parts := score_parts(score[rows], here)) is not None:
            found.append(set(without_part(score[rows], here, parts)))
    gone = [one for one in columns if all(one in group for group in found)]
    if not gone or 2 * len(found) <= len(labels):
        return [], []
    listed = examples(map(repr, gone), len(gone))
    return gone, [
        f"{name!r} is a weighted sum of other columns in {len(found)} of {len(labels)} groups, by "
        f"plain least squares, and in none of these can so much as 1% of it be {listed}: not used "
        f"as factors; factors=[...] includes {'it' if len(gone) == 1 else 'them'} anyway."
    ]


def _reasons(reasons: Mapping[str, str]) -> list[str]:
    """Tell why columns are no factors, those of one value at once where they are many."""
    constant = [name for name, why in reasons.items() if why.endswith(CONSTANT)]
    many = len(constant) > SHOWN
    notes = [
        f"{name!r} is not used as a factor: it {why}."
        for name, why in reasons.items()
        if not (many and name in constant)
    ]
    if many:
        listed = examples(map(repr, constant), len(constant))
        notes.append(f"Not used as factors, with one value {CONSTANT}: {listed}.")
    return notes


def _parts(score: str, parts: ScoreParts, gone: Sequence[str]) -> list[str]:
    """Tell which columns are no part of a score that others give to the last digit."""
    if not gone:
        return []
    listed = examples(map(repr, gone), len(gone))
    return [
        f"{score!r} is {parts}, and no other column can make up 1% of it. Not used as factors: "
        f"{listed}; factors=[...] includes {'it' if len(gone) == 1 else 'them'} anyway."
    ]


def readings(sheet: Sheet, found: Mapping[str, Numbers]) -> list[str]:
    """Tell what had to be understood to read the columns."""
    notes = []
    percents = [str(name) for name, parsed in found.items() if parsed.percent]
    if percents:
        notes.append(f"Percentages read as fractions (5% is 0.05): {', '.join(percents)}.")
    for name, parsed in found.items():
        notes += notation_notes(sheet, name, parsed)
        notes += unread(sheet, name, parsed)
    return [*notes, *doubts(sheet, found), *stand_ins(sheet, found)]


def _columns_of_numbers(sheet: Sheet, found: Mapping[str, Numbers]) -> tuple[list[str], list[str]]:
    """Choose the columns whose cells are numbers; tell why the others are left out."""
    chosen: list[str] = []
    text: list[str] = []
    empty: list[str] = []
    notes: list[str] = []
    for column, parsed in found.items():
        wrong, filled = len(parsed.wrong), parsed.n_filled
        if not wrong and not filled:
            empty.append(column)
        elif parsed.is_mostly_read and (mixed := mixture(sheet, column, parsed)):
            notes.append(f"Column {column!r} is not used as a factor: {mixed}.")
        elif parsed.is_mostly_read:
            chosen.append(column)
        elif _is_rank(sheet, str(column)):
            notes.append(f"{column!r} is not used as a factor: it is another rank.")
        elif mixed := mixed_marks(sheet, column, parsed):
            notes.append(
                f"Column {column!r} is not used as a factor: {mixed}; write all of them alike."
            )
        elif wrong >= filled:
            text.append(column)
        else:
            one, row = cell(sheet, column, int(parsed.wrong[0]))
            notes.append(
                f"Column {column!r} is not used as a factor: {wrong:,} of {wrong + filled:,} "
                f"cells are not numbers, such as {one!r} in row {row}."
            )
    if not chosen:
        raise ValueError(_no_factors(sheet, found, text, notes))
    return chosen, [*notes, *_texts(sheet, text), *_empty(sheet, empty)]


def _is_rank(sheet: Sheet, column: str) -> bool:
    """Tell whether a column that is no plain numbers holds ranks as people print them."""
    is_named = RANK_NAME.fullmatch(column) is not None
    return is_named and printed_ranks(sheet, column).numbers.is_mostly_read


def _no_factors(
    sheet: Sheet, found: Mapping[str, Numbers], text: Sequence[str], notes: Sequence[str]
) -> str:
    spoilt = [(column, *cell(sheet, column, int(found[column].wrong[0]))) for column in text]
    shown = [
        f"Column {column!r} is text, such as {one!r} in row {row}." for column, one, row in spoilt
    ]
    has = (
        f"{sheet.source} has no column of numbers to use as a factor; besides item, target, "
        f"group and category it has {', '.join(map(repr, found)) or 'no column'}."
    )
    remedy = "Write the numbers of each factor alone, without words or units, in its own column."
    return " ".join([has, *[*notes, *shown][:SHOWN], remedy])


def _texts(sheet: Sheet, columns: Sequence[str]) -> list[str]:
    """Offer columns of few texts as groups or factors, and name the others."""
    few = {column: texts for column in columns if (texts := few_texts(sheet, column)) is not None}
    notes = [
        f"Column {column!r} holds {len(texts)} texts ({examples(map(repr, texts), len(texts))}): "
        f"it is not used; group={column!r} compares within each, category_factors=[{column!r}] "
        "makes 0/1 factors of them."
        for column, texts in few.items()
    ]
    rest = [str(column) for column in columns if column not in few]
    measured = {column: shown for column in rest if (shown := _first_measure(sheet, column))}
    notes += [
        f"Column {column!r} is not used as a factor: its cells can't be read as numbers, such as "
        f"{shown}; write the numbers alone to use it."
        for column, shown in measured.items()
    ]
    if rest := [column for column in rest if column not in measured]:
        notes.append(f"Columns of text, not used as factors: {', '.join(rest)}.")
    return notes


def _first_measure(sheet: Sheet, column: str) -> str | None:
    """Show the first odd cell of a column whose cells all are numbers, or numbers in some dress."""
    found = distinct(sheet.frame[column])
    filled = [one for one in found.texts if not is_missing(one)]
    if not all(map(MEASURE.fullmatch, filled)):
        return None
    one, row = cell(sheet, column, int(numbers(sheet, column).wrong[0]))
    two_ways = ", which may be a time or a ratio" if is_clock(one) else ""
    return f"{one!r} in row {row}{two_ways}"


def _empty(sheet: Sheet, columns: Sequence[Any]) -> list[str]:
    if not columns:
        return []
    listed = examples(columns, len(columns))
    return [f"Columns without any value, not used: {listed}{about_formulas(sheet)}."]
