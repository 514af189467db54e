"""Which columns of a table hold battles, guessed from names and contents."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

from rankwright.data.sources import numbers, require_columns
from rankwright.data.spreadsheet import Sheet
from rankwright.leaderboards.battles import Columns

__all__ = ["BattleGuess", "guess_battles"]

SIDES = (
    ("left", "right"), (r"(?P<what>(.*[ _.-])?)a", r"(?P<what>(.*[ _.-])?)b"),
    (r"(?P<what>.*)1", r"(?P<what>.*)2"), (r"(?P<what>.*)left", r"(?P<what>.*)right"),
    (r"home(?P<what>.*)", r"away(?P<what>.*)"), ("white", "black"), ("first", "second"),
    ("winner", "loser"), ("better|preferred|chosen", "worse|rejected"),
    ("item", "(other|opponent)([ _.-]?item)?"), ("player|team|model", "opponent"),
)  # fmt: skip
CLEAR = ("left", "winner", "better", "preferred", "chosen")
DECIDED = ("winner", "better", "preferred", "chosen")  # the left side has won
OUTCOME = r"(.*[ _.-])?(outcome|winner|result|preference|verdict|vote|judge?ment|label|score)"
COUNTS = r"counts?|n|freq(uency)?|times"
CLUSTER = r"judge(d[ _-]by)?|judge[ _-]?(id|name)?|rater|annotator|user([ _-]?id)?|voter|assessor"


@dataclass(frozen=True)
class BattleGuess:
    """The columns of a table of battles, with the reasons for those that were guessed."""

    columns: Columns | None
    reasons: tuple[str, ...]


def guess_battles(sheet: Sheet, given: dict[str, str | None]) -> BattleGuess:
    """Guess the columns that were not given; None if the table does not hold battles."""
    known = {role: column for role, column in given.items() if column is not None}
    require_columns(sheet, list(known.values()))
    free = [str(name) for name in sheet.frame.columns if name not in known.values()]
    reasons = []
    if not {"left", "right"} <= known.keys():
        sides = _sides(sheet, free, known)
        if sides is None:
            return BattleGuess(None, ())
        known |= {"left": sides[0], "right": sides[1]}
        free = [name for name in free if name not in sides]
        reasons.append(f"Battles are between {sides[0]!r} and {sides[1]!r}.")
    if "outcome" not in known and not _is_decided(known["left"]):
        if outcome := _named(OUTCOME, free):
            known["outcome"] = outcome
            reasons.append(f"Outcomes are read from {outcome!r}, judging by its name.")
        else:
            raise ValueError(
                f"no column of {sheet.source} looks like an outcome; name it (outcome=..., "
                f"--outcome); its columns are {', '.join(map(repr, sheet.frame.columns))}"
            )
    for role, pattern in (("counts", COUNTS), ("cluster", CLUSTER)):
        column = _named(pattern, free) if role not in known else None
        if column is not None and (role == "counts" or sheet.frame[column].nunique() > 1):
            known[role] = column
            what = "How often each occurred" if role == "counts" else "Who judged"
            reasons.append(f"{what} is read from {column!r}, judging by its name.")
    return BattleGuess(Columns(**known), tuple(reasons))


def _sides(sheet: Sheet, free: list[str], known: dict[str, str]) -> tuple[str, str] | None:
    lefts = [known["left"]] if "left" in known else free
    rights = [known["right"]] if "right" in known else free
    for pair in SIDES:
        for left, right in product(lefts, rights):
            if left != right and _match(pair, left, right) and _hold_names(sheet, left, right):
                return left, right
    return None


def _match(pair: tuple[str, str], left: str, right: str) -> bool:
    first, second = (
        re.fullmatch(pattern, name.strip(), re.IGNORECASE)
        for pattern, name in zip(pair, (left, right), strict=True)
    )
    return first is not None and second is not None and first.groupdict() == second.groupdict()


def _hold_names(sheet: Sheet, left: str, right: str) -> bool:
    """Return whether both columns hold texts, or numbers under a name that leaves no doubt."""
    if left.strip().casefold() in CLEAR:
        return True
    return all(len(numbers(sheet, side).wrong) > 0 for side in (left, right))


def _is_decided(left: str) -> bool:
    return left.strip().casefold() in DECIDED


def _named(pattern: str, columns: Iterable[str]) -> str | None:
    found = (name for name in columns if re.fullmatch(pattern, name.strip(), re.IGNORECASE))
    return next(found, None)
