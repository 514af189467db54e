"""Random numbers for kernels: a generator whose state is an array of one number.

The state belongs to the caller, so that threads never share one and a seed fixes the result.
"""

import numpy as np

from rankwright.kernels.compile import kernel

__all__ = ["draw_below"]


@kernel
def draw_below(state, bound):
    """Return a random integer from 0 to ``bound - 1`` and advance ``state`` (splitmix64)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    bits = state[0]
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    bits = bits ^ (bits >> np.uint64(31))
    # The upper 32 bits scaled to the bound: a bias below 2^-32 for every bound a tree asks for.
    return np.int64(((bits >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))
