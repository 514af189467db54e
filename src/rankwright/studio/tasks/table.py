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
    from rankwright.data import ItemTable
    from rankwright.data.sheet import Sheet

__all__ = ["Column", "File", "Product", "TableRequest", "TableView", "look", "named", "read_rated"]

PREVIEW, MOST_PRODUCTS, MOST_COLUMNS = 50, 5000, 60
SAMPLES, LONGEST_SAMPLE, LONGEST_CELL = 4, 40, 200
LOOKED_AT = 1000  # cells of a column from which samples are taken
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
    tell(Progress(f"Reading {request.file.name}"))
    with named(request.file):
        sheet = open_sheet(request.file, request.sheet, request.where)
        found = _guessed(sheet) if request.roles is None else _by_roles(sheet, request.roles)
    notes = _in_studio((*found.reasons, *sheet.notes))
    view = TableView(
        tuple(Column(str(n), _samples(sheet, n), found.roles.by_column[str(n)])
              for n in sheet.frame.columns),
        _preview(sheet, notes), notes, _size(sheet), sheet=sheet.title, sheets=sheet.titles
    )  # fmt: skip
    try:
        if found.table is None:
            raise ValueError(found.problem)
        remedy = request.missing
        used = found.table if remedy is None else found.table.complete(remedy)
    except ValueError as error:
        return replace(view, problem=str(error))
    remarks = _in_studio((*found.reasons, *used.notes))
    return replace(
        view,
        preview=_preview(sheet, remarks),
        remarks=remarks,
        summary=_summary(used),
        problem=_gaps(used),
        products=products_of(used),
        remedies=_remedies(found.table),
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


@dataclass(frozen=True)
class _Found:
    """A table by the roles of its columns, or the problem with them; why roles were guessed."""

    roles: Roles
    table: "ItemTable | None" = None
    problem: str = ""
    reasons: tuple[str, ...] = ()


def _read(sheet: "Sheet", roles: Roles) -> "ItemTable":
    from rankwright.data import read_table

    arguments = roles.arguments()
    texts = arguments.pop("category_factors")
    factors = arguments.pop("factors")
    unused = [name for name, role in roles.by_column.items() if role is Role.IGNORED]
    numbers = {"factors": factors} if factors else {"exclude": unused}
    return read_table(sheet, **arguments, **numbers, category_factors=texts)


def _by_roles(sheet: "Sheet", roles: Roles) -> _Found:
    try:
        return _Found(roles, _read(sheet, roles))
    except ValueError as error:
        return _Found(roles, problem=str(error))


def _guessed(sheet: "Sheet") -> _Found:
    """Read a table by the roles it seems to have; the reader says which columns are factors."""
    from rankwright.data import guess_columns, read_table

    guess = guess_columns(sheet)
    given = {
        guess.item: Role.ITEM,
        guess.target: Role.RANK if guess.target_is == "rank" else Role.SCORE,
        guess.group: Role.GROUP,
        guess.category: Role.CATEGORY,
    }

    def roles(factors: Any = ()) -> Roles:
        taken = dict.fromkeys(map(str, factors), Role.FACTOR) | given
        return Roles({name: taken.get(name, Role.IGNORED) for name in guess.columns})

    if guess.item is None or guess.target is None:
        return replace(_by_roles(sheet, roles()), reasons=guess.reasons)  # which role nothing has
    try:
        table = read_table(
            sheet,
            item=guess.item,
            target=guess.target,
            target_is=guess.target_is,
            group=guess.group,
            category=guess.category,
        )
    except ValueError as error:
        return _Found(roles(), problem=str(error), reasons=guess.reasons)
    found = roles(table.X.columns)
    if table.X.shape[1] == 0:
        return _by_roles(sheet, found)
    return _Found(found, table, reasons=guess.reasons)


def _in_studio(notes: tuple[str, ...]) -> tuple[str, ...]:
    said = [note for note in notes if not note.startswith(UNSAID)]
    for words, here in IN_STUDIO:
        said = [re.sub(words, here, note) for note in said]
    return tuple(said)


def _samples(sheet: "Sheet", name: Any) -> tuple[str, ...]:
    from rankwright.data.sheet import cells

    distinct = dict.fromkeys(filter(None, cells(sheet.frame[name].iloc[:LOOKED_AT])))
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
