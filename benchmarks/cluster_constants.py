"""Measure what a cluster costs beside the computing: the constants of `benchmarks.cluster_scale`.

``python -m benchmarks.cluster_constants`` starts two workers on this machine and stores the
constants in ``benchmarks/cluster_constants.json``. A task is measured in processor time of the
process that holds client and scheduler, which other processes disturb little, and so is a value of
the objective; the others are seconds by the clock.
"""

import json
import os
import time
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import rankwright as rw
from benchmarks.beyond_memory import draw
from rankwright.cluster.connection import Cluster
from rankwright.cluster.sums import combine_tree

STORED = Path(__file__).with_suffix(".json")
LARGE = 25_000_000  # numbers of a large transfer, 200 MB
N_FEATURES = 20


def task_seconds(client: Any, few: int = 500, many: int = 2500) -> tuple[float, float]:
    """Return what one more task takes: of the processor here, and by the clock."""
    spent = {}
    for count in (few, many, few, many):  # the first round warms up
        start, clock = time.process_time(), time.perf_counter()
        client.gather(client.map(_next, range(count), pure=False))
        spent[count] = np.array([time.process_time() - start, time.perf_counter() - clock])
    own, clock = (spent[many] - spent[few]) / (many - few)
    return float(own), float(clock)


def _next(number: int) -> int:
    return number + 1


def transfer_seconds(client: Any, size: int, repeats: int = 7) -> float:
    """Return what it takes until an array of one worker is used on another."""
    here, there = list(client.scheduler_info()["workers"])[:2]
    found = []
    for _ in range(repeats):
        array = client.submit(np.ones, size, workers=[here], pure=False)
        array.result() if size == 1 else client.submit(len, array, pure=False).result()
        start = time.perf_counter()
        client.submit(len, array, workers=[there], pure=False).result()
        away = time.perf_counter() - start
        start = time.perf_counter()
        client.submit(len, array, workers=[here], pure=False).result()
        found.append(away - (time.perf_counter() - start))  # without what any task takes
    return max(median(found), 0.0)


def tree_seconds(client: Any, count: int) -> float:
    """Return what adding up gradients takes, in a tree, beside making them."""
    cluster = Cluster(client)
    found = []
    for _ in range(5):
        parts = client.map(_gradient, range(count), pure=False)
        client.gather(client.map(len, parts, pure=False))
        start = time.perf_counter()
        cluster.result(combine_tree(cluster, parts, _total))
        found.append(time.perf_counter() - start)
    return median(found)


def _gradient(seed: int) -> Any:
    return np.random.default_rng(seed).normal(size=N_FEATURES)


def _total(parts: list[Any]) -> Any:
    return np.sum(parts, axis=0)


def value_seconds(n_rows: int = 200_000) -> float:
    """Return the processor time of one value of the pairwise logistic objective."""
    rows = draw(0, n_rows, N_FEATURES)
    X = rows[[f"x{j}" for j in range(N_FEATURES)]].to_numpy()
    ranker = rw.PairwiseRanker()
    ranker.fit(X, rows["y"], rows["query"])
    from rankwright.base import as_rows
    from rankwright.linear.loss import logistic

    part = ranker._part(as_rows(ranker, X, rows["y"], rows["query"]))
    objective = part.objective(logistic, 0.0)
    start = time.process_time()
    for _ in range(10):
        objective(ranker.coef_)
    return (time.process_time() - start) / 10 / n_rows / N_FEATURES


def main() -> None:
    with rw.cluster.connect(n_workers=2, memory_limit="4GB") as client:
        own, clock = task_seconds(client)
        small, large = transfer_seconds(client, 1), transfer_seconds(client, LARGE)
        constants = {
            "task": own,
            "task_by_the_clock": clock,
            "latency": small,
            "bandwidth": 8 * LARGE / max(large - small, 1e-9),
            "tree_of_16": tree_seconds(client, 16),
            "tree_of_256": tree_seconds(client, 256),
            "row_feature": value_seconds(),
            "load": os.getloadavg()[0],
        }
    STORED.write_text(json.dumps(constants, indent=2) + "\n", encoding="utf-8")
    print(STORED.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
