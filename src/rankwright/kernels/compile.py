"""How every kernel is compiled."""

from typing import Any

import numba

from rankwright.kernels.cache import keep_compiled
from rankwright.kernels.compilation import announce
from rankwright.kernels.roomy import compile_roomily

__all__ = ["SUMMING", "kernel", "leaf", "part", "summing_kernel"]

# Lazily, on the first call: an import never waits for the compiler. nogil lets joblib's threads run
# kernels side by side. Nobody needs kernels as C callbacks, whose wrappers take time to compile.
OPTIONS = {"nogil": True, "no_cfunc_wrapper": True}

# For loops that spend their time in long sums and products: the compiler may reorder the
# terms, which is what lets it use vector instructions. Infinities and nans keep their meaning, and
# a division by zero is one of them: a check of each divisor would rule vectors out.
SUMMING: dict[str, Any] = {"fastmath": {"reassoc", "contract", "nsz"}, "error_model": "numpy"}

announce()


def _compiler(**options: Any):
    """Return a decorator that compiles with these options and keeps the machine code."""
    compiled = numba.njit(**OPTIONS, **options)
    return lambda function: compile_roomily(keep_compiled(compiled(function)))


kernel = _compiler()

# A function that kernels call at one place: it is written into its caller, which compiles faster
# than a function of its own, and runs as fast.
part = _compiler(inline="always")

# A function that makes no arrays, called millions of times: without counting who uses its arrays,
# which takes longer than reading a number does (50 ns against 20 for a cell of a table).
leaf = _compiler(_nrt=False)

summing_kernel = _compiler(**SUMMING)
