"""Results as tables and bars for a terminal; what users named is text, never markup."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console, ConsoleOptions
    from rich.table import Table
    from rich.text import Text

__all__ = [
    "Listing",
    "bar",
    "cell",
    "first_line",
    "number",
    "sentence",
    "table",
    "table_of_frame",
]

WIDTH = 24
LONGEST = 40  # letters of names that are not folded
LONGEST_WORD = 16  # letters of words above numbers that are not
NUMBER = re.compile(r"–|[-+−]?(\d[\d.,]*(e[-+]?\d+)?|inf)%?|")
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


def table(
    title: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    *,
    optional: Sequence[str] = (),
) -> "Listing":
    """Return a table that fits the terminal it is printed to.

    Numbers stand to the right and are never broken in two; names are folded where they must be. Of
    the ``optional`` columns the last go first where there is no room for all.
    """
    return Listing(title, tuple(columns), tuple(tuple(row) for row in rows), tuple(optional))


@dataclass(frozen=True)
class Listing:
    """A table that is laid out when the width of the terminal is known."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    optional: tuple[str, ...] = ()

    def __rich_console__(
        self, console: "Console", options: "ConsoleOptions"
    ) -> Iterator["Table | Text"]:
        if self.title:  # above the table, not of it: a title may be wider than what it names
            title = cell(self.title)
            title.stylize("bold")
            yield title
        yield self.laid_out(options.max_width)

    def laid_out(self, width: int) -> "Table":
        """Return the columns that there is room for, in so many letters."""
        shown = list(range(len(self.columns)))
        optional = [self.columns.index(name) for name in self.optional]
        while optional and self._least_width(shown) > width:
            shown.remove(optional.pop())
        columns = [self.columns[j] for j in shown]
        return _laid_out(columns, [[row[j] for j in shown] for row in self.rows], width)

    def _least_width(self, shown: Sequence[int]) -> int:
        """Return the letters that columns need before a name is folded more than once."""
        least = 0
        for j in shown:
            texts = [cell(row[j]).plain for row in self.rows]
            longest = max(map(len, texts), default=0)
            is_number = all(NUMBER.fullmatch(text) for text in texts)
            needed = longest if is_number else min(longest, LONGEST // 2)
            # What may be left out is shown with its name whole, or not at all.
            words = self.columns[j].split() if self.columns[j] in self.optional else []
            header = max(map(len, words), default=_longest_word(cell(self.columns[j])))
            least += max(needed, header) + 2
        return least - 2


def _laid_out(columns: Sequence[str], rows: Sequence[Sequence[Any]], width: int) -> "Table":
    from rich.table import Table

    shown = Table(box=None, pad_edge=False)
    headers, cells = list(map(cell, columns)), [list(map(cell, row)) for row in rows]
    widths = [max((row[j].cell_len for row in cells), default=0) for j in range(len(headers))]
    whole = _whole(headers, cells, widths, width)
    is_wide = sum(max(w, one.cell_len) + 2 for w, one in zip(widths, headers, strict=True)) > width
    for j, header in enumerate(headers):
        numeric = all(_is_numeric(row[j]) for row in rows)
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


def _is_numeric(value: Any) -> bool:
    """Tell whether a value is a number, or one that was written with its unit."""
    return isinstance(value, int | float) or bool(NUMBER.fullmatch(cell(value).plain))


def _whole(
    headers: "Sequence[Text]",
    cells: "Sequence[Sequence[Text]]",
    widths: Sequence[int],
    width: int,
) -> list[bool]:
    """Return which columns are not folded: numbers, and first names that leave texts their room."""
    whole = [all(NUMBER.fullmatch(row[j].plain) for row in cells) for j in range(len(headers))]
    room = width - sum(
        max(widths[j], _longest_word(header)) + 2
        for j, header in enumerate(headers)
        if whole[j] and j
    )
    is_alone = all(whole[1:])
    whole[0] = widths[0] <= min(max(LONGEST, width // 2), room if is_alone else room // 2)
    return whole


def _longest_word(header: "Text") -> int:
    return max((min(len(word), LONGEST_WORD) for word in header.plain.split()), default=0)


def table_of_frame(title: str, frame: "pd.DataFrame", *, optional: Sequence[str] = ()) -> "Listing":
    """Return a table of a frame, its index as the first column."""
    rows = [(name, *values) for name, *values in frame.itertuples(name=None)]
    return table(
        title, [str(frame.index.name or ""), *map(str, frame.columns)], rows, optional=optional
    )


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


def bar(value: float, largest: float, width: int = WIDTH) -> "Text":
    """Draw a bar in proportion to the largest value; a negative one in another colour."""
    from rich.text import Text

    eighths = round(8 * width * abs(value) / largest) if largest else 0
    blocks = PARTS[8] * (eighths // 8) + PARTS[eighths % 8].strip()
    return Text(blocks, style="blue" if value >= 0 else "dark_orange")


def first_line(documented: object) -> str:
    """Return the first line of a docstring."""
    return (documented.__doc__ or "").partition("\n")[0]


def _visible(line: str) -> str:
    return CONTROL.sub(lambda found: ascii(found[0])[1:-1], line)
