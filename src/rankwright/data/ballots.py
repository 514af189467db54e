"""Votes from files of either kind: tables of positions, and PrefLib's orders."""

from os import PathLike
from pathlib import Path

import pandas as pd

from rankwright.data.preflib import KINDS, VoterOrders, read_preflib
from rankwright.data.unrated import read_numbers

__all__ = ["read_ballots"]


def read_ballots(
    path: str | PathLike[str], *, item: str | None = None
) -> pd.DataFrame | VoterOrders:
    """Read a table of positions, or a PrefLib file with the number of voters of each order."""
    if Path(path).suffix.lower().removeprefix(".") in KINDS:
        return read_preflib(path)
    return read_numbers(path, item=item)
