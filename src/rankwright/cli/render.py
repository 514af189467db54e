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
USUAL = 80  # columns of a terminal
LONGEST = 40  # letters of names that are not folded
LONGEST_WORD = 12  # letters of words above numbers that are not
NUMBER = re.compile(r"–|[-+]?(\d[\d.,]*(e[-+]?\d+)?|inf)%?")
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
    """Return a table; numbers stand to the right and are never broken in two."""
    from rich.table import Table

    shown = Table(
        title=cell(title), title_justify="left", title_style="bold", box=None, pad_edge=False
    )
    headers, cells = list(map(cell, columns)), [list(map(cell, row)) for row in rows]
    widths = [max((row[j].cell_len for row in cells), default=0) for j in range(len(headers))]
    whole = _whole(headers, cells, widths)
    is_wide = sum(max(w, one.cell_len) + 2 for w, one in zip(widths, headers, strict=True)) > USUAL
    for j, header in enumerate(headers):
        numeric = all(isinstance(row[j], int | float) for row in rows)
        justify: Literal["left", "right"] = "right" if numeric else "left"
        header.no_wrap = False
        # In a wide table the words of a header go below each other: the room is for the texts.
        most = max(widths[j], _longest_word(header)) if whole[j] and is_wide else None
        shown.add_column(
            header,
            justify=justify,
            header_style="dim",
            overflow="fold",
            no_wrap=whole[j],
            max_width=most,
        )
    for row in cells:
        shown.add_row(*row)
    return shown


def _whole(
    headers: "Sequence[Text]", cells: "Sequence[Sequence[Text]]", widths: Sequence[int]
) -> list[bool]:
    """Return which columns are not folded: numbers, and first names that leave texts their room."""
    whole = [all(NUMBER.fullmatch(row[j].plain) for row in cells) for j in range(len(headers))]
    room = USUAL - sum(
        max(widths[j], _longest_word(header)) + 2
        for j, header in enumerate(headers)
        if whole[j] and j
    )
    is_alone = all(whole[1:])
    whole[0] = widths[0] <= min(LONGEST, room if is_alone else room // 2)
    return whole


def _longest_word(header: "Text") -> int:
    return max((min(len(word), LONGEST_WORD) for word in header.plain.split()), default=0)


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
