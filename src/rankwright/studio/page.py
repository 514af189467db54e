"""The page of a tab: its header, its theme, and the five pages behind their names."""

from collections.abc import Callable
from dataclasses import fields
from importlib.resources import files
from pathlib import Path

from nicegui import ui

from rankwright.studio.jobs import Jobs
from rankwright.studio.pages.data import DataPage
from rankwright.studio.pages.formula import FormulaPage
from rankwright.studio.pages.improve import ImprovePage
from rankwright.studio.pages.rank import RankPage
from rankwright.studio.pages.tab import Tab
from rankwright.studio.pages.votes import VotesPage
from rankwright.studio.render import quiet_button
from rankwright.studio.session import Session
from rankwright.studio.state import State
from rankwright.studio.tasks.work import save_work

__all__ = ["Studio"]

PAGES = {
    "Data": DataPage,
    "Formula": FormulaPage,
    "Improve": ImprovePage,
    "Rank": RankPage,
    "Votes": VotesPage,
}
PREFERS_DARK = "matchMedia('(prefers-color-scheme: dark)').matches"
# Quasar's inputs of files have no name of their own, and its tables are sorted by a mouse alone.
FOR_EVERYBODY = """
<script>
new MutationObserver(() => {
  for (const head of document.querySelectorAll('th.sortable:not([tabindex])')) head.tabIndex = 0;
  document.querySelector('.q-loading-bar')?.setAttribute('aria-label', 'loading');
  for (const input of document.querySelectorAll('.q-uploader__input:not([aria-label])')) {
    const title = input.closest('.q-uploader').querySelector('.q-uploader__title');
    for (const part of [input, input.closest('.q-btn')]) {
      part?.setAttribute('aria-label', title?.innerText ?? 'File');
    }
  }
}).observe(document, {childList: true, subtree: true});
document.addEventListener('keydown', event => {
  if (event.key === 'Enter' && event.target.matches('th.sortable')) event.target.click();
});
</script>
"""
WARN_BEFORE_LEAVING = "window.onbeforeunload = event => event.preventDefault()"


class Studio:
    """The studio of everybody: each tab gets a session of its own.

    Parameters
    ----------
    jobs : Jobs
    file : Path, optional
        What every tab opens first.
    largest : int
        Bytes of an upload at most.
    """

    def __init__(self, jobs: Jobs, file: Path | None, largest: int) -> None:
        self._jobs, self._file, self._largest = jobs, file, largest
        self._sessions: set[Session] = set()

    def page(self) -> None:
        """Build the page of a new tab."""
        session = Session(self._jobs)
        self._sessions.add(session)
        client = ui.context.client
        client.on_delete(lambda: self._end(session))
        tab = Tab(session, self._largest)
        ui.add_css(files("rankwright.studio").joinpath("studio.css").read_text(encoding="utf-8"))
        ui.add_head_html(FOR_EVERYBODY)
        dark = ui.dark_mode()

        def set_dark(is_dark: bool) -> None:
            dark.set_value(is_dark)
            tab.theme.switch(is_dark)

        _header(tab, set_dark)
        with ui.element("main").classes("main"):
            data = _pages(tab)

        async def begin() -> None:
            self._jobs.warm_up()  # the page is there now, so nobody waits for it
            set_dark(bool(await ui.run_javascript(PREFERS_DARK, timeout=5)))
            if self._file is not None and session.state.table is None:
                content = self._file.read_bytes()
                data.open(session.keep(self._file.name, content), content)

        ui.timer(0, begin, once=True)

    def close(self) -> None:
        """End every session."""
        for session in list(self._sessions):
            self._end(session)

    def _end(self, session: Session) -> None:
        self._sessions.discard(session)
        session.close()


def _header(tab: Tab, set_dark: Callable[[bool], None]) -> None:
    def save() -> None:
        runner.start(save_work, tab.session.state, _download_work)

    with ui.header().classes("header"):
        ui.label("rankwright studio").classes("brand")
        ui.space()
        saver = ui.element("div").classes("saver")
        quiet_button("Save work", "save", save)
        quiet_button("Light or dark", "dark_mode", lambda: set_dark(not tab.theme.is_dark))
    with saver:
        runner = tab.runner()


def _download_work(content: bytes) -> None:
    ui.download.content(content, "work.rwork")


def _pages(tab: Tab) -> DataPage:
    with ui.tabs().classes("tabs").props("no-caps align=left inline-label outside-arrows") as names:
        for name in PAGES:
            ui.tab(name)
    with ui.tab_panels(names, value="Data", keep_alive=True, animated=False).classes("panels"):
        built = {}
        for name, kind in PAGES.items():
            with ui.tab_panel(name):
                built[name] = kind(tab)

    def warn() -> None:
        if tab.state != State():
            ui.run_javascript(WARN_BEFORE_LEAVING)

    tab.watch(warn, *(part.name for part in fields(State)))
    data = built["Data"]
    assert isinstance(data, DataPage)  # by its name
    return data
