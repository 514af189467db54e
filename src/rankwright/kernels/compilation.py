"""Tell when kernels are being compiled, which happens once on each machine."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import event

__all__ = ["time_compiling", "when_compiling"]


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
