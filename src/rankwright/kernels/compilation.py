"""Tell when kernels are being compiled, which happens once on each machine."""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import event

__all__ = ["LOGGER", "announce", "time_compiling", "when_compiling"]

# Whoever does not want the notice sets the level of this logger, or disables it.
LOGGER = logging.getLogger("rankwright.compilation")
# About how many seconds the kernels of a first fit take, by module or folder, as the case first-fit
# of the benchmarks measures them. What is not listed is compiled in a moment, and nothing is said.
SECONDS = {
    "boosted": 5,
    "buckets": 7,
    "kendall": 6,
    "logistic_pairs": 3,
    "margin_pairs": 3,
    "newton_pairs": 5,
    "rating": 10,
    "trees.growing": 9,
    "trees.ranking_trees": 8,
}
NOTICE = (
    "rankwright compiles what this needs for this machine, the first time only: up to about %d "
    "seconds. `rankwright warm-up` compiles everything ahead."
)


class _Announcement(event.Listener):
    """Says, once for each family of kernels, that a wait begins and about how long it is."""

    def __init__(self) -> None:
        self._said: set[str] = set()

    def on_start(self, event: Any) -> None:
        module = event.data["dispatcher"].py_func.__module__
        kernels = module.removeprefix("rankwright.kernels.")
        family = kernels if kernels in SECONDS else kernels.split(".")[0]
        if family in SECONDS and family not in self._said:
            # A fit that has waited for one family is not told of each smaller one it uses.
            self._said |= {name for name in SECONDS if SECONDS[name] <= SECONDS[family]}
            LOGGER.warning(NOTICE, SECONDS[family])

    def on_end(self, event: Any) -> None:
        """Need nothing at the end."""


def announce() -> None:
    """Let the first fit that has to wait for the compiler say so, from now on."""
    event.register("numba:compile", _Announcement())


class _First(event.Listener):
    """Calls a function when the first compilation begins; nested and later ones are silent."""

    def __init__(self, call: Callable[[], None]) -> None:
        self._call: Callable[[], None] | None = call

    def on_start(self, event: Any) -> None:
        call, self._call = self._call, None
        if call is not None:
            call()

    def on_end(self, event: Any) -> None:
        """Need nothing at the end."""


@contextmanager
def when_compiling(call: Callable[[], None]) -> Iterator[None]:
    """Call a function if a kernel has to be compiled meanwhile: the disk cache does not count."""
    with event.install_listener("numba:compile", _First(call)):
        yield


class _Stopwatch(event.Listener):
    """Sums up the seconds of compilations; nested ones are part of the outer one."""

    def __init__(self) -> None:
        self._done, self._begin, self._depth = 0.0, 0.0, 0

    def on_start(self, event: Any) -> None:
        if self._depth == 0:
            self._begin = time.monotonic()
        self._depth += 1

    def on_end(self, event: Any) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._done += time.monotonic() - self._begin

    def seconds(self) -> float:
        """Return the seconds so far, those of a compilation under way included."""
        return self._done + (time.monotonic() - self._begin if self._depth > 0 else 0.0)


@contextmanager
def time_compiling() -> Iterator[Callable[[], float]]:
    """Yield a function that returns the seconds spent on compiling kernels since."""
    stopwatch = _Stopwatch()
    with event.install_listener("numba:compile", stopwatch):
        yield stopwatch.seconds
