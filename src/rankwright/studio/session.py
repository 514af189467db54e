"""One tab: its state, its files and its jobs, which end with it."""

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from rankwright.studio.folders import Folder
from rankwright.studio.jobs import Job, Jobs
from rankwright.studio.state import State
from rankwright.studio.tasks.table import File

__all__ = ["Session"]

# Readers go by the ending; a file of any other is read as text.
ENDINGS = frozenset(
    {".csv", ".tsv", ".txt", ".xlsx", ".xlsm", ".xlsb", ".xls", ".ods", ".parquet", ".pq", ".toml",
     ".soc", ".soi", ".toc", ".toi", ".rw", ".rwork"}
)  # fmt: skip
LONGEST_NAME = 120


class Session:
    """The state, the files and the jobs of one tab; nobody else's can see them."""

    def __init__(self, jobs: Jobs) -> None:
        self.state = State()
        self._folder = Folder()
        self._jobs = jobs
        self._mine: set[Job] = set()
        self._numbers = count(1)

    @property
    def folder(self) -> str:
        """Where the session's files lie."""
        return str(self._folder.path)

    def update(self, **changes: Any) -> None:
        """Replace parts of the state."""
        self.state = replace(self.state, **changes)

    def keep(self, name: str, content: bytes) -> File:
        """Write a file under a name of our own; its owner's name is only shown."""
        ending = Path(name).suffix.lower()
        path = self._folder.path / f"{next(self._numbers)}{ending if ending in ENDINGS else '.txt'}"
        path.write_bytes(content)
        return File(str(path), name[-LONGEST_NAME:] or "file")

    def submit(self, task: Callable[..., Any], request: Any, *, at_once: bool = False) -> Job:
        """Begin a job of this session."""
        self._mine = {job for job in self._mine if not job.state.is_over}
        job = self._jobs.submit(task, request, at_once=at_once)
        self._mine.add(job)
        return job

    def stop(self, job: Job) -> None:
        """Stop a job: what it has found so far is kept."""
        self._jobs.stop(job)

    def kill(self, job: Job) -> None:
        """End a job at once."""
        self._jobs.kill(job)

    def ahead_of(self, job: Job) -> int:
        """Return how many jobs come before one that waits."""
        return self._jobs.ahead_of(job)

    def close(self) -> None:
        """End the jobs and delete the files."""
        for job in self._mine:
            self._jobs.kill(job)
        self._folder.remove()
