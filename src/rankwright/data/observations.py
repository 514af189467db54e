"""What an analyst should know about a table before trusting it, in sentences."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.data.numbers import Numbers
from rankwright.data.sheet import Sheet, cell

__all__ = [
    "FROM_TOP",
    "HAS_GAPS",
    "begun_again",
    "count",
    "direction",
    "doubts",
    "duplicates",
    "examples",
    "gone_from_top",
    "lone_items",
    "missing_factors",
    "stand_ins",
    "ties",
]

SHOWN = 3
TOP = 10
FROM_TOP = "Published at the top, but left out"
HAS_GAPS = "Missing factors are NaN in X; .complete() leaves their rows out."
# As numbers of several nines stand where nothing is known.
STAND_INS = {-99.0, *(sign * (10.0**digits - 1) for sign in (-1, 1) for digits in (3, 4, 5, 6))}
FEWEST, FAR = 10, 3.0  # other values, and how many times the largest of them is far
SCORE_NAME = re.compile(r"score|rating|points|stars|grade", re.IGNORECASE)


def count(number: int, noun: str) -> str:
    """Write a number with its noun: 1 item, 2 items."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def examples(values: Iterable[Any], total: int) -> str:
    """List the first few values, and how many more there are."""
    shown = [str(value) for _, value in zip(range(SHOWN), values, strict=False)]
    more = f" and {total - len(shown):,} more" if total > len(shown) else ""
    return ", ".join(shown) + more


def doubts(sheet: Sheet, found: Mapping[str, Numbers]) -> list[str]:
    """Tell how 1,234 and 4.761 were read in columns where nothing settles what they mean."""
    notes = []
    for column, parsed in found.items():
        if parsed.doubtful is not None:
            text, row = cell(sheet, column, parsed.doubtful)
            mark = "comma" if "," in text else "point"
            notes.append(
                f"{text!r} (row {row}, column {column!r}) was read as "
                f"{parsed.values[parsed.doubtful]:.15g}: nothing in the table settles whether the "
                f"{mark} is a decimal mark or separates thousands."
            )
    return notes


def stand_ins(sheet: Sheet, found: Mapping[str, Numbers]) -> list[str]:
    """Tell of -99, 999 and their like far outside all other numbers of a column."""
    notes = []
    for column, parsed in found.items():
        values = parsed.values[np.isfinite(parsed.values)]
        ends = {values.min(), values.max()} & STAND_INS if len(values) else set()
        others = values[~np.isin(values, list(STAND_INS))] if ends else values
        for value in sorted(ends) if len(others) >= FEWEST else []:
            if abs(value) > FAR * np.abs(others).max() or value < 0 <= others.min():
                at = sheet.frame.index[parsed.values == value]
                notes.append(
                    f"{value:.0f} in column {column!r} ({count(len(at), 'row')}: "
                    f"{examples(at, len(at))}) is far from all other values: if it stands for "
                    "missing, clear these cells."
                )
    return notes


def duplicates(
    items: "pd.Index[Any]",
    rows: "Sequence[Any] | pd.Index[Any]",
    groups: NDArray[Any] | None,
) -> list[str]:
    """Tell of item names that a group holds more than once."""
    repeated = _repeated(items, groups)
    if not repeated.any():
        return []
    names = items[repeated].drop_duplicates().tolist()
    at = [str(rows[i]) for i in np.flatnonzero(repeated & (items == names[0])).tolist()]
    within = "" if groups is None else " within a group"
    return [
        f"{count(len(names), 'item name')} used more than once{within}, such as {names[0]!r} "
        f"(rows {', '.join(at[:SHOWN])}); all these rows are kept."
    ]


def ties(y: NDArray[np.float64], items: "pd.Index[Any]", groups: NDArray[Any] | None) -> list[str]:
    """Tell of items that share a place with another of their group."""
    tied = _repeated(y, groups)
    if not tied.any():
        return []
    first, labels = int(tied.argmax()), np.zeros(len(y)) if groups is None else groups
    if tied.all() and pd.Series(y).groupby(labels).nunique().max() == 1:
        return ["All items of every group are tied: there is nothing to learn from this target."]
    together = (y == y[first]) & (labels == labels[first])
    names = [repr(name) for name in items[together]]
    return [
        f"{count(int(tied.sum()), 'item')} tied with another"
        f" ({examples(names, len(names))} share a place); ties are kept as ties."
    ]


def _repeated(values: Any, groups: NDArray[Any] | None) -> NDArray[np.bool_]:
    """Tell which values occur more than once in their group."""
    if groups is None and isinstance(values, np.ndarray) and (values[1:] <= values[:-1]).all():
        repeated = np.zeros(len(values), dtype=bool)  # the best first, as most tables are
        repeated[1:] = values[1:] == values[:-1]
        repeated[:-1] |= repeated[1:]
        return repeated
    codes = pd.factorize(values)[0].astype(np.int64)
    if groups is not None:
        codes += len(codes) * pd.factorize(groups)[0].astype(np.int64)
        codes = pd.factorize(codes)[0]
    found: NDArray[np.bool_] = (np.bincount(codes) > 1)[codes]
    return found


def begun_again(target: str, ranks: NDArray[np.float64], rows: "pd.Index[Any]") -> list[str]:
    """Tell of ranks without groups that run up from 1 several times, as those of several lists."""
    begins = np.flatnonzero((ranks[1:] == 1) & (ranks[:-1] > 1)) + 1
    runs = np.split(ranks, begins)
    run_up = all(run[0] == 1 and run[-1] > 1 and (np.diff(run) >= 0).all() for run in runs)
    if not len(begins) or not run_up:
        return []
    at = examples(rows[begins], len(begins))
    return [
        f"Ranks in {target!r} begin again at 1 in row {at}: if these are {len(runs):,} lists, name "
        "a column that tells them apart by group=...; until then all rows are compared."
    ]


def lone_items(groups: NDArray[Any] | None) -> list[str]:
    """Tell of groups with one item, which compare nothing."""
    if groups is None:
        return []
    sizes = pd.Series(groups).value_counts(sort=False)
    lone = sizes.index[sizes == 1]
    if not len(lone):
        return []
    named = examples(map(repr, lone), len(lone))
    return [f"{count(len(lone), 'group')} with a single item ({named}): nothing to compare there."]


def missing_factors(X: pd.DataFrame, rows: "Sequence[Any] | pd.Index[Any]") -> list[str]:
    """Tell where factors are missing, column by column."""
    notes = []
    for factor, gone in X.isna().items():
        if gone.any():
            at = np.flatnonzero(gone.to_numpy())
            where = examples((rows[i] for i in at.tolist()), len(at))
            notes.append(f"Factor {factor!r} is missing in {count(len(at), 'row')} (row {where}).")
    if notes:
        notes.append(HAS_GAPS)
    return notes


def gone_from_top(
    places: "pd.Series[int]", groups: NDArray[Any] | None, gone: NDArray[np.bool_]
) -> list[str]:
    """Name the items that were published at the top, of their group if there are any, and left out.

    The top is a tenth, and ten places at most.
    """
    one = np.zeros(len(gone))
    sizes = pd.Series(one).groupby(one if groups is None else groups).transform("size")
    at_top = places.to_numpy() <= np.minimum(TOP, sizes.to_numpy() // TOP)
    best = places[gone & at_top].sort_values(kind="stable")
    if best.empty:
        return []
    named = examples((f"{name!r} (place {place})" for name, place in best.items()), len(best))
    return [f"{FROM_TOP}: {named}. What is found says nothing of them."]


def direction(
    target: str, target_is: str, values: NDArray[np.float64], rows: "Sequence[Any] | pd.Index[Any]"
) -> list[str]:
    """Tell of ranks that look like scores, and of scores that look like ranks."""
    reasons = LOOKS_WRONG[target_is](target, values, rows)
    other = {"rank": "score", "score": "rank"}[target_is]
    means = {"rank": "1 is best", "score": "larger is better"}
    if not reasons:
        return []
    return [
        f"Column {target!r} was read as a {target_is} ({means[target_is]}), but "
        f"{' and '.join(reasons)}; if {means[other]}, pass target_is={other!r}."
    ]


def _unlike_ranks(
    target: str, values: NDArray[np.float64], rows: "Sequence[Any] | pd.Index[Any]"
) -> list[str]:
    reasons = []
    # Tied ranks may be averaged: halves are fine, and k tied at the top have rank (1 + k) / 2.
    halves = values * 2
    odd = np.flatnonzero(halves != np.round(halves)).tolist()
    if odd:
        reasons.append(f"{values[odd[0]]:g} (row {rows[odd[0]]}) is not a whole number")
    if values.min() > (1 + np.sum(values == values.min())) / 2:
        reasons.append(f"the smallest value is {values.min():g}")
    if values.min() < 1:
        reasons.append(f"{values.min():g} (row {rows[int(values.argmin())]}) is below 1")
    if SCORE_NAME.search(target):
        reasons.append("its name suggests a score")
    return reasons


def _unlike_scores(
    target: str, values: NDArray[np.float64], rows: "Sequence[Any] | pd.Index[Any]"
) -> list[str]:
    n = values.size
    if n > 2 and np.array_equal(np.sort(values), np.arange(1, n + 1)):
        return [f"it holds each of 1 to {n:,} once, as ranks do"]
    if re.search(r"\brank", target, re.IGNORECASE):
        return ["its name suggests a rank"]
    return []


Look = Callable[[str, NDArray[np.float64], Any], list[str]]
LOOKS_WRONG: dict[str, Look] = {"rank": _unlike_ranks, "score": _unlike_scores}
