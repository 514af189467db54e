import sqlite3
from contextlib import closing

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


def execute(path, statement, *values):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement, values)


@pytest.mark.parametrize("value", ["7", "x'00ff'"])
@pytest.mark.parametrize("column", ["seconds", "rows", "experiment"])
def test_an_altered_result_is_detected(path, trials, column, value):
    fill(path, trials)
    execute(path, f"UPDATE results SET {column} = {value} WHERE key = ?", trials[3].key)
    with (
        Store(path) as store,
        pytest.raises(DamagedStoreError, match=f"trial {trials[3].key[:12]} was altered"),
    ):
        store.get(trials)


@pytest.mark.parametrize("text", ["{", "[" * 100_000, "9" * 5000, "5", "{}", "[1]", "[NaN]"])
def test_a_result_with_a_right_checksum_that_is_none_is_refused(path, trials, text):
    fill(path, trials)
    with closing(sqlite3.connect(path)) as connection:
        (_, *values, _) = connection.execute(
            "SELECT * FROM results WHERE key = ?", (trials[3].key,)
        ).fetchone()
    values[3] = text
    checksum = store_module._checksum(trials[3].key, *values)
    execute(path, "UPDATE results SET rows = ?, checksum = ?", text, checksum)
    with Store(path) as store, pytest.raises(DamagedStoreError, match="was altered"):
        store.get(trials)


def test_a_text_that_is_not_utf_8_is_damage(path, trials):
    fill(path, trials)
    execute(path, "UPDATE results SET rows = CAST(x'ff' AS TEXT)")
    with Store(path) as store, pytest.raises(DamagedStoreError, match="Could not decode"):
        store.get(trials)


@pytest.mark.parametrize(
    "statement", ["DROP TABLE runs", "CREATE VIEW v AS SELECT 1", "CREATE TABLE mine (a)"]
)
def test_a_file_with_other_tables_is_no_store(path, trials, statement):
    fill(path, trials)
    execute(path, statement)
    with pytest.raises(DamagedStoreError, match=r"its tables are not those of a store\); move"):
        Store(path)


def test_the_database_of_another_program_is_left_as_it_is(path):
    execute(path, "CREATE TABLE mine (a)")
    with pytest.raises(DamagedStoreError, match="its tables are not those of a store"):
        Store(path)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("mine",)]


@pytest.mark.parametrize("beat", ["1e30", "'tomorrow'", "1e9"])
def test_nobody_waits_for_a_run_whose_clock_was_wrong(path, trials, beat):
    with Store(path):
        pass
    execute(path, f"INSERT INTO runs VALUES ('lost', {beat})")
    execute(path, "INSERT INTO claims VALUES (?, 'lost')", trials[0].key)
    with Store(path) as store:
        assert store.claim(trials[0])


def test_a_store_of_another_format_is_refused(path, trials):
    fill(path, trials)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 9")
    connection.close()
    with pytest.raises(ValueError, match="has format 9, this version of rankwright writes 1"):
        Store(path)
