"""Read a table: guess the roles of its columns, and say what was noticed, row by row."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankwright.studio.blocks import Grid
from rankwright.studio.jobs import Progress, Tell
from rankwright.studio.tasks.roles import Role, Roles

if TYPE_CHECKING:
    from rankwright.data import ColumnGuess, ItemTable
    from rankwright.data.sheet import Sheet

__all__ = ["Column", "File", "Product", "TableRequest", "TableView", "look", "named", "read_rated"]

PREVIEW, MOST_PRODUCTS, MOST_COLUMNS = 50, 5000, 60
SAMPLES, LONGEST_SAMPLE, LONGEST_CELL = 4, 40, 200
# The readers speak of Python's options; these are the studio's.
IN_STUDIO = (
    (r"pass target_is='(rank|score)'", r"give it the role \1"),
    (r"factors=\[\.\.\.\] includes it", "the role factor includes it"),
    (r"sheet=\.\.\. takes another", "take another one above"),
    (
        r"group=.+ compares within each, category_factors=\[.+\] makes 0/1 factors",
        "the role subcategory compares within each, the role texts makes 0/1 factors",
    ),
)
UNSAID = "Missing factors are NaN in X"  # the page offers remedies
# "(row 12, column 'zoom')", "(rows 3, 5 and 2 more)": where a remark points to.
ROWS = re.compile(r"\brows? ((?:\d+, )*\d+)")


@dataclass(frozen=True)
class File:
    """A file of a session: where it lies, and what its owner calls it."""

    path: str
    name: str


@dataclass(frozen=True)
class TableRequest:
    """How to read a file: what is None is guessed, and gaps are left if no remedy is given."""

    file: File
    roles: Roles | None = None
    missing: str | None = None
    sheet: str | None = None
    where: tuple[str, ...] = ()


@dataclass(frozen=True)
class Column:
    """A column: its name, some of its cells, and its role."""

    name: str
    samples: tuple[str, ...]
    role: Role


@dataclass(frozen=True)
class Product:
    """A product: its name, its group, and its place among the rows that were read."""

    name: str
    group: str
    row: int


@dataclass(frozen=True)
class TableView:
    """What a page shows of a table; ``problem`` says why it can't be used yet."""

    columns: tuple[Column, ...]
    preview: Grid
    remarks: tuple[str, ...]
    summary: str
    problem: str = ""
    products: tuple[Product, ...] = ()
    remedies: Grid | None = None
    sheet: str = ""
    sheets: tuple[str, ...] = ()


def look(request: TableRequest, tell: Tell) -> TableView:
    """Read a table, and say everything about it that a person should know before using it."""
    from rankwright.data import guess_columns
    from rankwright.data.sheet import cells

    tell(Progress(f"Reading {request.file.name}"))
    with named(request.file):
        sheet = open_sheet(request.file, request.sheet, request.where)
        guess = guess_columns(sheet)
    reasons = guess.reasons if request.roles is None else ()
    roles = request.roles or _guessed(sheet, guess)
    columns = tuple(
        Column(str(name), _samples(cells(sheet.frame[name])), roles.by_column[str(name)])
        for name in sheet.frame.columns
    )
    notes = _in_studio((*reasons, *sheet.notes))
    view = TableView(
        columns, _preview(sheet, notes), notes, "", sheet=sheet.title, sheets=sheet.titles
    )
    try:
        with named(request.file):
            table = _read(sheet, roles, as_guessed=request.roles is None)
            used = table if request.missing is None else table.complete(request.missing)
    except ValueError as error:
        return replace(view, problem=str(error), summary=_size(sheet))
    remarks = _in_studio((*reasons, *used.notes))
    return replace(
        view,
        preview=_preview(sheet, remarks),
        remarks=remarks,
        summary=_summary(used),
        problem=_gaps(used),
        products=products_of(used),
        remedies=_remedies(table),
    )


def read_rated(request: TableRequest) -> "ItemTable":
    """Read the table of a request whose roles are settled."""
    assert request.roles is not None  # a page asks for nothing else before
    with named(request.file):
        sheet = open_sheet(request.file, request.sheet, request.where)
        table = _read(sheet, request.roles)
        return table if request.missing is None else table.complete(request.missing)


def open_sheet(file: File, sheet: str | None = None, where: tuple[str, ...] = ()) -> "Sheet":
    """Parse a file, under the name that its owner gave it."""
    from rankwright.data.conditions import rows_where
    from rankwright.data.sources import as_sheet

    found = replace(as_sheet(Path(file.path), [], sheet), source=file.name)
    return rows_where(found, where)


def products_of(table: "ItemTable", most: int = MOST_PRODUCTS) -> tuple[Product, ...]:
    """Return the first products in the order of the rows."""
    groups = [""] * len(table) if table.groups is None else [str(one) for one in table.groups]
    names = [str(item) for item in table.items]
    return tuple(
        Product(name, group, row)
        for row, (name, group) in enumerate(zip(names, groups, strict=True))
    )[:most]


@contextmanager
def named(*files: File) -> Iterator[None]:
    """Let errors speak of files by their owners' names."""
    try:
        yield
    except (ValueError, OSError, ImportError) as error:
        text = str(error)
        for file in files:
            text = text.replace(file.path, file.name).replace(Path(file.path).name, file.name)
        raise ValueError(text) from error


def _read(sheet: "Sheet", roles: Roles, *, as_guessed: bool = False) -> "ItemTable":
    """Read a table; where factors are guessed, the reader says which columns are none, and why."""
    from rankwright.data import read_table

    arguments = roles.arguments()
    if as_guessed:
        return read_table(sheet, **arguments | {"factors": None})
    texts = arguments.pop("category_factors")
    factors = arguments.pop("factors")
    numbers = {"factors": factors} if factors else {"exclude": _unused(roles)}
    return read_table(sheet, **arguments, **numbers, category_factors=texts)


def _unused(roles: Roles) -> list[str]:
    return [name for name, role in roles.by_column.items() if role is Role.IGNORED]


def _guessed(sheet: "Sheet", guess: "ColumnGuess") -> Roles:
    """Return the roles that a table seems to have; factors are what the reader takes for some."""
    from rankwright.data import read_table

    given = {
        guess.item: Role.ITEM,
        guess.target: Role.RANK if guess.target_is == "rank" else Role.SCORE,
        guess.group: Role.GROUP,
        guess.category: Role.CATEGORY,
    }
    factors: Any = ()
    if guess.item is not None and guess.target is not None:
        try:
            factors = read_table(
                sheet,
                item=guess.item,
                target=guess.target,
                target_is=guess.target_is,
                group=guess.group,
                category=guess.category,
            ).X.columns
        except ValueError:
            factors = ()  # then the page says why, once roles were chosen
    taken = {str(name): Role.FACTOR for name in factors}
    return Roles({name: given.get(name) or taken.get(name, Role.IGNORED) for name in guess.columns})


def _in_studio(notes: tuple[str, ...]) -> tuple[str, ...]:
    said = [note for note in notes if not note.startswith(UNSAID)]
    for words, here in IN_STUDIO:
        said = [re.sub(words, here, note) for note in said]
    return tuple(said)


def _samples(values: list[str]) -> tuple[str, ...]:
    distinct = dict.fromkeys(value for value in values[:1000] if value)
    return tuple(value[:LONGEST_SAMPLE] for value in list(distinct)[:SAMPLES])


def _preview(sheet: "Sheet", remarks: tuple[str, ...]) -> Grid:
    """Return the first rows and those that remarks point to, with the remarks beside them."""
    from rankwright.data.sheet import cells

    about: dict[str, list[str]] = {}
    for remark in remarks:
        for listed in ROWS.findall(remark):
            for row in listed.split(", "):
                about.setdefault(row, []).append(remark)
    numbers = [str(number) for number in sheet.frame.index]
    chosen = [place for place, number in enumerate(numbers) if place < PREVIEW or number in about]
    shown = sheet.frame.iloc[chosen[: 2 * PREVIEW], :MOST_COLUMNS]
    rows = [str(number) for number in shown.index]
    texts = [[one[:LONGEST_CELL] for one in cells(shown[name])] for name in shown]
    remarked = [" ".join(about.get(row, ())) for row in rows]
    has_remarks = any(remarked)
    wide = sheet.frame.shape[1]
    more = f", and the first {MOST_COLUMNS} of {wide:,} columns" if wide > MOST_COLUMNS else ""
    return Grid(
        f"The first rows of {sheet.source}{more}",
        ("row", *map(str, shown.columns), *(["remark"] if has_remarks else [])),
        tuple(zip(rows, *texts, *([remarked] if has_remarks else []), strict=True)),
    )


def _size(sheet: "Sheet") -> str:
    return f"{len(sheet.frame):,} rows, {sheet.frame.shape[1]} columns."


def _summary(table: "ItemTable") -> str:
    from rankwright.data.observations import count

    number = 0 if table.groups is None else len(set(table.groups))
    groups = f" in {number:,} {'subcategory' if number == 1 else 'subcategories'}" * bool(number)
    best = table.items[int(table.y.argmax())]
    return (
        f"{count(len(table), 'item')}{groups}, {count(table.X.shape[1], 'factor')}. Best by "
        f"{table.target}: {best}."
    )


def _gaps(table: "ItemTable") -> str:
    gaps = table.X.isna()
    if not gaps.to_numpy().any():
        return ""
    factors = ", ".join(map(str, table.X.columns[gaps.any()]))
    return f"Values of {factors} are missing, and a formula needs every one: choose a remedy."


def _remedies(table: "ItemTable") -> Grid | None:
    from rankwright.comparison.remedies import try_remedies

    if not table.X.isna().to_numpy().any():
        return None
    rows = tuple(
        (
            str(one.remedy),
            one.items or None,
            one.factors or None,
            None if one.tau is None else round(one.tau, 3),
            one.failure or "",
        )
        for one in try_remedies(table)
    )
    columns = ("remedy", "items left", "factors", "tau of a plain regression", "not possible")
    return Grid("What can be done about missing factors", columns, rows)
