"""How a table is read: options that every command with a table takes, as one value."""

import csv
import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Annotated, Any, get_type_hints

import typer

__all__ = ["AS_FOUND", "ITEMS_AS_FOUND", "Reading", "Source", "listed", "spread"]

COLUMNS = "Columns (guessed unless given)"
ROWS = "Rows and sheets"


@dataclass(frozen=True)
class Source:
    """Which sheet and which rows of a file to read, and what to do about gaps."""

    sheet: Annotated[
        str | None,
        typer.Option(
            "--sheet",
            metavar="NAME",
            help="The sheet of a workbook, by name or by number.",
            rich_help_panel=ROWS,
        ),
    ] = None
    where: Annotated[
        list[str] | None,
        typer.Option(
            "--where",
            metavar="CONDITION",
            help="Keep only rows that meet a condition, such as 'year = 2015' (repeatable).",
            rich_help_panel=ROWS,
        ),
    ] = None
    missing: Annotated[
        str | None,
        typer.Option(
            "--missing",
            metavar="REMEDY",
            help="What to do about missing factors: rows leaves out the rows, as --complete does; "
            "factors leaves out the factors; medians fills each gap with the factor's median; "
            "indicators also adds 0/1 factors that mark the gaps; few leaves out factors with many "
            "gaps, then rows, so that as many values as possible are left.",
            rich_help_panel=ROWS,
        ),
    ] = None


@dataclass(frozen=True)
class Reading(Source):
    """Also which columns of a rated table are no factors, and which are made into some."""

    no_group: Annotated[
        bool,
        typer.Option(
            "--no-group",
            help="Compare all rows with each other, and do not guess a group column.",
            rich_help_panel=COLUMNS,
        ),
    ] = False
    exclude: Annotated[
        str | None,
        typer.Option(
            "--exclude",
            metavar="A,B,C",
            help="Columns that are not factors.",
            rich_help_panel=COLUMNS,
        ),
    ] = None
    category_factors: Annotated[
        str | None,
        typer.Option(
            "--category-factors",
            metavar="A,B,C",
            help="Text columns with a few distinct values, to use as 0/1 factors.",
            rich_help_panel=COLUMNS,
        ),
    ] = None


ITEMS_AS_FOUND, AS_FOUND = Source(), Reading()


def listed(names: str | None, option: str) -> list[str]:
    """Split a list with commas; a name that holds one stands in quotation marks."""
    try:
        (found,) = csv.reader([names or ""], skipinitialspace=True)
    except (csv.Error, ValueError):
        raise ValueError(
            f"{option} {names}: put names with commas or line breaks in double quotes"
        ) from None
    return [name.strip() for name in found if name.strip()]


def spread(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of its parameter of type Source or Reading one by one."""
    hints = get_type_hints(function, include_extras=True)
    found = [(name, kind) for name, kind in hints.items() if kind in (Source, Reading)]
    if not found:
        return function
    (name, kind), *_ = found
    options = get_type_hints(kind, include_extras=True)

    @functools.wraps(function)
    def run(**given: Any) -> None:
        values = {field.name: given.pop(field.name) for field in fields(kind)}
        function(**given, **{name: kind(**values)})

    single = [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=field.default,
            annotation=options[field.name],
        )
        for field in fields(kind)
    ]
    signature = inspect.signature(function)
    kept = [
        one.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[key])
        for key, one in signature.parameters.items()
        if key != name
    ]
    place = list(signature.parameters).index(name)
    parameters = [*kept[:place], *single, *kept[place:]]
    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in parameters}
    return run
