"""Votes and leaderboards: one order out of many, and strengths from comparisons."""

from nicegui import ui

from rankwright.studio.pages.rank import show_found
from rankwright.studio.pages.tab import Tab, take_file
from rankwright.studio.render import heading
from rankwright.studio.runner import Runner
from rankwright.studio.tasks.table import File
from rankwright.studio.tasks.votes import (
    BoardRequest,
    VotesRequest,
    find_consensus,
    find_strengths,
)

__all__ = ["VotesPage"]

METHODS = (
    *("auto", "kemeny", "local_search", "borda", "copeland", "median", "mean", "footrule"),
    "kwiksort",
)


class VotesPage:
    """The page of votes and comparisons."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        heading("Votes and leaderboards", 1)
        heading("Consensus of rankings")
        ui.label(
            "A table with a row for each item and a column of places for each voter, or a PrefLib "
            "file (.soc, .soi, .toc, .toi)."
        )
        with ui.row().classes("choices"):
            self._method = ui.select(list(METHODS), value="auto", label="Method").classes("field")
            self._seconds = ui.number("Seconds", value=60, min=1, max=86400)
            self._scores = ui.switch("Scores, larger is better")
            self._strict = ui.switch("No ties in the consensus")
        take_file(tab, "Drop votes here", self._aggregate)
        self._voting = Runner(tab.session, lambda: tab.dark)
        self._consensus = ui.column().classes("results")
        heading("Leaderboard from comparisons")
        ui.label(
            "A table of battles (two items and an outcome in each row), of scores (items in rows, "
            "tasks in columns), or a PrefLib file."
        )
        with ui.row().classes("choices"):
            self._side = ui.switch("Being on the left may be an advantage")
            self._smaller = ui.switch("Smaller scores are better")
        take_file(tab, "Drop comparisons here", self._rank)
        self._ranking = Runner(tab.session, lambda: tab.dark)
        self._board = ui.column().classes("results")
        tab.listeners.append(self.refresh)

    def _aggregate(self, file: File, content: bytes) -> None:
        request = VotesRequest(
            file,
            str(self._method.value),
            bool(self._scores.value),
            bool(self._strict.value),
            float(self._seconds.value or 60),
        )
        self._voting.start(find_consensus, request, lambda found: self._tab.update(consensus=found))

    def _rank(self, file: File, content: bytes) -> None:
        request = BoardRequest(file, bool(self._side.value), bool(self._smaller.value))
        self._ranking.start(find_strengths, request, lambda found: self._tab.update(board=found))

    def refresh(self) -> None:
        """Show the consensus and the leaderboard."""
        show_found(self._consensus, self._tab.session.state.consensus, self._tab)
        show_found(self._board, self._tab.session.state.board, self._tab)
