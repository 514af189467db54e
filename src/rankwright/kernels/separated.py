"""Bytes of a separated text file, split into the places of its cells."""

import numpy as np

from rankwright.kernels.cell_numbers import EMPTY, read_cell
from rankwright.kernels.compile import leaf

__all__ = ["ENDS", "FULL", "NO_TEXT", "ODD", "SPLIT", "WIDE", "split_records"]

LINE_FEED, RETURN, SPACE, QUOTE, ASCII_END = 10, 13, 32, 34, 128
ENDS, NO_TEXT = 1, 2  # what is special about a byte
LONGEST = 131_072  # the longest cell of Python's csv module
# All is well; there is something that only a closer look can tell; there are cells that no name
# stands above; there are more rows than room.
SPLIT, ODD, WIDE, FULL = 0, 1, 2, 3


@leaf
def blank_from(data, at, end):
    """Return how many bytes of a blank begin here: 0 if none does.

    These are the blanks that ``str.strip`` takes away, in UTF-8.
    """
    first = data[at]
    if first == SPACE or 9 <= first <= 13:
        return 1
    if first == 0xC2 and at + 1 < end:
        return 2 if data[at + 1] == 0x85 or data[at + 1] == 0xA0 else 0
    if first < 0xE1 or at + 2 >= end:
        return 0
    second, third = data[at + 1], data[at + 2]
    if first == 0xE1:
        return 3 if second == 0x9A and third == 0x80 else 0
    if first == 0xE2 and second == 0x80:
        is_blank = third <= 0x8A or third == 0xA8 or third == 0xA9 or third == 0xAF
        return 3 if is_blank else 0
    if first == 0xE2 and second == 0x81:
        return 3 if third == 0x9F else 0
    return 3 if first == 0xE3 and second == 0x80 and third == 0x80 else 0


@leaf
def trimmed(data, begin, end):
    """Return where a cell begins and ends without the blanks around it."""
    while begin < end:
        width = blank_from(data, begin, end)
        if width == 0:
            break
        begin += width
    while begin < end:
        last = data[end - 1]
        if last < ASCII_END:
            width = blank_from(data, end - 1, end)
        else:
            lead = end - 1
            while lead > begin and 0x80 <= data[lead] < 0xC0:
                lead -= 1
            width = blank_from(data, lead, end)
            width = width if lead + width == end else 0
        if width == 0:
            break
        end -= width
    return begin, end


@leaf
def quoted_end(data, at):
    """Close the cell that a quotation mark opens before `at`, its doubled marks made single.

    Return where its text ends, and where its bytes do: -1 if they never do.
    """
    write = at
    while at < data.size:
        byte = data[at]
        if byte == QUOTE:
            if at + 1 >= data.size or data[at + 1] != QUOTE:
                return write, at + 1
            at += 1
        if write != at:
            data[write] = byte
        write += 1
        at += 1
    return write, -1


@leaf
def split_records(
    data,
    separator,
    n_skipped,
    mark,
    words,
    special,
    starts,
    ends,
    values,
    forms,
    notes,
    rows,
    widths,
):
    """Find every cell below the first records, and read those that are plain numbers.

    Cells may stand in quotation marks, lines may end in every known way, and rows without anything
    are left out. What ``csv.reader`` would refuse is left alone.

    Parameters
    ----------
    data : (n_bytes,) uint8
        Text in UTF-8; doubled quotation marks inside cells are made single in place.
    separator : int
    n_skipped : int
        Records above the table.
    mark : int
        The decimal mark to read numbers with.
    words : (n_words, longest) uint8
        Words that may stand for a number or its absence.
    special : (256,) uint8
        ENDS for the bytes that end a cell, NO_TEXT for those that no text holds, 0 for others.
    starts, ends : (n_columns, n_lines) of integers
        Filled with where cells begin and end; those that short rows lack have no bytes.
    values, forms : (n_columns, n_lines) float64, int8
        Filled with numbers and with what each cell is, as ``read_cell`` has it.
    notes : (n_columns, 3) int64
        Filled with what each column tells of its decimal mark; -1 where nothing does.
    rows, widths : (n_lines,) of integers
        Filled with the number of each row's record, counted from 1, and how many cells it has.

    Returns
    -------
    state : int
        SPLIT, or why not.
    n_rows, n_records : int
        Of the table, and of the whole file.
    """
    n_columns, n_lines = starts.shape
    at, n_rows, n_records = 0, 0, 0
    size = data.size
    while at < size:
        n_cells, is_filled = 0, False
        while True:
            if at < size and data[at] == QUOTE:
                begin = at + 1
                end, at = quoted_end(data, begin)
                if at < 0 or (at < size and special[data[at]] != ENDS):
                    return ODD, 0, 0
            else:
                begin = at
                while at < size and special[data[at]] == 0:
                    at += 1
                end = at
                if at < size and special[data[at]] == NO_TEXT:
                    return ODD, 0, 0
            if end - begin > LONGEST:
                return ODD, 0, 0
            if begin < end and (
                not SPACE < data[begin] < ASCII_END or not SPACE < data[end - 1] < ASCII_END
            ):
                begin, end = trimmed(data, begin, end)
            if n_records >= n_skipped:
                if n_cells < n_columns:
                    if n_rows == n_lines:
                        return FULL, 0, 0
                    starts[n_cells, n_rows] = begin
                    ends[n_cells, n_rows] = end
                    forms[n_cells, n_rows], values[n_cells, n_rows] = read_cell(
                        data, begin, end, mark, words, n_rows, notes, n_cells
                    )
                    is_filled |= begin < end
                elif begin < end:
                    return WIDE, 0, 0
            n_cells += 1
            if at >= size:
                break
            if data[at] == separator:
                at += 1
                continue
            at += 2 if data[at] == RETURN and at + 1 < size and data[at + 1] == LINE_FEED else 1
            break
        n_records += 1
        if is_filled:
            for j in range(n_cells, n_columns):
                starts[j, n_rows], ends[j, n_rows] = 0, 0
                forms[j, n_rows], values[j, n_rows] = EMPTY, np.nan
            rows[n_rows] = n_records
            widths[n_rows] = n_cells
            n_rows += 1
    return SPLIT, n_rows, n_records
