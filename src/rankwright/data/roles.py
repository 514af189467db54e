"""The column for each role: the order, the groups, the names, judged by names and contents."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.data.no_factors import (
    FEWEST,
    RANK_NAME,
    RANK_WORD,
    RANKS,
    SCORE_NAME,
    SCORE_WORD,
    SCORES,
    YEAR,
)
from rankwright.data.numerals import is_missing
from rankwright.data.printed_ranks import PrintedRanks
from rankwright.data.rated_rows import printed_ranks
from rankwright.data.score_parts import find_mean
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
CODE = re.compile(r"[A-Z0-9]{1,4}|https?://\S+")
GAPS = 0.05  # the share of a group's rows by which a rank may be before its place
LEFT_OUT = 0.25  # and behind it, because rows above it were left out
REPEATED = 20  # how often a name may occur in a column that is named like one of names
MOST_CELLS = 100_000  # of a table in which sums are looked for among all columns
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
    for name in free if "rank" in kinds else []:
        values = np.sort(numbers(sheet, name).values)
        if len(values) > 2 and np.array_equal(values, np.arange(1, len(values) + 1)):
            reason = f"it holds each of 1 to {len(values):,} exactly once."
            return "rank", Choice(name, f"Ranks are read from {name!r}: {reason}")
    if "score" in kinds and (index := _guess_index(sheet, free)) is not None:
        return "score", index
    return kinds[0], None


def _guess_index(sheet: Sheet, free: Sequence[str]) -> Choice | None:
    """Choose the column that is a weighted mean of others, as an index is of its parts."""
    columns = {name: numbers(sheet, name).values for name in free if _is_numeric(sheet, name)}
    if len(columns) * len(sheet.frame) > MOST_CELLS or (found := find_mean(columns)) is None:
        return None
    name, parts = found
    listed = ", ".join(map(repr, parts.names))
    return Choice(name, f"Scores are read from {name!r}: it is a weighted mean of {listed}.")


def _guess_rank(sheet: Sheet, free: Sequence[str]) -> Choice | None:
    """Choose by name among the columns that hold ranks, and by the widest rank among several."""
    named = [name for name in free if RANK_WORD.search(name) or RANK_NAME.fullmatch(name)]
    ranks = {name: found for name in named if (found := _ranks(sheet, name)) is not None}
    if not ranks:
        return None

    def fitness(name: str) -> tuple[bool, bool, bool, str, float]:
        values = ranks[name].numbers.values
        different = len(np.unique(values[~np.isnan(values)])) / len(values)
        narrower = NARROWER.search(name) is not None
        return (
            not narrower,
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
    named = [name for name in free if _is_numeric(sheet, name) and SCORE_WORD.search(name)]
    exact = _named("score", named) or next(filter(SCORE_NAME.fullmatch, named), None)
    if exact or len(named) == 1:
        name = exact or named[0]
        return Choice(name, f"Scores are read from {name!r}, judging by its name.")
    for name in named:
        values = numbers(sheet, name).values
        if len(values) > 2 and (np.diff(values[~np.isnan(values)]) <= 0).all():
            reason = "judging by its name and because the rows are sorted by it."
            return Choice(name, f"Scores are read from {name!r}, {reason}")
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
    if best is not None and fits[best] <= FIT and fits[best] < whole:
        return _begun_anew(best, candidates[best], "")
    parted = (name for name in candidates if _parts_ranks(ranks, candidates[name]))
    if (name := next(parted, None)) is None:
        return None
    return _begun_anew(name, candidates[name], ", and none repeats within one")


def _begun_anew(name: str, labels: Sequence[str], more: str) -> Choice:
    count = len(set(labels))
    begin = f"the ranks begin at 1 in each of its {count:,} labels{more}."
    return Choice(name, f"Groups are read from {name!r}: {begin}")


def guess_item(sheet: Sheet, free: Sequence[str], group: str | None) -> Choice | None:
    """Choose the column that names the rows of a group, by its name or by how its texts differ."""
    within = [""] * len(sheet.frame) if group is None else cells(sheet.frame[group])
    texts = [name for name in free if not _is_numeric(sheet, name)]
    by_name = [name for name in [*texts, *free] if _named("item", [name])]
    found = {name: cells(sheet.frame[name]) for name in dict.fromkeys([*by_name, *texts])}
    distinct = {name: len(set(zip(within, values, strict=True))) for name, values in found.items()}
    best = max(by_name, key=lambda name: distinct[name], default=None)
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
    return None


def guess_category(sheet: Sheet, free: Sequence[str], group: str) -> Choice | None:
    """Choose the column that is named like a category and holds whole groups."""
    candidates = {name: labels for name in free if (labels := _labels(sheet, name)) is not None}
    name = _named("category", candidates)
    if name is None:
        return None
    pairs = pd.DataFrame({"group": cells(sheet.frame[group]), "category": candidates[name]})
    if pairs.drop_duplicates()["group"].duplicated().any():
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
    if not len(values):
        return 1.0
    grouped = values.groupby(labels[known])
    above = values - grouped.rank(method="min")
    allowed = np.floor(GAPS * grouped.transform("size"))
    left_out = np.maximum(1.0, np.floor(LEFT_OUT * grouped.transform("size")))
    in_place = (above >= -allowed) & (above <= left_out)
    averaged = np.isclose(values, grouped.rank(method="average"))
    return float(1 - (in_place | averaged | is_open).mean())


def _parts_ranks(ranks: PrintedRanks, labels: Sequence[str]) -> bool:
    """Tell whether ranks that repeat begin at 1 in each label and repeat in none, gaps or not."""
    pairs = pd.DataFrame({"label": labels, "rank": ranks.numbers.values}).dropna()
    begin_at_1 = bool((pairs.groupby("label")["rank"].min() == 1).all())
    is_known = pairs["label"].nunique() == len(set(labels))
    repeat = int(pairs["rank"].duplicated(keep=False).sum()) >= FEWEST
    return begin_at_1 and is_known and repeat and not pairs.duplicated().any()


def _n_shared(ranks: PrintedRanks, labels: Sequence[str]) -> int:
    """Return how many rows have a rank that another row of their group has too."""
    pairs = pd.DataFrame({"label": labels, "rank": ranks.numbers.values}).dropna()
    return int(pairs.duplicated(keep=False).sum())


def _is_numeric(sheet: Sheet, name: str) -> bool:
    return numbers(sheet, name).is_mostly_read


def _labels(sheet: Sheet, name: str) -> list[str] | None:
    """Return a column's texts if they could be labels: all there, several, each used repeatedly."""
    values = cells(sheet.frame[name])
    count = len(set(values))
    if any(map(is_missing, set(values))) or not 2 <= count <= len(values) / 2:
        return None
    return values
