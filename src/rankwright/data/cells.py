"""A column of a large text file: places among its bytes, made into texts when asked for."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api.extensions import ExtensionArray, ExtensionDtype, register_extension_dtype

from rankwright.data.numerals import MISSING, WORDS, Mark

__all__ = ["Cells", "Distinct", "Rest", "Scan", "WORD_BYTES", "distinct_texts"]


@dataclass(frozen=True, eq=False)
class Rest:
    """Cells that were not read: whose text is which, and where each occurs first."""

    cells: NDArray[np.int64]
    codes: NDArray[np.int64]
    texts: list[str]
    firsts: NDArray[np.int64]


@dataclass(eq=False)
class Scan:
    """What was read of a column byte by byte, with one decimal mark."""

    mark: Mark
    values: NDArray[np.float64]
    forms: NDArray[np.int8]
    notes: NDArray[np.int64]  # what was found of the decimal mark
    rest: Rest | None = None  # what was not read, once it was asked for


def _word_bytes() -> NDArray[np.uint8]:
    """Lay out the words that begin with a letter, by this letter."""
    words = [word.encode() for word in sorted({*MISSING, *WORDS}) if word[:1].isalpha()]
    by_letter = {
        letter: [word for word in words if word[0] == letter] for letter in ascii_lowercase.encode()
    }
    shape = len(by_letter), max(map(len, by_letter.values())), max(map(len, words))
    table = np.zeros(shape, dtype=np.uint8)
    for page, alike in zip(table, by_letter.values(), strict=True):
        for row, word in zip(page, alike, strict=False):
            row[: len(word)] = np.frombuffer(word, dtype=np.uint8)
    return table


WORD_BYTES = _word_bytes()
APART = "\0"  # no text file holds it


class Distinct:
    """The different texts of a column in the order in which they first occur, and whose they are.

    Parameters
    ----------
    codes : (n,) int64
        The number of each cell's text.
    firsts : (n_different,) int64
        Where each text occurs first.
    write : function
        Makes texts of the cells at some positions.
    """

    def __init__(
        self,
        codes: NDArray[np.int64],
        firsts: NDArray[np.int64],
        write: Callable[[NDArray[np.int64]], list[str]],
    ) -> None:
        self.codes, self.firsts, self._write = codes, firsts, write

    @cached_property
    def texts(self) -> list[str]:
        """The different texts, made when first asked for."""
        return self._write(self.firsts)


def distinct_texts(texts: Sequence[str]) -> Distinct:
    """Find the different ones of some texts."""
    codes, different = pd.factorize(np.array(texts, dtype=object))
    firsts = np.empty(len(different), dtype=np.int64)
    firsts[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    return Distinct(
        codes.astype(np.int64), firsts, lambda chosen: [texts[i] for i in chosen.tolist()]
    )


@register_extension_dtype
class CellType(ExtensionDtype):
    """The type of a column of cells."""

    name = "cells"
    type = str
    na_value = ""

    @classmethod
    def construct_array_type(cls) -> Any:
        """Return the type of arrays of it."""
        return Cells


class Cells(ExtensionArray):
    """Texts as bytes of a file: a column that pandas handles like any other.

    Parameters
    ----------
    data : (n_bytes,) uint8
        Text in UTF-8, shared by the columns.
    starts, ends : (n,) of integers
        Where each cell begins and ends, without the blanks around it.
    scan : Scan, optional
        What was read of them while they were found.
    """

    def __init__(
        self,
        data: NDArray[np.uint8],
        starts: NDArray[Any],
        ends: NDArray[Any],
        scan: Scan | None = None,
    ) -> None:
        self.data = data
        self.starts, self.ends = np.ascontiguousarray(starts), np.ascontiguousarray(ends)
        self._distinct: Distinct | None = None
        self._scan = scan

    def texts(self) -> NDArray[np.object_]:
        """Return the text of every cell."""
        found = self.distinct()
        return np.array(found.texts, dtype=object)[found.codes]

    def distinct(self) -> Distinct:
        """Return the different texts; they are numbered once."""
        if self._distinct is None:
            from rankwright.kernels.cell_texts import number_cells

            codes = np.empty(len(self), dtype=np.int64)
            firsts = number_cells(self.data, self.starts, self.ends, codes)
            # Not these cells themselves, which know the result: a circle of references would keep
            # the bytes of the whole file in memory until garbage is collected.
            unaware = Cells(self.data, self.starts, self.ends)
            self._distinct = Distinct(codes, firsts, unaware.decoded)
        return self._distinct

    def are_different(self) -> bool:
        """Tell that no two texts are the same, where their hashes are enough to tell it.

        Sorting these takes a fifth of the time that numbering a million texts does.
        """
        from rankwright.kernels.cell_texts import hash_cells

        hashes = np.empty(len(self), dtype=np.uint64)
        hash_cells(self.data, self.starts, self.ends, hashes)
        hashes.sort()
        return bool((hashes[1:] != hashes[:-1]).all())

    def may_begin_with(self, beginnings: Collection[str]) -> NDArray[np.int64]:
        """Return which cells begin with one of some pairs of letters, or with no ASCII."""
        from rankwright.kernels.cell_texts import mark_beginnings

        wanted = np.zeros((256, 256), dtype=bool)
        wanted[:, 128:] = True  # a letter beyond ASCII has a second byte from 128 on, too
        for letters in beginnings:
            if letters.isascii():
                wanted[ord(letters[0]) | 32, ord(letters[1]) | 32] = True
        found = np.empty(len(self), dtype=bool)
        mark_beginnings(self.data, self.starts, self.ends, wanted, found)
        return np.flatnonzero(found)

    def scan(self, mark: Mark | None = None) -> Scan:
        """Read the cells as numbers with a decimal mark; with any that was taken before if None."""
        if self._scan is None or mark not in {None, self._scan.mark}:
            from rankwright.kernels.cell_numbers import scan_numbers

            values, forms = np.empty(len(self)), np.empty(len(self), dtype=np.int8)
            mark = mark or "."
            notes = np.full((1, 3), -1, dtype=np.int64)
            scan_numbers(
                self.data, self.starts, self.ends, ord(mark), WORD_BYTES, values, forms, notes
            )
            self._scan = Scan(mark, values, forms, notes[0])
        return self._scan

    def decoded(self, chosen: NDArray[np.int64]) -> list[str]:
        """Return the texts of the cells at some positions."""
        from rankwright.kernels.cell_texts import join_cells

        if not len(chosen):
            return []
        at = self.starts[chosen], self.ends[chosen]
        joined, _ = join_cells(self.data, *at, len(APART))
        texts: list[str] = joined[:-1].tobytes().decode().split(APART)
        return texts

    def as_strings(self) -> Any:
        """Return the texts as pandas keeps them best: without a Python text each if it can."""
        try:
            import pyarrow
        except ImportError:
            return self.texts()
        from rankwright.kernels.cell_texts import join_cells

        joined, stops = join_cells(self.data, self.starts, self.ends, 0)
        buffers = pyarrow.py_buffer(stops), pyarrow.py_buffer(joined)
        found = pyarrow.LargeStringArray.from_buffers(len(self), *buffers)
        kind: Any = pd.arrays.ArrowStringArray  # its stub knows no dtype
        return kind(
            pyarrow.chunked_array([found]), dtype=pd.StringDtype("pyarrow", na_value=np.nan)
        )

    @classmethod
    def _from_sequence(cls, scalars: Any, *, dtype: Any = None, copy: bool = False) -> "Cells":
        written = [str(one).encode() for one in scalars]
        ends = np.cumsum([0, *map(len, written)])
        data = np.frombuffer(b"".join(written), dtype=np.uint8)
        return cls(data, ends[:-1], ends[1:])

    @classmethod
    def _from_factorized(cls, values: Any, original: "Cells") -> "Cells":
        return cls._from_sequence(values)

    @classmethod
    def _concat_same_type(cls, to_concat: Sequence["Cells"]) -> "Cells":
        return cls._from_sequence([text for part in to_concat for text in part.texts().tolist()])

    def __getitem__(self, item: Any) -> Any:
        if isinstance(item, int | np.integer):
            return bytes(self.data[self.starts[item] : self.ends[item]]).decode()
        item = pd.api.indexers.check_array_indexer(self, item)
        return Cells(self.data, self.starts[item], self.ends[item])

    def __len__(self) -> int:
        return len(self.starts)

    def __eq__(self, other: object) -> Any:
        return self.texts() == np.asarray(other, dtype=object)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return self.texts().astype(dtype or object, copy=False)

    @property
    def dtype(self) -> CellType:
        """The type of a column of cells."""
        return CellType()

    @property
    def nbytes(self) -> int:
        """Bytes of the places; the text is shared."""
        return int(self.starts.nbytes + self.ends.nbytes)

    def isna(self) -> NDArray[np.bool_]:
        """Tell that no cell is missing: those without anything hold an empty text."""
        return np.zeros(len(self), dtype=bool)

    def take(self, indices: Any, *, allow_fill: bool = False, fill_value: Any = None) -> "Cells":
        """Return the cells at some positions, an empty one for those below zero if to be filled."""
        at = np.asarray(indices, dtype=np.int64)
        if not allow_fill:
            return Cells(self.data, self.starts[at], self.ends[at])
        there = at >= 0
        return Cells(
            self.data,
            np.where(there, self.starts[at], 0) if len(self) else np.zeros(len(at), dtype=np.int64),
            np.where(there, self.ends[at], 0) if len(self) else np.zeros(len(at), dtype=np.int64),
        )

    def copy(self) -> "Cells":
        """Return the same cells: they never change."""
        return Cells(self.data, self.starts, self.ends, self._scan)
