"""Measure the cells that are not measured yet, side by side."""

import time
from collections.abc import Callable, Iterable, Iterator

from joblib import Parallel, delayed

from rankwright.studies.experiment import Cell, Experiment, Row
from rankwright.studies.store import Store

__all__ = ["run"]

WAIT = 1.0  # seconds before looking again whether another run has finished its cells

Progress = Callable[[int, int], None]
Timed = tuple[Cell, list[Row], float]


def run(
    experiments: Iterable[Experiment],
    store: Store,
    *,
    jobs: int = 1,
    progress: Progress = lambda done, total: None,
) -> None:
    """Measure all cells of the experiments that the store lacks.

    Parameters
    ----------
    experiments : iterable of Experiment
    store : Store
        Receives each result as it comes. Runs that share it share the work.
    jobs : int
        Processes side by side.
    progress : callable, optional
        Called with the number of cells done and the number of all.
    """
    cells = [cell for experiment in experiments for cell in experiment.cells()]
    while True:
        measured = store.get(cells)
        pending = [cell for cell in cells if cell.key not in measured]
        progress(len(measured), len(cells))
        if not pending:
            return
        done = len(measured)
        for cell, rows, seconds in _measure(pending, store, jobs):
            store.put(cell, rows, seconds)
            done += 1
            progress(done, len(cells))
        if done == len(measured):
            time.sleep(WAIT)  # all that is left is being measured by other runs


def _measure(pending: list[Cell], store: Store, jobs: int) -> Iterator[Timed]:
    """Yield cells that could be claimed, in the order in which they are finished."""
    by_key = {cell.key: cell for cell in pending}
    claimed = (delayed(_timed)(cell) for cell in pending if store.claim(cell))
    try:
        for key, rows, seconds in Parallel(n_jobs=jobs, return_as="generator_unordered")(claimed):
            yield by_key[key], rows, seconds
    finally:
        store.release()  # what an error left unmeasured


def _timed(cell: Cell) -> tuple[str, list[Row], float]:
    start = time.process_time()
    try:
        rows = cell.measure()
    except Exception as error:
        error.add_note(
            f"in experiment {cell.experiment.name!r}, replication {cell.replication}, "
            f"with {cell.parameters}"
        )
        raise
    return cell.key, rows, time.process_time() - start
