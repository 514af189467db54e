"""Training in partitions on worker processes, beside one process."""

from functools import partial
from typing import Any

import numpy as np
from distributed import Client, LocalCluster

import rankwright as rw
from benchmarks.beyond_memory import draw
from benchmarks.case import Case, Task

FEATURES = 20
PARTITIONS = 8


def prepare(n_rows: int) -> Task:
    import dask.dataframe as dd

    rows = dd.from_map(
        partial(draw, n_rows=n_rows // PARTITIONS, n_features=FEATURES), range(PARTITIONS)
    )
    here = rows.compute(scheduler="synchronous")
    factors = [f"x{j}" for j in range(FEATURES)]
    options = {"threads_per_worker": 1, "dashboard_address": "localhost:0"}
    clients = {n: Client(LocalCluster(n_workers=n, **options)) for n in (1, 2)}
    held = {n: client.persist(rows) for n, client in clients.items()}

    def on_workers(n_workers: int) -> Any:
        frame = held[n_workers]
        return rw.cluster.fit(
            rw.PairwiseRanker(),
            frame[factors],
            frame["y"],
            frame["query"],
            client=clients[n_workers],
        ).coef_

    def alone() -> Any:
        return rw.PairwiseRanker().fit(here[factors], here["y"], here["query"]).coef_

    return Task(
        ours=lambda: on_workers(2),
        peers={"one worker": lambda: on_workers(1), "one process": alone},
        agree=lambda name, ours, theirs: np.testing.assert_allclose(ours, theirs, atol=1e-8),
    )


CASES = [
    Case(
        "cluster-linear",
        "Fit a pairwise ranker in 8 partitions on two worker processes; rows x 20 features.",
        sizes=(100_000, 1_000_000),
        quick=(8_000,),
        prepare=prepare,
        repeats=3,
    )
]
