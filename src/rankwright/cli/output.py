"""What a command says: to people, to machines, or nothing."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankwright.cli.streams import is_unicode

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from rankwright.cli.render import Listing

__all__ = ["Output", "console"]

COMPILING = (
    "Compiling what this machine has not needed so far, and keeping it: this takes up to about {} "
    "seconds, which do not count towards any time limit."
)
UNLIMITED = 10_000  # columns of a file or a pipe: no line of a table is folded


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
        """Whether questions can be asked: somebody reads along and can type an answer."""
        return self.is_for_people and sys.stdin.isatty()

    def show(self, *parts: "str | Text | Listing") -> None:
        """Print parts of the result for people: sentences, and tables as ``render`` makes them."""
        if self.is_for_people:
            from rankwright.cli.render import sentence

            out = console()
            for part in parts:
                # Commands, which are indented, are wrapped by the terminal, if at all: they can be
                # copied.
                if isinstance(part, str):
                    out.print(sentence(part), soft_wrap=part.startswith("  "))
                else:
                    out.print(part)

    def note(self, text: str, *, wrapped: bool = True) -> None:
        """Print what is worth knowing but not the result."""
        if not self.quiet:
            from rankwright.cli.render import sentence

            console(stderr=True).print(sentence(text), style="dim", soft_wrap=not wrapped)

    def result(self, **values: Any) -> None:
        """Print the result for machines."""
        if self.json:
            from rankwright.report import json_text

            print(json_text(values, ascii_only=not is_unicode(sys.stdout)), flush=True)

    def written(self, path: Path) -> None:
        """Say that a file has been written."""
        self.note(f"Wrote {path}", wrapped=False)  # a path can be copied

    @contextmanager
    def progress(
        self, what: str, total: float | None = None, compiling: int | None = None
    ) -> Iterator[Callable[..., None]]:
        """Show a bar, or a spinner where nobody knows the end, while the work is going on.

        What is yielded takes ``done`` and ``what``. Work that uses kernels says how many seconds
        ``compiling`` them takes; a user is told when it comes to that.
        """
        from rankwright.cli.progress import work

        with (
            _moving() as out,
            work(out, what, total, **self._shown()) as update,
            self._announcing(compiling),
        ):
            yield update

    @contextmanager
    def steps(self, compiling: int) -> "Iterator[Callable[..., None]]":
        """Show steps that share a time limit; what is yielded takes a step and a note on it."""
        from rankwright.cli.progress import timed_steps

        with (
            _moving() as out,
            timed_steps(out, **self._shown()) as show,
            self._announcing(compiling),
        ):
            yield show

    def _shown(self) -> dict[str, Any]:
        return {
            "spinner": "dots" if is_unicode(sys.stderr) else "line",
            "shown": self.is_for_people and console(stderr=True).is_terminal,
        }

    def _announcing(self, seconds: int | None) -> AbstractContextManager[None]:
        if seconds is None:
            return nullcontext()
        from rankwright.kernels.compilation import when_compiling

        return when_compiling(lambda: self.note(COMPILING.format(seconds)))


# Of displays that move: their own console prints above them, another one would write into them.
MOVING: "list[Console]" = []


@contextmanager
def _moving() -> "Iterator[Console]":
    """Let everything for stderr be printed by one console meanwhile."""
    MOVING.append(console(stderr=True))
    try:
        yield MOVING[-1]
    finally:
        MOVING.pop()


def console(*, stderr: bool = False) -> "Console":
    """Return a console that prints text as text, and folds lines at the edge of a terminal only."""
    from rich.console import Console

    if stderr and MOVING:
        return MOVING[-1]
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() or "COLUMNS" in os.environ else UNLIMITED
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False, width=width)
