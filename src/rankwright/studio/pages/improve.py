"""Improve: choose a product, say what can be changed, and see what each budget buys."""

from dataclasses import replace

from nicegui import ui

from rankwright.studio.blocks import Grid, Tone, Words
from rankwright.studio.edit_table import EditColumn, EditTable
from rankwright.studio.pages.tab import Tab, product_select, take_file
from rankwright.studio.render import (
    heading,
    primary_button,
    quiet_button,
    show_chart,
    show_downloads,
    show_grid,
    show_words,
)
from rankwright.studio.tasks.improve import (
    ChangeRow,
    ChangeTable,
    Goal,
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
                "that it excludes or needs, with semicolons between their names. A row without a "
                "name is left out."
            )
            with ui.row().classes("choices"):
                take_file(tab, "Drop a file of changes (CSV, TOML)", self._take)
                take_file(tab, "Drop a file of conflicts (CSV)", self._take_conflicts)
                quiet_button("Add a change", "add", self._add)
                quiet_button("Take the cameras' changes", "photo_camera", self._example)
            self._reader = tab.runner(of_table=True)
            self._table = EditTable("Changes that can be made", self._edit)
            self._build_goal()
        self._runner = tab.runner(of_table=True)
        self._place = ui.column().classes("results")
        self._changes_file: File | None = None
        tab.watch(self._show_product, "formula")
        tab.watch(self._show_changes, "changes")
        tab.watch(self._show_plans, "plans", "table")

    def _build_goal(self) -> None:
        with ui.row().classes("choices"):
            self._goal = ui.select([*Goal], value=Goal.NONE, label="Goal").classes("field")
            self._wanted = ui.number("Place or points", value=1)
            self._wanted.bind_visibility_from(self._goal, "value", lambda goal: goal != Goal.NONE)
        self._robust = ui.switch("Also plans that hold for every formula that fits as well")
        primary_button("Find the plans", "trending_up", self._find)

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
        changes, found = self._tab.state.changes, self._tab.state.formula
        factors = changes.factors or (found.factors if found is not None else ())
        new = ChangeRow("", "", ("",) * len(factors))
        self._tab.update(changes=ChangeTable(factors, (*changes.rows, new)))

    def _edit(self, row: int, column: int, value: str) -> None:
        self._tab.update(changes=edited(self._tab.state.changes, row, column, value))

    def _find(self) -> None:
        state = self._tab.state
        if state.formula is None or state.product is None:
            return
        rows = tuple(row for row in state.changes.rows if row.name.strip())
        request = PlanRequest(
            state.formula_model,
            state.formula.table,
            state.product,
            replace(state.changes, rows=rows),
            robust=bool(self._robust.value),
            goal=Goal(self._goal.value),
            wanted=float(self._wanted.value or 0),
        )

        def keep(found: PlansFound) -> None:
            cost = found.plans[-1].cost / 2 if found.reached is None else found.reached.cost
            self._tab.update(plans=found, budget=cost)

        self._runner.start(find_plans, request, keep)

    def _show_product(self) -> None:
        found = self._tab.state.formula
        self._missing.visible, self._form.visible = found is None, found is not None
        self._choose.clear()
        if found is None:
            return
        if self._tab.state.product is None:
            self._tab.session.update(product=found.products[-1].row)
        with self._choose:
            select = product_select(found.products, self._tab.state.product, "Product")
            select.on_value_change(lambda event: self._tab.session.update(product=event.value))

    def _show_changes(self) -> None:
        changes = self._tab.state.changes
        names = (*BEFORE, *changes.factors, *AFTER)
        self._table.visible = bool(changes.rows)
        self._table.show([EditColumn(name, True) for name in names], [*map(_cells, changes.rows)])

    def _show_plans(self) -> None:
        self._place.clear()
        found = self._tab.state.plans
        if found is not None:
            with self._place:
                Plans(self._tab, found)


class Plans:
    """The plans of a product: a budget walks along them, or along the plan for a goal."""

    def __init__(self, tab: Tab, found: PlansFound) -> None:
        self._tab, self._found = tab, found
        self._shown: PlanFound | None = None
        most, budget = max(found.plans[-1].cost, 1.0), tab.state.budget
        show_downloads(found.files)
        if found.notes:
            show_words(Words(found.notes, Tone.WARNING))
        heading(f"Plans for {found.product}")
        if found.goal:
            tone = Tone.WARNING if found.reached is None else Tone.GOOD
            show_words(Words((found.goal,), tone))
        with ui.element("div").classes("slider wide"):
            self._said = ui.label()
            slider = ui.slider(min=0, max=most, step=_step(most), value=budget)
            slider.props["aria-label"] = "Budget"
        self._plan = ui.column().classes("results")
        self._chart = ui.column().classes("results")
        slider.on_value_change(lambda event: self._choose(float(event.value)))
        self._choose(budget)

    def _choose(self, budget: float) -> None:
        self._tab.session.update(budget=budget)
        self._said.text = f"Budget: {budget:,.10g}"
        found = self._found
        is_goal = found.reached is not None and found.reached.cost == budget
        plan = found.reached if is_goal and found.reached is not None else found.within(budget)
        if plan == self._shown:
            return
        self._shown = plan
        self._plan.clear()
        with self._plan:
            show_words(Words(_sentences(found, plan), Tone.GOOD))
            show_grid(_plan_grid(plan))
        self._chart.clear()
        with self._chart:
            show_chart(found.chart(plan), self._tab.theme)


def edited(changes: ChangeTable, row: int, column: int, value: str) -> ChangeTable:
    """Return the table with another text in one of its cells."""
    cells = _cells(changes.rows[row])
    cells[column] = value.strip()
    n_factors = len(changes.factors)
    new = ChangeRow(cells[0], cells[1], tuple(cells[2 : 2 + n_factors]), *cells[2 + n_factors :])
    return replace(changes, rows=(*changes.rows[:row], new, *changes.rows[row + 1 :]))


def _cells(row: ChangeRow) -> list[str]:
    return [row.name, row.cost, *row.effects, row.excludes, row.needs]


def _step(most: float) -> float:
    return 1.0 if most.is_integer() and most <= STEPS else most / STEPS


def _sentences(found: PlansFound, plan: PlanFound) -> tuple[str, ...]:
    place = "" if plan.position is None else f", place {plan.position:g} of {found.size}"
    said = [f"Cost {plan.cost:,.10g}, gain {plan.gain:.4g}, score {plan.score:.4g}{place}."]
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
