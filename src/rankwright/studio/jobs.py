"""Work in processes of its own: so many at once, live progress, and a Stop that works.

A job is a function of a request that runs in a process made for it. What it tells on its way, what
it returns and how it ends come back through a pipe; nothing that goes wrong in it harms the page.
"""

import os
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection
from threading import Condition, Lock, Thread
from typing import Any

__all__ = ["Job", "JobState", "Jobs", "Moment", "Note", "Progress", "Tell"]

# A server that has imported everything forks each job within milliseconds; where there is no
# fork, a job imports by itself.
METHOD = "forkserver" if "forkserver" in get_all_start_methods() else "spawn"
CONTEXT: Any = get_context(METHOD)
PRELOADED = ["rankwright.studio.tasks.everything"]
NOTHING = "nothing was found by then."
KILLED = -9  # by SIGKILL, which not every system has
MENDABLE = (ValueError, OSError, ImportError)


class JobState(StrEnum):
    """Where a job is, or how it ended."""

    WAITING = "waiting"
    RUNNING = "running"
    STOPPING = "stopping"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"
    CRASHED = "crashed"

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return self in (JobState.DONE, JobState.STOPPED, JobState.FAILED, JobState.CRASHED)


@dataclass(frozen=True)
class Progress:
    """What a job is doing, and how far it has come, from 0 to 1 if that is known."""

    words: str
    done: float | None = None


@dataclass(frozen=True)
class Moment:
    """A moment of a proof: seconds since its start, the best objective and the bound so far."""

    seconds: float
    objective: float
    bound: float


@dataclass(frozen=True)
class Note:
    """What is worth knowing but not the result."""

    words: str


COMPILING = Progress("Compiling for this machine, the first time only: up to a minute")

Tell = Callable[[Progress | Moment | Note], None]
Task = Callable[[Any, Tell], Any]


class Job:
    """A task on its way: its state, its news, and in the end its value or a message."""

    def __init__(self, task: Task, request: Any) -> None:
        self.state = JobState.WAITING
        self.progress = Progress("Starting")
        self.moments: list[Moment] = []
        self.notes: list[str] = []
        self.value: Any = None
        self.message = ""
        self.began = time.monotonic()
        self._task, self._request = task, request
        self._process: Any = None
        self._lock = Lock()
        self._over = Condition(self._lock)

    @property
    def pid(self) -> int | None:
        """The number of the process, once there is one."""
        return None if self._process is None else self._process.pid

    def wait(self, seconds: float | None = None) -> JobState:
        """Wait for the end, or for so many seconds; return the state."""
        with self._over:
            self._over.wait_for(lambda: self.state.is_over, seconds)
        return self.state

    def stop(self) -> None:
        """Ask the task to end, as Ctrl-C does: what it has found so far is kept."""
        with self._lock:
            if self.state is JobState.WAITING:
                self._end(JobState.STOPPED, "it had not begun.")
            elif self.state is JobState.RUNNING:
                self.state = JobState.STOPPING
                with suppress(ProcessLookupError):  # it has just ended by itself
                    os.kill(self._process.pid, signal.SIGINT)

    def kill(self) -> None:
        """End the process at once; what it has found is lost."""
        with self._lock:
            if self.state is JobState.WAITING:
                self._end(JobState.STOPPED, "it had not begun.")
            elif not self.state.is_over:
                self.state = JobState.STOPPING
                self._process.kill()

    def _run(self) -> None:
        """See the process through, in a thread of the page's process."""
        try:
            exit_code = self._follow()
        except Exception as error:  # no process could be made, or what it said makes no sense
            exit_code = None
            if self._process is not None:
                self._process.kill()
            self.message = f"The work could not be done: {type(error).__name__}: {error}"
        with self._lock:
            if self.state is JobState.STOPPING:
                self._end(JobState.STOPPED, NOTHING)
            elif not self.state.is_over:
                self._end(JobState.CRASHED, self.message or _how_it_ended(exit_code))

    def _follow(self) -> int | None:
        """Begin the process, take what it tells, and return its exit code."""
        receiver, sender = CONTEXT.Pipe(duplex=False)
        lifeline, held = CONTEXT.Pipe(duplex=False)  # breaks when the page's process is gone
        process = CONTEXT.Process(
            target=_perform, args=(self._task, self._request, sender, lifeline), daemon=True
        )
        process.start()
        sender.close()
        lifeline.close()
        with self._lock:
            self._process = process
            if self.state is JobState.WAITING:
                self.state = JobState.RUNNING
            else:  # ended while the process began
                process.kill()
        try:
            while True:
                self._take(receiver.recv())
        except (EOFError, OSError):
            process.join()
        held.close()
        code: int | None = process.exitcode
        return code

    def _take(self, news: Any) -> None:
        with self._lock:
            match news:
                case Progress():
                    self.progress = news
                case Moment():
                    self.moments.append(news)
                case Note():
                    self.notes.append(news.words)
                case (JobState() as state, value, message):
                    self.value = value
                    self._end(state, message)

    def _end(self, state: JobState, message: str) -> None:
        self.state, self.message = state, message
        self._over.notify_all()


class Jobs:
    """The jobs of everybody: at most so many run at once, the others wait in line.

    Parameters
    ----------
    most : int
        How many jobs may run at the same time.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._line: list[Job] = []
        self._running: set[Job] = set()
        self._turn = Condition()
        self._is_warm = False

    def warm_up(self) -> None:
        """Let the server of processes import everything, so that the first job need not."""
        if not self._is_warm and METHOD == "forkserver":
            self._is_warm = True
            CONTEXT.set_forkserver_preload(PRELOADED)
            self.submit(_nothing, None, at_once=True)

    def submit(self, task: Task, request: Any, *, at_once: bool = False) -> Job:
        """Begin a job, or put it in line; what takes no time to speak of goes ``at_once``."""
        job = Job(task, request)
        Thread(target=self._see_through, args=(job, at_once), daemon=True).start()
        if not at_once:
            with self._turn:
                self._line.append(job)
                self._turn.notify_all()
        return job

    def ahead_of(self, job: Job) -> int:
        """Return how many jobs come before one that waits."""
        with self._turn:
            return self._line.index(job) + len(self._running) if job in self._line else 0

    def _see_through(self, job: Job, at_once: bool) -> None:
        if not at_once:
            with self._turn:
                self._turn.wait_for(lambda: self._has_turn(job))
                self._line.remove(job)
                if job.state.is_over:
                    self._turn.notify_all()
                    return
                self._running.add(job)
        try:
            job._run()
        finally:
            with self._turn:
                self._running.discard(job)
                self._turn.notify_all()

    def _has_turn(self, job: Job) -> bool:
        if job not in self._line:
            return False
        is_first = self._line[0] is job and len(self._running) < self.most
        return job.state.is_over or is_first

    def stop(self, job: Job) -> None:
        """Let a job end with what it has found, or leave the line."""
        job.stop()
        with self._turn:
            self._turn.notify_all()

    def kill(self, job: Job) -> None:
        """End a job at once, wherever it is."""
        job.kill()
        with self._turn:
            self._turn.notify_all()


def _nothing(request: None, tell: Tell) -> None:
    """Do nothing, in a process of its own."""


def _how_it_ended(code: int | None) -> str:
    why = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
    memory = " The machine may have run out of memory." if code == KILLED else ""
    return f"The work ended unexpectedly ({why}); nothing else is harmed.{memory} Try it again."


def _perform(task: Task, request: Any, sender: Connection, lifeline: Connection) -> None:
    """Run a task in the process made for it."""
    Thread(target=_end_with, args=(lifeline,), daemon=True).start()
    lock = Lock()

    def send(news: Any) -> None:
        with lock:
            sender.send(news)

    def note(message: Warning | str, *_: Any, **__: Any) -> None:
        send(Note(str(message).partition("\n")[0]))

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            warnings.showwarning = note
            with _saying_that_it_compiles(send):
                value = task(request, send)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # half a value would be none
        send((JobState.DONE, value, ""))
    except KeyboardInterrupt:
        send((JobState.STOPPED, None, NOTHING))
    except MENDABLE as error:
        send((JobState.FAILED, None, str(error) or type(error).__name__))
    except MemoryError:
        send((JobState.FAILED, None, "There is not enough memory for this table."))
    except Exception as error:  # a defect: say what it is, and let the page live on
        send((JobState.CRASHED, None, f"An error inside: {type(error).__name__}: {error}"))


@contextmanager
def _saying_that_it_compiles(tell: Tell) -> Iterator[None]:
    """Say why the first work on a machine takes longer, in a process that has numba already."""
    if "numba" not in sys.modules:
        yield
        return
    from rankwright.kernels.compilation import when_compiling

    with when_compiling(lambda: tell(COMPILING)):
        yield


def _end_with(lifeline: Connection) -> None:
    """End this process when the page's process is gone."""
    try:
        lifeline.recv()
    except (EOFError, OSError):
        os._exit(1)
