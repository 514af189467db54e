"""Blocks as elements of a page: texts as texts, tables, and charts beside their tables."""

import math
from collections.abc import Callable, Mapping
from typing import Any

from nicegui import ui

from rankwright.studio.blocks import Block, Cell, Chart, Grid, Section, Words
from rankwright.studio.theme import Theme

__all__ = [
    "fold",
    "heading",
    "primary_button",
    "quiet_button",
    "show_chart",
    "show_downloads",
    "show_grid",
    "show_section",
    "show_words",
]

DIGITS = 5  # significant ones of a number in a table
PER_PAGE = 15


def show_section(section: Section, theme: Theme) -> None:
    """Show a section under its heading; what a folded one holds is drawn when it is opened."""
    if section.folded:
        fold(section.title, lambda: _show_blocks(section, theme))
        return
    with ui.element("section").classes("part"):
        heading(section.title)
        _show_blocks(section, theme)


def fold(title: str, fill: Callable[[], None]) -> None:
    """Show a title that opens; its contents are made when it is opened for the first time."""
    with ui.expansion(title).classes("fold") as opened:
        pass
    begun: list[bool] = []

    def open_it() -> None:
        if opened.value and not begun:
            begun.append(True)
            with opened:
                fill()

    opened.on_value_change(open_it)


def heading(text: str, level: int = 2) -> None:
    """Show a heading that screen readers can jump to."""
    ui.label(text).classes(f"heading heading-{level}").props(f"role=heading aria-level={level}")


def show_words(words: Words) -> None:
    """Show sentences, each in a paragraph."""
    with ui.element("div").classes(f"words words-{words.tone}"):
        for sentence in words.sentences:
            ui.label(sentence)


def show_grid(grid: Grid) -> None:
    """Show a table. Columns get names of our own: those of the user could be taken for code."""
    if grid.title:
        ui.label(grid.title).classes("caption")
    columns = [
        {
            "name": f"c{place}",
            "field": f"c{place}",
            "label": label,
            "align": "right" if _is_numeric(grid, place) else "left",
            "sortable": True,
        }
        for place, label in enumerate(grid.columns)
    ]
    rows = [
        {"id": number, **{f"c{place}": _shown(cell) for place, cell in enumerate(row)}}
        for number, row in enumerate(grid.rows)
    ]
    table = ui.table(columns=columns, rows=rows, row_key="id", pagination=PER_PAGE)
    table.props(f"flat dense {'hide-pagination' if len(rows) <= PER_PAGE else ''}")
    table.props["tabindex"] = 0  # wide tables scroll by the arrow keys
    table.props["aria-label"] = grid.title
    table.classes("grid")


def show_chart(chart: Chart, theme: Theme) -> None:
    """Show a chart, and its table where keyboards and screen readers find it."""
    ui.label(chart.grid.title).classes("caption")
    theme.draw(chart, f"{chart.grid.title}. The table below holds the same numbers.")
    fold("The same as a table", lambda: show_grid(chart.grid))


def show_downloads(files: Mapping[str, bytes]) -> None:
    """Show a button for each file."""
    with ui.row().classes("downloads"):
        for name, content in files.items():
            quiet_button(f"Download {name}", "download", _downloading(name, content))


def primary_button(text: str, icon: str, press: Callable[[], Any]) -> ui.button:
    """Show the button that a page is for."""
    button = ui.button(text, icon=icon, on_click=press, color=None)
    return button.props("no-caps unelevated").classes("primary")


def quiet_button(text: str, icon: str, press: Callable[[], Any]) -> ui.button:
    """Show a button for what may be done besides."""
    button = ui.button(text, icon=icon, on_click=press, color=None)
    return button.props("no-caps flat").classes("quiet")


def _downloading(name: str, content: bytes) -> Callable[[], None]:
    return lambda: ui.download.content(content, name)


def _show_blocks(section: Section, theme: Theme) -> None:
    for block in section.blocks:
        _show_block(block, theme)


def _show_block(block: Block, theme: Theme) -> None:
    match block:
        case Words():
            show_words(block)
        case Grid():
            show_grid(block)
        case Chart():
            show_chart(block, theme)


def _is_numeric(grid: Grid, place: int) -> bool:
    cells = [row[place] for row in grid.rows if row[place] is not None]
    return bool(cells) and all(isinstance(cell, float | int) for cell in cells)


def _shown(cell: Cell) -> Any:
    if cell is None:
        return "–"
    if isinstance(cell, float):
        if not math.isfinite(cell):
            return str(cell)
        return float(f"{cell:.{DIGITS}g}") if not cell.is_integer() else int(cell)
    return cell
