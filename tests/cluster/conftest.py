"""One cluster for all tests: two workers that are threads of this process."""

from itertools import pairwise

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from distributed import Client, LocalCluster

from rankwright.cluster import connection

FACTORS = ["f0", "f1", "f2", "f3"]


def make_rows(n=1200, n_groups=60, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.normal(size=(n, len(FACTORS))), columns=FACTORS)
    noise = rng.logistic(size=n)
    frame["y"] = np.clip(np.round(frame[FACTORS] @ [1.0, -2.0, 0.5, 0.0] + noise), -2, 2)
    frame["group"] = np.sort(rng.integers(n_groups, size=n))
    return frame


def in_partitions(frame, cuts):
    """Return a Dask frame cut before these rows; equal cuts make an empty partition."""
    ends = [0, *cuts, len(frame)]
    parts = [frame.iloc[start:end] for start, end in pairwise(ends)]
    return dd.from_map(lambda part: part, parts, meta=frame.iloc[:0])


@pytest.fixture(scope="session")
def client():
    options = {"protocol": "tcp", "dashboard_address": "localhost:0", "threads_per_worker": 1}
    with (
        LocalCluster(processes=False, n_workers=2, memory_limit="4GB", **options) as cluster,
        Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="session")
def rows():
    return make_rows()


@pytest.fixture(scope="session")
def whole(rows):
    """The rows in partitions of whole groups, one of them empty."""
    cuts = [int(np.searchsorted(rows["group"], group)) for group in (15, 30, 30)]
    return in_partitions(rows, cuts)


@pytest.fixture(scope="session")
def shuffled_rows(rows):
    """The rows in another order, with an index that repeats itself."""
    mixed = rows.sample(frac=1, random_state=1)
    return mixed.set_axis(np.arange(len(mixed)) // 3)


@pytest.fixture(scope="session")
def split(shuffled_rows):
    """Partitions between which every group is divided; divisions unknown."""
    return in_partitions(shuffled_rows, [400, 800])


@pytest.fixture
def worker_bytes(monkeypatch):
    """Return a function that makes workers seem to have so little memory."""

    def limit(n_bytes):
        monkeypatch.setattr(connection, "LEAST", 0)
        monkeypatch.setattr(connection.Cluster, "memory", n_bytes)

    return limit
