"""What one evaluation of a linear objective costs on many workers.

``python -m benchmarks.cluster_scale`` simulates it from constants that were measured by
`benchmarks.cluster_constants`, and one assumption, how much the times of tasks spread: each worker
evaluates its partitions, stragglers are drawn from a log-normal law, the scheduler handles tasks
one by one, and partial gradients meet in a tree.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks.cluster_constants import STORED


@dataclass(frozen=True)
class Constants:
    """Seconds and bytes."""

    row_feature: float  # processor time to evaluate one value in memory
    task: float  # processor time of client and scheduler, for each task
    bandwidth: float  # bytes a second between two workers, by the clock
    latency: float  # of one transfer, by the clock
    spread: float = 0.3  # of the logarithm of a task's time: an assumption
    row_bytes: int = 8
    fan_in: int = 16


def measured() -> Constants:
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    return Constants(*(stored[name] for name in ("row_feature", "task", "bandwidth", "latency")))


@dataclass(frozen=True)
class Cost:
    """One evaluation of value and gradient."""

    compute: float  # until the last worker is done
    reduce: float
    schedule: float
    network: float  # bytes
    memory: float  # bytes on each worker

    @property
    def seconds(self) -> float:
        """The scheduler works beside the workers; the tree comes after both."""
        return max(self.compute, self.schedule) + self.reduce


def simulate(
    rows: float,
    features: int,
    workers: int,
    partitions: int,
    constants: Constants,
) -> Cost:
    """Return the cost of one evaluation."""
    rng = np.random.default_rng(0)
    own = rows / partitions * features * constants.row_feature
    times = own * rng.lognormal(-0.5 * constants.spread**2, constants.spread, partitions)
    compute = max(part.sum() for part in np.array_split(times, workers))
    gradient = 8.0 * (features + 1)
    depth, level, n_tasks = 0, partitions, partitions
    while level > 1:
        level = -(-level // constants.fan_in)
        depth, n_tasks = depth + 1, n_tasks + level
    one = constants.latency + constants.fan_in * gradient / constants.bandwidth
    return Cost(
        float(compute),
        depth * one,
        n_tasks * constants.task,
        2.0 * gradient * n_tasks,
        rows / workers * (features + 10) * constants.row_bytes,
    )


def table() -> Iterator[str]:
    """Yield the lines of the table in ``docs/scale.md``."""
    columns = ("rows", "workers", "partitions", "compute s", "scheduler s", "tree s")
    yield "| " + " | ".join((*columns, "network MB", "GB a worker")) + " |"
    yield "| --- " * 8 + "|"
    constants = measured()
    for rows, workers in ((3e7, 2), (1e9, 100), (1e10, 1000)):
        for each in (1, 4, 16):
            cost = simulate(rows, 20, workers, workers * each, constants)
            yield (
                f"| {rows:.0e} | {workers:,} | {workers * each:,} | {cost.compute:.2f} | "
                f"{cost.schedule:.2f} | {cost.reduce:.3f} | {cost.network / 1e6:.1f} | "
                f"{cost.memory / 1e9:.1f} |"
            )


if __name__ == "__main__":
    print(*table(), sep="\n")
