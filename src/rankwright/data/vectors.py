"""Numbers that callers give by hand: one for each pair, voter, item or row."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "LARGEST",
    "SMALLEST",
    "SQUARED",
    "check_row_counts",
    "check_weight_sizes",
    "find_extreme",
    "one_for_each",
    "weight_of_each",
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


def check_row_counts(name: str, weights: NDArray[np.float64], most: float = MOST_ROWS) -> None:
    """Refuse weights that count rows and add up to next to none, or to more than ``most``."""
    total = float(weights.sum())
    if total > most:
        raise ValueError(
            f"{name} adds up to {total:.3g}: a weight counts rows, and more than {most:.0e} take "
            "too long; give smaller weights"
        )
    if 0 < total < FEWEST_ROWS:
        raise ValueError(
            f"{name} adds up to {total:.3g}: a weight counts rows, and less than "
            f"{FEWEST_ROWS:.0e} of one says nothing; give larger weights"
        )


def one_for_each(name: str, values: ArrayLike, n: int | None, what: str) -> NDArray[np.float64]:
    """Return a number for each of ``n`` things, however many if None, or say what is wrong."""
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} are not numbers ({error}); give one for each {what}") from error
    if numbers.ndim != 1 or n not in {None, len(numbers)}:
        wanted = f"one for each {what}" if n is None else f"one for each {what}, {n} in all"
        raise ValueError(f"{name} have shape {numbers.shape}; give {wanted}")
    return numbers


def weight_of_each(name: str, weights: ArrayLike, n: int, what: str) -> NDArray[np.float64]:
    """Return a finite weight for each of ``n`` things, none of them negative."""
    numbers = one_for_each(name, weights, n, what)
    sound = np.isfinite(numbers) & (numbers >= 0)
    if not sound.all():
        first = int(np.argmin(sound))
        raise ValueError(
            f"{what} {first} has weight {numbers[first]} in {name}; weights are finite and not "
            "negative"
        )
    return numbers
