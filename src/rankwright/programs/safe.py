"""Limits of linear programs that hold exactly, from multipliers that need not be exact.

Multipliers of rows that floating point found may be a little off. What they prove is computed from
them in rational arithmetic: it holds as it stands, and is a little less than the optimum.
"""

from fractions import Fraction
from math import inf, nextafter

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["safe_minimum"]


def safe_minimum(
    costs: ArrayLike,
    sizes: ArrayLike,
    rows: NDArray[np.float64],
    multipliers: ArrayLike,
    n_equations: int = 0,
) -> float:
    """Return a number that ``costs @ x`` is never below, for non-negative x that add up to one.

    That is for x with ``rows @ (x / sizes) >= 0``, where the last ``n_equations`` are equations.
    What multipliers of rows leave of the costs is no less than its smallest entry, times the sum.
    Entries without a size are no part of the sum: with a negative rest there is no limit.

    Examples
    --------
    >>> import numpy as np
    >>> from rankwright.programs import safe_minimum
    >>> safe_minimum([1, 0], [1, 1], np.array([[1.0, -1.0]]), [0.5])  # x0 >= x1
    0.5
    """
    rest, spans, factors = (
        [Fraction(v) for v in np.asarray(one, dtype=np.float64).tolist()]
        for one in (costs, sizes, multipliers)
    )
    first_equation = len(rows) - n_equations
    for i, factor in enumerate(factors):
        if factor > 0 or (factor < 0 and i >= first_equation):
            for k, entry in enumerate(rows[i].tolist()):
                if entry:
                    rest[k] -= factor * Fraction(entry) / (spans[k] or 1)
    if any(left < 0 for left, size in zip(rest, spans, strict=True) if not size):
        return -inf
    least = min((left for left, size in zip(rest, spans, strict=True) if size), default=None)
    if least is None:
        return -inf
    near = float(least)
    return nextafter(near, -inf) if Fraction(near) > least else near
