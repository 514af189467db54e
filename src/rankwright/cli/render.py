"""Results as tables and bars for a terminal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import pandas as pd
    from rich.table import Table
    from rich.text import Text

__all__ = ["bar", "first_line", "number", "table", "table_of_frame"]

WIDTH = 24
PARTS = " ▏▎▍▌▋▊▉█"


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> "Table":
    """Return a table; numbers stand to the right."""
    from rich.table import Table
    from rich.text import Text

    shown = Table(
        title=Text(title), title_justify="left", title_style="bold", box=None, pad_edge=False
    )
    for place, column in enumerate(columns):
        numeric = all(isinstance(row[place], int | float) for row in rows)
        justify: Literal["left", "right"] = "right" if numeric else "left"
        shown.add_column(Text(column), justify=justify, header_style="dim", no_wrap=place == 0)
    for row in rows:
        shown.add_row(*(cell if isinstance(cell, Text) else Text(number(cell)) for cell in row))
    return shown


def table_of_frame(title: str, frame: "pd.DataFrame") -> "Table":
    """Return a table of a frame, its index as the first column."""
    named = frame.reset_index()
    return table(title, [str(name) for name in named.columns], named.to_numpy(object).tolist())


def number(value: Any) -> str:
    """Write a number with four digits that count, a missing one as a dash."""
    if value is None or value != value:
        return "–"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def bar(value: float, largest: float) -> "Text":
    """Draw a bar in proportion to the largest value; a negative one in another colour."""
    from rich.text import Text

    eighths = round(8 * WIDTH * abs(value) / largest) if largest else 0
    blocks = PARTS[8] * (eighths // 8) + PARTS[eighths % 8].strip()
    return Text(blocks, style="blue" if value >= 0 else "dark_orange")


def first_line(documented: object) -> str:
    """Return the first line of a docstring."""
    return (documented.__doc__ or "").partition("\n")[0]
