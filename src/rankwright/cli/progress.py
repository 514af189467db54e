"""Progress that always moves: bars of work, and bars of steps that share a time limit."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import ProgressColumn, Task

    from rankwright.reverse import Step

__all__ = ["timed_steps", "work"]

WIDTH = 20
ROOM = "\u00a0\u00a0"  # for the ^C that a terminal echoes: a full line would be broken by it


@contextmanager
def work(
    out: "Console", what: str, total: float | None, *, spinner: str, shown: bool
) -> Iterator[Callable[..., None]]:
    """Show a bar, or a spinner where nobody knows the end; yield what moves and renames it."""
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from rankwright.cli.render import cell

    columns = (
        SpinnerColumn(spinner),
        TextColumn("{task.description}", markup=False),
        BarColumn(WIDTH),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=out, transient=True, disable=not shown) as progress:
        task = progress.add_task(cell(what).plain, total=total)

        def update(done: float | None = None, what: str | None = None) -> None:
            words = None if what is None else cell(what).plain
            progress.update(task, completed=done, description=words)

        yield update


@contextmanager
def timed_steps(
    out: "Console", *, spinner: str, shown: bool
) -> "Iterator[Callable[[Step, str], None]]":
    """Show one step after another, each with its own clock; yield what takes a step and a note.

    The bar goes by the clock, not by the work, so that it moves whatever the work is.
    """
    from rich.progress import Progress, SpinnerColumn, TextColumn

    columns = (
        SpinnerColumn(spinner),
        TextColumn("{task.description}", markup=False),
        _clock_bar(),
        TextColumn("{task.fields[note]}", markup=False, style="dim"),
        TextColumn(ROOM),
    )
    with Progress(*columns, console=out, transient=True, disable=not shown) as progress:
        # Of all steps there is one task at a time.
        current: dict[str, int] = {}

        def show(step: "Step", note: str = "") -> None:
            if step.words not in current:
                for task in progress.task_ids:
                    progress.remove_task(task)
                current.clear()
                current[step.words] = progress.add_task(step.words, total=step.seconds, note="")
            counted = f"{step.done:,} of {step.total:,}" if step.total else ""
            progress.update(current[step.words], note=note or counted)  # type: ignore[arg-type]

        yield show


def _clock_bar() -> "ProgressColumn":
    from rich.progress import ProgressColumn
    from rich.progress_bar import ProgressBar
    from rich.table import Table

    class ClockBar(ProgressColumn):
        """The seconds of a task, and those it may take."""

        max_refresh = 0.1

        def render(self, task: "Task") -> Table:
            seconds, limit = task.elapsed or 0.0, task.total or 0.0
            both = Table.grid(padding=(0, 1))
            bar = ProgressBar(total=max(limit, 0.1), completed=min(seconds, limit), width=WIDTH)
            planned = f" of {limit:.0f}" if seconds <= limit else ""  # compiling is not planned for
            both.add_row(bar, f"{seconds:.0f}{planned} s")
            return both

    return ClockBar()
