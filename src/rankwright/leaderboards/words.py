"""What the outcome of a battle may be called."""

from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd

from rankwright.leaderboards.outcomes import IntArray

__all__ = ["LOST", "TIED", "UNKNOWN", "WON", "read_outcomes"]

WON, LOST, TIED, UNKNOWN = 0, 1, 2, -1  # seen from the left; UNKNOWN is a missing outcome

WORDS = {
    WON: ("left", "l", "a", "model_a", "player_a", "team_a", "item_a", "first", "home", "h", "win",
          "won", "w", "white", "1-0", "true", ">"),
    LOST: ("right", "r", "b", "model_b", "player_b", "team_b", "item_b", "second", "away", "loss",
           "lost", "lose", "black", "0-1", "false", "<"),
    TIED: ("tie", "tied", "draw", "drawn", "d", "equal", "both", "neither", "bothbad",
           "both_bad", "tie (bothbad)", "tie (both bad)", "1/2-1/2", "½-½", "="),
}  # fmt: skip
MEANING = {word: outcome for outcome, words in WORDS.items() for word in words}
# Numbers are read by the set they come from; the first that holds them all is taken.
NUMBERS = (
    {1.0: WON, 0.5: TIED, 0.0: LOST},
    {1.0: WON, 0.0: TIED, -1.0: LOST},
    {1.0: WON, 0.0: TIED, 2.0: LOST},
)
NOBODY = -2  # no item's number
SHOWN = 6  # outcomes that were not understood


def read_outcomes(
    values: "pd.Series[Any]", left: IntArray, right: IntArray, items: list[Hashable]
) -> IntArray:
    """Return who won each battle: by name, in words, or in numbers.

    Outcomes that name one of the battle's two items in every row are names, even if they could be
    words as well. Numbers are 1, ½ and 0 for the left item, or 1, 0 and -1, or 1 and 2 (0 a tie).
    """
    codes, distinct = pd.factorize(values)
    texts = [*(str(value).strip() for value in distinct), ""]  # the last stands for missing values
    code_of_item = {str(item).strip(): code for code, item in enumerate(items)}
    words = np.array([MEANING.get(text.casefold(), UNKNOWN) for text in texts])
    winner = np.array([code_of_item.get(text, NOBODY) for text in texts])[codes]
    won = np.where(winner == NOBODY, words[codes], UNKNOWN)
    won[winner == left] = WON
    won[winner == right] = LOST
    is_there = np.array([text != "" for text in texts])[codes]
    strange = (won == UNKNOWN) & is_there
    if not strange.any():
        return won
    meanings = _meanings([text for text in texts if text])
    if meanings is None:
        named = [texts[code] for code in codes[strange]]
        raise ValueError(_not_understood(named, int(np.flatnonzero(strange)[0])))
    return np.array([meanings.get(text, UNKNOWN) for text in texts])[codes]


def _meanings(texts: list[str]) -> dict[str, int] | None:
    """Return what the distinct outcomes mean if all of them are words, or all are numbers."""
    if all(text.casefold() in MEANING for text in texts):
        return {text: MEANING[text.casefold()] for text in texts}
    try:
        values = {text: float(text) for text in texts}
    except ValueError:
        return None
    known = next((known for known in NUMBERS if known.keys() >= set(values.values())), None)
    return None if known is None else {text: known[value] for text, value in values.items()}


def _not_understood(strange: list[str], row: int) -> str:
    listed = list(dict.fromkeys(strange))
    more = f" and {len(listed) - SHOWN} more" if len(listed) > SHOWN else ""
    return (
        f"outcomes not understood: {', '.join(map(repr, listed[:SHOWN]))}{more} (the first in row "
        f"{row}); give the winner's name, left, right or tie, or 1, 0.5 and 0 for the left item"
    )
