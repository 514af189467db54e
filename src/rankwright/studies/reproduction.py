"""Run studies and write their pages."""

import platform
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from rankwright.studies.experiment import Experiment
from rankwright.studies.page import Page
from rankwright.studies.results import Results, read_results
from rankwright.studies.runner import run
from rankwright.studies.store import Store
from rankwright.studies.study import Settings, Study

__all__ = ["STORE", "reproduce"]

STORE = "results.sqlite"


def reproduce(
    studies: Sequence[Study],
    folder: Path,
    *,
    settings: Settings | None = None,
    jobs: int = 1,
    progress: Callable[[str, int, int], None] = lambda study, done, total: None,
) -> list[Page]:
    """Run studies, or go on with them, and return the pages written.

    Parameters
    ----------
    studies : sequence of Study
        Which to run.
    folder : Path
        Receives the pages, and the store of results, from which an interrupted run goes on.
    settings : Settings, optional
        How thoroughly, and on which files.
    jobs : int
        Processes side by side.
    progress : callable, optional
        Called with the name of a study, the number of its trials done and of all.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from rankwright.studies import Settings, find_study, reproduce
    >>> with TemporaryDirectory() as folder:
    ...     settings = Settings(quick=True)
    ...     [page] = reproduce([find_study("transform")], Path(folder), settings=settings)
    ...     page.path.name, [str(claim.verdict) for claim in page.claims]
    ('transform.md', ['held', 'held', 'held'])
    """
    settings, folder = settings or Settings(), Path(folder)
    pages = []
    with Store(folder / STORE) as store:
        for study in studies:
            experiments = _planned(study, settings)
            run(experiments, store, jobs=jobs, progress=partial(progress, study.name))
            pages.append(_write(study, read_results(settings, experiments, store), folder))
    return pages


def _planned(study: Study, settings: Settings) -> list[Experiment]:
    """Return the study's experiments, each with a name of its own."""
    experiments = [replace(one, study=study.name) for one in study.plan(settings)]
    names = [one.name for one in experiments]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(
            f"study {study.name!r} has several experiments called {twice}; rename them"
        )
    return experiments


def _write(study: Study, results: Results, folder: Path) -> Page:
    page = Page(folder, study.name)
    for name in results.experiments:
        page.raw(name, results.frame(name))
    study.write(results, page)
    page.save(study.title, _introduction(study, results))
    return page


def _introduction(study: Study, results: Results) -> str:
    trials = sum(len(e.grid) * e.replications for e in results.experiments.values())
    seconds = sum(results.seconds(name) for name in results.experiments)
    spent, halved = _duration(seconds), _duration(seconds / 2)
    return (
        f"{study.paper}\n\n"
        f"`{study.command(results.settings)}` measured {trials:,} trials in {spent} of "
        f"processor time, about {halved} with `--jobs 2` on two cores (Python "
        f"{platform.python_version()}). All measurements are in `{study.name}/*.csv.gz`."
    )


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} seconds" if seconds < 120 else f"{seconds / 60:.0f} minutes"
