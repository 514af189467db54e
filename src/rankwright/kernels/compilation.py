"""Tell when kernels are being compiled, which happens once on each machine."""

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


@contextmanager
def time_compiling() -> Iterator[Callable[[], float]]:
    """Yield a function that returns the seconds spent on compiling kernels since."""
    listener = event.TimingListener()
    with event.install_listener("numba:compile", listener):
        yield lambda: listener.duration if listener.done else 0.0
