"""Numbers that callers give by hand, one for each pair, voter, item or row."""

import datetime
from numbers import Number
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

__all__ = ["as_array", "as_numbers", "one_for_each", "refuse_times", "weight_of_each"]

Floats = NDArray[np.float64]

EXACT = 2.0**53  # below it floats hold every whole number
MOST_DIGITS = 10**40  # that a message shows

DATES = "give numbers, such as the days since a date of your choice"
SPANS = "give numbers, such as their seconds"
# What NumPy turns into floats all the same: a missing date into -9.2e18, 1+2j into 1.
REMEDIES = {"M": DATES, "m": SPANS, "c": "give real numbers, such as their absolute values"}
OBJECTS = {
    datetime.date: DATES,
    datetime.timedelta: SPANS,
    np.datetime64: DATES,
    np.timedelta64: SPANS,
}
# What pandas calls objects among which are no times, faster than their types are listed.
PLAIN = {"decimal", "floating", "integer", "mixed-integer-float", "string"}


def as_array(name: str, values: Any) -> NDArray[Any]:
    """Return values as an array that holds each as it is; NumPy rounds whole numbers of a list."""
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{name} holds lists; give one value for each row") from error
    if array.dtype.kind == "f" and not hasattr(values, "dtype") and (np.abs(array) >= EXACT).any():
        return np.asarray(values, dtype=object)
    return array


def as_numbers(name: str, array: NDArray[Any], remedy: str) -> Floats:
    """Return an array as float64, or say what is no number or would not stay the number it is."""
    refuse_times(name, array)
    try:
        numbers = np.asarray(array, dtype=np.float64)
    except OverflowError as error:
        values = array.ravel().tolist()
        row = next(row for row, value in enumerate(values) if not _is_finite(value))
        raise _inexact(name, values[row], row) from error
    except (TypeError, ValueError) as error:
        found = _first_unlike_a_number(array.ravel())
        raise ValueError(f"{name} holds {found!r}, which is not a number; {remedy}") from error
    _check_exact(name, array, numbers)
    return numbers


def refuse_times(name: str, array: NDArray[Any]) -> None:
    """Refuse dates, spans of time and complex numbers, in an array of their own or of objects."""
    if array.dtype.kind in REMEDIES:
        raise ValueError(f"{name} has type {array.dtype}; {REMEDIES[array.dtype.kind]}")
    if array.dtype.kind != "O" or pd.api.types.infer_dtype(flat := array.ravel()) in PLAIN:
        return
    values = flat.tolist()
    for kind in set(map(type, values)) - {type(pd.NaT)}:  # it is a missing number as well
        said = next((OBJECTS[one] for one in OBJECTS if issubclass(kind, one)), None)
        if said is not None:
            first = next(value for value in values if type(value) is kind)
            raise ValueError(f"{name} holds {first!r}, which is not a number; {said}")


def _check_exact(name: str, array: NDArray[Any], numbers: Floats) -> None:
    """Refuse whole numbers that floats round: different ones become ties."""
    if array.dtype.kind not in "iuOU" or not numbers.size:
        return
    if max(numbers.max(), -numbers.min()) < EXACT:
        return
    rows = np.flatnonzero((np.abs(numbers) >= EXACT) & np.isfinite(numbers))
    given, rounded = array.ravel()[rows].tolist(), numbers.ravel()[rows].tolist()
    for row, value, near in zip(rows.tolist(), map(_as_written, given), rounded, strict=True):
        if isinstance(value, Number) and value != near:  # Python compares whole numbers exactly
            raise _inexact(name, value, row)


def _as_written(value: Any) -> Any:
    """Return the whole number that a text of digits says; measurements may be rounded."""
    is_whole = isinstance(value, str) and value.strip().lstrip("+-").isdecimal()
    return int(value) if is_whole else value


def _inexact(name: str, value: Any, row: int) -> ValueError:
    shown = value if abs(value) < MOST_DIGITS else "a number of more than 40 digits"
    return ValueError(
        f"{name} holds {shown} in row {row}, which floats can't tell from its neighbours: they "
        "hold every whole number up to 2**53; subtract one number from all, or give their ranks"
    )


def _first_unlike_a_number(values: NDArray[Any]) -> Any:
    ones = (values[place : place + 1] for place in range(len(values)))
    return next(one.tolist()[0] for one in ones if not _is_number(one))


def _is_number(one: NDArray[Any]) -> bool:
    try:
        one.astype(np.float64)
    except (TypeError, ValueError):
        return False
    return True


def _is_finite(value: Any) -> bool:
    try:
        float(value)
    except OverflowError:
        return False
    return True


def one_for_each(name: str, values: ArrayLike, n: int | None, what: str) -> Floats:
    """Return a number for each of ``n`` things, however many if None, or say what is wrong."""
    numbers = as_numbers(name, as_array(name, values), f"give one for each {what}")
    if numbers.ndim != 1 or n not in {None, len(numbers)}:
        wanted = f"one for each {what}" if n is None else f"one for each {what}, {n} in all"
        raise ValueError(f"{name} have shape {numbers.shape}; give {wanted}")
    return numbers


def weight_of_each(name: str, weights: ArrayLike, n: int, what: str) -> Floats:
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
