"""Large text tables whose rows all have the same number of cells, split by pandas' parser."""

import io
import re
import warnings

import numpy as np
import pandas as pd

from rankwright.data.layout import Layout

__all__ = ["LARGE", "split_rectangle"]

LARGE = 2_000_000  # characters from which on a row at a time takes too long
LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)")
QUOTE, ENDS = ord('"'), (ord("\n"), ord("\r"))


def split_rectangle(text: str, separator: str, layout: Layout) -> pd.DataFrame | None:
    """Return the cells below the header as texts; None where any row needs a closer look.

    That is: short, long and blank rows, stray quotation marks, and cells of several lines in the
    header. The index counts the rows of the file from 1.
    """
    if any("\n" in name or "\r" in name for name in layout.names):
        return None
    if not _quotes_cells_whole(text, separator):
        return None
    body = _below(text, layout.body)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            frame = pd.read_csv(
                io.StringIO(body, newline=""),
                sep=separator,
                header=None,
                dtype=object,
                na_filter=False,
                skip_blank_lines=False,
                engine="c",
                low_memory=False,
            )
    except (ValueError, Warning):  # pandas' errors are of these kinds
        return None
    columns = [frame[j].tolist() for j in range(frame.shape[1])]
    # pandas fills short rows up: then there are fewer separators than between all these cells.
    inside = sum("".join(column).count(separator) for column in columns)
    if body.count(separator) != inside + len(frame) * (len(columns) - 1):
        return None
    columns = [[cell.strip() for cell in column] for column in columns]
    width = len(layout.names)
    if len(columns) < width or any(any(column) for column in columns[width:]):
        return None
    if not all(any(row) for row in zip(*columns[:width], strict=True)):
        return None
    rows = pd.RangeIndex(layout.body + 1, layout.body + 1 + len(frame))
    named = dict(zip(layout.names, columns, strict=False))
    return pd.DataFrame(named, index=rows, dtype=object)


def _below(text: str, n_lines: int) -> str:
    """Return the text below its first lines."""
    lines = LINE.finditer(text)
    for _ in range(n_lines):
        end = next(lines).end()
    return text[end:]


def _quotes_cells_whole(text: str, separator: str) -> bool:
    """Tell whether every quotation mark opens or ends a cell, or is doubled inside one."""
    if '"' not in text:
        return True
    codes = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    marks = np.flatnonzero(codes == QUOTE)
    if len(marks) % 2:
        return False
    apart = np.array([ord(separator), *ENDS], dtype=np.uint32)
    opening, ending = marks[::2], marks[1::2]
    before, after = codes[opening - 1], codes[np.minimum(ending + 1, len(codes) - 1)]
    doubled_before = np.append(False, opening[1:] == ending[:-1] + 1)
    doubled_after = np.append(opening[1:] == ending[:-1] + 1, False)
    opens = np.isin(before, apart) | (opening == 0) | doubled_before
    ends = np.isin(after, apart) | (ending == len(codes) - 1) | doubled_after
    return bool(opens.all() and ends.all())
