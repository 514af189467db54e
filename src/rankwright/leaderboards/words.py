"""What the outcome of a battle may be called."""

import re
from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd

from rankwright.data.numerals import MISSING
from rankwright.data.observations import examples
from rankwright.leaderboards.outcomes import FloatArray, IntArray

__all__ = ["LOST", "TIED", "UNKNOWN", "WON", "read_outcomes", "read_points"]

WON, LOST, TIED, UNKNOWN = 0, 1, 2, -1  # seen from the left; UNKNOWN is a missing outcome

WORDS = {
    WON: ("left", "a", "model_a", "player_a", "team_a", "item_a", "first", "home", "h", "win",
          "won", "w", "white", "1-0", "true", ">", "a>b", "a>>b", "b<a", "b<<a", "[[a]]",
          "left wins", "a wins"),
    LOST: ("right", "b", "model_b", "player_b", "team_b", "item_b", "second", "away", "loss",
           "lost", "lose", "black", "0-1", "false", "<", "b>a", "b>>a", "a<b", "a<<b", "[[b]]",
           "right wins", "b wins"),
    TIED: ("tie", "tied", "draw", "drawn", "d", "equal", "both", "neither", "bothbad",
           "both bad", "both_bad", "both-bad", "tie (bothbad)", "tie (both bad)", "tie (both_bad)",
           "1/2-1/2", "½-½", "=", "a=b", "b=a", "[[c]]", "same", "no difference", "both good",
           "both_good", "bothgood"),
    UNKNOWN: (*MISSING, "*", "unfinished", "abandoned", "cancelled", "postponed", "pending"),
}  # fmt: skip
MEANING = {word: outcome for outcome, words in WORDS.items() for word in words}
# Letters that mean something else beside their companion: a is away beside h, l is lost beside w.
BESIDE = {
    "h": {"h": WON, "a": LOST, "d": TIED, "x": TIED},
    "w": {"w": WON, "l": LOST, "d": TIED, "t": TIED},
    "r": {"l": WON, "r": LOST, "t": TIED},
}
# Numbers are read by the set they come from; the first that holds them all is taken.
NUMBERS = (
    {1.0: WON, 0.5: TIED, 0.0: LOST},
    {1.0: WON, 0.0: TIED, -1.0: LOST},
    {1.0: WON, 0.0: TIED, 2.0: LOST},
    {1.0: WON, 1.5: TIED, 2.0: LOST},
)
POINTS = r"(\d+(?:\.\d+)?)\s*[-–:]\s*(\d+(?:\.\d+)?)"
RESULT = re.compile(POINTS)  # 3-1, 2 : 2
WITH_HALF = re.compile(rf"{POINTS}\s*[(\[]\s*{POINTS}\s*[)\]]")  # 3-1 (1-0)
# What stands in place of a result; alone, v might be a victory.
UNPLAYED = frozenset(
    ("w/o", "wo", "w.o.", "walkover", "p-p", "p–p", "a-a", "a–a", "v", "v.", "vs", "vs.", "postp",
     "postp.", "ppd", "ppd.", "canc", "canc.", "abd", "-:-", "–:–", "- : -")
)  # fmt: skip
NOBODY = -2  # no item's number
STRANGE = -3  # an outcome that is not understood
SHOWN = 6  # outcomes that were not understood


def read_points(left: FloatArray, right: FloatArray) -> IntArray:
    """Return who won each battle: whoever has more points."""
    outcome = np.select([left > right, left < right, left == right], [WON, LOST, TIED], UNKNOWN)
    return outcome.astype(np.int64)


def read_outcomes(
    values: "pd.Series[Any]", left: IntArray, right: IntArray, items: list[Hashable]
) -> tuple[IntArray, list[str]]:
    """Return who won each battle, and what had to be understood to tell.

    By name, in words, in numbers, or by points such as 3-1. Outcomes that name one of the battle's
    two items in every row are names, even if they could be words as well. Numbers are 1, ½ and 0
    for the left item, or 1, 0 and -1, or 1 and 2 (0 or 1.5 a tie).
    """
    codes, distinct = pd.factorize(values)
    texts = [*(str(value).strip() for value in distinct), ""]  # the last stands for missing values
    code_of_item = {str(item).strip(): code for code, item in enumerate(items)}
    folded = [text.casefold() for text in texts]
    words = _words(folded)
    winner = np.array([code_of_item.get(text, NOBODY) for text in texts])[codes]
    won = np.where(winner == NOBODY, _read(folded, words)[codes], STRANGE)
    won[winner == left], won[winner == right] = WON, LOST
    notes: list[str] = []
    if (won == STRANGE).any():  # not all of them are names or words
        plain = _read(folded, words if _are_told(folded, words) else _amounts(folded))[codes]
        if not (plain == STRANGE).any():
            won, notes = plain, _notes(texts)
    if (strange := won == STRANGE).any():
        named = [texts[code] for code in codes[strange]]
        raise ValueError(_not_understood(named, values.index[strange]))
    return won, notes


def _read(texts: list[str], meanings: dict[str, int]) -> IntArray:
    return np.array([meanings.get(text, STRANGE) for text in texts])


def _words(texts: list[str]) -> dict[str, int]:
    """Return what words mean beside the others that occur."""
    beside = next((words for letter, words in BESIDE.items() if letter in texts), {})
    return MEANING | beside


def _are_told(texts: list[str], meanings: dict[str, int]) -> bool:
    return all(text in meanings for text in texts)


def _amounts(texts: list[str]) -> dict[str, int]:
    """Return what outcomes mean as numbers, or as points."""
    told = [text for text in texts if MEANING.get(text) != UNKNOWN]
    missing = dict.fromkeys(texts, UNKNOWN)
    found = _by_number(told) or _by_points(told)
    return {} if found is None else missing | found


def _by_number(texts: list[str]) -> dict[str, int] | None:
    try:
        values = {text: float(text) for text in texts}
    except ValueError:
        return None
    known = next((known for known in NUMBERS if known.keys() >= set(values.values())), None)
    return None if known is None else {text: known[value] for text, value in values.items()}


def _by_points(texts: list[str]) -> dict[str, int] | None:
    """Read 3-1 as a victory of the left item; halves are as chess writes them."""
    played = [text for text in texts if text not in UNPLAYED]
    found = [_result(text.replace("1/2", "0.5").replace("½", "0.5")) for text in played]
    if not played or None in found:
        return None
    points = np.array(found, dtype=np.float64)
    unplayed = dict.fromkeys(UNPLAYED, UNKNOWN)
    return unplayed | dict(zip(played, read_points(*points.T).tolist(), strict=True))


def _result(text: str) -> tuple[float, float] | None:
    """Return the points of both sides; what follows in parentheses must fit a first half."""
    if match := RESULT.fullmatch(text):
        return float(match[1]), float(match[2])
    if match := WITH_HALF.fullmatch(text):
        left, right, *half = map(float, match.groups())
        # A shoot-out has other points: whether it decides is not for us to say.
        return (left, right) if half[0] <= left and half[1] <= right else None
    return None


def _notes(texts: list[str]) -> list[str]:
    """Tell of results that hold more than points, and of what stands in their place."""
    halves = [text for text in texts if WITH_HALF.fullmatch(text)]
    unplayed = [text for text in texts if text.casefold() in UNPLAYED]
    said = {
        "The first result counts, the one in parentheses is taken for that at half-time": halves,
        "Not played, and left out": unplayed,
    }
    return [
        f"{what}: {examples(map(repr, found), len(found))}."
        for what, found in said.items()
        if found
    ]


def _not_understood(strange: list[str], rows: "pd.Index[Any]") -> str:
    distinct = list(dict.fromkeys(strange))
    listed = [text for text in distinct if not RESULT.fullmatch(text)] or distinct
    more = f" and {len(listed) - SHOWN} more" if len(listed) > SHOWN else ""
    row = rows[strange.index(listed[0])]
    return (
        f"outcomes not understood: {', '.join(map(repr, listed[:SHOWN]))}{more} (the first in row "
        f"{row}); give the winner's name, left, right or tie, 1, 0.5 and 0 for the left item, or "
        "points such as 3-1"
    )
