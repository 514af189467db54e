"""Results on disk as they come: one row for each cell, written once, checked when read."""

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

from rankwright.studies.experiment import Cell, Row

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


class DamagedStoreError(ValueError):
    """A store that can't be trusted any more."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            f"the results in {path} are damaged ({reason}); move the file away and run again, "
            "or restore it from a copy"
        )


@dataclass(frozen=True)
class Measured:
    """What a cell measured, and the processor time it took."""

    rows: list[Row]
    seconds: float


class Store:
    """An SQLite file of measured cells, which several runs may use at once.

    A run claims a cell before it measures it, and shows that it lives by a beat; the claims of a
    run that fell silent are taken over by others. What is written is written once: the first
    result of a cell stays.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from rankwright.studies import Experiment, Store
    >>> def measure(rng):
    ...     return {"draw": float(rng.random())}
    >>> cell = next(Experiment("draws", measure, grid=[{}]).cells())
    >>> with TemporaryDirectory() as folder, Store(Path(folder) / "results.sqlite") as store:
    ...     store.claim(cell), store.claim(cell)
    ...     store.put(cell, cell.measure(), seconds=0.1)
    ...     store.get([cell])[cell.key].seconds
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
        """Give up the claims of this run, so that anybody may measure these cells."""
        with self._transaction() as connection:
            connection.execute("DELETE FROM claims WHERE run = ?", (self._run,))

    def claim(self, cell: Cell) -> bool:
        """Reserve a cell for this run, unless it is measured, or claimed by a run that lives."""
        with self._transaction() as connection:
            if connection.execute("SELECT 1 FROM results WHERE key = ?", (cell.key,)).fetchone():
                return False
            connection.execute(
                "DELETE FROM claims WHERE key = ? AND run NOT IN "
                "(SELECT run FROM runs WHERE beat > ?)",
                (cell.key, time.time() - SILENCE),
            )
            claimed = connection.execute(
                "INSERT OR IGNORE INTO claims VALUES (?, ?)", (cell.key, self._run)
            )
            return claimed.rowcount == 1

    def put(self, cell: Cell, rows: list[Row], seconds: float) -> None:
        """Keep what a cell measured."""
        parameters, text = json.dumps(cell.parameters, sort_keys=True), json.dumps(rows)
        values = (cell.experiment.name, parameters, cell.replication, text, seconds)
        with self._transaction() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO results VALUES (?, ?, ?, ?, ?, ?, ?)",
                (cell.key, *values, _checksum(cell.key, *values)),
            )
            connection.execute("DELETE FROM claims WHERE key = ?", (cell.key,))

    def get(self, cells: Iterable[Cell]) -> dict[str, Measured]:
        """Return what is measured already, by key; damaged rows are an error."""
        wanted = {cell.key for cell in cells}
        found = {}
        with self._lock, self._damage_named():
            for key, *values, checksum in self._connection.execute("SELECT * FROM results"):
                if key not in wanted:
                    continue
                if checksum != _checksum(key, *values):
                    raise DamagedStoreError(self.path, f"cell {key[:12]} was altered")
                found[key] = Measured(rows=json.loads(values[3]), seconds=values[4])
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
                for statement in SCHEMA.split(";"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {FORMAT}")
            elif version != FORMAT:
                raise ValueError(
                    f"{self.path} has format {version}, this version of rankwright writes "
                    f"{FORMAT}; choose another folder"
                )
            self._sign_of_life()

    def _beat(self) -> None:
        while not self._closing.wait(BEAT):
            # One beat may be missed; a run that stays silent has its cells measured twice at worst.
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
        except sqlite3.OperationalError as error:
            raise OSError(f"{self.path}: {error}") from error
        except sqlite3.DatabaseError as error:
            raise DamagedStoreError(self.path, str(error)) from error


def _checksum(*values: Any) -> str:
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()
