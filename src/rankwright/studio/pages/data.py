"""Data: drop a file, look at it, and correct what its columns are for."""

from dataclasses import replace
from typing import Any

from nicegui import ui

from rankwright.studio.blocks import Tone, Words
from rankwright.studio.edit_table import EditColumn, EditTable
from rankwright.studio.pages.tab import Tab, lines_of, take_file
from rankwright.studio.render import heading, quiet_button, show_grid, show_words
from rankwright.studio.state import State
from rankwright.studio.tasks.roles import Role, Roles
from rankwright.studio.tasks.table import File, TableRequest, TableView, look
from rankwright.studio.tasks.work import OpenRequest, open_work

__all__ = ["DataPage"]

MAGIC = b"rankwright-model"  # a saved work, whatever its name
ROLES = (
    EditColumn("Column"),
    EditColumn("Role", options=tuple(map(str, Role))),
    EditColumn("Some cells"),
)
REMEDIES = {
    "": "leave the gaps",
    "rows": "leave out rows with gaps",
    "factors": "leave out factors with gaps",
    "medians": "fill gaps with medians",
    "few": "leave out the factors with most gaps, then rows",
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
            take_file(tab, "Drop a table or a saved work here, or press +", self.open)
            quiet_button("Take the bundled example", "photo_camera", self._example)
        self._runner = tab.runner()
        self._said = ui.column().classes("results")
        with ui.column().classes("results") as self._choices:
            with ui.row().classes("choices"):
                self._sheet = ui.select([], label="Sheet").classes("field")
                self._sheet.on_value_change(self._choose_sheet)
                self._missing = ui.select(REMEDIES, value="", label="Missing factors")
                self._missing.classes("field").on_value_change(self._choose_remedy)
            self._where = ui.textarea("Keep only rows where", placeholder="year = 2015")
            self._where.props("rows=1 autogrow").classes("field wide")
            self._where.on("blur", self._choose_rows)
            heading("Columns and their roles")
            self._roles = EditTable("Columns and their roles", self._choose_role)
        self._rows = ui.column().classes("results")
        tab.watch(self._show, "view")

    def open(self, file: File, content: bytes) -> None:
        """Read a table, or open a saved work."""
        if content.startswith(MAGIC):
            request = OpenRequest(file, self._tab.session.folder)
            self._runner.start(open_work, request, self._restore)
        else:
            self._read(TableRequest(file))

    def _example(self) -> None:
        from importlib.resources import files

        table = files("rankwright.datasets") / "tables" / "fictitious" / "cameras.csv"
        content = table.read_bytes()
        self.open(self._tab.session.keep("cameras.csv", content), content)

    def _restore(self, state: State) -> None:
        self._tab.end_jobs_of_table()
        self._tab.set(state)

    def _read(self, request: TableRequest) -> None:
        def done(view: TableView) -> None:
            roles = Roles({column.name: column.role for column in view.columns})
            kept = self._tab.state
            if kept.table is None or kept.table.file != request.file:
                self._tab.end_jobs_of_table()
                kept = State(consensus=kept.consensus, board=kept.board)
            self._tab.set(replace(kept, table=replace(request, roles=roles), view=view))

        self._runner.start(look, request, done)

    def _read_again(self, **changes: Any) -> None:
        """Read the table in another way, unless it was read in this one."""
        table = self._tab.state.table
        if table is not None and (other := replace(table, **changes)) != table:
            self._read(other)

    def _choose_sheet(self) -> None:
        view = self._tab.state.view
        if view is not None and self._sheet.value not in (None, view.sheet):
            self._read_again(sheet=self._sheet.value, roles=None, where=())

    def _choose_remedy(self) -> None:
        self._read_again(missing=self._missing.value or None)

    def _choose_rows(self) -> None:
        self._read_again(where=lines_of(self._where))

    def _choose_role(self, row: int, column: int, role: str) -> None:
        table, view = self._tab.state.table, self._tab.state.view
        if table is not None and table.roles is not None and view is not None and role in [*Role]:
            name = view.columns[row].name
            self._read_again(roles=Roles({**table.roles.by_column, name: Role(role)}))

    def _show(self) -> None:
        """Show the table; what has the focus of the keyboard stays where it is."""
        view, table = self._tab.state.view, self._tab.state.table
        self._said.clear()
        self._rows.clear()
        self._choices.visible = view is not None
        if view is None or table is None:
            return
        with self._said:
            heading(table.file.name)
            said = (view.summary, *([view.problem] if view.problem else []))
            show_words(Words(said, Tone.WARNING if view.problem else Tone.GOOD))
            if view.remarks:
                heading("Remarks of the reader")
                show_words(Words(view.remarks))
            if view.remedies is not None:
                show_grid(view.remedies)
        self._sheet.set_options(list(view.sheets), value=view.sheet or None)
        self._sheet.visible = len(view.sheets) > 1
        self._missing.value, self._missing.visible = table.missing or "", view.remedies is not None
        self._where.value = "\n".join(table.where)
        samples = [(one.name, str(one.role), " · ".join(one.samples)) for one in view.columns]
        self._roles.show(ROLES, samples)
        with self._rows:
            heading("The rows")
            show_grid(view.preview)
