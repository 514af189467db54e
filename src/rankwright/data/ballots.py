"""Votes from files of either kind: tables of positions or scores, and PrefLib's orders."""

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.data.no_factors import ROW_NAME
from rankwright.data.numbers import Numbers
from rankwright.data.preflib import KINDS, VoterOrders, read_preflib
from rankwright.data.rated_rows import notes_of_ranks, printed_ranks
from rankwright.data.sheet import Sheet, cell, cells, listed_columns, numbers, require_columns
from rankwright.data.sources import as_sheet
from rankwright.data.summary_columns import is_summary
from rankwright.data.unrated import read_numbers

__all__ = ["read_ballots"]

GRADES = ("stars", "points")  # notations that nobody prints places in


def read_ballots(
    path: str | PathLike[str],
    *,
    item: str | None = None,
    voters: Sequence[str] = (),
    scores: bool | None = None,
) -> pd.DataFrame | VoterOrders:
    """Read a table of votes, or a PrefLib file with the number of voters of each order.

    Positions may be printed as ``1st``, ``=2`` or ``T-3``. With ``scores=None`` the numbers are
    positions, and refused if they look like scores: read as positions they would turn the order
    around.
    """
    if Path(path).suffix.lower().removeprefix(".") in KINDS:
        if voters:
            raise ValueError(f"{Path(path).name} holds orders, which have no columns of voters")
        return read_preflib(path)
    wanted = [*voters, *([] if item is None else [item])]
    sheet = as_sheet(path, wanted)
    require_columns(sheet, wanted)
    names = _names(sheet, voters) if item is None else item
    given = [name for name in voters if name != names]
    chosen, said = (given, []) if given else _voters(sheet, names)
    sheet = replace(sheet, frame=sheet.frame[[names, *chosen]]).noting(*said, first=True)
    found = {name: _read(sheet, name, scores=bool(scores)) for name in chosen}
    odd = {name for name in chosen if len(numbers(sheet, name).wrong)}
    read = {name: one.values for name, one in found.items() if name in odd and not len(one.wrong)}
    notes = [note for name in read for note in _notes(sheet, name, found[name], bool(scores))]
    numbered = replace(sheet, frame=sheet.frame.assign(**read), memory={}, ranks={})
    votes = read_numbers(numbered.noting(*notes), item=names)
    if scores is None and (why := _unlike_positions(sheet, votes)):
        raise ValueError(
            f"{sheet.source} looks like scores rather than positions: {why}; say which they are "
            "(--scores if larger is better, --positions if 1 is best), or name the columns that "
            "vote (--voters A,B,C)"
        )
    return votes


def _names(sheet: Sheet, voters: Sequence[str]) -> str:
    """Return the first column, or the first of names if that one is a rank, a year or a number."""
    columns = [str(name) for name in sheet.frame.columns if name not in voters]
    if not columns:
        raise ValueError(f"{sheet.source} has no column of names beside the voters; name fewer")
    first = columns[0]
    if is_summary(first) or ROW_NAME.fullmatch(first):
        for name in columns[1:]:
            texts = cells(sheet.frame[name])
            if _is_text(sheet, name) and len(set(texts)) == len(texts):
                return name
    return first


def _voters(sheet: Sheet, names: str) -> tuple[list[str], list[str]]:
    """Return the columns that vote, and a sentence that says which."""
    columns = [str(name) for name in sheet.frame.columns if name != names]
    texts = [name for name in columns if _is_text(sheet, name)]
    voting = [name for name in columns if name not in texts]
    if not voting:
        return columns, []  # what is wrong with their cells is said where they are read
    voters = [name for name in voting if not (is_summary(name) or ROW_NAME.fullmatch(name))]
    if len(voters) < 2:
        voters = voting
    left = [name for name in columns if name not in voters]
    beside = f"; left out: {listed_columns(left)} (--voters A,B,C chooses)" if left else ""
    return voters, [f"Voters are {listed_columns(voters)}{beside}."]


def _is_text(sheet: Sheet, column: str) -> bool:
    """Tell whether a column holds texts alone: neither numbers nor places."""
    found = printed_ranks(sheet, column).numbers
    return bool(len(found.wrong)) and not found.n_filled


def _read(sheet: Sheet, column: str, *, scores: bool) -> Numbers:
    """Read a voter's cells; of what only ranks are printed as, scores may have a plus alone."""
    ranks = printed_ranks(sheet, column)
    is_plain = not scores or ranks.forms.keys() <= {"open"}
    return ranks.numbers if is_plain else numbers(sheet, column)


def _notes(sheet: Sheet, column: str, found: Numbers, scores: bool) -> list[str]:
    if not scores:
        return notes_of_ranks(sheet, column)
    n_open, first = printed_ranks(sheet, column).forms["open"]
    text, row = cell(sheet, column, first)
    others = " and others like it were" if n_open > 1 else " was"
    return [
        f"{text!r} (row {row}, column {column!r}){others} read as {found.values[first]:g}: "
        "a score without an upper end."
    ]


def _unlike_positions(sheet: Sheet, votes: pd.DataFrame) -> str | None:
    """Say why the numbers can't be the positions of these items; None if they can."""
    for name, column in votes.items():
        for notation in GRADES:
            if (first := numbers(sheet, str(name)).notations.get(notation)) is not None:
                text, row = cell(sheet, str(name), first)
                return f"{text!r} in row {row} of {name!r} is a grade"
        known = column.dropna()
        if "open" in printed_ranks(sheet, str(name)).forms:
            known = np.floor(known)  # a half behind the place that is printed
        for looks_wrong, why in UNLIKE:
            wrong = looks_wrong(known.to_numpy(), len(votes))
            if wrong.any():
                value, whose = known[wrong].iloc[0], known.index[wrong][0]
                return f"{value:g} for {whose!r} in {name!r} {why.format(n=len(votes))}"
    least = votes.min()
    # k tied at the top may have (1 + k) / 2. A voter may leave the best one out, most do not.
    late = least[least > (1 + (votes == least).sum()) / 2]
    if 2 * len(late) > len(least):
        return f"the smallest number in {late.index[0]!r} is {late.iloc[0]:g}"
    return None


def _no_halves_of_ties(values: NDArray[np.float64], n_items: int) -> NDArray[np.bool_]:
    """Tell which values are fractions, but for halves that an even number of items share."""
    shared = pd.Series(values).groupby(values).transform("size").to_numpy()
    is_half = (values * 2 == np.round(values * 2)) & (shared % 2 == 0)
    return np.asarray((values != np.round(values)) & ~is_half)


UNLIKE = (
    (lambda values, n_items: values < 1, "is below 1"),
    (_no_halves_of_ties, "is a fraction, and no half that tied items share"),
    (lambda values, n_items: values > n_items, "is larger than the number of items, {n}"),
)
