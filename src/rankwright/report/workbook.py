"""Tables as the sheets of a spreadsheet file, in which every text is text."""

import io
import re
from collections.abc import Mapping
from typing import Any

import pandas as pd

from rankwright.report.plain_values import plain

__all__ = ["xlsx_bytes"]

LONGEST_TITLE, WIDEST = 31, 60  # letters: what spreadsheets allow a sheet's name, and of a column
FORBIDDEN = re.compile(r"[\[\]:*?/\\\x00-\x1f]")
MOST_ROWS, MOST_LETTERS = 2**20, 32_767  # of a sheet, of a cell


def xlsx_bytes(tables: Mapping[str, pd.DataFrame]) -> bytes:
    """Return an .xlsx file with a sheet for each table, its index as the first columns.

    No cell is a formula or a link, whatever its text begins with.

    Examples
    --------
    >>> import pandas as pd
    >>> from rankwright.report import xlsx_bytes
    >>> xlsx_bytes({"scores": pd.DataFrame({"score": [1.5]}, index=["=A1"])})[:2]
    b'PK'
    """
    try:
        from xlsxwriter import Workbook
    except ImportError as error:
        raise ImportError(
            "writing .xlsx files needs XlsxWriter; install rankwright[excel], or write a .csv file"
        ) from error
    content = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    book = Workbook(content, {**options, "nan_inf_to_errors": False})
    bold = book.add_format({"bold": True})
    for title, frame in tables.items():
        _write(book.add_worksheet(_sheet_name(title, book)), frame, bold)
    book.close()
    return content.getvalue()


def _write(sheet: Any, frame: pd.DataFrame, bold: Any) -> None:
    named = any(name is not None for name in frame.index.names)
    table = frame.reset_index(allow_duplicates=True) if named else frame
    if len(table) >= MOST_ROWS:
        raise ValueError(f"{len(table):,} rows are more than a sheet holds; write a .csv file")
    for place, name in enumerate(table.columns):
        column = [_cell(value) for value in table.iloc[:, place].tolist()]
        texts = [str(name), *(str(value) for value in column[:200])]
        sheet.set_column(place, place, min(max(map(len, texts)) + 2, WIDEST))
        sheet.write_string(0, place, str(name)[:MOST_LETTERS], bold)
        for row, value in enumerate(column, start=1):
            if isinstance(value, bool):
                sheet.write_boolean(row, place, value)
            elif isinstance(value, int | float):
                sheet.write_number(row, place, value)
            elif value is not None:
                sheet.write_string(row, place, value)
    sheet.freeze_panes(1, 0)


def _cell(value: Any) -> bool | int | float | str | None:
    """Return a value that a cell can hold; lists are written with commas."""
    simple = plain(value)
    if isinstance(simple, list):
        simple = ", ".join(map(str, simple))
    if isinstance(simple, int) and abs(simple) >= 2**53:
        simple = str(simple)
    if isinstance(simple, str):
        return simple[:MOST_LETTERS]
    return simple if isinstance(simple, bool | int | float | None) else str(simple)[:MOST_LETTERS]


def _sheet_name(title: str, book: Any) -> str:
    """Return a name that a sheet may have, and no other has."""
    name = FORBIDDEN.sub(" ", title).strip("' ")[:LONGEST_TITLE] or "table"
    taken = {sheet.get_name().lower() for sheet in book.worksheets()}
    number = 2
    while name.lower() in taken:
        name = f"{name[: LONGEST_TITLE - 4]} {number}"
        number += 1
    return name
