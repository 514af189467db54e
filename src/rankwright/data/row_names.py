"""Rows with one cell more than the header has names: R's row names, or a column without a name."""

import re
from collections.abc import Collection, Sequence

from rankwright.data.layout import Layout
from rankwright.data.no_factors import ID_NAME, RANK_NAME, ROW_NAME
from rankwright.data.numerals import is_number
from rankwright.data.remarks import row_name
from rankwright.data.roles import NAMES

__all__ = ["has_one_cell_more", "with_row_names"]

ITEM_NAME = re.compile(NAMES["item"], re.IGNORECASE)


def has_one_cell_more(records: Sequence[Sequence[str]], layout: Layout) -> bool:
    """Tell whether each of several rows fills one cell more than a header of one row has names.

    A header with an empty cell has a column without a name already.
    """
    width = len(layout.names) + 1
    full = (len(record) == width and record[-1] for record in records)
    return layout.may_lack_a_name and len(records) > 1 and all(full)


def with_row_names(
    layout: Layout,
    firsts: Sequence[str],
    wanted: Collection[str],
    source: str,
    *,
    are_different: bool,
) -> tuple[list[str], str]:
    """Name the first column as well, if its cells are row names as R writes them, and say so.

    The first of them tell, and whether all `are_different`.
    """
    names, own = layout.names, row_name(layout.names)
    width = len(names) + 1
    are_named = bool(wanted) and own not in wanted
    if not are_different or _is_doubtful(names[0], firsts, are_named):
        raise ValueError(
            f"{source}: row {layout.header + 1} has {len(names)} names and the rows have {width} "
            "cells each, which leaves open whether the first or the last column has no name; give "
            f"it one in row {layout.header + 1}"
        )
    return [own, *names], (
        f"Row {layout.header + 1} has {len(names)} names and the rows have {width} cells each: the "
        f"first cells are taken for row names, as R writes them, and {names[0]!r} for the name of "
        "column 2."
    )


def _is_doubtful(name: str, firsts: Sequence[str], are_named: bool) -> bool:
    """Tell whether the first name may well be that of the first column."""
    if list(firsts) == [str(number) for number in range(1, len(firsts) + 1)]:
        return any(kind.fullmatch(name) for kind in (RANK_NAME, ID_NAME, ROW_NAME))
    is_text = all(firsts) and not any(map(is_number, firsts))
    return are_named or not is_text or ITEM_NAME.fullmatch(name) is not None
