"""Let the compiler run without two things that take a tenth of its time, or more.

numba is written in Python, makes millions of small objects and calls deep. Collecting cyclic
garbage meanwhile finds little. And Python keeps the frames of calls in chunks of 16 kB: where calls
go up and down across the end of a chunk, it is given back to the operating system and asked for
again each time, hundreds of thousands of times in a compilation. An interrupt waits until it is
over, or until machine code is loaded.
"""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rankwright.kernels.interruption import interrupted_afterwards

__all__ = ["compile_roomily"]

# Words of a frame; Python makes the chunk of such a frame the next power of two, and what is left
# of it has room for all calls from there on.
FRAME = 70_000


def _call(function: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
    return function(*arguments, **named)


_call.__code__ = _call.__code__.replace(co_stacksize=FRAME)


@contextmanager
def _without_collecting() -> Iterator[None]:
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def compile_roomily(dispatcher: Any) -> Any:
    """Let a lazily compiled function be compiled, when it is called first, in such room."""
    compile_for = getattr(dispatcher, "_compile_for_args", None)
    if compile_for is None:  # with NUMBA_DISABLE_JIT a kernel is the plain function
        return dispatcher

    def compile_for_args(*arguments: Any, **named: Any) -> Any:
        with _without_collecting(), interrupted_afterwards():
            return _call(compile_for, arguments, named)

    dispatcher._compile_for_args = compile_for_args
    return dispatcher
