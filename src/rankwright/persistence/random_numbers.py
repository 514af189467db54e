"""Random number generators from their states.

NumPy takes positions in a buffer as they come and reads outside of it when they are wrong.
"""

from reprlib import repr as short_repr
from typing import Any

import numpy as np

from rankwright.base import is_array
from rankwright.persistence.errors import ModelFileError

__all__ = ["restore_generator", "restore_random_state"]

BIT_GENERATORS = {
    generator.__name__: generator
    for generator in (
        np.random.MT19937,
        np.random.PCG64,
        np.random.PCG64DXSM,
        np.random.Philox,
        np.random.SFC64,
    )
}
MT19937_WORDS, PHILOX_WORDS = 624, 4
SMALLEST_POOL, LARGEST_POOL = 4, 1024  # NumPy takes any size from the first on


def restore_random_state(state: Any) -> np.random.RandomState:
    """Return a ``RandomState``."""
    _check_state(state)
    if state["bit_generator"] != "MT19937":
        raise ModelFileError(f"its RandomState is a {state['bit_generator']}")
    restored = np.random.RandomState()
    restored.set_state(state)
    return restored


def restore_generator(state: Any, seeds: Any) -> np.random.Generator:
    """Return a ``Generator`` that spawns as the saved one would."""
    _check_state(state)
    if not SMALLEST_POOL <= seeds["pool_size"] <= LARGEST_POOL:
        raise ModelFileError(f"its generator has a pool of {seeds['pool_size']}")
    if not (_are_whole(seeds["entropy"]) and _are_whole(seeds["spawn_key"])):
        raise ModelFileError("the seed of its generator is no whole number and no list of them")
    bits = BIT_GENERATORS[state["bit_generator"]](np.random.SeedSequence(**seeds))
    bits.state = state
    return np.random.Generator(bits)


def _are_whole(seed: Any) -> bool:
    """Return whether a seed is flat: NumPy would follow lists in lists, however often they are."""
    if is_array(seed):
        return seed.ndim <= 1 and seed.dtype.kind in "iu"
    numbers = seed if isinstance(seed, list | tuple) else [seed]
    return all(isinstance(number, int | np.integer) for number in numbers)


def _check_state(state: Any) -> None:
    if not isinstance(state, dict) or state.get("bit_generator") not in BIT_GENERATORS:
        raise ModelFileError("its random number generator is unknown")
    position, words = state.get("buffer_pos", 0), PHILOX_WORDS
    if state["bit_generator"] == "MT19937":
        position, words = state["state"]["pos"], MT19937_WORDS
    if type(position) is not int or not 0 <= position <= words:
        raise ModelFileError(f"its random number generator has the position {short_repr(position)}")
