"""Formula: what is behind the published ranks, how sure it is, and what if."""

from typing import Any

from nicegui import ui

from rankwright.studio.blocks import Tone, Words
from rankwright.studio.pages.tab import ExtraFile, Tab, lines_of, product_select, warn_if_old
from rankwright.studio.render import (
    heading,
    primary_button,
    show_downloads,
    show_section,
    show_words,
)
from rankwright.studio.tasks.formula import (
    FormulaFound,
    FormulaRequest,
    WhatIfAnswer,
    WhatIfRequest,
    find_formula,
    what_if,
)

__all__ = ["FormulaPage"]

OBJECTIVES = {
    "top_auc": "the order, above all at the top",
    "positions": "the positions of the top",
    "scores": "published scores, as rounded",
}
SIGNS = {
    "auto": "as the data decide",
    "positive": "more is better",
    "free": "either way",
}
SELECTIONS: dict[str | float, str] = {
    "accurate": "accurate: the one that fits best",
    "stable": "stable: one for new products, found beside it",
    0.25: "a quarter of the way to the steadiest",
    0.5: "half of the way",
    0.75: "three quarters of the way",
    1.0: "the steadiest",
}
STEPS = 100  # of a slider


class FormulaPage:
    """The page where the formula is found."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        heading("Formula", 1)
        self._missing = ui.label("Read a table on the Data page first.").classes("lead")
        with ui.column().classes("results") as self._form:
            with ui.row().classes("choices"):
                self._seconds = ui.number("Seconds for everything", value=60, min=1, max=86400)
                self._top = ui.number("Products at the top", value=10, min=1, max=1_000_000)
                self._objective = ui.select(OBJECTIVES, value="top_auc", label="Reproduce")
                self._objective.classes("field")
                self._checks = ui.switch("Held-out products and chance", value=True)
            with ui.expansion("More choices: what is known, and which formula").classes("fold"):
                self._build_more()
            primary_button("Find the formula", "search", self._find)
        self._runner = tab.runner(of_table=True)
        self._place = ui.column().classes("results")
        tab.watch(self._show_form, "view")
        tab.watch(self._show_formula, "formula", "table")

    def _build_more(self) -> None:
        self._known = ui.textarea(
            "What is known of the weights",
            placeholder="a line each: price <= 5%, a + b = 60%, a >= b, at most 3 factors",
        ).props("rows=2 autogrow")
        self._uneven = ui.textarea(
            "Factors that do not count evenly",
            placeholder="a line each: price: 60, 100 or fuel: levels; or piecewise alone",
        ).props("rows=1 autogrow")
        for text in (self._known, self._uneven):
            text.classes("field wide")
        with ui.row().classes("choices"):
            self._signs = ui.select(SIGNS, value="auto", label="Factors without a direction count")
            self._selection = ui.select(SELECTIONS, value="accurate", label="Formula to keep")
            for select in (self._signs, self._selection):
                select.classes("field")
            self._emphasis = ui.number("Extra weight of pairs at the top", value=9, min=0)
            self._each = ui.switch("Also a formula for each subcategory")
        self._weights = ExtraFile(
            self._tab, "Drop weights to test (factor, weight)", "Weights to test:"
        )

    def _find(self) -> None:
        table = self._tab.state.table
        if table is None:
            return
        request = FormulaRequest(
            table,
            seconds=float(self._seconds.value or 60),
            top=int(self._top.value or 10),
            objective=str(self._objective.value),
            checks=bool(self._checks.value),
            requirements=lines_of(self._known),
            signs=str(self._signs.value),
            selection=self._selection.value,
            emphasis=float(self._emphasis.value or 0),
            value_functions=lines_of(self._uneven),
            each_group=bool(self._each.value),
            test_weights=self._weights.file,
        )
        self._runner.start(find_formula, request, self._keep)

    def _keep(self, found: FormulaFound) -> None:
        model = self._tab.session.keep("formula.rw", found.files["formula.rw"])
        self._tab.update(formula=found, formula_model=model.path, plans=None)

    def _show_form(self) -> None:
        view = self._tab.state.view
        usable = view is not None and not view.problem
        self._missing.visible, self._form.visible = not usable, usable

    def _show_formula(self) -> None:
        self._place.clear()
        found = self._tab.state.formula
        if found is None:
            return
        with self._place:
            warn_if_old(self._tab, found.table)
            show_downloads(found.files)
            if found.interrupted:
                show_words(Words(("Stopped early: the best formula so far.",), Tone.WARNING))
            for number, section in enumerate(found.sections):
                show_section(section, self._tab.theme)
                if number == 1 and found.values:
                    WhatIf(self._tab, found)


class WhatIf:
    """Sliders for the factors of one product, and what its score and place would be."""

    def __init__(self, tab: Tab, found: FormulaFound) -> None:
        self._tab, self._found = tab, found
        self._row = found.products[0].row
        self._values: list[float] = []
        self._asked: Any = None
        self._is_late = False
        with ui.element("section").classes("part"):
            heading("What if")
            select = product_select(found.products, self._row, "Product")
            select.on_value_change(lambda event: self._choose(event.value))
            self._said = ui.label().classes("answer").props("role=status aria-live=polite")
            self._sliders = ui.element("div").classes("sliders")
        self._timer = ui.timer(0.1, self._look, active=False)
        self._choose(self._row)

    def _choose(self, row: int | None) -> None:
        if row is None:
            return
        self._row, self._values = row, list(self._found.values[row])
        self._sliders.clear()
        with self._sliders:
            for factor, name in enumerate(self._found.factors):
                self._slider(factor, name)
        self._ask()

    def _slider(self, factor: int, name: str) -> None:
        column = [values[factor] for values in self._found.values]
        low, high = min(column), max(column)
        step = (high - low) / STEPS if high > low else 1.0
        if all(value.is_integer() for value in column):
            step = max(1.0, round(step))
        with ui.element("div").classes("slider"):
            shown = ui.label()
            slider = ui.slider(min=low, max=high, step=step, value=self._values[factor])
            slider.props["aria-label"] = name

            def move(value: float) -> None:
                self._values[factor] = float(value)
                was = self._found.values[self._row][factor]
                change = "" if value == was else f" (was {was:g})"
                shown.text = f"{name}: {value:g}{change}"

            move(self._values[factor])
            slider.on_value_change(lambda event: move(event.value))
            slider.on_value_change(self._ask)

    def _ask(self) -> None:
        """Ask for the new place; while an answer is under way, ask once more after it."""
        if self._asked is not None:
            self._is_late = True
            return
        group = self._found.products[self._row].group
        rows = [one.row for one in self._found.products if one.group == group]
        values = tuple(
            tuple(self._values) if row == self._row else self._found.values[row] for row in rows
        )
        request = WhatIfRequest(
            self._tab.state.formula_model,
            self._found.factors,
            values,
            rows.index(self._row),
        )
        self._asked = (self._tab.session.submit(what_if, request, at_once=True), len(rows))
        self._timer.activate()

    def _look(self) -> None:
        if self._asked is None or not self._asked[0].state.is_over:
            return
        job, size = self._asked
        self._asked = None
        self._timer.deactivate()
        if isinstance(job.value, WhatIfAnswer):
            self._said.text = f"Score {job.value.score:.4g}, place {job.value.position:g} of {size}"
        else:
            self._said.text = job.message
        if self._is_late:
            self._is_late = False
            self._ask()
