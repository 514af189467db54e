"""Conditions on rows, as a person writes them: year = 2015, price <= 100, region != Asia."""

import operator
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.data.numerals import read_numeral
from rankwright.data.observations import count, examples
from rankwright.data.sheet import Sheet, cells, numbers, require_columns

__all__ = ["rows_where"]

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "!=": operator.ne,
    "==": operator.eq,
    "=": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
}
SIGN = re.compile("|".join(OPERATORS))


def rows_where(sheet: Sheet, conditions: Sequence[str]) -> Sheet:
    """Keep the rows that meet every condition, and say how many they are."""
    if isinstance(conditions, str):
        conditions = [conditions]
    for condition in conditions:
        keep = _meets(sheet, condition)
        if not keep.any():
            raise ValueError(
                f"no row of {sheet.source} meets {condition!r}{_hint(sheet, condition)}"
            )
        kept = f"{count(int(keep.sum()), 'row')} of {len(keep):,}"
        sheet = sheet.keep(keep, f"{kept} meet {condition!r}; the others are left out.")
    return sheet


def _parts(sheet: Sheet, condition: str) -> tuple[str, str, str]:
    """Split a condition at the sign behind the name of a column, which may hold signs itself."""
    found = [
        (condition[: sign.start()].strip().strip("\"'"), sign[0], condition[sign.end() :].strip())
        for sign in SIGN.finditer(condition)
    ]
    if not found:
        raise ValueError(
            f"{condition!r} is not a condition; write a column, one of {' '.join(OPERATORS)} and a "
            "value, such as 'year = 2015'"
        )
    named = [parts for parts in found if parts[0] in sheet.frame.columns]
    column, sign, value = (named or found)[0]
    require_columns(sheet, [column])
    return column, sign, value.strip("\"'")


def _meets(sheet: Sheet, condition: str) -> NDArray[np.bool_]:
    column, sign, value = _parts(sheet, condition)
    wanted = read_numeral(value, sheet.mark.mark)
    found = numbers(sheet, column)
    if wanted is not None and not np.isnan(wanted.value) and found.is_mostly_read:
        met: NDArray[np.bool_] = OPERATORS[sign](found.values, wanted.value)
        return met & ~np.isnan(found.values)
    if sign not in {"=", "==", "!="}:
        raise ValueError(
            f"{condition!r}: {column!r} and {value!r} can't be compared as numbers; use = or !="
        )
    wants_same = sign != "!="
    texts = cells(sheet.frame[column])
    return np.array([(text.casefold() == value.casefold()) == wants_same for text in texts])


def _hint(sheet: Sheet, condition: str) -> str:
    column, *_ = _parts(sheet, condition)
    values = list(dict.fromkeys(cells(sheet.frame[column])))
    return f"; {column!r} holds {examples(map(repr, values), len(values))}"
