"""Votes from files of either kind: tables of positions, and PrefLib's orders."""

from dataclasses import replace
from os import PathLike
from pathlib import Path

import numpy as np
import pandas as pd

from rankwright.data.preflib import KINDS, VoterOrders, read_preflib
from rankwright.data.rated_rows import notes_of_ranks, printed_ranks
from rankwright.data.sheet import numbers
from rankwright.data.sources import as_sheet
from rankwright.data.unrated import read_numbers

__all__ = ["read_ballots"]


def read_ballots(
    path: str | PathLike[str], *, item: str | None = None
) -> pd.DataFrame | VoterOrders:
    """Read a table of positions, or a PrefLib file with the number of voters of each order.

    Positions may be printed as ``1st``, ``=2`` or ``T-3``.
    """
    if Path(path).suffix.lower().removeprefix(".") in KINDS:
        return read_preflib(path)
    sheet = as_sheet(path, [] if item is None else [item])
    names = str(sheet.frame.columns[0]) if item is None else item
    places = {
        str(column): printed_ranks(sheet, column).numbers
        for column in sheet.frame.columns
        if column != names and len(numbers(sheet, column).wrong)
    }
    read = {column: np.array(one.values) for column, one in places.items() if not len(one.wrong)}
    said = [note for column in read for note in notes_of_ranks(sheet, column)]
    numbered = replace(sheet, frame=sheet.frame.assign(**read), memory={})
    return read_numbers(numbered.noting(*said), item=item)
