"""Tables from files: columns guessed, said, asked for, and the reader's notes passed on."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rankwright.cli.output import Output

if TYPE_CHECKING:
    from rankwright.data import ColumnGuess, ItemTable, UnratedItems

__all__ = ["Columns", "read_rated", "read_unrated"]

# The readers speak of Python's options; these are the command line's.
IN_COMMANDS = {
    "pass target_is='score'": "use --score instead of --rank",
    "pass target_is='rank'": "use --rank instead of --score",
    ".complete() leaves": "--complete leaves",
}


@dataclass(frozen=True)
class Columns:
    """The columns that the user named."""

    item: str | None = None
    rank: str | None = None
    score: str | None = None
    group: str | None = None
    category: str | None = None
    factors: str | None = None

    @property
    def target_is(self) -> Literal["rank", "score"] | None:
        """What the user said the target is, if anything."""
        if self.rank is not None and self.score is not None:
            raise ValueError("--rank and --score were both given; give one of the two")
        return "rank" if self.rank is not None else "score" if self.score is not None else None

    @property
    def named_factors(self) -> list[str] | None:
        """The factors of a list with commas."""
        if self.factors is None:
            return None
        return [factor.strip() for factor in self.factors.split(",") if factor.strip()]


def read_rated(output: Output, path: Path, columns: Columns, *, complete: bool) -> "ItemTable":
    """Read a table of rated items."""
    from rankwright.data import read_table

    guess = _settle(output, path, columns, columns.named_factors or ())
    if guess.target is None:
        raise ValueError(
            _missing(path, guess, "ranks or scores", "--rank COLUMN or --score COLUMN")
        )
    with output.progress(f"Reading {path.name}"):
        table = read_table(
            path,
            item=_item(path, guess),
            target=guess.target,
            target_is=guess.target_is,
            group=guess.group,
            category=guess.category,
            factors=columns.named_factors,
        )
        table = table.complete() if complete else table
    _pass_on(output, table.notes)
    if not complete and table.X.isna().to_numpy().any():
        output.note("Many rankers refuse missing factors; --complete leaves those rows out.")
    return table


def read_unrated(
    output: Output, path: Path, columns: Columns, factors: Sequence[str]
) -> "UnratedItems":
    """Read a table of items with the factors that a model needs."""
    from rankwright.data import read_items

    guess = _settle(output, path, columns, factors)
    with output.progress(f"Reading {path.name}"):
        items = read_items(path, item=_item(path, guess), factors=factors, group=guess.group)
    _pass_on(output, items.notes)
    return items


def _settle(output: Output, path: Path, columns: Columns, factors: Sequence[str]) -> "ColumnGuess":
    """Guess what was not given, say so, and let a person at a terminal correct it."""
    from rankwright.data import guess_columns

    with output.progress(f"Looking into {path.name}"):
        guess = guess_columns(
            path,
            item=columns.item,
            target=columns.rank or columns.score,
            target_is=columns.target_is,
            group=columns.group,
            category=columns.category,
            factors=factors,
        )
    for reason in guess.reasons:
        output.note(f"Guessed: {reason}")
    return _ask(guess) if guess.reasons and output.can_ask else guess


def _ask(guess: "ColumnGuess") -> "ColumnGuess":
    import typer

    if typer.confirm("Go on with these columns?", default=True, err=True):
        return guess
    answers: dict[str, Any] = {}
    for role in ("item", "target", "group", "category"):
        current = getattr(guess, role) or "-"
        answer = typer.prompt(f"{role} column (- for none)", default=current, err=True)
        answers[role] = None if answer == "-" else answer
    is_rank = typer.confirm("Is 1 the best?", default=guess.target_is == "rank", err=True)
    return replace(guess, target_is="rank" if is_rank else "score", **answers)


def _item(path: Path, guess: "ColumnGuess") -> str:
    if guess.item is None:
        raise ValueError(_missing(path, guess, "the items' names", "--item COLUMN"))
    return guess.item


def _missing(path: Path, guess: "ColumnGuess", what: str, remedy: str) -> str:
    there = ", ".join(map(repr, guess.columns))
    return f"{path.name}: no column looks like {what}; pass {remedy}; its columns are {there}"


def _pass_on(output: Output, notes: Sequence[str]) -> None:
    for note in notes:
        for python, option in IN_COMMANDS.items():
            note = note.replace(python, option)
        output.note(note)
