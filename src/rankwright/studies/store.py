"""Results on disk as they come: one row for each trial, written once, checked when read."""

import hashlib
import json
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import Any

from rankwright.studies.experiment import Row, Trial

__all__ = ["DamagedStoreError", "Measured", "Store"]

FORMAT = 1
BEAT = 2.0  # seconds between the signs of life of a run
SILENCE = 15.0  # a run that was silent for so long is taken for dead

SCHEMA = """
CREATE TABLE results (
    key TEXT PRIMARY KEY,
    experiment TEXT NOT NULL,
    parameters TEXT NOT NULL,
    replication INTEGER NOT NULL,
    rows TEXT NOT NULL,
    seconds REAL NOT NULL,
    checksum TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE runs (run TEXT PRIMARY KEY, beat REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE claims (key TEXT PRIMARY KEY, run TEXT NOT NULL) WITHOUT ROWID;
"""
STATEMENTS = [statement.strip() for statement in SCHEMA.split(";")[:-1]]
NO_TEXT = "Could not decode to UTF-8"  # what SQLite says of a damaged text


class DamagedStoreError(ValueError):
    """A store that can't be trusted any more.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from rankwright.studies import DamagedStoreError, Store
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "results.sqlite"
    ...     _ = path.write_text("not a database at all")
    ...     try:
    ...         Store(path)
    ...     except DamagedStoreError as error:
    ...         print(str(error).split("; ")[1])
    move the file away and run again, or restore it from a copy
    """

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            f"the results in {path} are damaged ({reason}); move the file away and run again, "
            "or restore it from a copy"
        )


@dataclass(frozen=True)
class Measured:
    """What a trial measured, and the processor time it took."""

    rows: list[Row]
    seconds: float


class Store:
    """An SQLite file of measured trials, which several runs may use at once.

    A run claims a trial before it measures it, and shows that it lives by a beat; the claims of a
    run that fell silent are taken over by others. What is written is written once: the first
    result of a trial stays.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from rankwright.studies import Experiment, Store
    >>> def measure(rng):
    ...     return {"draw": float(rng.random())}
    >>> trial = next(Experiment("draws", measure, grid=[{}]).trials())
    >>> with TemporaryDirectory() as folder, Store(Path(folder) / "results.sqlite") as store:
    ...     store.claim(trial), store.claim(trial)
    ...     store.put(trial, trial.measure(), seconds=0.1)
    ...     store.get([trial])[trial.key].seconds
    (True, False)
    0.1
    """

    def __init__(self, path: Path) -> None:
        self.path = Path(path)
        self._run = token_hex(8)
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._damage_named():
            self._connection = sqlite3.connect(self.path, timeout=60.0, check_same_thread=False)
            self._connection.isolation_level = None  # transactions are opened where they are needed
            self._open()
        self._pulse = threading.Thread(target=self._beat, daemon=True)
        self._pulse.start()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the run: its claims are void."""
        self._closing.set()
        self._pulse.join()
        self.release()
        with self._transaction() as connection:
            connection.execute("DELETE FROM runs WHERE run = ?", (self._run,))
        self._connection.close()

    def release(self) -> None:
        """Give up the claims of this run, so that anybody may measure these trials."""
        with self._transaction() as connection:
            connection.execute("DELETE FROM claims WHERE run = ?", (self._run,))

    def claim(self, trial: Trial) -> bool:
        """Reserve a trial for this run, unless it is measured, or claimed by a run that lives."""
        with self._transaction() as connection:
            if connection.execute("SELECT 1 FROM results WHERE key = ?", (trial.key,)).fetchone():
                return False
            connection.execute(
                "DELETE FROM claims WHERE key = ? AND run NOT IN "
                # A beat of a clock that went ahead is none either: nobody waits until it is true.
                "(SELECT run FROM runs WHERE typeof(beat) = 'real' AND abs(beat - ?) < ?)",
                (trial.key, time.time(), SILENCE),
            )
            claimed = connection.execute(
                "INSERT OR IGNORE INTO claims VALUES (?, ?)", (trial.key, self._run)
            )
            return claimed.rowcount == 1

    def put(self, trial: Trial, rows: list[Row], seconds: float) -> None:
        """Keep what a trial measured."""
        parameters, text = json.dumps(trial.parameters, sort_keys=True), json.dumps(rows)
        values = (trial.experiment.name, parameters, trial.replication, text, seconds)
        with self._transaction() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO results VALUES (?, ?, ?, ?, ?, ?, ?)",
                (trial.key, *values, _checksum(trial.key, *values)),
            )
            connection.execute("DELETE FROM claims WHERE key = ?", (trial.key,))

    def get(self, trials: Iterable[Trial]) -> dict[str, Measured]:
        """Return what is measured already, by key; damaged rows are an error."""
        wanted = {trial.key for trial in trials}
        found = {}
        with self._lock, self._damage_named():
            for key, *values, checksum in self._connection.execute("SELECT * FROM results"):
                if key not in wanted:
                    continue
                rows = _rows(values[3]) if checksum == _checksum(key, *values) else None
                if rows is None:
                    raise DamagedStoreError(self.path, f"trial {key[:12]} was altered")
                found[key] = Measured(rows=rows, seconds=values[4])
        return found

    def _open(self) -> None:
        connection = self._connection
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        report = connection.execute("PRAGMA quick_check").fetchone()[0]
        if report != "ok":
            raise DamagedStoreError(self.path, str(report))
        with self._transaction():
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:
                for statement in STATEMENTS:
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {FORMAT}")
            elif version != FORMAT:
                raise ValueError(
                    f"{self.path} has format {version}, this version of rankwright writes "
                    f"{FORMAT}; choose another folder"
                )
            tables = connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
            if {sql for (sql,) in tables} != set(STATEMENTS):
                raise DamagedStoreError(self.path, "its tables are not those of a store")
            self._sign_of_life()

    def _beat(self) -> None:
        while not self._closing.wait(BEAT):
            # One beat may be missed; a silent run has its trials measured twice at worst.
            with suppress(OSError), self._transaction():
                self._sign_of_life()

    def _sign_of_life(self) -> None:
        self._connection.execute(
            "INSERT OR REPLACE INTO runs VALUES (?, ?)", (self._run, time.time())
        )

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self._damage_named():
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # a full disk has rolled back already
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _damage_named(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            if isinstance(error, sqlite3.OperationalError) and NO_TEXT not in str(error):
                raise OSError(f"{self.path}: {error}") from error
            raise DamagedStoreError(self.path, str(error)) from error


def _checksum(*values: Any) -> str | None:
    """Return the checksum of a row; bytes, which no row holds, have none."""
    try:
        return hashlib.sha256(json.dumps(values).encode()).hexdigest()
    except TypeError:
        return None


def _rows(text: str) -> list[Row] | None:
    """Return what a trial measured, None for what is no list of dictionaries."""
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError):
        return None
    is_list = isinstance(rows, list) and all(isinstance(row, dict) for row in rows)
    return rows if is_list else None
