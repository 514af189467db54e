"""Ranks as people print them: 6, =6, T-6, #1, 1st, No. 3, and bands such as 201-225 and 601+."""

import re
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from rankwright.data.cells import Distinct
from rankwright.data.numbers import Numbers
from rankwright.data.numerals import BLANK, without_remark

__all__ = ["MEANINGS", "PrintedRanks", "read_ranks"]

MEANINGS = {
    "band": "a band, in which all are tied",
    "open": "a band without an end, in which all are tied",
    "tie": "a shared place",
    "numbered": "a place",
    "moved": "a place, without how far it moved",
    "dated": "a band that a spreadsheet took for a date",
    "word": "a place in words",
    "unranked": "no place",
}
KINDS = list(MEANINGS)
PLACE = r"\d{1,3}(?:[,. \u00a0\u202f]\d{3})+|\d+"
RANK = re.compile(
    r"(?P<before>(?:[=#№>≥]|n[or°º]\.?\s|n[or]\.|rank\b|tied?\b|joint\b|t(?=[-. ]?\d)|[-.\s])*)"
    rf"(?P<low>{PLACE})(?:\s*(?:[-–—‒−~]|to|bis)\s*(?P<high>{PLACE}))?"
    r"(?P<after>(?:\+|=|st\b|nd\b|rd\b|th\b|er\b|r?e\b|[eè]me\b|[.ºª°]|\(?(?:tied?|joint)\b\)?|t\b|:[ae]\b|"
    r"\s(?:of|out\sof|von|sur)\s\d+|\s)*)",
    re.IGNORECASE,
)
SEVERAL, MOST_UNRANKED = 3, 4  # rows with a word in place of a rank, and for each that has one
LONGEST = 40  # characters of a place with a date or an arrow
MOVED = re.compile(  # behind a place: ▲3, (+1), ▼ 2, ●, –, (new)
    r"(?:\s*[(\[]?\s*[▲▼△▽↑↓⇧⇩⬆⬇►◄●◆■]\ufe0f?\s*\d*\s*[)\]]?|\s*[(\[][+±−–-]?\s*\d*[)\]]|"
    r"\s+[–—=]|\s*[(\[](?:new|neu|re)[)\]])",
    re.IGNORECASE,
)
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
DATED = re.compile(rf"(\d{{1,2}})[-. ]({'|'.join(MONTHS)})[a-z]*\.?", re.IGNORECASE)
WORDS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
]
DIGIT, NO_DIGIT = re.compile(r"\d"), re.compile(r"\D")
TIED = re.compile(r"=|tie|joint|(?<![a-z])t(?![a-z])")


@dataclass(frozen=True, eq=False)
class PrintedRanks:
    """A column of ranks: numbers to order by, and how those that are no numbers were printed."""

    numbers: Numbers  # a band counts as its first place
    open: NDArray[np.bool_]  # where a band has no end
    forms: dict[str, tuple[int, int]] = field(default_factory=dict)  # how many, and the first


def read_ranks(texts: Distinct, numbers: Numbers) -> PrintedRanks:
    """Read the cells that are no plain numbers as ranks."""
    is_open = np.zeros(len(numbers.values), dtype=bool)
    if not len(numbers.wrong):
        return PrintedRanks(numbers, is_open)
    codes = texts.codes[numbers.wrong]
    places = np.full(len(texts.texts), np.nan)
    kinds = np.full(len(texts.texts), -1, dtype=np.int8)
    for code in np.flatnonzero(np.bincount(codes)).tolist():
        if (rank := _rank(texts.texts[code])) is not None:
            places[code], kinds[code] = rank[0], KINDS.index(rank[1])
    without = _word_for_none(texts, codes, np.isnan(places), numbers.n_filled)
    kinds[without] = KINDS.index("unranked")
    places, kinds = places[codes], kinds[codes]
    values = numbers.values.copy()
    values[numbers.wrong] = places
    is_open[numbers.wrong] = kinds == KINDS.index("open")
    forms = {
        name: (int(here.sum()), int(numbers.wrong[here.argmax()]))
        for kind, name in enumerate(KINDS)
        if (here := kinds == kind).any()
    }
    read = replace(numbers, values=values, wrong=numbers.wrong[kinds < 0])
    return PrintedRanks(read, is_open, forms)


def _word_for_none(
    texts: Distinct, codes: NDArray[np.int64], is_unread: NDArray[np.bool_], n_filled: int
) -> list[int]:
    """Return the one word that repeatedly stands in place of a rank: Reporter, below the ranked."""
    counts = np.bincount(codes, minlength=len(texts.texts))
    unread = np.flatnonzero(is_unread & (counts > 0)).tolist()
    words = {texts.texts[code].casefold() for code in unread}
    n = int(counts[unread].sum())
    n_ranked = n_filled + len(codes) - n
    is_word = len(words) == 1 and not any(map(DIGIT.search, words))
    return unread if is_word and SEVERAL <= n <= MOST_UNRANKED * n_ranked else []


def _rank(cell: str) -> tuple[float, str] | None:
    """Return the place of one cell and the kind of its print."""
    bare = without_remark(cell.strip(BLANK))
    for reader in (_printed, _dated, _moved) if len(bare) <= LONGEST else (_printed,):
        if (found := reader(bare)) is not None:
            return found
    word = bare.casefold()
    return (1.0 + WORDS.index(word), "word") if word in WORDS else None


def _printed(cell: str) -> tuple[float, str] | None:
    match = RANK.fullmatch(cell)
    if match is None:
        return None
    low = _place(match["low"])
    before, after = match["before"].casefold(), match["after"].casefold()
    if match["high"] is not None:
        high = _place(match["high"])
        return (low, "band") if high > low else None
    if ">" in before or "≥" in before or "+" in after:
        # Behind the one whose place is printed as exactly this, if there is one.
        return low + (0.0 if "≥" in before or ">=" in before else 0.5), "open"
    return low, "tie" if TIED.search(f"{before} {after}") else "numbered"


def _dated(cell: str) -> tuple[float, str] | None:
    """Read 4-May and 5-Apr as 4-5, which spreadsheets make of it, by the habits of a country."""
    match = DATED.fullmatch(cell)
    if match is None:
        return None
    ends = {int(match[1]), 1 + MONTHS.index(match[2].casefold())}
    return (float(min(ends)), "dated") if len(ends) == 2 else None


def _moved(cell: str) -> tuple[float, str] | None:
    """Read a place that is followed by how far it moved since the last time."""
    match = re.search(rf"{MOVED.pattern}$", cell, re.IGNORECASE)
    place = _printed(cell[: match.start()]) if match is not None else None
    return None if place is None else (place[0], "moved" if place[1] == "numbered" else place[1])


def _place(written: str) -> float:
    return float(NO_DIGIT.sub("", written))
