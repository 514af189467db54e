"""Workers that die cost time, and nothing else; other failures end in words, not in waiting."""

import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import dask
import numpy as np
import pytest
from distributed import Client

import rankwright as rw
from cluster.conftest import FACTORS, in_partitions, make_rows
from mortal_models import Mortal, MortalScorer
from rankwright.cluster import connection
from rankwright.cluster.connection import Cluster

pytestmark = pytest.mark.xdist_group("cluster")


@pytest.fixture(scope="module")
def processes():
    """Two workers that are processes of their own."""
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "10s"}),
        rw.cluster.connect(n_workers=2, silence_logs=50) as client,
    ):
        yield client


def test_workers_leave_ctrl_c_to_the_process_that_started_them(processes):
    before = set(processes.run(os.getpid).values())
    for worker in before:
        os.kill(worker, signal.SIGINT)
    assert set(processes.run(os.getpid).values()) == before


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
            waiting = client.submit(time.sleep, 600, pure=False)
            cluster = Cluster(client)
            scheduler.kill()
            lost = pytest.raises(rw.cluster.ClusterError, match="to the scheduler is lost")
            with lost, cluster:
                cluster.result(waiting)
    finally:
        scheduler.kill()
        if worker is not None:
            worker.kill()


HERE = {"python": "3.11.7.final.0", "dask": "2026.8.0", "distributed": "2026.8.0",
        "rankwright": "0.1.0", "numpy": "2.4.6", "pandas": "3.1", "scikit-learn": "1.9",
        "numba": "0.68"}  # fmt: skip
REFUSED = {
    "worker tcp://w:1 has numpy 1.0, pandas 2.0, and here is numpy==2.4.6, pandas==3.1; install": (
        {}, {"numpy": "1.0", "pandas": "2.0"}
    ),
    r"worker tcp://w:1 has rankwright \(not installed\), and here is": ({}, {"rankwright": None}),
    "worker tcp://w:1 has python 3.12, and here is python==3.11": ({}, {"python": "3.12.1.final"}),
    "the scheduler has distributed 2025.3.0": ({"distributed": "2025.3.0"}, {}),
}  # fmt: skip


@pytest.mark.parametrize("message", REFUSED)
def test_other_versions_are_refused_by_name(client, monkeypatch, message):
    scheduler, worker = ({"packages": HERE | other} for other in REFUSED[message])
    found = {"scheduler": scheduler, "workers": {"tcp://w:1": worker}, "client": {"packages": HERE}}
    monkeypatch.setattr(client, "get_versions", lambda packages: found)
    with pytest.raises(rw.cluster.ClusterError, match=message):
        Cluster(client)


def test_a_python_that_differs_in_its_last_number_will_do(client, monkeypatch):
    worker = {"packages": HERE | {"python": "3.11.9.final.0"}}
    ours = {"packages": HERE}
    found = {"scheduler": ours, "workers": {"tcp://w:1": worker}, "client": ours}
    monkeypatch.setattr(client, "get_versions", lambda packages: found)
    assert Cluster(client).n_workers == 2


def test_a_scheduler_of_another_dask_is_named(monkeypatch):
    def fail(address, timeout):
        raise TypeError("Scheduler.identity() got an unexpected keyword argument 'n_workers'")

    monkeypatch.setattr(connection, "Client", fail)
    with (
        pytest.raises(rw.cluster.ClusterError, match=r"probably has another version of Dask"),
        rw.cluster.connect("tcp://127.0.0.1:9"),
    ):
        pass


def test_workers_smaller_than_the_package_are_refused(client, monkeypatch):
    monkeypatch.setattr(Cluster, "memory", 300_000_000)
    with pytest.raises(rw.cluster.ClusterError, match=r"has 0.3 GB, and rankwright itself takes"):
        Cluster(client)


def test_a_client_closed_in_the_middle_is_said(client, whole):
    own = Client(client.scheduler.address, set_as_default=False)

    def close(what, done, total):
        if what.startswith("evaluations"):
            own.close()

    for _ in range(2):  # in the middle, and before
        with pytest.raises(rw.cluster.ClusterError, match="or the client was closed"):
            rw.cluster.fit(
                rw.PairwiseRanker(), whole[FACTORS], whole["y"], whole["group"],
                client=own, progress=close,
            )  # fmt: skip


def watch_of(client, workers, monkeypatch):
    monkeypatch.setattr(connection, "STUCK", 0.0)
    monkeypatch.setattr(connection, "GONE", 0.0)
    return connection._Watch(
        SimpleNamespace(
            status="running", run=client.run, scheduler_info=lambda n_workers: {"workers": workers}
        )
    )


def paused(client, **counts):
    names = client.scheduler_info(n_workers=-1)["workers"]
    return {name: {"status": "paused", "metrics": {"task_counts": counts}} for name in names}


def test_workers_that_all_stopped_for_want_of_room_are_an_error(client, monkeypatch):
    watch = watch_of(client, paused(client, ready=1), monkeypatch)
    watch.look(3)
    with pytest.raises(rw.cluster.ClusterError, match=r"all 2 workers .*has \d+\.\d GB left"):
        watch.look(3)


def test_workers_that_are_all_gone_are_an_error(client, monkeypatch):
    watch = watch_of(client, {}, monkeypatch)
    watch.look(3)
    with pytest.raises(rw.cluster.ClusterError, match="all workers are gone"):
        watch.look(3)


def test_work_that_moves_on_is_not_stuck(client, monkeypatch):
    watch = watch_of(client, paused(client, ready=1), monkeypatch)
    for done in range(3):
        watch.look(done)
    watch = watch_of(client, paused(client, executing=1), monkeypatch)
    for _ in range(3):
        watch.look(0)


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
