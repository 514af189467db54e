"""The column for each role: the order, the groups, the names, judged by names and contents."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.data.no_factors import (
    EARLIER,
    FEWEST,
    ID_NAME,
    RANK_NAME,
    RANK_WORD,
    RANKS,
    SCORE_NAME,
    SCORE_WORD,
    SCORES,
    YEAR,
    YEAR_NAME,
    without_year,
)
from rankwright.data.numerals import is_missing
from rankwright.data.printed_ranks import PrintedRanks
from rankwright.data.rated_rows import printed_ranks
from rankwright.data.score_parts import find_index
from rankwright.data.sheet import Sheet, cells, numbers

__all__ = ["Choice", "guess_category", "guess_group", "guess_item", "guess_target"]

NAMES = {
    "rank": rf"(overall|final|published)?[ _-]*({RANKS})",
    "score": rf"(overall|final|total)?[ _-]*({SCORES}|grade|relevance|label|target)",
    "item": r"(.*[ _-])?(names?|items?|products?|model|title|player|country|company|hotel|school|"
    r"universit(y|ies)|institutions?|institute|college|brand|team|club|city|athlete|driver|film|id)",
    "group": r"(sub[ _-]?category|group|list|query|qid|session)([ _-]?id)?",
    "category": r"category|categories|line|family|division|department|sector",
}
NARROWER = re.compile(
    r"national|country|regional|region\b|continent|domestic|state|local|previous|prior|last|former|old",
    re.I,
)
WHOLE = re.compile(r"(?:overall|total|gesamt(?:wertung)?|gesamtergebnis)(?![^\W_])", re.IGNORECASE)
ROW_NUMBER = re.compile(r"row[\W_]?(?:names?|numbers?|no|ids?)|unnamed.*", re.IGNORECASE)
UNDATED = "9999"  # a rank without a year beside one with a year is the newest
CODE = re.compile(r"[A-Z0-9]{1,4}|https?://\S+")
GAPS = 0.05  # the share of a group's rows by which a rank may be before its place
LEFT_OUT = 0.25  # and behind it, because rows above it were left out
REPEATED = 20  # how often a name may occur in a column that is named like one of names
MOST_CELLS = 100_000  # of a table in which sums are looked for among all columns
MOST_JOINED = 6  # columns of labels, of which two together may tell the groups
RETURNING = 0.75  # as many different names as rows at most, where names return each year
FIT = 0.05  # the share of rows whose rank may be out of place in the groups


@dataclass(frozen=True)
class Choice:
    """A column for a role, and why it was chosen."""

    column: str
    reason: str


def guess_target(
    sheet: Sheet, free: Sequence[str], kind: Literal["rank", "score"] | None
) -> tuple[Literal["rank", "score"], Choice | None]:
    """Choose the column of ranks, else of scores; ranks also by their contents alone."""
    kinds: list[Literal["rank", "score"]] = ["rank", "score"] if kind is None else [kind]
    for role in kinds:
        if choice := GUESSES[role](sheet, free):
            return role, choice
    places = _places(sheet, free) if "rank" in kinds else {}
    # What numbers the rows as they stand may be a place or a row's number: an index tells more.
    for name in [name for name, may_number in places.items() if not may_number]:
        return "rank", _each_once(name, sheet)
    if "score" in kinds and (index := _guess_index(sheet, free)) is not None:
        return "score", index
    for name in places:
        return "rank", _each_once(name, sheet)
    return kinds[0], None


def _places(sheet: Sheet, free: Sequence[str]) -> dict[str, bool]:
    """Return the columns that hold each of 1 to n once, and whether they may number the rows.

    Of places of several years only the newest count. They do not just number the rows, sorted by
    them or not: nobody tells of these what they were a year ago.
    """
    found = {}
    for name in free:
        values = numbers(sheet, name).values
        counted = np.arange(1, len(values) + 1)
        if len(values) > 2 and np.array_equal(np.sort(values), counted):
            found[name] = np.array_equal(values, counted)
    current = [name for name in found if not _is_earlier(name, found)]
    return {
        name: found[name] and len(current) == len(found)
        for name in current
        if not (found[name] and (ROW_NUMBER.fullmatch(name) or _is_alphabetical(sheet, free)))
    }


def _is_earlier(name: str, names: Iterable[str]) -> bool:
    """Tell whether a name says that it is of an earlier time, by itself or beside the others."""
    newer = (one for one in names if without_year(one) == without_year(name))
    return EARLIER.search(name) is not None or any(_year(one) > _year(name) for one in newer)


def _year(name: str) -> str:
    return max(YEAR.findall(name), default=UNDATED)


def _is_alphabetical(sheet: Sheet, free: Sequence[str]) -> bool:
    """Tell whether the rows stand in the order of their names, and not of their ranks."""
    columns = (
        [one.casefold() for one in cells(sheet.frame[name])]
        for name in free
        if not _is_numeric(sheet, name)
    )
    return any(
        len(texts) >= FEWEST and len(set(texts)) == len(texts) and texts == sorted(texts)
        for texts in columns
    )


def _each_once(name: str, sheet: Sheet) -> Choice:
    reason = f"it holds each of 1 to {len(sheet.frame):,} exactly once."
    return Choice(name, f"Ranks are read from {name!r}: {reason}")


def _guess_index(
    sheet: Sheet, free: Sequence[str], among: Sequence[str] | None = None
) -> Choice | None:
    """Choose the column that is a mean or sum of others, as an index is of its parts."""
    columns = {name: numbers(sheet, name).values for name in free if _is_numeric(sheet, name)}
    if len(columns) * len(sheet.frame) > MOST_CELLS:
        return None
    if (found := find_index(columns, among)) is None:
        return None
    name, parts = found
    kind = "a weighted mean" if parts.is_mean else "the sum"
    listed = ", ".join(map(repr, parts.names))
    return Choice(name, f"Scores are read from {name!r}: it is {kind} of {listed}.")


def _guess_rank(sheet: Sheet, free: Sequence[str]) -> Choice | None:
    """Choose by name among the columns that hold ranks, and by the widest rank among several."""
    named = [name for name in free if RANK_WORD.search(name) or RANK_NAME.fullmatch(name)]
    ranks = {name: found for name in named if (found := _ranks(sheet, name)) is not None}
    if not ranks:
        return None

    def fitness(name: str) -> tuple[bool, bool, bool, str, int]:
        values = ranks[name].numbers.values
        different = len(np.unique(values[~np.isnan(values)]))
        narrower = NARROWER.search(name) is not None
        return (
            not narrower and not _is_earlier(name, ranks),
            _named("rank", [name]) is not None,
            RANK_NAME.fullmatch(name) is not None,
            max(YEAR.findall(name), default=""),
            different,
        )

    best = max(ranks, key=fitness)
    others = [repr(name) for name in ranks if name != best]
    beside = f" ({', '.join(others)} may be ranks too)" if others else ""
    return Choice(best, f"Ranks are read from {best!r}, judging by its name{beside}.")


def _guess_score(sheet: Sheet, free: Sequence[str]) -> Choice | None:
    """Choose by name, and among several scores the one by which the rows are sorted."""
    numeric = [name for name in free if _is_numeric(sheet, name)]
    named = list(filter(SCORE_WORD.search, numeric))
    exact = _named("score", numeric) or next(filter(SCORE_NAME.fullmatch, named), None)
    if exact or len(named) == 1:
        name = exact or named[0]
        return Choice(name, f"Scores are read from {name!r}, judging by its name.")
    if (index := _guess_index(sheet, free, named)) is not None:
        return index
    for name in named:
        values = numbers(sheet, name).values
        if len(values) > 2 and (np.diff(values[~np.isnan(values)]) <= 0).all():
            reason = "judging by its name and because the rows are sorted by it."
            return Choice(name, f"Scores are read from {name!r}, {reason}")
    whole = [*filter(WHOLE.match, named)] if named else [*filter(WHOLE.fullmatch, numeric)]
    for name in whole if len(whole) == 1 else []:
        return Choice(name, f"Scores are read from {name!r}, judging by its name.")
    return None


GUESSES = {"rank": _guess_rank, "score": _guess_score}


def guess_group(sheet: Sheet, free: Sequence[str], target: str, target_is: str) -> Choice | None:
    """Choose the column in each of whose labels the ranks begin at 1; for scores, by name."""
    candidates = {name: labels for name in free if (labels := _labels(sheet, name)) is not None}
    if target_is != "rank":
        name = _named("group", candidates)
        reason = f"Groups are read from {name!r}, judging by its name."
        return None if name is None else Choice(name, reason)
    ranks = printed_ranks(sheet, target)
    whole = _misfit(ranks, np.zeros(len(ranks.open)))
    fits = {name: _misfit(ranks, np.asarray(labels)) for name, labels in candidates.items()}
    # Of columns that fit alike, the one in which a place is given away least often.
    best = min(
        fits, key=lambda name: (fits[name], _n_shared(ranks, candidates[name])), default=None
    )
    # Grouping by the right column turns repeated ranks into runs that begin at 1.
    if whole <= FIT:
        return None
    if best is not None and fits[best] <= FIT:
        return _begun_anew(best, candidates[best], "")
    parted = (name for name in candidates if _parts_ranks(ranks, candidates[name]))
    if (name := next(parted, None)) is not None:
        return _begun_anew(name, candidates[name], ", and none repeats within one")
    return _guess_year(sheet, free, ranks) or _guess_joined(candidates, ranks)


def _guess_year(sheet: Sheet, free: Sequence[str], ranks: PrintedRanks) -> Choice | None:
    """Choose the year if ranks begin at 1 in each, and a column of texts has each once a year."""
    texts = [name for name in free if not _is_numeric(sheet, name)]
    for year in (name for name in free if _holds_years(sheet, name)):
        labels = cells(sheet.frame[year])
        return_each_year = any(_return(cells(sheet.frame[name]), labels) for name in texts)
        if return_each_year and _begin_at_1(ranks, labels):
            return _begun_anew(year, labels, ", and names return from one to the next")
    return None


def _return(names: Sequence[str], years: Sequence[str]) -> bool:
    """Tell whether no name is there twice in a year, and many are there in several."""
    once = len(set(zip(names, years, strict=True))) == len(names)
    return once and len(set(names)) < RETURNING * len(names)


def _guess_joined(candidates: Mapping[str, Sequence[str]], ranks: PrintedRanks) -> Choice | None:
    """Choose two columns if the ranks begin at 1 wherever both have the same labels."""
    joined = {
        f"{one}, {other}": [
            f"{a}, {b}" for a, b in zip(candidates[one], candidates[other], strict=True)
        ]
        for one, other in combinations(list(candidates)[:MOST_JOINED], 2)
    }
    fits = {name: _misfit(ranks, np.asarray(labels)) for name, labels in joined.items()}
    best = min(fits, key=fits.__getitem__, default=None)
    if best is None or fits[best] > FIT or not _begin_at_1(ranks, joined[best]):
        return None
    return _begun_anew(best, joined[best], "")


def _begun_anew(name: str, labels: Sequence[str], more: str) -> Choice:
    count = len(set(labels))
    begin = f"the ranks begin at 1 in each of its {count:,} labels{more}."
    return Choice(name, f"Groups are read from {name!r}: {begin}")


def guess_item(sheet: Sheet, free: Sequence[str], group: str | None) -> Choice | None:
    """Choose the column that names the rows of a group, by its name or by how its texts differ."""
    within = [] if group is None else [cells(sheet.frame[group])]
    texts = _without_places(sheet, [name for name in free if not _is_numeric(sheet, name)])
    named_so = [name for name in [*texts, *free] if _named("item", [name])]
    by_name = [name for name in dict.fromkeys(named_so) if name in texts or _is_code(sheet, name)]
    found = {name: cells(sheet.frame[name]) for name in dict.fromkeys([*by_name, *texts])}
    distinct = {name: len(set(zip(*within, values, strict=True))) for name, values in found.items()}

    def fitness(name: str) -> tuple[bool, int]:
        is_name = name in texts and not ID_NAME.fullmatch(name)
        return is_name and 2 * distinct[name] > len(sheet.frame), distinct[name]

    best = max(by_name, key=fitness, default=None)
    # Names may repeat from list to list where nobody said which rows make a list.
    if best is not None and REPEATED * distinct[best] > len(sheet.frame):
        return Choice(best, f"Item names are read from {best!r}, judging by its name.")
    named = [name for name in texts if not all(map(CODE.fullmatch, filter(None, found[name])))]
    for columns in (named, texts):
        best = max(columns, key=lambda name: distinct[name], default=None)
        if best is not None and 2 * distinct[best] > len(sheet.frame):
            return Choice(
                best, f"Item names are read from {best!r}: it has the most distinct texts."
            )
    return _once_a_year(sheet, free, {name: found[name] for name in named})


def _without_places(sheet: Sheet, texts: Sequence[str]) -> list[str]:
    """Leave out columns of printed ranks, 1. and 2., unless they are called names or are all."""
    others = [
        name
        for name in texts
        if _named("item", [name]) or len(printed_ranks(sheet, name).numbers.wrong)
    ]
    return others or list(texts)


def _once_a_year(
    sheet: Sheet, free: Sequence[str], texts: Mapping[str, Sequence[str]]
) -> Choice | None:
    """Choose the texts of which a year holds each once."""
    for name, year in product(texts, (one for one in free if _holds_years(sheet, one))):
        if _return(texts[name], cells(sheet.frame[year])):
            reason = f"each year in {year!r} has each of its texts at most once."
            return Choice(name, f"Item names are read from {name!r}: {reason}")
    return None


def guess_category(sheet: Sheet, free: Sequence[str], group: str) -> Choice | None:
    """Choose the column that is named like a category and holds whole groups."""
    candidates = {name: labels for name in free if (labels := _labels(sheet, name)) is not None}
    name = _named("category", candidates)
    if name is None:
        return None
    groups = cells(sheet.frame[group])
    if len(set(zip(groups, candidates[name], strict=True))) > len(set(groups)):
        return None
    return Choice(name, f"Categories are read from {name!r}, judging by its name.")


def _named(role: str, columns: Iterable[str]) -> str | None:
    """Return the column whose name says its role: the whole name, in whatever case."""
    pattern = re.compile(NAMES[role], re.IGNORECASE)
    return next((name for name in columns if pattern.fullmatch(name.strip())), None)


def _ranks(sheet: Sheet, name: str) -> PrintedRanks | None:
    """Read a column as ranks, if nearly all of its cells are, and none is below 1."""
    found = printed_ranks(sheet, name)
    known = found.numbers.values[~np.isnan(found.numbers.values)]
    return found if found.numbers.is_mostly_read and (known >= 1).all() else None


def _misfit(ranks: PrintedRanks, labels: NDArray[Any]) -> float:
    """Return the share of rows whose rank is not their place in the group, or near it.

    Rows that were left out above a row make its rank larger than its place; bands are often wider
    or narrower than what they hold.
    """
    known = ~np.isnan(ranks.numbers.values)
    values, is_open = pd.Series(ranks.numbers.values[known]), ranks.open[known]
    grouped = values.groupby(labels[known])
    above = values - grouped.rank(method="min")
    allowed = np.floor(GAPS * grouped.transform("size"))
    left_out = np.maximum(1.0, np.floor(LEFT_OUT * grouped.transform("size")))
    in_place = (above >= -allowed) & (above <= left_out)
    averaged = np.isclose(values, grouped.rank(method="average"))
    return float(1 - (in_place | averaged | is_open).mean())


def _parts_ranks(ranks: PrintedRanks, labels: Sequence[str]) -> bool:
    """Tell whether ranks that repeat begin at 1 in each label and repeat in none, gaps or not."""
    pairs = _pairs(ranks, labels)
    repeat = int(pairs["rank"].duplicated(keep=False).sum()) >= FEWEST
    return _begin_at_1(ranks, labels) and repeat and not pairs.duplicated().any()


def _begin_at_1(ranks: PrintedRanks, labels: Sequence[str]) -> bool:
    """Tell whether every label has a rank of 1, or a shared one in its stead."""
    pairs = _pairs(ranks, labels)
    is_known = pairs["label"].nunique() == len(set(labels))
    return is_known and bool((pairs.groupby("label")["rank"].min() == 1).all())


def _n_shared(ranks: PrintedRanks, labels: Sequence[str]) -> int:
    """Return how many rows have a rank that a row above them in their group has too."""
    return int(_pairs(ranks, labels).duplicated().sum())


def _pairs(ranks: PrintedRanks, labels: Sequence[str]) -> pd.DataFrame:
    """Return the label and the rank of each row that has one."""
    return pd.DataFrame({"label": labels, "rank": ranks.numbers.values}).dropna()


def _is_numeric(sheet: Sheet, name: str) -> bool:
    return numbers(sheet, name).is_mostly_read


def _is_code(sheet: Sheet, name: str) -> bool:
    """Tell whether numbers could name the rows: whole ones, each of them another."""
    values = numbers(sheet, name).values
    known = values[~np.isnan(values)]
    return bool((known == np.round(known)).all()) and len(np.unique(known)) == len(known)


def _holds_years(sheet: Sheet, name: str) -> bool:
    values = numbers(sheet, name).values
    return bool(YEAR_NAME.fullmatch(name)) and bool(((values > 1800) & (values < 2100)).all())


def _labels(sheet: Sheet, name: str) -> list[str] | None:
    """Return a column's texts if they could be labels: all there, several, each used repeatedly."""
    values = cells(sheet.frame[name])
    count = len(set(values))
    if any(map(is_missing, set(values))) or not 2 <= count <= len(values) / 2:
        return None
    return values
