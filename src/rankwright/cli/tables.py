"""Tables from files: columns guessed, said, asked for, and the reader's notes passed on."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rankwright.cli.models import SavedModel
from rankwright.cli.output import Output

if TYPE_CHECKING:
    from rankwright.data import ColumnGuess, ItemTable, UnratedItems
    from rankwright.data.spreadsheet import Sheet

__all__ = ["Columns", "check_groups", "read_items_for", "read_rated"]

INCOMPLETE = "Many rankers can't take missing factors; --complete leaves"
# The readers speak of Python's options; these are the command line's.
IN_COMMANDS = {
    "pass target_is='score'": "use --score instead of --rank",
    "pass target_is='rank'": "use --rank instead of --score",
    "Missing factors are NaN in X; .complete() leaves": INCOMPLETE,
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
            raise ValueError("--rank and --score were both given; give only one of them")
        return "rank" if self.rank is not None else "score" if self.score is not None else None

    @property
    def named_factors(self) -> list[str]:
        """The factors of a list with commas; a name that holds one stands in quotation marks."""
        try:
            (names,) = csv.reader([self.factors or ""], skipinitialspace=True)
        except csv.Error:
            raise ValueError(
                f"--factors {self.factors}: put names with commas or line breaks in double quotes"
            ) from None
        return [name.strip() for name in names if name.strip()]


@dataclass(frozen=True)
class Opened:
    """A file that has been parsed, the roles of its columns, and the factors to read."""

    sheet: "Sheet"
    guess: "ColumnGuess"
    factors: list[str]

    @property
    def item(self) -> str:
        """The column of names."""
        if self.guess.item is None:
            raise ValueError(self.missing("item names", "--item COLUMN"))
        return self.guess.item

    @property
    def target(self) -> str:
        """The column of ranks or scores."""
        if self.guess.target is None:
            raise ValueError(self.missing("ranks or scores", "--rank COLUMN or --score COLUMN"))
        return self.guess.target

    def missing(self, what: str, remedy: str) -> str:
        """Say which column could not be found."""
        there = ", ".join(map(repr, self.guess.columns))
        return (
            f"{self.sheet.source}: no column looks like {what}; pass {remedy}; "
            f"its columns are {there}"
        )


def read_rated(
    output: Output,
    path: Path,
    columns: Columns,
    *,
    complete: bool,
    model: SavedModel | None = None,
) -> "ItemTable":
    """Read a table of rated items, with the factors that a model needs if one is given."""
    from rankwright.data import read_table

    opened = _open(output, path, columns, model)
    guess = opened.guess
    table = read_table(
        opened.sheet,
        target=opened.target,
        item=opened.item,
        target_is=guess.target_is,
        group=guess.group,
        category=guess.category,
        factors=opened.factors or None,
    )
    table = table.complete() if complete else table
    _pass_on(output, table.notes, complete=complete)
    return table


def read_items_for(
    model: SavedModel, output: Output, path: Path, columns: Columns, *, complete: bool = False
) -> "UnratedItems":
    """Read a table of items with the factors that a model needs."""
    from rankwright.data import read_items

    opened = _open(output, path, columns, model)
    items = read_items(
        opened.sheet, item=opened.item, factors=opened.factors, group=opened.guess.group
    )
    _pass_on(output, items.notes, complete=complete)
    return _without_gaps(output, items) if complete else items


def check_groups(
    model: SavedModel, output: Output, items: "UnratedItems", *, needed: bool = False
) -> None:
    """Say that a formula for positions within groups meets a table without; refuse if needed."""
    if items.groups is not None or not model.is_grouped:
        return
    found = f"{model.name} was fitted within groups, but no group column was found or given"
    if needed:
        raise ValueError(
            f"{found}, so a position among all rows of {items.source} would be meant; give --group "
            "COLUMN (one with the same value everywhere, if all rows are one group)"
        )
    output.note(f"{found}: items are ranked across all rows; give --group COLUMN.")


def _without_gaps(output: Output, items: "UnratedItems") -> "UnratedItems":
    from rankwright.data.observations import count, examples

    keep = items.X.notna().all(axis=1).to_numpy()
    if keep.all():
        return items
    if not keep.any():
        raise ValueError(f"every row of {items.source} has a missing factor")
    gone = items.X.index[~keep]
    named = examples(map(repr, gone), len(gone))
    output.note(f"{count(len(gone), 'row')} left out because a factor is missing: {named}.")
    groups = None if items.groups is None else items.groups[keep]
    return replace(items, X=items.X[keep], groups=groups)


def _open(output: Output, path: Path, columns: Columns, model: SavedModel | None) -> Opened:
    """Parse a file once; guess what was not given, and let a person at a terminal correct it."""
    from rankwright.data import guess_columns
    from rankwright.data.sources import as_sheet

    named = columns.named_factors
    if model is not None and model.factors is not None:
        if named:
            raise ValueError(
                f"--factors is for models fitted without column names; {model.name} knows its "
                f"factors: {', '.join(model.factors)}"
            )
        named = model.factors
    target = columns.rank or columns.score
    given = [c for c in (columns.item, target, columns.group, columns.category) if c is not None]
    with output.progress(f"Reading {path.name}"):
        sheet = as_sheet(path, [*given, *named])
        guess = guess_columns(
            sheet,
            item=columns.item,
            target=target,
            target_is=columns.target_is,
            group=columns.group,
            category=columns.category,
            factors=named,
        )
    for reason in guess.reasons:
        output.note(f"Guessed: {reason}")
    if guess.reasons and output.can_ask:
        guess = _ask(guess)
    if model is not None and model.factors is None:
        named = _by_count(output, Opened(sheet, guess, named), model)
    return Opened(sheet, guess, named)


def _by_count(output: Output, opened: Opened, model: SavedModel) -> list[str]:
    """Choose the columns for a model that knows only how many it needs."""
    from rankwright.data.columns import read_factors
    from rankwright.data.observations import count

    guess, chosen = opened.guess, opened.factors
    if not chosen:
        roles = [guess.item, guess.target, guess.group, guess.category]
        X, _ = read_factors(opened.sheet, [role for role in roles if role is not None], None)
        chosen = [str(name) for name in X.columns]
    listed = ", ".join(chosen)
    if len(chosen) != model.n_factors:
        raise ValueError(
            f"{model.name} was fitted on {count(model.n_factors, 'column')} without "
            f"{'a name' if model.n_factors == 1 else 'names'}, but there are {len(chosen)} here "
            f"({listed}); pass --factors A,B,... in the order of the fit"
        )
    output.note(f"{model.name} was fitted without column names; it gets, in this order: {listed}.")
    return chosen


def _ask(guess: "ColumnGuess") -> "ColumnGuess":
    import typer

    if typer.confirm("Continue with these columns?", default=True, err=True):
        return guess
    answers: dict[str, Any] = {}
    for role in ("item", "target", "group", "category"):
        current = getattr(guess, role) or "-"
        answer = typer.prompt(f"{role} column (- for none)", default=current, err=True)
        answers[role] = None if answer == "-" else answer
    is_rank = typer.confirm("Is 1 the best?", default=guess.target_is == "rank", err=True)
    return replace(guess, target_is="rank" if is_rank else "score", **answers)


def _pass_on(output: Output, notes: Sequence[str], *, complete: bool) -> None:
    for note in notes:
        for python, option in IN_COMMANDS.items():
            note = note.replace(python, option)
        if not (complete and note.startswith(INCOMPLETE)):
            output.note(note)
