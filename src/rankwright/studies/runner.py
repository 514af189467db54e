"""Measure the trials that are not measured yet, side by side."""

import pickle
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext

from joblib import Parallel, delayed, effective_n_jobs

from rankwright.studies.experiment import Experiment, Row, Trial
from rankwright.studies.store import Store

__all__ = ["run"]

WAIT = 1.0  # seconds before looking again whether another run has finished its trials

Progress = Callable[[int, int], None]
Timed = tuple[Trial, list[Row], float]


def run(
    experiments: Iterable[Experiment],
    store: Store,
    *,
    jobs: int = 1,
    progress: Progress = lambda done, total: None,
) -> None:
    """Measure all trials of the experiments that the store lacks.

    Parameters
    ----------
    experiments : iterable of Experiment
        What to run.
    store : Store
        Receives each result as it comes. Runs that share it share the work.
    jobs : int
        Processes side by side.
    progress : callable, optional
        Called with the number of trials done and the number of all.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from rankwright.studies import Experiment, Store, run
    >>> def measure(rng):
    ...     return {"draw": float(rng.random())}
    >>> experiment = Experiment("draws", measure, grid=[{}], replications=3)
    >>> with TemporaryDirectory() as folder, Store(Path(folder) / "results.sqlite") as store:
    ...     run([experiment], store)
    ...     len(store.get(experiment.trials()))
    3
    """
    trials = [trial for experiment in experiments for trial in experiment.trials()]
    while True:
        measured = store.get(trials)
        pending = [trial for trial in trials if trial.key not in measured]
        progress(len(measured), len(trials))
        if not pending:
            return
        done = len(measured)
        for trial, rows, seconds in _measure(pending, store, jobs):
            store.put(trial, rows, seconds)
            done += 1
            progress(done, len(trials))
        if done == len(measured):
            time.sleep(WAIT)  # all that is left is being measured by other runs


def _measure(pending: list[Trial], store: Store, jobs: int) -> Iterator[Timed]:
    """Yield trials that could be claimed, in the order in which they are finished."""
    by_key = {trial.key: trial for trial in pending}
    claimed = (trial for trial in pending if store.claim(trial))
    tasks = (delayed(_timed)(trial) for trial in claimed)
    if jobs != 1:
        tasks = (delayed(_timed_elsewhere)(sys.path, pickle.dumps(trial)) for trial in claimed)
    try:
        is_alone = effective_n_jobs(jobs) == 1
        with nullcontext() if is_alone else _interrupts_kept_from_processes():
            results = Parallel(n_jobs=jobs, return_as="generator_unordered")(tasks)
        for key, rows, seconds in results:
            yield by_key[key], rows, seconds
    finally:
        store.release()  # what an error left unmeasured


@contextmanager
def _interrupts_kept_from_processes() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach, which goes to all of a terminal.

    It would meet them half loaded, with a traceback from each. This process ends them.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    # A mask is inherited; a Ctrl-C that comes meanwhile waits for this block.
    earlier = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, earlier)


def _timed_elsewhere(folders: list[str], packed: bytes) -> tuple[str, list[Row], float]:
    """Measure in another process, which may be older than the folder of a user's study."""
    sys.path += [folder for folder in folders if folder not in sys.path]
    return _timed(pickle.loads(packed))  # noqa: S301, of the process that started this one


def _timed(trial: Trial) -> tuple[str, list[Row], float]:
    start = time.process_time()
    try:
        rows = trial.measure()
    except Exception as error:
        error.add_note(
            f"in experiment {trial.experiment.name!r}, replication {trial.replication}, "
            f"with {trial.parameters}"
        )
        raise
    return trial.key, rows, time.process_time() - start
