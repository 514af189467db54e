"""Rankings in tables: a ballot in each row, a place in each row, or a rank in each cell."""

import re
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from rankwright.data import VoterOrders
from rankwright.data.observations import count, examples
from rankwright.data.sheet import Sheet, cell, cells, numbers
from rankwright.leaderboards.columns import CLUSTER, COUNTS, holds_texts, named
from rankwright.leaderboards.outcomes import FloatArray

__all__ = ["BallotTable", "cells_of_judges", "guess_ballots", "guess_places"]

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
            "tenth")  # fmt: skip
PLACE = (
    r"(?:rank|place|choice|position|pos|preference|pref|pick|vote|top)?[ _.#-]*(\d+)"
    r"(?:st|nd|rd|th)?(?:[ _.-]*(?:rank|place|choice|preference|pick))?"
)
RANK = r"(final[ _.-]?)?(rank|place|position|pos|finish(ed)?([ _.-]?(position|place))?|standing)"
CONTEST = CLUSTER + r"|race([ _.-]?(id|no|name))?|event|round|heat|contest|ballot|tournament|query"
ITEM = (
    r"items?|names?|wine|model|team|player|driver|candidate|horse|product|option|alternative|essay"
    r"|system|method|competitor|athlete"
)
FEWEST_PLACES = 3  # two columns are the two sides of a battle


@dataclass(frozen=True, eq=False)
class BallotTable:
    """Orders that were found in a table, whose they are, and why they were taken for such."""

    orders: VoterOrders
    voters: "pd.Series[Any] | None"
    reasons: tuple[str, ...]


def guess_ballots(sheet: Sheet) -> BallotTable | None:
    """Read a ballot in each row, its places in columns such as first, second, third."""
    places = _place_columns(sheet)
    if len(places) < FEWEST_PLACES or not holds_texts(sheet, places[0]):
        return None
    texts = [cells(sheet.frame[column]) for column in places]
    ballots = [[name for name in row if name] for row in zip(*texts, strict=True)]
    for row, ballot in zip(sheet.frame.index, ballots, strict=True):
        if len(set(ballot)) < len(ballot):
            twice = next(name for name in ballot if ballot.count(name) > 1)
            raise ValueError(f"the ballot in row {row} lists {twice!r} twice; keep one of them")
    items = sorted({name for ballot in ballots for name in ballot})
    number = {name: code for code, name in enumerate(items)}
    free = [str(name) for name in sheet.frame.columns if name not in places]
    reasons = [f"Every row is a ballot; its places are {places[0]!r} to {places[-1]!r}."]
    counts = np.ones(len(ballots), dtype=np.int64)
    if column := named(COUNTS, free):
        counts = _whole_numbers(sheet, column)
        reasons.append(f"How often each occurred is read from {column!r}, judging by its name.")
    orders = tuple(tuple(number[name] for name in ballot) for ballot in ballots)
    voters = named(CLUSTER, free)
    judged = None if voters is None else sheet.frame[voters]
    return BallotTable(VoterOrders(tuple(items), orders, counts), judged, tuple(reasons))


def guess_places(sheet: Sheet) -> BallotTable | None:
    """Read a place in each row: who or what ranked, the item, and its rank."""
    names = [str(name) for name in sheet.frame.columns]
    rank, contest = named(RANK, names), named(CONTEST, names)
    item = named(ITEM, [name for name in names if name not in (rank, contest)])
    if rank is None or contest is None or item is None:
        return None
    unplaced = _unplaced(sheet, rank)
    if unplaced is None:
        return None
    values, there = numbers(sheet, rank).values, cells(sheet.frame[item])
    kept = ~np.isnan(values) & np.array([name != "" for name in there])
    codes, items = pd.factorize(np.array(there, dtype=object), sort=True)
    contests, labels = pd.factorize(sheet.frame[contest])
    orders = []
    for number in range(len(labels)):
        rows = np.flatnonzero(kept & (contests == number))
        if len(set(codes[rows])) < len(rows):
            raise ValueError(f"{labels[number]!r} ranks an item twice; keep one of its rows")
        orders.append(_tied_order(values[rows], codes[rows].tolist()))
    reason = f"{item!r} is ranked in {rank!r} (1 is best) by each {contest!r}."
    counts = np.ones(len(orders), dtype=np.int64)
    return BallotTable(VoterOrders(tuple(items), tuple(orders), counts), None, (reason, *unplaced))


def _unplaced(sheet: Sheet, rank: str) -> list[str] | None:
    """Say which texts stand for no place, such as DNF; None if texts are most of the column."""
    wrong = numbers(sheet, rank).wrong
    if not len(wrong):
        return []
    if 2 * len(wrong) > len(sheet.frame):
        return None
    words = sorted(set(cells(sheet.frame[rank].iloc[wrong])))
    return [
        f"Left out: {count(len(wrong), 'row')} without a place in {rank!r} "
        f"({examples(list(map(repr, words)), len(words))})."
    ]


def cells_of_judges(sheet: Sheet) -> tuple[BallotTable | pd.DataFrame, str] | None:
    """Read a judge in each row, items in columns: ranks are ballots, other numbers are scores."""
    names = [str(name) for name in sheet.frame.columns]
    judge = named(CLUSTER, names)
    items = [name for name in names if name != judge]
    if judge is None or len(items) < 2 or any(holds_texts(sheet, name) for name in items):
        return None
    values = np.column_stack([numbers(sheet, name).values for name in items])
    if not all(map(_are_ranks, values)):
        scores = pd.DataFrame(values.T, index=items, columns=[str(v) for v in sheet.frame[judge]])
        return (
            scores,
            f"Every row holds the scores of a {judge!r}; the other columns are items.",
        )
    orders = tuple(
        _tied_order(row[there], np.flatnonzero(there).tolist())
        for row, there in zip(values, ~np.isnan(values), strict=True)
    )
    reason = f"Every row holds the ranks of a {judge!r}, 1 is best; the other columns are items."
    counts = np.ones(len(orders), dtype=np.int64)
    ballots = VoterOrders(tuple(items), orders, counts)
    return BallotTable(ballots, sheet.frame[judge], (reason,)), reason


def _place_columns(sheet: Sheet) -> list[str]:
    """Return the columns of places in order, as far as none is missing."""
    read: tuple[Callable[[str], int], ...] = (
        lambda name: ORDINALS.index(name) + 1 if name in ORDINALS else 0,
        lambda name: int(match[1]) if (match := re.fullmatch(PLACE, name)) else 0,
    )
    found: list[list[str]] = []
    for place_of in read:
        by_place = {place_of(str(name).strip().casefold()): str(name)
                    for name in reversed(sheet.frame.columns)}  # fmt: skip
        last = next(k for k in range(1, len(by_place) + 2) if k not in by_place)
        found.append([by_place[k] for k in range(1, last)])
    return max(found, key=len)


def _tied_order(ranks: FloatArray, items: Sequence[Hashable]) -> Any:
    """Return the items best first, those of the same rank as an inner tuple."""
    order = []
    for rank in np.unique(ranks):
        place = tuple(item for item, own in zip(items, ranks, strict=True) if own == rank)
        order.append(place if len(place) > 1 else place[0])
    return tuple(order)


def _are_ranks(row: FloatArray) -> bool:
    """Return whether numbers count places: from 1, with ties shared in one of the usual ways."""
    there = row[~np.isnan(row)]
    doubled = 2 * there
    whole = bool((doubled == np.round(doubled)).all())
    return len(there) > 0 and whole and 1 <= there.min() < 2 and there.max() <= len(there)


def _whole_numbers(sheet: Sheet, column: str) -> "np.ndarray":
    values = numbers(sheet, column).values
    wrong = ~(np.isfinite(values) & (values >= 0) & (values == np.round(values)))
    if wrong.any():
        text, row = cell(sheet, column, int(np.argmax(wrong)))
        raise ValueError(f"{column!r} is {text!r} in row {row}; give whole numbers, 0 or more")
    return values.astype(np.int64)
