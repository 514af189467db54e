"""Tables as CSV that a spreadsheet can open without running anything in them."""

import re
import unicodedata
from typing import Any

import pandas as pd

__all__ = ["csv_text"]

# A cell that begins so is a formula to a spreadsheet, unless it is a number or nothing more.
BEGINS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
NUMBER_OR_SIGN = re.compile(r"[+-]\s?[\d.,]*\d[\d.,]*(e[+-]?\d+)?\s?%?|.", re.IGNORECASE)

# What separates cells in the spreadsheets of some country, beside the comma.
SEPARATORS = ";\t|"
CELLS = re.compile(f"([{SEPARATORS}\r\n])")
FILLERS = frozenset("\u115f\u1160\u3164\uffa0")  # letters that are shown as nothing

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
        full width), also after characters that nobody sees, a tab or a carriage return as they
        are. Numbers, also negative ones, always are.
    **options
        Of ``DataFrame.to_csv``.

    Returns
    -------
    str
        Texts that hold a separator of any country, such as ``;``, are quoted, so that they stay
        one cell wherever they are opened.

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
    return _quoted(str(table.to_csv(index=False, **options)), options.get("sep", ","))


def _counts(column: "pd.Series[Any]") -> bool:
    """Tell whether a column holds places, shared ones as halves."""
    return column.dtype.kind == "f" and bool((column.dropna() * 2 % 1 == 0).all())


def _quoted(text: str, separator: str) -> str:
    """Quote cells that hold separators of other countries; what is quoted already stays."""
    others = set(SEPARATORS) - {separator}
    cells = re.compile(f'"[^"]*"|[^"\\r\\n{re.escape(separator)}]+')
    return cells.sub(lambda cell: _cell(cell[0], others), text)


def _cell(text: str, separators: set[str]) -> str:
    return text if text.startswith('"') or separators.isdisjoint(text) else f'"{text}"'


def _harmless(value: Any) -> Any:
    """Return a text without formulas: at its beginning, and where another country's cell begins.

    Quotes do not help there: to who separates by ``;`` they stand in the middle of a cell.
    """
    if not isinstance(value, str) or NUMBER_OR_SIGN.fullmatch(value.strip(" ")):
        return value
    parts = CELLS.split(value)  # and what separates them
    parts[::2] = [f"'{cell}" if _is_formula(cell) else cell for cell in parts[::2]]
    text = "".join(parts)
    return f"'{text}" if _is_formula(value) and not text.startswith("'") else text


def _is_formula(text: str) -> bool:
    seen = text[next((place for place, c in enumerate(text) if not _is_unseen(c)), len(text)) :]
    begins = text.startswith(BEGINS_A_FORMULA) or seen.startswith(BEGINS_A_FORMULA)
    return begins and not NUMBER_OR_SIGN.fullmatch(text.strip(" "))


def _is_unseen(character: str) -> bool:
    """Return whether a program may drop a character before it looks for a formula."""
    return (
        character == '"'
        or not character.isprintable()
        or character.isspace()
        or character in FILLERS
        or unicodedata.category(character) == "Mn"
    )


def _one_kind_of_line_end(value: Any) -> Any:
    """Return a text without carriage returns, which ``to_csv`` would leave unquoted."""
    return re.sub("\r\n?", "\n", value) if isinstance(value, str) else value
