"""How every kernel is compiled."""

import numba

__all__ = ["kernel", "summing_kernel"]

# Lazily, on the first call: an import never waits for the compiler. nogil lets joblib's threads run
# kernels side by side; cache keeps the machine code between processes.
kernel = numba.njit(nogil=True, cache=True)

# The same for loops that spend their time in long sums and products: the compiler may reorder the
# terms, which is what lets it use vector instructions. Infinities and nans keep their meaning.
summing_kernel = numba.njit(nogil=True, cache=True, fastmath={"reassoc", "contract", "nsz"})
