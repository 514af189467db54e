"""What a command says: to people, to machines, or nothing."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Output"]


COMPILING = "Compiling for this machine, only this first time: expect about {} seconds."


@dataclass(frozen=True)
class Output:
    """Print results to stdout, and everything else to stderr."""

    json: bool = False
    quiet: bool = False

    @property
    def is_for_people(self) -> bool:
        """Whether anybody reads along."""
        return not (self.json or self.quiet)

    @property
    def can_ask(self) -> bool:
        """Whether there is somebody to answer."""
        return self.is_for_people and sys.stdin.isatty()

    def show(self, *parts: "RenderableType") -> None:
        """Print parts of the result for people."""
        if self.is_for_people:
            from rich.console import Console

            console = Console(highlight=False)
            for part in parts:
                # Sentences and commands are wrapped by the terminal, if at all: they can be copied.
                console.print(part, soft_wrap=isinstance(part, str))

    def note(self, text: str) -> None:
        """Print what is worth knowing but not the result."""
        if not self.quiet:
            from rich.console import Console

            Console(stderr=True, highlight=False).print(
                text, style="dim", markup=False, soft_wrap=True
            )

    def result(self, **values: Any) -> None:
        """Print the result for machines."""
        if self.json:
            from rankwright.report import plain

            print(json.dumps(plain(values), indent=2, ensure_ascii=False))

    def written(self, path: Path) -> None:
        """Say that a file has been written."""
        self.note(f"Wrote {path}")

    @contextmanager
    def progress(
        self, what: str, total: float | None = None, compiling: int | None = None
    ) -> Iterator[Callable[..., None]]:
        """Show a bar, or a spinner where nobody knows the end, while the work is going on.

        What is yielded takes ``done`` and ``what``. Work that uses kernels says how many seconds
        ``compiling`` them takes; a user is told when it comes to that.
        """
        from rich.console import Console
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        console = Console(stderr=True)
        columns = [SpinnerColumn(), TextColumn("{task.description}"), BarColumn()]
        shown = Progress(
            *columns,
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not (self.is_for_people and console.is_terminal),
        )
        with shown, self._announcing(compiling):
            task = shown.add_task(what, total=total)

            def update(done: float | None = None, what: str | None = None) -> None:
                shown.update(task, completed=done, description=what)

            yield update

    def _announcing(self, seconds: int | None) -> AbstractContextManager[None]:
        if seconds is None:
            return nullcontext()
        from rankwright.kernels.compilation import when_compiling

        return when_compiling(lambda: self.note(COMPILING.format(seconds)))
