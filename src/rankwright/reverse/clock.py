"""The seconds that a question about a rating may take, and the flags that end it."""

import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from threading import Event, Thread
from typing import Any, Self, TypeVar

import numpy as np

from rankwright.kernels.compilation import time_compiling
from rankwright.kernels.interruption import interruptible
from rankwright.reverse.blas import one_blas_thread

__all__ = ["Clock", "threads"]

LOOK = 0.05  # seconds between two looks at the clock
S = TypeVar("S")
A = TypeVar("A")


class Clock:
    """Count seconds from now on, and tell everybody when they are over.

    The clock stands still while kernels are compiled, which happens once on each machine. Inside
    its ``with`` block a thread of its own looks at it, so that what runs long needs no clock, just
    a flag: kernels look at ``stop``, programs of HiGHS at ``over``. Leaving the block by an
    exception, such as Ctrl-C, sets them too. BLAS has one thread in there.

    Parameters
    ----------
    limit : float
        Seconds, ``inf`` for no limit.
    now : callable, optional
        Returns seconds since some moment.
    tell : callable, optional
        Called with the steps done, their number and what they are, after each step of a question.
        Who is told so is not warned when time was too short for all.

    Examples
    --------
    >>> clock = Clock(60.0)
    >>> clock.is_late, bool(clock.stop[0])
    (False, False)
    """

    def __init__(
        self,
        limit: float,
        now: Callable[[], float] = time.monotonic,
        tell: Callable[[int, int, str], None] | None = None,
    ) -> None:
        if not limit > 0:
            raise ValueError(f"time_limit={limit!r}; give a positive number of seconds")
        self.limit = limit
        self.tell = tell
        self.stop = np.zeros(1, dtype=np.bool_)
        self.over = Event()
        self.is_interrupted = False
        self._now = now
        self._start = now()
        self._compiling: Callable[[], float] = lambda: 0.0

    @property
    def seconds(self) -> float:
        """Return the seconds since the start, those of compiling left out."""
        return self._now() - self._start - self._compiling()

    @property
    def left(self) -> float:
        """Return the seconds that are left, 0 if none are or the time was ended."""
        return 0.0 if self.over.is_set() else max(self.limit - self.seconds, 0.0)

    @property
    def is_late(self) -> bool:
        """Tell whether the time is up, or was ended."""
        return self.over.is_set() or self.seconds >= self.limit

    def end(self) -> None:
        """End the time now."""
        self.stop[0] = True
        self.over.set()

    def interrupt(self) -> None:
        """End the time now, by Ctrl-C: it is raised once what was found is kept."""
        self.is_interrupted = True
        self.end()

    def answer_each(self, steps: Sequence[S], answer: Callable[[S], A], what: str) -> list[A]:
        """Return the answers to the steps of a question, at least one, while there is time.

        An answer during which the time ended is left out unless it is the only one: a search that
        was broken off would pass for one that found little. What is left out is said.
        """
        answers: list[A] = []
        for step in steps:
            found = answer(step)
            if not self.is_late or not answers:
                answers.append(found)
            if self.tell is not None:
                self.tell(len(answers), len(steps), what)
            if self.is_late:
                break
        if len(answers) < len(steps) and self.tell is None:
            done = f"{len(answers)} of {len(steps)} {what}"
            warnings.warn(
                f"time_limit={self.limit:g} s was only enough for {done}, and the answer rests on "
                "these; give more time for all",
                UserWarning,
                stacklevel=4,
            )
        return answers

    def __enter__(self) -> Self:
        self._stack = ExitStack()
        self._stack.enter_context(interruptible())
        self._stack.enter_context(one_blas_thread())
        self._compiling = self._stack.enter_context(time_compiling())
        if self.limit < np.inf:
            closed = Event()
            Thread(target=self._watch, args=(closed,), daemon=True).start()
            self._stack.callback(closed.set)
        return self

    def __exit__(self, kind: Any, *error: Any) -> None:
        if kind is not None:
            self.end()
        self._stack.__exit__(kind, *error)

    def _watch(self, closed: Event) -> None:
        while not closed.wait(min(LOOK, max(self.left, 0.001))):
            if self.is_late:
                self.end()
                return


@contextmanager
def threads(n_jobs: int, clock: Clock) -> Iterator[Executor]:
    """Yield a pool of threads whose work ends with the clock.

    Kernels run there, so that the thread that waits for them hears Ctrl-C.
    """
    pool = ThreadPoolExecutor(n_jobs)
    try:
        yield pool
    except BaseException:
        clock.end()  # else the kernels that run would have to be waited for
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
