"""Ctrl-C during a compiled kernel."""

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["interruptible"]


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
