"""Rank: fit and compare rankers, explain one item above another, score another file."""

from nicegui import ui

from rankwright.studio.pages.tab import Tab, chosen_products, take_file
from rankwright.studio.render import heading, primary_button, show_downloads, show_section
from rankwright.studio.runner import Runner
from rankwright.studio.tasks.rank import (
    CompareRequest,
    ExplainRequest,
    FitRequest,
    RankFound,
    ScoreRequest,
    compare_rankers,
    explain_pair,
    fit_ranker,
    list_rankers,
    score_file,
)
from rankwright.studio.tasks.table import File

__all__ = ["RankPage", "show_found"]

USUAL = "expected-rank-regressor"
COMPARED = ("expected-rank-regressor", "pairwise-ranker", "ordinal-forest")


class RankPage:
    """The page where rankers are fitted, compared, asked and used."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        heading("Rank", 1)
        self._missing = ui.label("Read a table on the Data page first.").classes("lead")
        with ui.column().classes("results") as self._form:
            heading("Fit a ranker")
            with ui.row().classes("choices"):
                self._ranker = ui.select([USUAL], value=USUAL, label="Ranker").classes("field")
                primary_button("Fit", "model_training", self._fit)
            self._fitting = Runner(tab.session, lambda: tab.dark)
            self._fitted = ui.column().classes("results")
            with ui.column().classes("results") as self._using:
                heading("Why is one item above another?")
                self._pair = ui.row().classes("choices")
                self._explaining = Runner(tab.session, lambda: tab.dark)
                self._why = ui.column().classes("results")
                heading("Rank another file with this model")
                take_file(tab, "Drop a table with the same factors", self._score)
                self._scoring = Runner(tab.session, lambda: tab.dark)
                self._scored = ui.column().classes("results")
            heading("Compare rankers under grouped cross-validation")
            with ui.row().classes("choices"):
                self._several = ui.select(
                    list(COMPARED), value=list(COMPARED), label="Rankers", multiple=True
                ).classes("field wide")
                self._folds = ui.number("Folds", value=5, min=2, max=50)
                primary_button("Compare", "compare", self._compare)
            self._comparing = Runner(tab.session, lambda: tab.dark)
            self._compared = ui.column().classes("results")
        self._listing = Runner(tab.session, lambda: tab.dark)
        self._is_listed = False
        tab.listeners.append(self.refresh)
        self.refresh()

    def _list(self, names: tuple[str, ...]) -> None:
        self._ranker.set_options(list(names), value=self._ranker.value)
        self._several.set_options(list(names), value=self._several.value)

    def _fit(self) -> None:
        table = self._tab.session.state.table
        if table is not None:
            request = FitRequest(table, str(self._ranker.value))
            self._fitting.start(fit_ranker, request, self._keep)

    def _keep(self, found: RankFound) -> None:
        model = self._tab.session.keep("model.rw", found.files["model.rw"])
        self._tab.update(fitted=found, fitted_model=model.path)

    def _compare(self) -> None:
        table = self._tab.session.state.table
        if table is not None:
            chosen = tuple(self._several.value or ())
            request = CompareRequest(table, chosen, int(self._folds.value or 5))
            self._comparing.start(
                compare_rankers, request, lambda found: self._tab.update(compared=found)
            )

    def _explain(self, item: int, other: int) -> None:
        state = self._tab.session.state
        if state.table is not None:
            request = ExplainRequest(state.fitted_model, state.table, item, other)
            self._explaining.start(
                explain_pair, request, lambda found: show_found(self._why, found, self._tab)
            )

    def _score(self, file: File, content: bytes) -> None:
        state = self._tab.session.state
        if state.table is not None:
            request = ScoreRequest(state.fitted_model, state.table, file)
            self._scoring.start(
                score_file, request, lambda found: show_found(self._scored, found, self._tab)
            )

    def refresh(self) -> None:
        """Show what was fitted and compared."""
        state = self._tab.session.state
        usable = state.view is not None and not state.view.problem
        self._missing.visible, self._form.visible = not usable, usable
        self._using.visible = state.fitted is not None
        if usable and not self._is_listed:
            self._is_listed = True
            self._listing.start(list_rankers, None, self._list)
        show_found(self._fitted, state.fitted, self._tab)
        show_found(self._compared, state.compared, self._tab)
        if state.fitted is None:
            self._why.clear()
            self._scored.clear()
        self._pair.clear()
        if state.view is None or not state.view.products:
            return
        names = chosen_products(state.view.products)
        first, *_, last = [*names, *names]
        with self._pair:
            above = ui.select(names, value=first, label="This item", with_input=True)
            below = ui.select(names, value=last, label="and that one", with_input=True)
            above.classes("field")
            below.classes("field")
            primary_button("Explain", "help", lambda: self._explain(above.value, below.value))


def show_found(place: ui.column, found: RankFound | None, tab: Tab) -> None:
    """Show sections and files in a place of the page."""
    place.clear()
    if found is None:
        return
    with place:
        show_downloads(found.files)
        for section in found.sections:
            show_section(section, dark=tab.dark)
