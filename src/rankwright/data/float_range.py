"""Which sizes of numbers floats can square, multiply and count with."""

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "LARGEST",
    "SMALLEST",
    "SQUARED",
    "check_row_counts",
    "check_weight_sizes",
    "find_extreme",
]

# Squares of these, summed over rows and multiplied by weights, neither overflow nor vanish.
LARGEST, SMALLEST = 1e100, 1e-100
# Rows that weights may count for: fewer say nothing, more take too long where each has a term.
FEWEST_ROWS, MOST_ROWS = 1e-6, 1e8
SQUARED = f"its square is needed, which floats hold from {SMALLEST:.0e} to {LARGEST:.0e}"


def find_extreme(values: NDArray[np.float64]) -> int | None:
    """Return the place of the first number whose square floats can't hold, None without any."""
    size = np.abs(values)
    bad = (size > LARGEST) | ((size > 0) & (size < SMALLEST))
    return int(np.argmax(bad)) if bad.any() else None


def check_weight_sizes(name: str, weights: NDArray[np.float64], what: str) -> None:
    """Refuse weights whose products floats can't hold."""
    place = find_extreme(weights)
    if place is not None:
        raise ValueError(
            f"{name} is {weights[place]:.3g} in {what} {place}; give weights between "
            f"{SMALLEST:.0e} and {LARGEST:.0e}, or zero: their products are needed"
        )


def check_row_counts(
    name: str, weights: NDArray[np.float64], most: float = MOST_ROWS, why: str = "take too long"
) -> None:
    """Refuse weights that count rows and add up to next to none, or to more than ``most``."""
    total = float(weights.sum())
    if total > most:
        raise ValueError(
            f"{name} adds up to {total:.3g}: a weight counts rows, and more than {most:.0e} {why}; "
            "give smaller weights"
        )
    if 0 < total < FEWEST_ROWS:
        raise ValueError(
            f"{name} adds up to {total:.3g}: a weight counts rows, and less than "
            f"{FEWEST_ROWS:.0e} of one says nothing; give larger weights"
        )
