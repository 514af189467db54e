"""One thread of BLAS for many small sums of products."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

from threadpoolctl import threadpool_limits

__all__ = ["one_blas_thread"]

_lock = Lock()
_inside = 0
_limits: Any = None


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Let BLAS work in one thread until the last block is left, of all that run side by side.

    Where other programs keep the cores busy, threads of BLAS that wait for each other make least
    squares of 20,000 products take thirty times as long. The limit is one of the whole process: had
    each block its own, the first to end would lift it, and the last would leave it for good.
    """
    global _inside, _limits
    with _lock:
        if _inside == 0:
            _limits = threadpool_limits(1, "blas")
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                _limits.restore_original_limits()
