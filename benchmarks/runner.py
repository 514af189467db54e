"""Run a case: the project and its peers alternately, in one process, on the same data."""

import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from benchmarks.case import Case, Estimate, Task, Work

OURS = "rankwright"


@dataclass(frozen=True)
class Measurement:
    """One contender at one size: its median seconds, and its seconds as a multiple of ours.

    Neither in a case that is not timed.
    """

    size: Any
    contender: str
    seconds: float | None
    ratio: float | None
    measures: dict[str, float | Estimate | None]
    skipped: str | None = None


def run(case: Case, *, quick: bool) -> Iterator[Measurement]:
    for size in case.quick if quick else case.sizes:
        # Quick runs ask whether results agree; their times mean nothing.
        repeats = 0 if quick else case.repeats
        for measurement in measure(case.prepare(size), size, repeats):
            yield measurement if case.timed else replace(measurement, seconds=None, ratio=None)


def measure(task: Task, size: Any, repeats: int) -> Iterator[Measurement]:
    contenders: dict[str, Work] = {OURS: task.ours, **task.peers}
    # The first round compiles kernels and warms caches, and is clocked only if it is the last one;
    # its results are compared.
    results: dict[str, Any] = {}
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for name, work in contenders.items():
        start = time.perf_counter()
        results[name] = work()
        if repeats == 0:
            times[name].append(time.perf_counter() - start)
    for name in task.peers:
        task.agree(name, results[OURS], results[name])
    for _ in range(repeats):
        for name, work in contenders.items():
            start = time.perf_counter()
            work()
            times[name].append(time.perf_counter() - start)
    medians = {name: statistics.median(seconds) for name, seconds in times.items()}
    for name, seconds in medians.items():
        measures = {label: of(results[name]) for label, of in task.measures.items()}
        yield Measurement(size, name, seconds, seconds / medians[OURS], measures)
    for name, reason in task.skipped.items():
        yield Measurement(size, name, None, None, {}, skipped=reason)
