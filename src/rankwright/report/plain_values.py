"""Results as the plain values that JSON knows."""

import dataclasses
import math
from collections.abc import Mapping
from enum import Enum
from pathlib import PurePath
from typing import Any

import numpy as np
import pandas as pd

__all__ = ["plain"]


def plain(value: Any) -> Any:
    """Turn results into dictionaries, lists, numbers and texts; what is not a number is None.

    Parameters
    ----------
    value : anything
        Frozen dataclasses, arrays, frames (a list of rows), mappings and sequences, nested.

    Returns
    -------
    dict, list, str, int, float, bool or None

    Examples
    --------
    >>> import numpy as np
    >>> from rankwright.report import plain
    >>> plain({"taus": np.array([0.5, np.nan]), "best": np.int64(3)})
    {'taus': [0.5, None], 'best': 3}
    """
    if value is None or (isinstance(value, bool | int | str) and not isinstance(value, Enum)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, np.generic | np.ndarray):
        return plain(value.tolist())
    if isinstance(value, pd.DataFrame):
        named = value.reset_index() if value.index.name is not None else value
        return [plain(row) for row in named.to_dict("records")]
    if isinstance(value, pd.Series):
        return plain(value.to_dict())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value)]
        return {name: plain(getattr(value, name)) for name in names}
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple | set | frozenset | pd.Index):
        return [plain(entry) for entry in value]
    if isinstance(value, Enum):
        return plain(value.value)
    if isinstance(value, PurePath):
        return str(value)
    return _number(value)


def _number(value: Any) -> Any:
    """Turn fractions and decimals into floats, and what is none of these into text."""
    try:
        return plain(float(value))
    except (TypeError, ValueError):
        return str(value)
