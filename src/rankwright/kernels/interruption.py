"""Ctrl-C during a compiled kernel, and while one is loaded or compiled."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["interrupted_afterwards", "interruptible"]


@contextmanager
def interruptible() -> Iterator[None]:
    """Raise KeyboardInterrupt where numba hides one in a SystemError.

    An interrupt that arrives while numba packs a kernel's results comes out as "SystemError:
    returned a result with an exception set", which a cross-validation takes for a failed fit.
    """
    try:
        yield
    except SystemError as error:
        hidden = error.__cause__ or error.__context__
        if isinstance(hidden, KeyboardInterrupt):
            raise KeyboardInterrupt from error
        raise


@contextmanager
def interrupted_afterwards() -> Iterator[None]:
    """Let an interrupt wait for the end of the block; a second one does not.

    LLVM calls Python back while it loads machine code, and an exception that is raised there is
    lost. Python handles signals in its main thread: in others there is nothing to do. A handler of
    somebody else's is called, then; one that is not Python's stays.
    """
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    noted: list[Any] = []

    def note(number: int, frame: Any) -> None:
        if noted:
            handler(number, frame)
        noted.append(frame)

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if len(noted) == 1:
            handler(signal.SIGINT, noted[0])
