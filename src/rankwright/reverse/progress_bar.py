"""A fit as it is watched: a bar with objective, bound and gap."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rankwright.reverse.progress import State

__all__ = ["progress_bar"]


@contextmanager
def progress_bar(
    verbose: bool, callback: Callable[[State], None] | None, time_limit: float
) -> Iterator[Callable[[State], None] | None]:
    """Yield what is called with each state of a fit: the caller's callback and a progress bar."""
    if not verbose:
        yield callback
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    with Progress(*columns) as bar:
        task = bar.add_task("searching", total=time_limit)

        def show(state: State) -> None:
            gap = abs(state.bound - state.objective)
            words = f"objective {state.objective:.6g}  bound {state.bound:.6g}  gap {gap:.3g}"
            bar.update(task, completed=state.seconds, description=words)
            if callback is not None:
                callback(state)

        yield show
