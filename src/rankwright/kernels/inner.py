"""Functions that only kernels call, compiled once, with the kernel that calls them.

numba makes a library of every compiled function: it is optimised, turned into machine code and
given a way to be called from Python, and then its code is copied into each caller and optimised
again, at every level. Of a function that only kernels call all but the last is wasted; for the
kernels of rating formulas that was nearly half of the time that compiling took.
"""

from collections.abc import Callable
from typing import Any

import numba
from numba.core import config

from rankwright.kernels.compile import SUMMING

__all__ = ["inner", "inner_allocating", "inner_apart", "inner_summing"]

# The releases of numba whose inside `ingredient` was tried with. With others these functions are
# compiled as numba compiles all: it takes longer, and the results are the same.
TRIED = (0, 61), (0, 68)


def _compiler(*, apart: bool = False, **options: Any) -> Callable[[Any], Any]:
    if config.DISABLE_JIT:
        return lambda function: function
    options["no_cfunc_wrapper"] = True
    if not TRIED[0] <= numba.version_info.short <= TRIED[1]:
        return numba.njit(nogil=True, **options)
    from rankwright.kernels.ingredient import InnerFunction

    options |= {"nopython": True, "no_cpython_wrapper": True}
    return lambda function: InnerFunction(function, options, apart)


# Compiled together with the kernels that call it. It makes no arrays: without counting who uses its
# arrays there is less to compile.
inner = _compiler(_nrt=False)

# The same for a function that makes arrays; else it would inherit from callers that make none.
inner_allocating = _compiler(_nrt=True)

# The same as the first for loops that spend their time in sums: see `summing_kernel`.
inner_summing = _compiler(_nrt=False, **SUMMING)

# The same as the first for a function that is called at several places and seldom runs: it is not
# written into its callers, where the compiler would optimise it again each time.
inner_apart = _compiler(_nrt=False, apart=True)
