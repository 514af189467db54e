"""Which columns of a table hold battles, guessed from names and contents."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from rankwright.data.sheet import Sheet, cells, numbers, require_columns
from rankwright.leaderboards.battles import Columns, Context, ContextColumns

__all__ = ["BattleGuess", "CLUSTER", "COUNTS", "guess_battles", "holds_texts", "named", "resolve"]

# What both sides have in common is called "what": the model of model_a and model_b.
SIDES = (
    ("left", "right"), (r"(?P<what>(.*[ _.-])?)a", r"(?P<what>(.*[ _.-])?)b"),
    (r"a(?P<what>[ _.-].+)", r"b(?P<what>[ _.-].+)"),
    (r"(?P<what>.*)1", r"(?P<what>.*)2"), (r"(?P<what>.*)left", r"(?P<what>.*)right"),
    (r"left(?P<what>.*)", r"right(?P<what>.*)"), (r"home(?P<what>.*)", r"away(?P<what>.*)"),
    (r"(?P<what>.*)home", r"(?P<what>.*)away"),
    ("heim(team|mannschaft)?", "gast(team|mannschaft)?"),
    ("white(?P<what>.*)", "black(?P<what>.*)"),
    ("first", "second"), ("winner(?P<what>.*)", "loser(?P<what>.*)"),
    ("better|preferred|chosen", "worse|rejected"),
    ("item", "(other|opponent)([ _.-]?item)?"), ("player|team|model", "opponent"),
)  # fmt: skip
CLEAR = ("left", "winner", "better", "preferred", "chosen")  # hold names even if these are numbers
DECIDED = r"winner([ _.-]?(name|id|player|team|model))?|better|preferred|chosen"  # the left has won
OUTCOME = (
    r"(.*[ _.-])?(outcome|winner|result|res|preference|verdict|vote|judge?ment|label|score"
    r"|ergebnis|resultat)|ftr?"
)
WHO_WON = r"winner|outcome|verdict|preference"
POINTS = r"(.*[ _.-])?(goals?|score|points?|pts|runs|sets|games)([ _.-].*|\d)?"
GOALS = (("FTHG", "FTAG"), ("HG", "AG"))
WINS = r"(.*[ _.-])?wins?([ _.-].*|\d)?"
TIES = r"ties|tied|draws?|drawn"
COUNTS = r"counts?|n|freq(uency)?|times"
CLUSTER = (
    r"judge(d[ _-]by)?|judge[ _-]?(id|name)?|rater|annotator|user([ _-]?id)?|voter([ _-]?id)?"
    r"|assessor|taster|reviewer|respondent|participant"
)
SAMPLE = 1000  # rows that usually tell whether a column holds texts
FEWEST_TEXTS = 10  # fewer may all differ though they are names


@dataclass(frozen=True)
class BattleGuess:
    """The columns of a table of battles, with the reasons for those that were guessed."""

    columns: Columns | None
    reasons: tuple[str, ...]


def guess_battles(sheet: Sheet, given: Columns) -> BattleGuess:
    """Guess the columns that were not given; None if the table does not hold battles."""
    known = {role: column for role, column in vars(given).items() if column is not None}
    require_columns(sheet, given.listed())
    free = [str(name) for name in sheet.frame.columns if name not in given.listed()]
    reasons = []
    if not {"left", "right"} <= known.keys():
        sides = _sides(sheet, free, known)
        if sides is None:
            return BattleGuess(None, ())
        known |= {"left": sides[0], "right": sides[1]}
        free = [name for name in free if name not in sides]
        reasons.append(f"Battles are between {sides[0]!r} and {sides[1]!r}.")
    if "outcome" not in known and not re.fullmatch(DECIDED, known["left"].strip(), re.IGNORECASE):
        role, columns, reason = _outcome(sheet, free)
        known[role] = columns
        reasons.append(reason)
    for role, pattern in (("counts", COUNTS), ("cluster", CLUSTER)):
        is_open = role not in known and not (role == "counts" and "wins" in known)
        column = named(pattern, free) if is_open else None
        if column is not None and (role == "counts" or sheet.frame[column].nunique() > 1):
            known[role] = column
            what = "How often each occurred" if role == "counts" else "Who judged"
            reasons.append(f"{what} is read from {column!r}, judging by its name.")
    return BattleGuess(Columns(**known), tuple(reasons))


def resolve(sheet: Sheet, context: Context | None) -> ContextColumns:
    """Return by name the column of the left item's view, or the columns of both sides.

    A name that is no column, such as length, stands for length_a and length_b.
    """
    if isinstance(context, str):
        context = [context]
    if not isinstance(context, dict):
        context = {name: name for name in context or ()}
    there, found = [str(name) for name in sheet.frame.columns], {}
    for name, columns in context.items():
        listed = (columns,) if isinstance(columns, str) else tuple(columns)
        if len(listed) == 1 and listed[0] not in there:
            pairs = (
                pair for pair, what in _pairs(there) if what.strip(" _.-") == listed[0].strip()
            )
            listed = next(pairs, listed)
        found[name] = listed
    return found


def named(pattern: str, columns: Iterable[str]) -> str | None:
    """Return the first column whose name fits."""
    found = (name for name in columns if re.fullmatch(pattern, name.strip(), re.IGNORECASE))
    return next(found, None)


def holds_texts(sheet: Sheet, column: str) -> bool:
    """Return whether a column holds something else than numbers and gaps."""
    first = Sheet(sheet.source, sheet.frame[[column]].head(SAMPLE), sheet.mark)
    return len(numbers(first, column).wrong) > 0 or len(numbers(sheet, column).wrong) > 0


def _sides(sheet: Sheet, free: list[str], known: dict[str, str]) -> tuple[str, str] | None:
    lefts = [known["left"]] if "left" in known else free
    rights = [known["right"]] if "right" in known else free
    fitting = [pair for pair, _ in _pairs(free, lefts, rights)]
    named_ids = [pair for pair in fitting if re.fullmatch(r".*[ _.-]?id", pair[0], re.IGNORECASE)]
    by_text = [pair for pair in fitting if _hold_names(sheet, *pair)]
    repeated = (pair for pair in by_text if not _hold_answers(sheet, *pair))
    numbered = fitting if named(WHO_WON, free) else []  # names may be numbers
    return next(iter((*repeated, *by_text, *named_ids, *numbered)), None)


def _pairs(
    free: list[str], lefts: list[str] | None = None, rights: list[str] | None = None
) -> Iterator[tuple[tuple[str, str], str]]:
    """List pairs of columns that are named after two sides, and what they have in common."""
    for first, second in SIDES:
        for left, right in product(lefts or free, rights or free):
            matches = [
                re.fullmatch(pattern, name.strip(), re.IGNORECASE)
                for pattern, name in ((first, left), (second, right))
            ]
            if left == right or None in matches:
                continue
            common = [match.groupdict().get("what", "").casefold() for match in matches if match]
            if common[0] == common[1]:
                yield (left, right), common[0]


def _hold_names(sheet: Sheet, left: str, right: str) -> bool:
    """Return whether both columns hold texts, or numbers under a name that leaves no doubt."""
    return left.strip().casefold() in CLEAR or all(holds_texts(sheet, c) for c in (left, right))


def _hold_answers(sheet: Sheet, left: str, right: str) -> bool:
    """Return whether nearly every cell holds another text, as answers do, and names do not."""
    texts = [text for column in (left, right) for text in cells(sheet.frame[column].head(SAMPLE))]
    return len(texts) >= FEWEST_TEXTS and len(set(texts)) > len(texts) / 2


def _outcome(sheet: Sheet, free: list[str]) -> tuple[str, str | tuple[str, ...], str]:
    """Return the role and the columns that say who won, and why they were taken."""
    pairs = [pair for pair, _ in _pairs(free)]
    two_sided = {column for pair in pairs for column in pair}
    if column := named(OUTCOME, [name for name in free if name not in two_sided]):
        return "outcome", column, f"Outcomes are read from {column!r}, judging by its name."
    goals = [pair for pair in GOALS if set(pair) <= set(free)]
    points = [pair for pair in pairs if re.fullmatch(POINTS, pair[0], re.IGNORECASE)]
    for pair in (*goals, *points):
        if not any(holds_texts(sheet, column) for column in pair):
            reason = f"Whoever has more points wins: {pair[0]!r} against {pair[1]!r}."
            return "outcome", pair, reason
    wins = next((pair for pair in pairs if re.fullmatch(WINS, pair[0], re.IGNORECASE)), None)
    if wins is not None:
        ties = named(TIES, free)
        columns = wins if ties is None else (*wins, ties)
        listed = ", ".join(map(repr, columns))
        return "wins", columns, f"How often each side won is read from {listed}."
    raise ValueError(
        f"no column of {sheet.source} looks like an outcome; name it (outcome=..., --outcome), or "
        "the points of both sides (outcome=('left', 'right'), --points LEFT RIGHT), or call the "
        "numbers of their wins wins_a and wins_b; its columns are "
        f"{', '.join(map(repr, sheet.frame.columns))}"
    )
