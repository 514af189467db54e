"""Results as tables and bars for a terminal; what users named is text, never markup."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import pandas as pd
    from rich.table import Table
    from rich.text import Text

__all__ = ["bar", "cell", "first_line", "number", "sentence", "table", "table_of_frame"]

WIDTH = 24
LONGEST = 40  # letters of names that are not folded
PARTS = " ▏▎▍▌▋▊▉█"
# Characters that move the cursor, turn the text around, or are none: shown as escapes.
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def sentence(words: str) -> "Text":
    """Return text to be printed as it is; it may have several lines."""
    from rich.text import Text

    return Text("\n".join(map(_visible, words.split("\n"))))


def cell(value: Any) -> "Text":
    """Return a value as a line of text, whatever it holds; what is drawn stays as it is."""
    from rich.text import Text

    return value if isinstance(value, Text) else Text(_visible(number(value)))


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> "Table":
    """Return a table; numbers stand to the right."""
    from rich.table import Table

    shown = Table(
        title=cell(title), title_justify="left", title_style="bold", box=None, pad_edge=False
    )
    for place, column in enumerate(columns):
        numeric = all(isinstance(row[place], int | float) for row in rows)
        justify: Literal["left", "right"] = "right" if numeric else "left"
        whole = place == 0 and max((len(cell(row[0])) for row in rows), default=0) <= LONGEST
        shown.add_column(
            cell(column), justify=justify, header_style="dim", overflow="fold", no_wrap=whole
        )
    for row in rows:
        shown.add_row(*map(cell, row))
    return shown


def table_of_frame(title: str, frame: "pd.DataFrame") -> "Table":
    """Return a table of a frame, its index as the first column."""
    rows = [(name, *values) for name, *values in frame.itertuples(name=None)]
    return table(title, [str(frame.index.name or ""), *map(str, frame.columns)], rows)


def number(value: Any) -> str:
    """Write a number with four digits that count, a missing one as a dash.

    No digit before the decimal point is rounded away, and from 1,000 on there are two behind it: a
    cost of 1000.50 is not 1000.
    """
    if value is None or value != value:
        return "–"
    if not isinstance(value, float):
        return str(value)
    if 1000 <= abs(value) < 1e10:
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return f"{value:.4g}"


def bar(value: float, largest: float) -> "Text":
    """Draw a bar in proportion to the largest value; a negative one in another colour."""
    from rich.text import Text

    eighths = round(8 * WIDTH * abs(value) / largest) if largest else 0
    blocks = PARTS[8] * (eighths // 8) + PARTS[eighths % 8].strip()
    return Text(blocks, style="blue" if value >= 0 else "dark_orange")


def first_line(documented: object) -> str:
    """Return the first line of a docstring."""
    return (documented.__doc__ or "").partition("\n")[0]


def _visible(line: str) -> str:
    return CONTROL.sub(lambda found: ascii(found[0])[1:-1], line)
