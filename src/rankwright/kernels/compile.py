"""How every kernel is compiled."""

import numba

__all__ = ["kernel"]

# Lazily, on the first call: an import never waits for the compiler. nogil lets joblib's threads run
# kernels side by side; cache keeps the machine code between processes.
kernel = numba.njit(nogil=True, cache=True)
