"""Results as the plain values that JSON knows."""

import dataclasses
import json
import math
import re
from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import PurePath
from typing import Any

import numpy as np
import pandas as pd

__all__ = ["json_text", "plain"]

NOT_ASCII = re.compile(r"[^\x00-\x7e]")


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
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)
        }
    turn = next((turn for kinds, turn in TURNS if isinstance(value, kinds)), _number)
    return turn(value)


def json_text(result: Any, *, ascii_only: bool = False) -> str:
    r"""Return a result as JSON in which every character is seen.

    Those that steer a terminal, or turn the direction of a text, are escaped; whoever reads the
    JSON gets them back.

    Examples
    --------
    >>> from rankwright.report import json_text
    >>> print(json_text({"größe": "\x9b31m"}))
    {
      "größe": "\u009b31m"
    }
    """
    text = json.dumps(plain(result), indent=2, ensure_ascii=ascii_only)
    return NOT_ASCII.sub(lambda one: one[0] if one[0].isprintable() else _escaped(one[0]), text)


def _escaped(character: str) -> str:
    return json.dumps(character)[1:-1] if character != "\x7f" else "\\u007f"


def _rows(frame: pd.DataFrame) -> list[Any]:
    named = frame.reset_index() if frame.index.name is not None else frame
    return [plain(row) for row in named.to_dict("records")]


def _number(value: Any) -> Any:
    """Turn fractions and decimals into floats, and what is none of these into text."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return str(value)
    return number if math.isfinite(number) else None


# The first that fits counts: a member of an enum may also be a text.
TURNS: list[tuple[Any, Callable[[Any], Any]]] = [
    (Enum, lambda value: plain(value.value)),
    (bool | int | str | None, lambda value: value),
    # As a list these are what they were.
    (np.longdouble, _number),
    (np.clongdouble, lambda value: str(complex(value))),
    (np.generic | np.ndarray, lambda value: plain(value.tolist())),
    (pd.DataFrame, _rows),
    (pd.Series, lambda value: plain(value.to_dict())),
    (Mapping, lambda value: {str(key): plain(entry) for key, entry in value.items()}),
    (list | tuple | set | frozenset | pd.Index, lambda value: [plain(entry) for entry in value]),
    (PurePath, str),
]
