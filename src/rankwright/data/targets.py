"""Checks of the target: one finite number for each row, larger is better."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["check_target"]


def check_target(y: ArrayLike, n_rows: int) -> NDArray[np.float64]:
    """Return ``y`` as finite float64, or raise an error that names what is wrong with it."""
    target: NDArray[Any] = np.asarray(y)
    if target.ndim != 1:
        raise ValueError(f"y has shape {target.shape}; give one value for each row")
    if len(target) != n_rows:
        raise ValueError(f"y has {len(target)} values but X has {n_rows} rows; they must be equal")
    if n_rows == 0:
        raise ValueError("there are no rows; give at least one")
    try:
        values = target.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"y holds {target[0]!r}, which is not a number; encode the order as numbers, "
            "larger is better"
        ) from error
    finite = np.isfinite(values)
    if not finite.all():
        first = int(np.argmin(finite))
        raise ValueError(
            f"y has {int((~finite).sum())} values that are NaN or infinite, the first "
            f"({values[first]}) in row {first}; remove those rows or give them a value"
        )
    return values
