"""Columns of a large text file as numbers: read byte by byte, and as text where need be."""

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from rankwright.data.cells import Cells, Rest, Scan
from rankwright.data.numbers import Numbers, parse_marked, undressed, with_percents
from rankwright.data.numerals import DefaultMark, Mark, first_doubtful, first_settled, shapes

__all__ = ["Marks", "cell_marks", "parse_cells"]


@dataclass(frozen=True)
class Marks:
    """The decimal mark that a column settles, and its first cell that may be read with either."""

    own: Mark | None
    doubtful: int | None
    text: str  # of this cell


def cell_marks(column: Cells) -> Marks:
    """Find the decimal mark of a column, from its first cell that settles it."""
    scan = column.scan()
    return _marks(column, scan, _rest(column, scan))


def parse_cells(column: Cells, default: DefaultMark) -> Numbers:
    """Read a column of cells, as ``parse_numbers`` reads their texts."""
    from rankwright.kernels import cell_numbers as kernel

    marks = cell_marks(column)
    mark = marks.own or default.mark
    scan = column.scan(mark)
    rest = _rest(column, scan)
    values, forms = scan.values, scan.forms  # what was not read is filled in, always alike
    has_sign = forms == kernel.PERCENT
    if len(long := np.flatnonzero(forms == kernel.LONG)):
        texts = column.decoded(long)
        values[long] = undressed(texts, mark)
        has_sign[long] = ["%" in text for text in texts]
    wrong = forms == kernel.TEXT
    notations, currencies = {}, {}
    if len(rest.cells):
        found = parse_marked(rest.texts, shapes(rest.texts), mark)
        is_wrong = np.zeros(len(rest.texts), dtype=bool)
        is_wrong[found.wrong] = True
        values[rest.cells] = found.values[rest.codes]
        wrong[rest.cells] = is_wrong[rest.codes]
        has_sign[rest.cells] = np.array(["%" in text for text in rest.texts])[rest.codes]
        notations, currencies = (
            {kind: int(rest.firsts[first]) for kind, first in firsts.items()}
            for firsts in (found.notations, found.currencies)
        )
        # Of what was read byte by byte only dollars are asked, if there is anything beside them.
        if currencies and (dollar := _first_dollar(column, forms)) is not None:
            currencies["USD"] = min(currencies.get("USD", dollar), dollar)
    doubtful = None if marks.own or default.settled else marks.doubtful
    found = Numbers(
        values,
        np.flatnonzero(wrong),
        doubtful=doubtful,
        notations=notations,
        currencies=currencies,
    )
    return with_percents(found, has_sign) if has_sign.any() else found


def _first_dollar(column: Cells, forms: NDArray[np.int8]) -> int | None:
    """Return the first cell read byte by byte that begins with a dollar, or a sign before one."""
    from rankwright.kernels.cell_numbers import LONG, NUMBER, PERCENT

    read = np.flatnonzero(np.isin(forms, (NUMBER, PERCENT, LONG)))
    first, last = column.starts[read], column.ends[read] - 1
    has_one = (column.data[np.stack([first, np.minimum(first + 1, last)])] == ord("$")).any(axis=0)
    return int(read[has_one.argmax()]) if has_one.any() else None


def _rest(column: Cells, scan: Scan) -> Rest:
    """Return what was not read, found once for each scan."""
    if scan.rest is None:
        scan.rest = _unread(column, scan)
    return scan.rest


def _unread(column: Cells, scan: Scan) -> Rest:
    from rankwright.kernels.cell_numbers import UNREAD

    cells = np.flatnonzero(scan.forms == UNREAD)
    if 2 * len(cells) < len(column):
        found = column[cells].distinct()
        return Rest(cells, found.codes, found.texts, cells[found.firsts])
    # All texts are likely to be asked for, and are numbered once.
    found = column.distinct()
    codes = found.codes[cells]
    kept = np.flatnonzero(np.bincount(codes))
    among = np.zeros(len(found.texts), dtype=np.int64)
    among[kept] = np.arange(len(kept))
    texts = [found.texts[code] for code in kept.tolist()]
    return Rest(cells, among[codes], texts, found.firsts[kept])


def _marks(column: Cells, scan: Scan, rest: Rest) -> Marks:
    from rankwright.kernels.cell_numbers import CERTAIN, DOUBTFUL, MARK

    written = shapes(rest.texts)
    settled, doubt = first_settled(written), first_doubtful(written)
    certain, own = int(scan.notes[CERTAIN]), None
    if certain >= 0:
        own = cast(Mark, chr(scan.notes[MARK]))
    if settled is not None and not 0 <= certain < rest.firsts[settled[0]]:
        own = settled[1]
    doubtful = [int(rest.firsts[doubt])] if doubt is not None else []
    doubtful += [int(scan.notes[DOUBTFUL])] if scan.notes[DOUBTFUL] >= 0 else []
    first = min(doubtful, default=None)
    return Marks(own, first, "" if first is None else column[first])
