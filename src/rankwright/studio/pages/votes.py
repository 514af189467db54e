"""Votes and leaderboards: one order out of many, and strengths from comparisons."""

from collections.abc import Callable
from typing import Any

from nicegui import ui

from rankwright.studio.pages.tab import ExtraFile, Tab, show_found, take_file
from rankwright.studio.render import heading, quiet_button
from rankwright.studio.tasks.table import File
from rankwright.studio.tasks.votes import (
    BoardRequest,
    VotesRequest,
    columns_of,
    find_consensus,
    find_strengths,
)

__all__ = ["VotesPage"]

METHODS = (
    *("auto", "kemeny", "local_search", "borda", "copeland", "median", "mean", "footrule"),
    "kwiksort",
)
MODELS = ("auto", "bradley_terry", "davidson", "plackett_luce", "mean_score", "mean_rank")
# What the numbers of a table of votes are, and the ``scores`` of a VotesRequest.
NUMBERS = {
    "places, unless they look like scores": None,
    "places, 1 is best": False,
    "scores, larger is better": True,
}
# The fields of a BoardRequest that hold columns, and what they are called here.
COLUMN = {
    "left": "First items",
    "right": "Second items",
    "outcome": "Outcomes",
    "left_points": "Points of the first item",
    "right_points": "Points of the second item",
    "counts": "How often it happened",
    "weights": "How much a row counts",
    "cluster": "Judges",
}
COLUMNS = {
    "context": "Numbers that favour the first item",
    "tasks": "Tasks: columns of scores",
    "smaller": "Tasks where smaller is better",
}


class VotesPage:
    """The page of votes and comparisons."""

    def __init__(self, tab: Tab) -> None:
        heading("Votes and leaderboards", 1)
        Consensus(tab)
        Board(tab)


class Columns:
    """Selects of columns, which are known once a file has been dropped."""

    def __init__(self, one: dict[str, str], several: dict[str, str]) -> None:
        self._selects = {
            name: ui.select([], label=label, multiple=name in several, clearable=True)
            .classes("field")
            .props("dense")
            for name, label in (one | several).items()
        }

    def offer(self, columns: tuple[str, ...]) -> None:
        """Let the columns of another file be chosen; nothing is chosen yet."""
        for select in self._selects.values():
            select.set_options(list(columns), value=[] if select.multiple else None)

    @property
    def chosen(self) -> dict[str, Any]:
        """What was chosen, by name."""
        return {
            name: tuple(select.value or ()) if select.multiple else select.value
            for name, select in self._selects.items()
        }


class Dropped:
    """A file that is read as soon as it is dropped, and again when other choices were made."""

    def __init__(
        self,
        tab: Tab,
        label: str,
        columns: Columns,
        run: Callable[[File], tuple[Callable[..., Any], Any]],
        part: str,
    ) -> None:
        self._tab, self._columns, self._run, self._part = tab, columns, run, part
        self._file: File | None = None
        with ui.row().classes("choices"):
            take_file(tab, label, self._take)
            self._again = quiet_button("Once more with these choices", "refresh", self._start)
        self._again.visible = False
        self._runner = tab.runner()

    def _take(self, file: File, content: bytes) -> None:
        def offer(columns: tuple[str, ...]) -> None:
            self._columns.offer(columns)
            self._again.visible = True
            self._start()

        self._file = file
        self._runner.start(columns_of, file, offer)

    def _start(self) -> None:
        if self._file is not None:
            task, request = self._run(self._file)
            self._runner.start(task, request, lambda found: self._tab.update(**{self._part: found}))


class Consensus:
    """One order out of many."""

    def __init__(self, tab: Tab) -> None:
        heading("Consensus of rankings")
        ui.label(
            "A table with a row for each item and a column of places for each voter, or a PrefLib "
            "file (.soc, .soi, .toc, .toi)."
        )
        with ui.row().classes("choices"):
            self._method = ui.select(list(METHODS), value="auto", label="Method").classes("field")
            self._seconds = ui.number("Seconds", value=60, min=1, max=86400)
            self._columns = Columns({"item": "Column of items"}, {"voters": "Columns of voters"})
            self._numbers = ui.select(
                list(NUMBERS), value=next(iter(NUMBERS)), label="The numbers are"
            ).classes("field")
            self._strict = ui.switch("No ties in the consensus")
        Dropped(tab, "Drop votes here", self._columns, self._request, "consensus")
        place = ui.column().classes("results")
        tab.watch(lambda: show_found(place, tab.state.consensus, tab), "consensus")

    def _request(self, file: File) -> tuple[Callable[..., Any], VotesRequest]:
        return find_consensus, VotesRequest(
            file,
            str(self._method.value),
            NUMBERS[str(self._numbers.value)],
            bool(self._strict.value),
            float(self._seconds.value or 60),
            **self._columns.chosen,
        )


class Board:
    """Strengths from comparisons, and the ranks that each item may have."""

    def __init__(self, tab: Tab) -> None:
        heading("Leaderboard from comparisons")
        ui.label(
            "A table of battles (two items and an outcome in each row), of scores (items in rows, "
            "tasks in columns), or a PrefLib file."
        )
        with ui.row().classes("choices"):
            self._side = ui.switch("Being on the left may be an advantage")
            self._smaller = ui.switch("Smaller scores are better")
        with ui.expansion("More choices: columns, model, certainty").classes("fold"):
            ui.label("Columns, guessed unless chosen once a file was dropped:")
            with ui.row().classes("choices"):
                self._columns = Columns(COLUMN, COLUMNS)
            with ui.row().classes("choices"):
                self._model = ui.select(list(MODELS), value="auto", label="Model").classes("field")
                self._alpha = ui.number("Comparisons with an average item", value=0, min=0)
                self._level = ui.number("Level of intervals, %", value=95, min=1, max=99.99)
                self._bootstrap = ui.number("Resamples", value=0, min=0, max=100_000)
            self._features = ExtraFile(
                tab, "Drop features of the items", "Strengths depend on nothing but"
            )
        Dropped(tab, "Drop comparisons here", self._columns, self._request, "board")
        place = ui.column().classes("results")
        tab.watch(lambda: show_found(place, tab.state.board, tab), "board")

    def _request(self, file: File) -> tuple[Callable[..., Any], BoardRequest]:
        return find_strengths, BoardRequest(
            file,
            side_advantage=bool(self._side.value),
            smaller_is_better=bool(self._smaller.value),
            features=self._features.file,
            model=str(self._model.value),
            alpha=float(self._alpha.value or 0),
            level=float(self._level.value or 95) / 100,
            bootstrap=int(self._bootstrap.value or 0),
            **self._columns.chosen,
        )
