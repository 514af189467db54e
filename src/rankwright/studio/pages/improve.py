"""Improve: choose a product, say what can be changed, and see what each budget buys."""

from dataclasses import replace
from typing import Any

from nicegui import events, ui

from rankwright.studio.blocks import Grid, Tone, Words
from rankwright.studio.pages.tab import Tab, chosen_products, take_file
from rankwright.studio.render import (
    heading,
    primary_button,
    quiet_button,
    show_chart,
    show_downloads,
    show_grid,
    show_words,
)
from rankwright.studio.runner import Runner
from rankwright.studio.tasks.improve import (
    ChangeRow,
    ChangeTable,
    PlanFound,
    PlanRequest,
    PlansFound,
    example_changes,
    find_plans,
    read_change_file,
)
from rankwright.studio.tasks.table import File

__all__ = ["ImprovePage"]

STEPS = 200  # of the budget's slider
BEFORE, AFTER = ("name", "cost"), ("excludes", "needs")
EDIT_CELL = """
<q-td :props="props">
  <input class="cell" :value="props.value"
    :aria-label="props.col.label + ' of ' + (props.row.c0 || 'the new change')"
    @change="event => $parent.$emit('cell',
      {row: props.row.id, column: props.col.name, value: event.target.value})">
</q-td>
"""


class ImprovePage:
    """The page where plans are made."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        heading("Improve", 1)
        self._missing = ui.label("Find a formula on the Formula page first.").classes("lead")
        with ui.column().classes("results") as self._form:
            self._choose = ui.element("div")
            heading("What can be changed")
            ui.label(
                "A row for each change: its cost, how much it adds to factors, and the changes "
                "that it excludes or needs, with semicolons between their names."
            )
            with ui.row().classes("choices"):
                take_file(tab, "Drop a file of changes (CSV, TOML)", self._take)
                take_file(tab, "Drop a file of conflicts (CSV)", self._take_conflicts)
                quiet_button("Add a change", "add", self._add)
                quiet_button("Take the cameras' changes", "photo_camera", self._example)
            self._reader = Runner(tab.session, lambda: tab.dark)
            self._table = ui.element("div").classes("results")
            self._robust = ui.switch("Also plans that hold for every formula that fits as well")
            primary_button("Find the plans", "trending_up", self._find)
        self._runner = Runner(tab.session, lambda: tab.dark)
        self._place = ui.column().classes("results")
        self._changes_file: File | None = None
        tab.listeners.append(self.refresh)
        self.refresh()

    def _take(self, file: File, content: bytes) -> None:
        self._changes_file = file
        self._reader.start(read_change_file, (file, None), self._set)

    def _take_conflicts(self, file: File, content: bytes) -> None:
        if self._changes_file is None:
            ui.notify("Drop the file of changes first.", type="warning")
            return
        self._reader.start(read_change_file, (self._changes_file, file), self._set)

    def _example(self) -> None:
        self._reader.start(example_changes, None, self._set)

    def _set(self, changes: ChangeTable) -> None:
        self._tab.update(changes=changes, plans=None)

    def _add(self) -> None:
        changes = self._tab.session.state.changes
        found = self._tab.session.state.formula
        factors = changes.factors or (found.factors if found is not None else ())
        new = ChangeRow("", "", ("",) * len(factors))
        self._set(ChangeTable(factors, (*changes.rows, new)))

    def _edit(self, event: events.GenericEventArguments) -> None:
        changes = edited(self._tab.session.state.changes, event.args)
        if changes is not None:
            self._tab.session.update(changes=changes)
            if any(not row.name for row in self._tab.session.state.changes.rows):
                return
            self._show_changes()

    def _find(self) -> None:
        state = self._tab.session.state
        if state.table is None or state.formula is None or state.product is None:
            return
        rows = tuple(row for row in state.changes.rows if row.name.strip())
        request = PlanRequest(
            state.formula_model,
            state.table,
            state.product,
            replace(state.changes, rows=rows),
            robust=bool(self._robust.value),
        )

        def keep(found: PlansFound) -> None:
            self._tab.update(plans=found, budget=found.plans[-1].cost / 2)

        self._runner.start(find_plans, request, keep)

    def refresh(self) -> None:
        """Show the changes and the plans."""
        state = self._tab.session.state
        found = state.formula
        self._missing.visible, self._form.visible = found is None, found is not None
        self._choose.clear()
        self._place.clear()
        if found is None:
            return
        if state.product is None:
            self._tab.session.update(product=found.products[-1].row)
        with self._choose:
            names = chosen_products(found.products)
            select = ui.select(
                names, value=self._tab.session.state.product, label="Product", with_input=True
            )
            select.classes("field").on_value_change(
                lambda event: self._tab.session.update(product=event.value)
            )
        self._show_changes()
        if state.plans is not None:
            self._show_plans(state.plans)

    def _show_changes(self) -> None:
        changes = self._tab.session.state.changes
        self._table.clear()
        if not changes.rows:
            return
        labels = (*BEFORE, *changes.factors, *AFTER)
        columns = [
            {"name": f"c{place}", "field": f"c{place}", "label": label, "align": "left"}
            for place, label in enumerate(labels)
        ]
        rows = [
            {"id": number} | {f"c{place}": cell for place, cell in enumerate(_cells(row))}
            for number, row in enumerate(changes.rows)
        ]
        with self._table:
            table = ui.table(columns=columns, rows=rows, row_key="id", pagination=0)
            table.props("flat dense hide-pagination").classes("grid edited")
            table.props["aria-label"] = "Changes that can be made"
            table.add_slot("body-cell", EDIT_CELL)
            table.on("cell", self._edit)

    def _show_plans(self, found: PlansFound) -> None:
        most = max(found.plans[-1].cost, 1.0)
        with self._place:
            show_downloads(found.files)
            if found.notes:
                show_words(Words(found.notes, Tone.WARNING))
            heading(f"Plans for {found.product}")
            with ui.element("div").classes("slider wide"):
                said = ui.label()
                slider = ui.slider(
                    min=0, max=most, step=_step(most), value=self._tab.session.state.budget
                )
                slider.props["aria-label"] = "Budget"
            plan_place = ui.column().classes("results")
            chart_place = ui.column().classes("results")
        shown: list[PlanFound] = []

        def choose(budget: float) -> None:
            self._tab.session.update(budget=float(budget))
            said.text = f"Budget: {budget:g}"
            plan = found.within(float(budget))
            if shown == [plan]:
                return
            shown[:] = [plan]
            plan_place.clear()
            with plan_place:
                show_words(Words(_sentences(found, plan), Tone.GOOD))
                show_grid(_plan_grid(plan))
            chart_place.clear()
            with chart_place:
                show_chart(found.chart(plan), dark=self._tab.dark)

        slider.on_value_change(lambda event: choose(event.value))
        choose(self._tab.session.state.budget)


def edited(changes: ChangeTable, sent: Any) -> ChangeTable | None:
    """Return the table with the cell that the browser has sent; None if it makes no sense."""
    if not isinstance(sent, dict) or not isinstance(sent.get("row"), int):
        return None
    names = [f"c{place}" for place in range(len(BEFORE) + len(changes.factors) + len(AFTER))]
    row, column, value = sent["row"], sent.get("column"), sent.get("value")
    if not 0 <= row < len(changes.rows) or column not in names or not isinstance(value, str):
        return None
    cells = _cells(changes.rows[row])
    cells[names.index(column)] = value.strip()
    n_factors = len(changes.factors)
    new = ChangeRow(cells[0], cells[1], tuple(cells[2 : 2 + n_factors]), *cells[2 + n_factors :])
    return replace(changes, rows=(*changes.rows[:row], new, *changes.rows[row + 1 :]))


def _cells(row: ChangeRow) -> list[str]:
    return [row.name, row.cost, *row.effects, row.excludes, row.needs]


def _step(most: float) -> float:
    return 1.0 if most.is_integer() and most <= STEPS else most / STEPS


def _sentences(found: PlansFound, plan: PlanFound) -> tuple[str, ...]:
    place = "" if plan.position is None else f", place {plan.position:g} of {found.size}"
    said = [f"Cost {plan.cost:g}, gain {plan.gain:.4g}, score {plan.score:.4g}{place}."]
    sure = [one for one in found.robust if one.cost <= plan.cost]
    if sure:
        gain = max(one.guaranteed_gain or 0.0 for one in sure)
        said.append(f"For the same money, a robust plan is sure to gain {gain:.4g}.")
    if not plan.optimal:
        said.append("The time limit ended the search, so a better plan may exist.")
    return tuple(said)


def _plan_grid(plan: PlanFound) -> Grid:
    rows = tuple((change,) for change in plan.changes) or (("no change",),)
    return Grid("Changes to make", ("change",), rows)
