import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from rankwright.studies import Experiment, Settings, Store, find_study, reproduce, run
from rankwright.studies import store as store_module
from rankwright.studies.results import read_results
from rankwright.studies.runner import _interrupts_kept_from_processes


def measure(rng, size):
    return {"draws": rng.random(size).tolist()}


def refuse(rng, size):
    if size == 2:
        raise ValueError("two is too many")
    return {"size": size}


def measured(folder, study):
    """All rows of a finished run, as text: equal texts are equal bits."""
    experiments = [replace(one, study=study.name) for one in study.plan(Settings())]
    with Store(folder / "results.sqlite") as store:
        return json.dumps(read_results(Settings(), experiments, store).frame("means").to_dict())


def count(folder):
    try:
        connection = sqlite3.connect(f"file:{folder / 'results.sqlite'}?mode=ro", uri=True)
        return connection.execute("SELECT COUNT(*) FROM results").fetchone()[0]
    except sqlite3.OperationalError:  # not there yet
        return 0


def test_jobs_do_not_change_results(tmp_path, study_file):
    study = find_study(str(study_file()))
    for jobs in (1, 2):
        reproduce([study], tmp_path / str(jobs), jobs=jobs)
    assert measured(tmp_path / "1", study) == measured(tmp_path / "2", study)


def test_processes_older_than_a_study_find_it(tmp_path, study_file):
    from joblib import Parallel, delayed

    Parallel(n_jobs=2)(delayed(abs)(number) for number in range(4))  # joblib keeps these processes
    study = find_study(str(study_file()))
    [page] = reproduce([study], tmp_path / "results", jobs=2)
    assert page.path.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signal masks")
def test_ctrl_c_reaches_this_process_alone():
    look = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))"
    with _interrupts_kept_from_processes():
        process = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True)
    assert process.stdout == "True\n"
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signal masks")
def test_ctrl_c_waits_for_the_start_of_processes():
    begun = []

    def start():
        with _interrupts_kept_from_processes():
            signal.raise_signal(signal.SIGINT)
            begun.append(True)

    with pytest.raises(KeyboardInterrupt):
        start()
    assert begun


def test_a_killed_run_goes_on_and_ends_bit_for_bit_as_an_uninterrupted_one(
    tmp_path, study_file, start_run, monkeypatch
):
    path = study_file(pause=0.1)
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    process = start_run(path, killed)
    while count(killed) < 5:
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    monkeypatch.setattr(store_module, "SILENCE", 1.0)
    done = count(killed)
    if done == 24:
        pytest.skip("the run ended before it could be killed: this machine is too busy to tell")
    assert done >= 5
    study, asked = find_study(str(path)), []
    reproduce([study], killed, progress=lambda name, done, total: asked.append((done, total)))
    assert asked[0] == (done, 24)  # nothing measured was lost
    assert asked[-1] == (24, 24)
    reproduce([study], whole)
    assert measured(killed, study) == measured(whole, study)


@pytest.mark.parametrize("at", [1, 3])
def test_a_run_that_ends_while_its_page_is_written_writes_all_of_it_when_it_goes_on(
    tmp_path, study_file, monkeypatch, at
):
    study, synced, asked = find_study(str(study_file())), [], []
    sync = os.fsync

    def interrupted(descriptor):
        synced.append(descriptor)
        if len(synced) == at:
            raise KeyboardInterrupt

    folder = tmp_path / "out"
    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        reproduce([study], folder)
    assert not (folder / "nothing.md").exists()
    assert list((folder / "nothing").iterdir()) == []
    monkeypatch.setattr(os, "fsync", sync)
    reproduce([study], folder, progress=lambda name, done, total: asked.append(done))
    assert set(asked) == {24}  # nothing is measured again
    written = {path.name for path in (folder / "nothing").iterdir()}
    assert written == {"means.csv", "means.csv.gz", "means.png"}
    assert (folder / "nothing.md").exists()


def test_two_runs_at_once_lose_and_duplicate_nothing(tmp_path, study_file, start_run):
    trace = tmp_path / "trace"
    trace.mkdir()
    path, folder = study_file(pause=0.1, trace=trace), tmp_path / "out"
    processes = [start_run(path, folder) for _ in range(2)]
    for process in processes:
        assert process.wait(timeout=600) == 0, process.stderr.read()
    assert len(list(trace.iterdir())) == 24  # each trial was measured once
    assert count(folder) == 24


def test_a_failing_trial_is_named_and_the_others_are_kept(tmp_path):
    experiment = Experiment("refusals", refuse, grid=[{"size": size} for size in (1, 2)])
    with Store(tmp_path / "results.sqlite") as store:
        with pytest.raises(ValueError, match="two is too many") as caught:
            run([experiment], store)
        assert caught.value.__notes__ == [
            "in experiment 'refusals', replication 0, with {'size': 2}"
        ]
        assert len(store.get(experiment.trials())) == 1


def test_more_replications_measure_only_what_is_new(tmp_path):
    asked = []
    with Store(tmp_path / "results.sqlite") as store:
        for replications in (2, 5):
            experiment = Experiment("draws", measure, [{"size": 2}], replications)
            run([experiment], store, progress=lambda done, total: asked.append((done, total)))
    assert asked == [(0, 2), (1, 2), (2, 2), (2, 2), (2, 5), (3, 5), (4, 5), (5, 5), (5, 5)]


def test_a_store_can_be_used_again_after_an_error(tmp_path):
    broken = Experiment("refusals", refuse, grid=[{"size": size} for size in (2, 1)])
    with Store(tmp_path / "results.sqlite") as store:
        for _ in range(2):  # the second run claims the failing trial again, and fails again
            with pytest.raises(ValueError, match="two is too many"):
                run([broken], store)


@pytest.mark.parametrize("wrong", [0.5, None, [0.5], "tau"])
def test_what_is_no_row_of_measurements_is_refused(wrong):
    experiment = Experiment("wrong", lambda rng: wrong, grid=[{}])
    with pytest.raises(TypeError, match="return a row of measurements by name"):
        next(experiment.trials()).measure()


def test_experiments_of_one_name_are_refused(tmp_path, study_file):
    study = find_study(str(study_file()))
    doubled = replace(study, plan=lambda settings: 2 * list(study.plan(settings)))
    with pytest.raises(ValueError, match=r"several experiments called \['means'\]; rename them"):
        reproduce([doubled], tmp_path)


def test_studies_do_not_share_results(tmp_path, study_file):
    study, asked = find_study(str(study_file())), []
    for name in ("one", "another"):
        named = replace(study, name=name)
        reproduce([named], tmp_path, progress=lambda *state: asked.append(state))
    assert ("one", 0, 24) in asked
    assert ("another", 0, 24) in asked
