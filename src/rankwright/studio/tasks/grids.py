"""Tables as grids: whatever pandas and NumPy hold, as plain cells."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from rankwright.studio.blocks import Cell, Grid

__all__ = ["cell", "grid_of"]


def grid_of(title: str, columns: Sequence[object], rows: Iterable[Iterable[Any]]) -> Grid:
    """Return a grid of plain cells."""
    cells = tuple(tuple(cell(value) for value in row) for row in rows)
    return Grid(title, tuple(map(str, columns)), cells)


def cell(value: Any) -> Cell:
    """Return a number or a text; what is not a finite number is None."""
    if value is None or isinstance(value, str | bool | int):
        return value
    try:
        number = float(value)
    except (TypeError, ValueError):
        return str(value)
    return number if math.isfinite(number) else None
