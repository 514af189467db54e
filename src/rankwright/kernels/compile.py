"""How every kernel is compiled."""

import numba

__all__ = ["kernel", "part", "summing_kernel"]

# Lazily, on the first call: an import never waits for the compiler. nogil lets joblib's threads run
# kernels side by side; cache keeps the machine code between processes. Nobody needs kernels as C
# callbacks, whose wrappers take time to compile.
OPTIONS = {"nogil": True, "cache": True, "no_cfunc_wrapper": True}
kernel = numba.njit(**OPTIONS)

# A function that kernels call at one place: it is written into its caller, which compiles faster
# than a function of its own, and runs as fast.
part = numba.njit(**OPTIONS, inline="always")

# The same for loops that spend their time in long sums and products: the compiler may reorder the
# terms, which is what lets it use vector instructions. Infinities and nans keep their meaning.
summing_kernel = numba.njit(**OPTIONS, fastmath={"reassoc", "contract", "nsz"})
