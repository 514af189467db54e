"""Data: drop a file, look at it, and correct what its columns are for."""

from dataclasses import replace
from html import escape
from typing import Any

from nicegui import events, ui

from rankwright.studio.blocks import Tone, Words
from rankwright.studio.pages.tab import Tab, take_file
from rankwright.studio.render import heading, quiet_button, show_grid, show_words
from rankwright.studio.runner import Runner
from rankwright.studio.state import State
from rankwright.studio.tasks.roles import Role, Roles
from rankwright.studio.tasks.table import File, TableRequest, TableView, look
from rankwright.studio.tasks.work import OpenRequest, open_work

__all__ = ["DataPage"]

MAGIC = b"rankwright-model"  # a saved work, whatever its name
OPTIONS = "".join(f'<option value="{escape(role)}">{escape(role)}</option>' for role in Role)
ROLE_CELL = f"""
<q-td :props="props">
  <select class="role" :value="props.row.role" :aria-label="'Role of ' + props.row.name"
    @change="event => $parent.$emit('role', {{row: props.row.id, role: event.target.value}})">
    {OPTIONS}
  </select>
</q-td>
"""
REMEDIES = {
    "": "leave the gaps",
    "rows": "leave out rows with gaps",
    "factors": "leave out factors with gaps",
    "medians": "fill gaps with medians",
    "indicators": "fill gaps, and add factors that tell where they were",
}


class DataPage:
    """The page where a table is read."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        heading("Data", 1)
        ui.label(
            "A table of rated products: a row for each, with its rank or score and its factors. "
            "CSV, TSV, Excel, ODS or Parquet, as your spreadsheet saves it."
        ).classes("lead")
        with ui.row().classes("choices"):
            take_file(tab, "Drop a table or a saved work here, or press +", self._take)
            quiet_button("Take the bundled example", "photo_camera", self._example)
        self._runner = Runner(tab.session, lambda: tab.dark)
        self._place = ui.column().classes("results")
        tab.listeners.append(self.refresh)

    def open(self, file: File, content: bytes) -> None:
        """Read a table, or open a saved work."""
        self._take(file, content)

    def _take(self, file: File, content: bytes) -> None:
        if content.startswith(MAGIC):
            request = OpenRequest(file, self._tab.session.folder)
            self._runner.start(open_work, request, self._restore)
        else:
            self._read(TableRequest(file))

    def _example(self) -> None:
        from importlib.resources import files

        table = files("rankwright.datasets") / "tables" / "fictitious" / "cameras.csv"
        content = table.read_bytes()
        self._take(self._tab.session.keep("cameras.csv", content), content)

    def _restore(self, state: State) -> None:
        self._tab.session.state = state
        self._tab.changed()

    def _read(self, request: TableRequest) -> None:
        def done(view: TableView) -> None:
            roles = Roles({column.name: column.role for column in view.columns})
            kept = self._tab.session.state
            is_other = kept.table is None or kept.table.file != request.file
            fresh = State(consensus=kept.consensus, board=kept.board) if is_other else kept
            self._tab.session.state = replace(fresh, table=replace(request, roles=roles), view=view)
            self._tab.changed()

        self._runner.start(look, request, done)

    def refresh(self) -> None:
        """Show the table."""
        self._place.clear()
        view, table = self._tab.session.state.view, self._tab.session.state.table
        if view is None or table is None:
            return
        with self._place:
            heading(table.file.name)
            said = (view.summary, *([view.problem] if view.problem else []))
            show_words(Words(said, Tone.WARNING if view.problem else Tone.GOOD))
            if view.remedies is not None:
                self._show_remedies(view, table)
            if view.remarks:
                heading("Remarks of the reader")
                show_words(Words(view.remarks))
            heading("Columns and their roles")
            self._show_roles(view)
            heading("The rows")
            show_grid(view.preview)

    def _show_remedies(self, view: TableView, table: TableRequest) -> None:
        assert view.remedies is not None  # asked before
        show_grid(view.remedies)
        select = ui.select(REMEDIES, value=table.missing or "", label="Missing factors")
        select.classes("field").on_value_change(
            lambda event: self._read(replace(table, missing=event.value or None))
        )

    def _show_roles(self, view: TableView) -> None:
        columns = [
            {"name": name, "label": label, "field": name, "align": "left"}
            for name, label in (("name", "column"), ("role", "role"), ("samples", "some cells"))
        ]
        rows = [
            {"id": place, "name": one.name, "role": one.role, "samples": " · ".join(one.samples)}
            for place, one in enumerate(view.columns)
        ]
        table = ui.table(columns=columns, rows=rows, row_key="id", pagination=0)
        table.props("flat dense hide-pagination").classes("grid")
        table.props["aria-label"] = "Columns and their roles"
        table.add_slot("body-cell-role", ROLE_CELL)
        table.on("role", self._choose)

    def _choose(self, event: events.GenericEventArguments) -> None:
        state, chosen = self._tab.session.state, _choice(event.args)
        if state.table is None or state.view is None or chosen is None:
            return
        row, role = chosen
        names = [column.name for column in state.view.columns]
        if not 0 <= row < len(names):
            return
        assert state.table.roles is not None  # they come with the view
        roles = Roles({**state.table.roles.by_column, names[row]: role})
        self._read(replace(state.table, roles=roles))


def _choice(sent: Any) -> tuple[int, Role] | None:
    """Return a column's number and its role, if that is what the browser has sent."""
    if not isinstance(sent, dict) or not isinstance(sent.get("row"), int):
        return None
    return (sent["row"], Role(sent["role"])) if sent.get("role") in list(Role) else None
