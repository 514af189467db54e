"""Tables as CSV that a spreadsheet can open without running anything in them."""

import re
from typing import Any

import pandas as pd

__all__ = ["csv_text"]

# A cell that begins so is a formula to a spreadsheet, unless it is a number or nothing more.
BEGINS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
NUMBER_OR_SIGN = re.compile(r"[+-]\s?[\d.,]*\d[\d.,]*(e[+-]?\d+)?\s?%?|.", re.IGNORECASE)

PLACES = ("position", "published", "reproduced")  # counts, and halves where products share one


def csv_text(
    frame: pd.DataFrame, *, index: bool = True, formulas: bool = False, **options: Any
) -> str:
    """Write a frame as CSV; an apostrophe keeps texts from being run as formulas.

    Parameters
    ----------
    frame : DataFrame
    index : bool, default=True
        Whether to write the index as the first column.
    formulas : bool, default=False
        Whether to write texts that begin with ``=``, ``+``, ``-``, ``@`` (or the same in
        full width), a tab or a carriage return as they are. Numbers, also negative ones, always
        are.
    **options
        Of ``DataFrame.to_csv``.

    Returns
    -------
    str

    Examples
    --------
    >>> import pandas as pd
    >>> from rankwright.report import csv_text
    >>> print(csv_text(pd.DataFrame({"gain": [-1.5, 2]}, index=["=1+1", "-B2"])), end="")
    ,gain
    '=1+1,-1.5
    '-B2,2.0
    """
    table = frame
    if index:
        table = frame.reset_index(names=frame.index.name or "", allow_duplicates=True)
    places = {
        name: table[name] for name in PLACES if name in table.columns and _counts(table[name])
    }
    table = table.assign(
        **{n: v.map("{:.15g}".format, na_action="ignore") for n, v in places.items()}
    )
    for change in ([] if formulas else [_harmless]) + [_one_kind_of_line_end]:
        table = table.map(change).set_axis([change(name) for name in table.columns], axis=1)
    return str(table.to_csv(index=False, **options))


def _counts(column: "pd.Series[Any]") -> bool:
    """Tell whether a column holds places, shared ones as halves."""
    return column.dtype.kind == "f" and bool((column.dropna() * 2 % 1 == 0).all())


def _harmless(value: Any) -> Any:
    if not isinstance(value, str) or not value.startswith(BEGINS_A_FORMULA):
        return value
    return value if NUMBER_OR_SIGN.fullmatch(value) else f"'{value}"


def _one_kind_of_line_end(value: Any) -> Any:
    """Return a text without carriage returns, which ``to_csv`` would leave unquoted."""
    return re.sub("\r\n?", "\n", value) if isinstance(value, str) else value
