"""Rank: fit and compare rankers, explain one item above another, score another file."""

from nicegui import ui

from rankwright.studio.pages.tab import Tab, lines_of, product_select, show_found, take_file
from rankwright.studio.render import heading, primary_button
from rankwright.studio.tasks.rank import (
    CompareRequest,
    ExplainRequest,
    FitRequest,
    RankersFound,
    RankFound,
    ScoreRequest,
    compare_rankers,
    explain_pair,
    fit_ranker,
    list_rankers,
    score_file,
)
from rankwright.studio.tasks.table import File

__all__ = ["RankPage"]

USUAL = "expected-rank-regressor"
COMPARED = ("expected-rank-regressor", "pairwise-ranker", "ordinal-forest")
METRIC = "kendall_tau"


class RankPage:
    """The page where rankers are fitted, compared, asked and used."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self._parameters: dict[str, str] = {}
        heading("Rank", 1)
        self._missing = ui.label("Read a table on the Data page first.").classes("lead")
        with ui.column().classes("results") as self._form:
            self._build_fit()
            with ui.column().classes("results") as self._using:
                self._build_use()
            self._build_compare()
        self._listing = tab.runner()
        tab.watch(self._show_form, "view")
        tab.watch(self._show_fitted, "fitted", "table")
        tab.watch(lambda: show_found(self._compared, tab.state.compared, tab), "compared", "table")

    def _build_fit(self) -> None:
        heading("Fit a ranker")
        with ui.row().classes("choices"):
            self._ranker = ui.select([USUAL], value=USUAL, label="Ranker").classes("field")
            self._ranker.on_value_change(self._describe)
            self._settings = ui.textarea("Parameters", placeholder="alpha=0.1").classes("field")
            self._settings.props("rows=1 autogrow")
            primary_button("Fit", "model_training", self._fit)
        self._defaults = ui.label().classes("caption")
        self._fitting = self._tab.runner(of_table=True)
        self._fitted = ui.column().classes("results")

    def _build_use(self) -> None:
        heading("Why is one item above another?")
        self._pair = ui.row().classes("choices")
        self._explaining = self._tab.runner(of_table=True)
        self._why = ui.column().classes("results")
        heading("Rank another file with this model")
        take_file(self._tab, "Drop a table with the same factors", self._score)
        self._scoring = self._tab.runner(of_table=True)
        self._scored = ui.column().classes("results")

    def _build_compare(self) -> None:
        heading("Compare rankers under grouped cross-validation")
        with ui.row().classes("choices"):
            self._several = ui.select(
                list(COMPARED), value=list(COMPARED), label="Rankers", multiple=True
            ).classes("field wide")
            self._metric = ui.input("Metric, such as ndcg@10", value=METRIC)
            self._folds = ui.number("Folds", value=5, min=2, max=50)
            primary_button("Compare", "compare", self._compare)
        self._comparing = self._tab.runner(of_table=True)
        self._compared = ui.column().classes("results")

    def _list(self, found: RankersFound) -> None:
        self._parameters = found.rankers
        self._ranker.set_options(list(found.rankers), value=self._ranker.value)
        self._several.set_options(list(found.rankers), value=self._several.value)
        self._metric.set_autocomplete(list(found.metrics))
        self._describe()

    def _describe(self) -> None:
        default = self._parameters.get(str(self._ranker.value))
        self._defaults.text = f"By default: {default}" if default else ""

    def _fit(self) -> None:
        table = self._tab.state.table
        if table is not None:
            request = FitRequest(table, str(self._ranker.value), lines_of(self._settings))
            self._fitting.start(fit_ranker, request, self._keep)

    def _keep(self, found: RankFound) -> None:
        model = self._tab.session.keep("model.rw", found.files["model.rw"])
        self._tab.update(fitted=found, fitted_model=model.path)

    def _compare(self) -> None:
        table = self._tab.state.table
        if table is not None:
            request = CompareRequest(
                table,
                tuple(self._several.value or ()),
                int(self._folds.value or 5),
                str(self._metric.value or METRIC).strip(),
            )
            self._comparing.start(
                compare_rankers, request, lambda found: self._tab.update(compared=found)
            )

    def _explain(self, item: int | None, other: int | None) -> None:
        state = self._tab.state
        if item is None or other is None:
            ui.notify("Choose two items.", type="warning")
        elif state.fitted is None or state.table is None or state.fitted.table != state.table:
            ui.notify("The table was read in another way since: fit again.", type="warning")
        else:
            request = ExplainRequest(state.fitted_model, state.table, item, other)
            self._explaining.start(
                explain_pair, request, lambda found: show_found(self._why, found, self._tab)
            )

    def _score(self, file: File, content: bytes) -> None:
        state = self._tab.state
        if state.fitted is not None and state.fitted.table is not None:
            request = ScoreRequest(state.fitted_model, state.fitted.table, file)
            self._scoring.start(
                score_file, request, lambda found: show_found(self._scored, found, self._tab)
            )

    def _show_form(self) -> None:
        view = self._tab.state.view
        usable = view is not None and not view.problem
        self._missing.visible, self._form.visible = not usable, usable
        if usable and not self._parameters:
            self._listing.start(list_rankers, None, self._list)
        self._pair.clear()
        if view is None or not view.products:
            return
        with self._pair:
            first = view.products[0]
            last = [one for one in view.products if one.group == first.group][-1]
            above = product_select(view.products, first.row, "This item")
            below = product_select(view.products, last.row, "and that one")
            primary_button("Explain", "help", lambda: self._explain(above.value, below.value))

    def _show_fitted(self) -> None:
        found = self._tab.state.fitted
        self._using.visible = found is not None
        show_found(self._fitted, found, self._tab)
        self._why.clear()
        self._scored.clear()
