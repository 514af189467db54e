"""The cells of a workbook as texts; run as a program of its own, bytes in and JSON out.

On damaged files python-calamine may panic or never end, which only a process of its own survives.
It imports nothing of the package, so that it starts at once.
"""

import datetime
import io
import json
import struct
import sys
from typing import Any

try:
    import resource
except ImportError:  # on Windows
    resource = None  # type: ignore[assignment]

__all__ = ["LOCKED"]

LOCKED = "locked"
MEMORY, MEMORY_FOR_A_BYTE = 2**30, 400  # bytes for the cells of a workbook of so many bytes


def tables_of(data: bytes) -> dict[str, list[list[str]]]:
    """Return the cells of every visible sheet."""
    import python_calamine as calamine

    book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
    shown = calamine.SheetVisibleEnum.Visible
    titles = [one.name for one in book.sheets_metadata if one.visible == shown]
    return {title: _records(book.get_sheet_by_name(title)) for title in titles}


def _records(sheet: Any) -> list[list[str]]:
    """Write the cells of a sheet as texts, each cell of a merged range as the first."""
    records = [[_written(value) for value in row] for row in sheet.to_python(skip_empty_area=False)]
    for (top, left), (bottom, right) in sheet.merged_cell_ranges or ():
        if top >= len(records) or left >= len(records[top]):
            continue
        # A title across the table stays one cell: it would look like a header.
        last = left if (right - left + 1) * 2 > len(records[top]) else right
        for record in records[top : bottom + 1]:
            record[left : last + 1] = [records[top][left]] * (min(last + 1, len(record)) - left)
    return records


def _written(value: Any) -> str:
    """Write a value as its sheet shows it: numbers with the fifteen digits a workbook keeps."""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float | int):
        return _single(value) or format(value, ".15g")
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    return str(value).strip()


def _single(value: float) -> str | None:
    """Write a fraction that a program kept in four bytes: 7.8421 for 7.84210014343262."""
    if float(value).is_integer() or _in_four_bytes(value) != value:
        return None
    written = (format(value, f".{digits}g") for digits in range(1, 10))
    return next(text for text in written if _in_four_bytes(float(text)) == value)


def _in_four_bytes(value: float) -> float:
    return float(struct.unpack("f", struct.pack("f", value))[0])


def _limit_memory(n_bytes: int) -> None:
    """Let a workbook that claims to be far larger than it is end this process, not the machine."""
    if resource is None:
        return
    most = MEMORY + MEMORY_FOR_A_BYTE * n_bytes
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    lower = most if soft == resource.RLIM_INFINITY else min(most, soft)
    resource.setrlimit(resource.RLIMIT_AS, (lower, hard))


def _answer(data: bytes) -> dict[str, Any]:
    try:
        return {"tables": tables_of(data)}
    except BaseException as error:  # a panic of Rust is no Exception
        return {"error": str(error), LOCKED: _is_locked(data)}


def _is_locked(data: bytes) -> bool:
    """Tell whether a password protects a workbook: calamine says so of files with endings only."""
    import tempfile
    from pathlib import Path

    import python_calamine as calamine

    with tempfile.TemporaryDirectory() as folder:
        for ending in (".xlsx", ".xls", ".ods"):  # .xlsb is protected as .xlsx is
            path = Path(folder, f"book{ending}")
            path.write_bytes(data)
            try:
                calamine.CalamineWorkbook.from_path(str(path))
            except calamine.PasswordError:
                return True
            except BaseException:  # noqa: S112  (the first error tells what else is wrong)
                continue
    return False


if __name__ == "__main__":
    content = sys.stdin.buffer.read()
    _limit_memory(len(content))
    sys.stdout.buffer.write(json.dumps(_answer(content)).encode())
