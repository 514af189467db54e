"""What the pages of one tab share: the session, the theme, and each other."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from nicegui import events, ui

from rankwright.studio.session import Session
from rankwright.studio.tasks.table import File, Product

__all__ = ["Tab", "chosen_products", "take_file"]


@dataclass
class Tab:
    """A tab: its session, its theme, and who wants to know when its state has changed."""

    session: Session
    largest: int  # bytes of an upload
    dark: bool = False
    listeners: list[Callable[[], None]] = field(default_factory=list)

    def changed(self) -> None:
        """Let every page show the state as it is now."""
        for refresh in self.listeners:
            refresh()

    def update(self, **changes: Any) -> None:
        """Replace parts of the state, and show it."""
        self.session.update(**changes)
        self.changed()


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


def chosen_products(products: tuple[Product, ...]) -> dict[int, str]:
    """Return names by row; subcategories are added where there are some."""
    return {one.row: f"{one.name} ({one.group})" if one.group else one.name for one in products}
