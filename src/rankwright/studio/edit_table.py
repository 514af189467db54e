"""A table that is edited in place, and keeps the focus of the keyboard."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from nicegui import events
from nicegui.element import Element

__all__ = ["EditColumn", "EditTable"]


@dataclass(frozen=True)
class EditColumn:
    """A column: what it is called, and what its cells can be; plain texts unless told."""

    label: str
    edited: bool = False
    options: tuple[str, ...] = ()


class EditTable(Element, component="edit_table.js"):
    """A table of texts, inputs and selects; ``changed`` is told row, column and value of a cell."""

    def __init__(self, label: str, changed: Callable[[int, int, str], None]) -> None:
        super().__init__()
        self._changed = changed
        self._size = (0, 0)
        self._props["label"] = label
        self.on("cell", self._take)

    def show(self, columns: Sequence[EditColumn], rows: Sequence[Sequence[str]]) -> None:
        """Show rows of as many texts as there are columns, which get names of our own."""
        self._size = (len(rows), len(columns))
        self._props["columns"] = [
            {"name": f"c{place}", "label": one.label, "edited": one.edited}
            | ({"options": list(one.options)} if one.options else {})
            for place, one in enumerate(columns)
        ]
        self._props["rows"] = [{f"c{place}": cell for place, cell in enumerate(r)} for r in rows]
        self.update()

    def _take(self, event: events.GenericEventArguments) -> None:
        """Hand on what the browser has sent, if it is a cell of this table."""
        sent: Any = event.args
        if not isinstance(sent, dict):
            return
        row, column, value = sent.get("row"), str(sent.get("column")), sent.get("value")
        names = [f"c{place}" for place in range(self._size[1])]
        if type(row) is not int or not isinstance(value, str):
            return
        if row in range(self._size[0]) and column in names:
            self._changed(row, names.index(column), value)
