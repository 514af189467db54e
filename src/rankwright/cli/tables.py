"""Tables from files: columns guessed, said, asked for, and the reader's notes passed on."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rankwright.cli.models import SavedModel
from rankwright.cli.output import Output
from rankwright.cli.reading import Reading, Source, listed
from rankwright.cli.remedies import offer_remedies

if TYPE_CHECKING:
    import pandas as pd

    from rankwright.data import ColumnGuess, ItemTable, UnratedItems
    from rankwright.data.sheet import Sheet

__all__ = ["Columns", "check_groups", "read_items_for", "read_rated"]

INCOMPLETE = "Many rankers can't take missing factors; --complete leaves their rows out."
# The readers speak of Python's options; these are the command line's.
IN_COMMANDS = {
    "pass target_is='score'": "use --score instead of --rank",
    "pass target_is='rank'": "use --rank instead of --score",
    "factors=[...] includes": "--factors includes",
    "tells them apart by group=...": "tells them apart by --group",
    "sheet=... takes another": "--sheet takes another",
}
OFFER = re.compile(r"group=(.+) compares within each, category_factors=\[.+\] makes 0/1 factors")


@dataclass(frozen=True)
class Columns:
    """The columns that the user named."""

    item: str | None = None
    rank: str | None = None
    score: str | None = None
    group: str | None = None
    category: str | None = None
    factors: str | None = None
    reading: Source = field(default_factory=Reading)

    @property
    def target_is(self) -> Literal["rank", "score"] | None:
        """What the user said the target is, if anything."""
        if self.rank is not None and self.score is not None:
            raise ValueError("--rank and --score were both given; give only one of them")
        return "rank" if self.rank is not None else "score" if self.score is not None else None

    @property
    def known_group(self) -> "str | Literal[False] | None":
        """The group column, or that there is none, or that nothing was said."""
        if not getattr(self.reading, "no_group", False):
            return self.group
        if self.group is not None:
            raise ValueError("--group and --no-group were both given; give only one of them")
        return False

    @property
    def named_factors(self) -> list[str]:
        """The factors of a list with commas."""
        return listed(self.factors, "--factors")

    @property
    def excluded(self) -> list[str]:
        """The columns that are no factors."""
        return listed(getattr(self.reading, "exclude", None), "--exclude")

    @property
    def category_factors(self) -> list[str]:
        """The columns of texts that are made into factors."""
        return listed(getattr(self.reading, "category_factors", None), "--category-factors")


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
        from rankwright.data.no_factors import SCORE_WORD
        from rankwright.data.sheet import listed_columns

        there = listed_columns(self.guess.columns)
        scores = [name for name in self.guess.columns if SCORE_WORD.search(name)]
        if "score" in what and len(scores) > 1:
            return (
                f"{self.sheet.source}: several columns look like scores, "
                f"{listed_columns(scores)}; say by --score COLUMN which one is to be explained"
            )
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
        category_factors=columns.category_factors,
        exclude=columns.excluded,
    )
    remedy = _remedy(complete, columns, model)
    if model is not None:
        table = replace(table, X=_filled(output, table.X, model))
    has_gaps = bool(table.X.isna().to_numpy().any())
    table = table if remedy is None else table.complete(str(remedy))
    table = replace(table, notes=_in_commands(table.notes))  # as a report will tell them
    _pass_on(output, table.notes, complete=not has_gaps or remedy is not None or model is None)
    _check_comparable(table, guess.group, columns.reading.where)
    if has_gaps and remedy is None and model is None:
        offer_remedies(output, table)
    return table


def _check_comparable(
    table: "ItemTable", group: str | None, conditions: Sequence[str] | None
) -> None:
    """Refuse a table in which no item can be compared with another one."""
    if len(table) == 1:
        remedy = "let --where keep more of them" if conditions else "give more rows"
        raise ValueError(
            f"{table.source}: one item is left, {table.X.index[0]!r}, and nothing to compare it "
            f"with; {remedy}"
        )
    if table.groups is not None and len(set(table.groups.tolist())) == len(table):
        raise ValueError(
            f"{table.source}: every group of {group!r} has a single item, and only items of the "
            "same group are compared; name another --group, or give --no-group"
        )


def read_items_for(
    model: SavedModel, output: Output, path: Path, columns: Columns, *, complete: bool = False
) -> "UnratedItems":
    """Read a table of items with the factors that a model needs."""
    from rankwright.data import read_items
    from rankwright.data.rated_rows import items_alone

    opened = _open(output, path, columns, model)
    guess = opened.guess
    sheet = items_alone(opened.sheet, opened.item, opened.factors, guess.target)
    items = read_items(sheet, item=opened.item, factors=opened.factors, group=guess.group)
    remedy = _remedy(complete, columns, model)
    items = replace(items, X=_filled(output, items.X, model))
    has_gaps = bool(items.X.isna().to_numpy().any())
    _pass_on(output, items.notes, complete=not has_gaps or remedy is not None)
    return items if remedy is None else _without_gaps(output, items, str(remedy))


def check_groups(
    model: SavedModel, output: Output, items: "UnratedItems", *, needed: bool = False
) -> None:
    """Say that a formula for positions within groups meets a table without; refuse if needed."""
    if items.groups is not None or not model.is_grouped:
        return
    found = f"{model.name} was fitted within groups, but no group column was found or given"
    if needed:
        raise ValueError(
            f"{found}, so the position would be among all rows of {items.source}; give --group "
            "COLUMN (with the same value everywhere if all rows form one group)"
        )
    output.note(f"{found}: items are ranked across all rows; give --group COLUMN.")


def _remedy(complete: bool, columns: Columns, model: SavedModel | None) -> str | None:
    """Return what to do about gaps that a model does not fill by itself."""
    remedy = "rows" if complete else columns.reading.missing
    if model is None or remedy not in ("factors", "indicators", "few"):
        return remedy
    if remedy == "indicators" and model.marks_gaps:
        return None
    raise ValueError(
        f"--missing {remedy} changes the factors, but {model.name} needs those it was fitted "
        "on; give --missing rows or --missing medians"
    )


def _filled(output: Output, X: "pd.DataFrame", model: SavedModel) -> "pd.DataFrame":
    """Fill the gaps that a model was fitted to know of, and name factors in another unit."""
    from rankwright.data.fitted_ranges import other_units
    from rankwright.data.remedies import filled_where_marked

    filled, notes = filled_where_marked(X, model.gap_values, model.name)
    for note in [*notes, *other_units(X, model.factor_ranges)]:
        output.note(note)
    return filled


def _without_gaps(output: Output, items: "UnratedItems", remedy: str) -> "UnratedItems":
    from rankwright.data.remedies import remedied

    if not items.X.isna().to_numpy().any():
        return items
    found = remedied(items.X, remedy, items.source)
    output.note(found.note)
    left = items.keep(found.keep)
    _pass_on(output, left.notes[len(items.notes) :], complete=True)
    return replace(left, X=found.X)


def _open(output: Output, path: Path, columns: Columns, model: SavedModel | None) -> Opened:
    """Parse a file once; guess what was not given, and let a person at a terminal correct it."""
    from rankwright.data import guess_columns
    from rankwright.data.conditions import rows_where
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
    others = [*named, *columns.category_factors]
    with output.progress(f"Reading {path.name}"):
        sheet = as_sheet(path, [*given, *others, *columns.excluded], columns.reading.sheet)
        sheet = rows_where(sheet, columns.reading.where or ())
        guess = guess_columns(
            sheet,
            item=columns.item,
            target=target,
            target_is=columns.target_is,
            group=columns.known_group,
            category=columns.category,
            factors=others,
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
    from rankwright.data.factors import read_factors
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
    from rankwright.data.observations import HAS_GAPS

    for note in _in_commands(notes):
        if note != HAS_GAPS:
            output.note(note)
        elif not complete:
            output.note(INCOMPLETE)


def _in_commands(notes: Sequence[str]) -> tuple[str, ...]:
    """Return what a reader says with the options of the command line."""
    said = list(notes)
    for python, option in IN_COMMANDS.items():
        said = [note.replace(python, option) for note in said]
    offer = r"--group \1 compares within each, --category-factors \1 makes 0/1 factors"
    return tuple(OFFER.sub(offer, note) for note in said)
