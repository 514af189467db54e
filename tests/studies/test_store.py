import sqlite3

import pytest

from rankwright.studies import DamagedStoreError, Experiment, Store
from rankwright.studies import store as store_module


def measure(rng):
    return {"draw": float(rng.random()), "nothing": None, "third": 1 / 3}


@pytest.fixture
def trials():
    return list(Experiment("draws", measure, grid=[{}], replications=40).trials())


@pytest.fixture
def path(tmp_path):
    return tmp_path / "results.sqlite"


def fill(path, trials):
    with Store(path) as store:
        for trial in trials:
            store.put(trial, trial.measure(), seconds=0.5)


def test_what_was_put_comes_back_bit_for_bit(path, trials):
    fill(path, trials)
    with Store(path) as store:
        assert {key: m.rows for key, m in store.get(trials).items()} == {
            trial.key: trial.measure() for trial in trials
        }


def test_only_trials_asked_for_are_returned(path, trials):
    fill(path, trials)
    with Store(path) as store:
        assert list(store.get(trials[:1])) == [trials[0].key]


def test_the_first_result_of_a_trial_stays(path, trials):
    with Store(path) as store:
        store.put(trials[0], [{"draw": 1}], seconds=1.0)
        store.put(trials[0], [{"draw": 2}], seconds=1.0)
        assert store.get(trials)[trials[0].key].rows == [{"draw": 1}]


def test_a_trial_is_claimed_once_among_runs(path, trials):
    with Store(path) as one, Store(path) as two:
        assert one.claim(trials[0])
        assert not two.claim(trials[0])
        assert two.claim(trials[1])


def test_a_measured_trial_is_not_claimed(path, trials):
    fill(path, trials[:1])
    with Store(path) as store:
        assert not store.claim(trials[0])


def test_closing_gives_claims_back(path, trials):
    with Store(path) as one:
        one.claim(trials[0])
    with Store(path) as two:
        assert two.claim(trials[0])


def test_the_claims_of_a_silent_run_are_taken_over(path, trials, monkeypatch):
    with Store(path) as one, Store(path) as two:
        one.claim(trials[0])
        monkeypatch.setattr(store_module, "SILENCE", -1.0)
        assert two.claim(trials[0])


def test_a_file_that_is_no_store_is_said_to_be_damaged(path):
    path.write_bytes(b"not a database" * 100)
    with pytest.raises(DamagedStoreError, match=r"results\.sqlite are damaged .*; move the file"):
        Store(path)


def test_a_folder_in_the_place_of_a_store_is_named(path):
    path.mkdir()
    with pytest.raises(OSError, match=path.name):
        Store(path)


def test_overwritten_pages_are_detected(path, trials):
    fill(path, trials)
    content = bytearray(path.read_bytes())
    content[4096 : len(content) // 2] = b"\x55" * (len(content) // 2 - 4096)
    path.write_bytes(bytes(content))
    with pytest.raises(DamagedStoreError), Store(path) as store:
        store.get(trials)


def test_a_truncated_store_is_detected(path, trials):
    fill(path, trials)
    path.write_bytes(path.read_bytes()[:-4096])
    with pytest.raises(DamagedStoreError), Store(path) as store:
        store.get(trials)


def test_an_altered_result_is_detected(path, trials):
    fill(path, trials)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE results SET seconds = 7 WHERE key = ?", (trials[3].key,))
    connection.commit()
    connection.close()
    with (
        Store(path) as store,
        pytest.raises(DamagedStoreError, match=f"trial {trials[3].key[:12]} was altered"),
    ):
        store.get(trials)


def test_a_store_of_another_format_is_refused(path, trials):
    fill(path, trials)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 9")
    connection.close()
    with pytest.raises(ValueError, match="has format 9, this version of rankwright writes 1"):
        Store(path)
