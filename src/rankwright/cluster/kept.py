"""What workers keep: values that come back from another worker, or from disk, as they were."""

import pickle
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

__all__ = ["Kept"]


@dataclass(frozen=True)
class Kept:
    """A value whose arrays stay writable, and whose size Dask knows.

    Dask hands arrays over without copying them, read-only. Kernels would be compiled once more for
    these, and their sums might round differently: results would depend on where a part has been.
    """

    value: Any

    def __reduce__(self) -> Any:
        """Pack the value in one piece, which is copied when it is unpacked."""
        return _unpack, (pickle.dumps(self.value, protocol=pickle.HIGHEST_PROTOCOL),)

    def __sizeof__(self) -> int:
        """Return the bytes of all arrays, which Dask asks when it decides what goes to disk."""
        return _n_bytes(self.value, set())


def _unpack(packed: bytes) -> Kept:
    return Kept(pickle.loads(packed))  # noqa: S301, of a worker of the same cluster


def _n_bytes(value: Any, seen: set[int]) -> int:
    if id(value) in seen:
        return 0
    seen.add(id(value))
    if isinstance(value, np.ndarray):
        return value.nbytes
    if isinstance(value, tuple | list):
        return sum(_n_bytes(one, seen) for one in value)
    if is_dataclass(value):
        return sum(_n_bytes(getattr(value, field.name), seen) for field in fields(value))
    return 64
