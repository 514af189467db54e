"""Workers that die cost time, and nothing else; other failures end in words, not in waiting."""

import os
import signal
import subprocess
import sys
from types import SimpleNamespace

import dask
import numpy as np
import pandas as pd
import pytest
from distributed import Client, LocalCluster

import rankwright as rw
from cluster.conftest import FACTORS, in_partitions, make_rows
from mortal_models import Mortal, MortalScorer
from rankwright.cluster import connection
from rankwright.cluster.connection import Cluster

pytestmark = pytest.mark.xdist_group("cluster")


@pytest.fixture(scope="module")
def processes():
    """Two workers that are processes of their own."""
    options = {"dashboard_address": "localhost:0", "threads_per_worker": 1, "silence_logs": 50}
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "10s"}),
        LocalCluster(n_workers=2, **options) as cluster,
        Client(cluster) as client,
    ):
        yield client


def test_linear_training_survives_the_death_of_a_worker(processes):
    rows = make_rows()
    frame = in_partitions(rows, np.searchsorted(rows["group"], [15, 30, 45]).tolist())
    data, killed = (frame[FACTORS], frame["y"], frame["group"]), []

    def kill_at_the_third_evaluation(what, done, total):
        if what.startswith("evaluations") and done == 3:
            killed.append(min(processes.run(os.getpid).values()))
            os.kill(killed[0], signal.SIGKILL)

    calm = rw.cluster.fit(rw.PairwiseRanker(), *data)
    ranker = rw.cluster.fit(rw.PairwiseRanker(), *data, progress=kill_at_the_third_evaluation)
    assert killed
    assert ranker.coef_.tobytes() == calm.coef_.tobytes()


def test_a_growing_forest_survives_the_death_of_a_worker(processes, tmp_path):
    rows = make_rows(300)
    frame, bought = in_partitions(rows, [150]), rows["y"] > 0
    forest = rw.RankingForest(4, max_depth=2, leaf_rank=Mortal(), random_state=0)
    calm = forest.fit(rows[FACTORS], bought).predict(rows[FACTORS])
    forest.set_params(leaf_rank__marker=str(tmp_path / "dead"))
    rw.cluster.fit(forest, frame[FACTORS], frame["y"] > 0)
    assert (tmp_path / "dead").exists()
    assert (
        forest.set_params(leaf_rank__marker=None).predict(rows[FACTORS]).tobytes() == calm.tobytes()
    )


def test_scoring_survives_the_death_of_a_worker(processes, tmp_path):
    rows = make_rows(300)
    frame = in_partitions(rows, [100, 200])
    scores = rw.cluster.predict(MortalScorer(str(tmp_path / "dead")), frame[FACTORS]).compute()
    assert (tmp_path / "dead").exists()
    assert np.array_equal(scores, rows["f0"])


SCHEDULER = "from distributed.cli.dask_scheduler import main; main()"


def test_a_lost_scheduler_is_an_error_and_no_hang(tmp_path):
    options = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    contact = tmp_path / "scheduler.json"
    scheduler = subprocess.Popen(
        [sys.executable, "-c", SCHEDULER, "--port", "0", "--no-dashboard", "--host", "127.0.0.1",
         "--scheduler-file", str(contact)], **options,
    )  # fmt: skip
    worker = None
    try:
        with Client(scheduler_file=str(contact), timeout=60) as client:
            worker = subprocess.Popen(
                [sys.executable, "-c", "from distributed.cli.dask_worker import main; main()",
                 client.scheduler.address, "--nthreads", "1", "--no-nanny", "--no-dashboard"],
                **options,
            )  # fmt: skip
            cluster = Cluster(client)
            future = client.submit(pd.Series.mean, pd.Series([1.0]), pure=False)
            assert cluster.result(future) == 1.0
            waiting = client.submit(_sleep, 600, pure=False)
            scheduler.kill()
            with pytest.raises(
                rw.cluster.ClusterError, match="connection to the scheduler is lost"
            ):
                cluster.result(waiting)
    finally:
        scheduler.kill()
        if worker is not None:
            worker.kill()


def _sleep(seconds):
    import time

    time.sleep(seconds)


def test_other_versions_are_refused_by_name(client, monkeypatch):
    ours = connection._versions()
    other = {"tcp://worker:1": ours | {"numpy": "1.0"}}
    monkeypatch.setattr(client, "run", lambda function: other)
    with pytest.raises(rw.cluster.ClusterError, match=r"worker tcp://worker:1 has numpy 1.0, and"):
        Cluster(client)


def test_workers_without_the_package_are_refused(client, monkeypatch):
    def fail(function):
        raise ModuleNotFoundError("No module named 'rankwright'")

    monkeypatch.setattr(client, "run", fail)
    with pytest.raises(rw.cluster.ClusterError, match="install the same version there"):
        Cluster(client)


def test_workers_that_all_stopped_for_want_of_room_are_an_error(monkeypatch):
    paused = {"tcp://worker:1": {"status": "paused"}}
    stuck = SimpleNamespace(
        status="running",
        scheduler_info=lambda n_workers: {"workers": paused},
        run=lambda function, workers: {workers[0]: ("/full", 0)},
    )
    monkeypatch.setattr(connection, "STUCK", 0.0)
    watch = connection._Watch(stuck)
    watch.look(3)
    with pytest.raises(rw.cluster.ClusterError, match=r"/full.* has 0.0 GB left"):
        watch.look(3)


def test_work_that_moves_on_is_not_stuck(monkeypatch):
    paused = {"tcp://worker:1": {"status": "paused"}}
    slow = SimpleNamespace(status="running", scheduler_info=lambda n_workers: {"workers": paused})
    monkeypatch.setattr(connection, "STUCK", 0.0)
    watch = connection._Watch(slow)
    for done in range(3):
        watch.look(done)


def test_no_client_is_refused_with_the_way_to_start_one(monkeypatch):
    def none():
        raise ValueError("No global client found and no address provided")

    monkeypatch.setattr(connection.distributed, "get_client", none)
    with pytest.raises(rw.cluster.ClusterError, match=r"there is no cluster; start one first"):
        Cluster()


def test_no_scheduler_at_the_address_is_said(monkeypatch):
    monkeypatch.setattr(connection, "PATIENCE", 0.2)
    with (
        pytest.raises(rw.cluster.ClusterError, match=r"no scheduler answers at tcp://127.0.0.1:9"),
        rw.cluster.connect("tcp://127.0.0.1:9"),
    ):
        pass
