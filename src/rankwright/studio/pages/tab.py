"""What the pages of one tab share: the session, the theme, and each other's results."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from nicegui import events, ui

from rankwright.studio.blocks import Tone, Words
from rankwright.studio.render import quiet_button, show_downloads, show_section, show_words
from rankwright.studio.runner import Runner
from rankwright.studio.session import Session
from rankwright.studio.state import State
from rankwright.studio.tasks.rank import RankFound
from rankwright.studio.tasks.table import File, Product, TableRequest
from rankwright.studio.theme import Theme

__all__ = [
    "ExtraFile",
    "Tab",
    "lines_of",
    "product_select",
    "show_found",
    "take_file",
    "warn_if_old",
]

MOST_PRODUCTS = 5000  # of a list to choose from


@dataclass
class Tab:
    """A tab: its session, its theme, and which page shows which parts of its state."""

    session: Session
    largest: int  # bytes of an upload
    theme: Theme = field(default_factory=Theme)
    _shown: list[tuple[tuple[str, ...], Callable[[], None]]] = field(default_factory=list)
    _of_table: list[Runner] = field(default_factory=list)

    @property
    def state(self) -> State:
        """What the tab knows now."""
        return self.session.state

    def watch(self, show: Callable[[], None], *parts: str) -> None:
        """Show something now, and whenever one of these parts of the state was replaced."""
        self._shown.append((parts, show))
        show()

    def set(self, state: State) -> None:
        """Replace the state, and show what is new."""
        before, self.session.state = self.session.state, state
        for parts, show in self._shown:
            if any(getattr(before, part) is not getattr(state, part) for part in parts):
                show()

    def update(self, **changes: Any) -> None:
        """Replace parts of the state, and show them."""
        self.set(replace(self.state, **changes))

    def runner(self, *, of_table: bool = False) -> Runner:
        """Return a place for jobs; those of the table end when another one is read."""
        made = Runner(self.session, self.theme)
        if of_table:
            self._of_table.append(made)
        return made

    def end_jobs_of_table(self) -> None:
        """End what works on a table that is there no longer."""
        for runner in self._of_table:
            runner.end("Ended, because another table was read.")


def take_file(tab: Tab, label: str, taken: Callable[[File, bytes], None]) -> Any:
    """Show a place to drop a file; what is dropped is kept in the session's folder."""

    async def keep(event: events.UploadEventArguments) -> None:
        content = await event.file.read()
        upload.reset()
        if len(content) > tab.largest:  # the guard has let the form pass, not the file
            ui.notify(f"{event.file.name} is larger than {tab.largest:,} bytes", type="warning")
            return
        taken(tab.session.keep(event.file.name, content), content)

    def refused() -> None:
        ui.notify(f"At most {tab.largest:,} bytes can be uploaded", type="warning")

    upload = ui.upload(
        label=label,
        auto_upload=True,
        max_file_size=tab.largest,
        on_upload=keep,
        on_rejected=refused,
    )
    upload.props("flat bordered").classes("upload")
    return upload


class ExtraFile:
    """A file that may be dropped besides, and left out again."""

    def __init__(self, tab: Tab, label: str, said: str) -> None:
        self.file: File | None = None
        self._said = said
        with ui.row().classes("choices"):
            take_file(tab, label, lambda file, content: self._set(file))
            self._name = ui.label()
            self._leave = quiet_button("Leave it out", "close", lambda: self._set(None))
        self._set(None)

    def _set(self, file: File | None) -> None:
        self.file = file
        self._name.text = "" if file is None else f"{self._said} {file.name}."
        self._leave.visible = file is not None


def product_select(products: tuple[Product, ...], row: int | None, label: str) -> ui.select:
    """Show a list of products by row; subcategories are added where there are some."""
    names = {
        one.row: f"{one.name} ({one.group})" if one.group else one.name
        for one in products[:MOST_PRODUCTS]
    }
    more = f" (one of the first {MOST_PRODUCTS:,})" if len(products) > MOST_PRODUCTS else ""
    return ui.select(names, value=row, label=f"{label}{more}", with_input=True).classes("field")


def lines_of(field: Any) -> tuple[str, ...]:
    """Return the lines of a text that was typed."""
    return tuple(line.strip() for line in str(field.value or "").splitlines() if line.strip())


def warn_if_old(tab: Tab, table: TableRequest | None) -> None:
    """Say that a result is of the table as it was read before."""
    if table is not None and table != tab.state.table:
        said = "The table was read in another way since: this is of the table as it was before."
        show_words(Words((said,), Tone.WARNING))


def show_found(place: ui.column, found: RankFound | None, tab: Tab) -> None:
    """Show sections and files in a place of the page."""
    place.clear()
    if found is None:
        return
    with place:
        warn_if_old(tab, found.table)
        show_downloads(found.files)
        for section in found.sections:
            show_section(section, tab.theme)
