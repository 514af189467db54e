"""The cells of a large text file, found byte by byte in several pieces at the same time."""

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from functools import partial
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from joblib import cpu_count
from numpy.typing import NDArray

from rankwright.data.cells import WORD_BYTES
from rankwright.data.numerals import Mark
from rankwright.data.textfile import HARMLESS

__all__ = ["Dialect", "Places", "Split", "split_pieces"]

PIECE = 1_000_000  # bytes that are worth a thread
FITS_INT32 = 2**31
LINE_FEED = re.compile(b"\n")


@dataclass(frozen=True)
class Dialect:
    """How a file is written: what separates cells, how many records stand above the table."""

    separator: str
    n_above: int
    n_columns: int
    mark: Mark


@dataclass(frozen=True, eq=False)
class Places:
    """Where the cells of rows are and what was read of them, columns by rows; also the rows."""

    starts: NDArray[Any]
    ends: NDArray[Any]
    values: NDArray[np.float64]
    forms: NDArray[np.int8]
    rows: NDArray[Any]  # the number of each row's record, counted from 1
    widths: NDArray[Any]  # how many cells it has

    @classmethod
    def empty(cls, n_columns: int, n_rows: int, n_bytes: int) -> "Places":
        """Make room for cells of a text of so many bytes."""
        kind = np.int32 if n_bytes < FITS_INT32 else np.int64
        starts, ends = np.empty((2, n_columns, n_rows), dtype=kind)
        rows, widths = np.empty((2, n_rows), dtype=kind)
        values, forms = np.empty(starts.shape), np.empty(starts.shape, dtype=np.int8)
        return cls(starts, ends, values, forms, rows, widths)

    def __getitem__(self, rows: slice) -> "Places":
        return Places(*(getattr(self, one.name)[..., rows] for one in fields(self)))

    def take_over(self, others: "Places") -> None:
        """Copy other rows here, unless they are the same part of memory."""
        for one in fields(self):
            mine, theirs = getattr(self, one.name), getattr(others, one.name)
            if mine.ctypes.data != theirs.ctypes.data:  # blank rows above left a gap
                mine[...] = theirs


@dataclass(frozen=True, eq=False)
class Split:
    """A file whose cells are known: its bytes, its rows that hold anything, how many it has."""

    data: NDArray[np.uint8]
    places: Places
    notes: NDArray[np.int64]  # what each column tells of its decimal mark
    n_records: int
    mark: Mark  # with which numbers were read


@dataclass(frozen=True)
class _Survey:
    """What a piece holds."""

    n_feeds: int
    n_returns: int
    has_doubled: bool  # quotation marks

    @property
    def n_lines(self) -> int:
        """How many lines end in it, at most."""
        return self.n_feeds + (0 if self.n_feeds == self.n_returns else self.n_returns)


@dataclass(frozen=True, eq=False)
class _Piece:
    """A part of the text, and where what it holds is to be written."""

    begin: int
    stop: int
    n_above: int  # records above the table
    room: NDArray[np.int64]  # the first row, and the one behind the last
    notes: NDArray[np.int64]


@dataclass(frozen=True)
class _Outcome:
    """What a kernel says of its piece."""

    state: int
    n_rows: int
    n_records: int


def split_pieces(data: NDArray[np.uint8], dialect: Dialect) -> Split | None:
    """Split a text in UTF-8, a piece on each core; None if a row needs a closer look.

    The text stays as it is: what has doubled quotation marks is copied first.
    """
    n_pieces = min(len(data) // PIECE, cpu_count())  # none if it is too short to be cut
    inner = {_line_from(data, i * len(data) // n_pieces) for i in range(1, n_pieces)}
    return _split(data, sorted({0, *inner, len(data)}), dialect)


def _line_from(data: NDArray[np.uint8], at: int) -> int:
    """Return where a line begins from a place on; 0 if none does."""
    found = LINE_FEED.search(data.data, at)
    return found.end() if found else 0


def _split(data: NDArray[np.uint8], cuts: Sequence[int], dialect: Dialect) -> Split | None:
    """Split a text cut at the beginnings of lines.

    A line inside a quoted cell is none to cut at: the piece above the cut tells so, since it ends
    further down. Then all is split in one piece.
    """
    from rankwright.kernels.separated import BEYOND, SPLIT
    from rankwright.kernels.words import survey

    begins, stops = cuts[:-1], cuts[1:]
    n_above = [dialect.n_above] + [0] * (len(begins) - 1)
    with ThreadPoolExecutor(len(begins)) as threads:
        surveys = [_Survey(*found) for found in threads.map(partial(survey, data), begins, stops)]
        n_lines = [one.n_lines for one in surveys]
        n_lines[-1] += 1  # the last line need not end
        room = [max(lines - above, 0) for lines, above in zip(n_lines, n_above, strict=True)]
        firsts = list(accumulate(room, initial=0))
        places = Places.empty(dialect.n_columns, firsts[-1], len(data))
        rooms = np.array(list(pairwise(firsts)), dtype=np.int64)
        notes = np.full((len(rooms), dialect.n_columns, 3), -1, dtype=np.int64)
        is_kept = any(one.has_doubled for one in surveys) or not data.flags.writeable
        text = data.copy() if is_kept else data
        cut = list(map(_Piece, begins, stops, n_above, rooms, notes))
        outcomes = list(threads.map(partial(_split_piece, text, dialect, places), cut))
    states = {outcome.state: None for outcome in outcomes if outcome.state != SPLIT}
    if states:
        is_cut_wrongly = next(iter(states)) == BEYOND and len(cuts) > 2
        return _split(data, [0, len(data)], dialect) if is_cut_wrongly else None
    n = n_records = 0
    joined = np.full_like(notes[0], -1)
    for first, outcome, noted in zip(firsts[:-1], outcomes, notes, strict=True):
        found = places[first : first + outcome.n_rows]
        found.rows[...] += n_records
        places[n : n + outcome.n_rows].take_over(found)
        _join_notes(joined, noted, n)
        n, n_records = n + outcome.n_rows, n_records + outcome.n_records
    return Split(text, places[:n], joined, n_records, dialect.mark)


def _split_piece(
    data: NDArray[np.uint8], dialect: Dialect, places: Places, piece: _Piece
) -> _Outcome:
    """Find the cells of the records that begin in a piece."""
    from rankwright.kernels.separated import ENDS, NO_TEXT, split_records

    special = np.full(256, NO_TEXT, dtype=np.uint8)
    special[np.frombuffer(HARMLESS, dtype=np.uint8)] = 0
    special[[ord("\n"), ord("\r"), ord(dialect.separator)]] = ENDS
    return _Outcome(
        *split_records(
            data, piece.begin, piece.stop, ord(dialect.separator), piece.n_above,
            ord(dialect.mark), WORD_BYTES, special, piece.room, places.starts, places.ends,
            places.values, places.forms, piece.notes, places.rows, places.widths,
        )
    )  # fmt: skip


def _join_notes(above: NDArray[np.int64], notes: NDArray[np.int64], first: int) -> None:
    """Add what a piece tells of decimal marks to what those above it do.

    Nothing is noted of a column below the cell that settles its mark.
    """
    from rankwright.kernels.cell_numbers import CERTAIN, DOUBTFUL, MARK

    is_open = above[:, CERTAIN] < 0
    for note, is_wanted in {DOUBTFUL: is_open & (above[:, DOUBTFUL] < 0), CERTAIN: is_open}.items():
        here = is_wanted & (notes[:, note] >= 0)
        above[here, note] = notes[here, note] + first
    above[is_open, MARK] = notes[is_open, MARK]
