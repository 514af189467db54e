"""Wins as counts: in a matrix of items by items, or in columns for both sides of a pair."""

from dataclasses import replace

import numpy as np
import pandas as pd

from rankwright.data.sheet import Sheet, cell, cells, numbers
from rankwright.leaderboards.battles import Columns, amounts
from rankwright.leaderboards.columns import BattleGuess
from rankwright.leaderboards.outcomes import BoolArray, FloatArray

__all__ = ["guess_matrix", "one_outcome_each"]

OUTCOME, COUNT = "outcome of a tally", "count of a tally"
WORDS = ("left", "right", "tie")


def one_outcome_each(sheet: Sheet, columns: Columns) -> tuple[Sheet, Columns]:
    """Return rows of wins, losses and ties as rows of one outcome each, with its count."""
    if columns.wins is None:
        return sheet, columns
    parts = []
    for word, column in zip(WORDS, columns.wins, strict=False):
        part = sheet.frame.copy()
        part[OUTCOME], part[COUNT] = word, amounts(sheet, column)
        parts.append(part)
    read = replace(columns, outcome=OUTCOME, counts=COUNT, wins=None)
    return replace(sheet, frame=pd.concat(parts), memory={}, ranks={}), read


def guess_matrix(sheet: Sheet) -> tuple[Sheet, BattleGuess] | None:
    """Read a table whose rows and columns are the same items: how often the one beat the other."""
    frame = sheet.frame
    columns = [str(name) for name in frame.columns]
    unnamed = len(frame) == len(columns) and isinstance(frame.index, pd.RangeIndex)
    if len(frame) == len(columns) - 1:
        names, columns = cells(frame[columns[0]]), columns[1:]
    elif len(frame) == len(columns):
        names = [str(name) for name in frame.index]
    else:
        return None
    if set(columns) != set(names) or len(set(names)) < max(len(names), 2):
        return None
    place = {name: number for number, name in enumerate(names)}
    if any(set(numbers(sheet, name).wrong.tolist()) - {place[name]} for name in columns):
        return None
    wins = np.column_stack([numbers(sheet, name).values for name in columns])
    own = np.array([place[name] for name in columns]), np.arange(len(columns))
    # Rows and columns that nobody named are numbered alike: then only an empty diagonal tells.
    if unnamed and (np.nan_to_num(wins[own]).any() or _no_counts(wins).any()):
        return None
    wins[own] = np.nan
    _check(sheet, columns, wins)
    left, right = np.nonzero(wins > 0)
    battles = pd.DataFrame(
        {
            "left": np.array(names, dtype=object)[left],
            "right": np.array(columns, dtype=object)[right],
            OUTCOME: WORDS[0],
            COUNT: wins[left, right],
        },
        index=frame.index[left],
    )
    reason = "Rows and columns are the same items: cells count how often the row beat the column."
    guess = BattleGuess(Columns("left", "right", OUTCOME, COUNT), (reason,))
    return replace(sheet, frame=battles, memory={}, ranks={}), guess


def _no_counts(wins: FloatArray) -> BoolArray:
    return np.asarray((wins < 0) | ((wins != np.round(wins)) & ~np.isnan(wins)))


def _check(sheet: Sheet, columns: list[str], wins: FloatArray) -> None:
    wrong = _no_counts(wins)
    if wrong.any():
        row, column = (int(found) for found in np.argwhere(wrong)[0])
        text, shown = cell(sheet, columns[column], row)
        raise ValueError(
            f"{sheet.source} has the same items in rows and columns, and {text!r} in row {shown}; "
            "give how often the row's item beat the column's, in whole numbers"
        )
