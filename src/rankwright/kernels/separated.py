"""Bytes of a separated text file, split into the places of its cells."""

import numpy as np

from rankwright.kernels.cell_numbers import (
    CERTAIN,
    EMPTY,
    EXACT,
    NUMBER,
    PERCENT,
    PERCENT_SIGN,
    POWERS,
    SAFE_DIGITS,
    UNREAD,
    ZERO,
    read_cell,
)
from rankwright.kernels.compile import leaf, part
from rankwright.kernels.words import (
    ONE,
    SIZE,
    bytes_below,
    digits_of,
    first_special,
    lowest,
    number_of,
    word_at,
)

__all__ = ["BEYOND", "ENDS", "NO_TEXT", "ODD", "SPLIT", "WIDE", "split_records"]

LINE_FEED, RETURN, SPACE, QUOTE, ASCII_END = 10, 13, 32, 34, 128
ENDS, NO_TEXT = 1, 2  # what is special about a byte
LONGEST = 131_072  # the longest cell of Python's csv module
# All is well; there is something that only a closer look can tell; there are cells that no name
# stands above; a record, or what is above the table, goes on beyond the end of the piece.
SPLIT, ODD, WIDE, BEYOND = 0, 1, 2, 3


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


@part
def quoted_end(data, at, special):
    """Close the cell that a quotation mark opens before `at`, its doubled marks made single.

    Return where its text ends, and where its bytes do: -1 if they never do, or hold no text.
    """
    write, is_doubled = at, False
    while True:
        begin, at = at, first_special(data, at, QUOTE)
        if is_doubled:
            for read in range(begin, at):
                data[write + read - begin] = data[read]
        write += at - begin
        if at == data.size or special[data[at]] == NO_TEXT:
            return write, -1
        if data[at] == QUOTE:
            if at + 1 == data.size or data[at + 1] != QUOTE:
                return write, at + 1
            at, is_doubled = at + 1, True
        data[write] = data[at]
        write += 1
        at += 1


@part
def next_cell(data, at, separator, special):
    """Find the cell that begins here: where its text begins and ends, and where its bytes do.

    The last is -1 if there is something that only a closer look can tell.
    """
    begin = at
    if at < data.size and data[at] == QUOTE:
        begin += 1
        end, at = quoted_end(data, begin, special)
        if at >= 0 and at < data.size and special[data[at]] != ENDS:
            at = -1
    else:
        at = first_special(data, at, separator)
        while at < data.size and special[data[at]] == 0:
            at = first_special(data, at + 1, separator)
        end = at
        if at < data.size and special[data[at]] == NO_TEXT:
            at = -1
    if end - begin > LONGEST:
        at = -1
    while begin < end and data[end - 1] == SPACE:
        end -= 1
    if begin < end and (
        not SPACE < data[begin] < ASCII_END or not SPACE < data[end - 1] < ASCII_END
    ):
        begin, end = trimmed(data, begin, end)
    return begin, end, at


@part
def plain_number(data, at, mark, special, is_settled):
    """Read a cell of digits, as most are, perhaps with a mark among them or a percent sign behind.

    Return its form and value, and where it ends; its form is UNREAD if it is something else. A mark
    is passed over only if it `is_settled` what it means.
    """
    begin, point = at, np.int64(-1)
    mantissa = np.int64(0)
    # Most are short: their digits are taken at once, however many they are.
    is_short = False
    if at + SIZE < data.size:
        digits, others = digits_of(word_at(data, at))
        if others != 0:
            n_digits, is_short = bytes_below(others), True
            if data[at + n_digits] == mark and is_settled:
                others &= others - ONE
                is_short = others != 0
                behind = digits >> np.uint64(8 * n_digits) >> np.uint64(8)
                if is_short:
                    point = at + n_digits
                    digits = lowest(digits, n_digits) | behind << np.uint64(8 * n_digits)
                    n_digits = bytes_below(others) - 1
            if is_short:
                if n_digits > 0:
                    mantissa = number_of(digits, n_digits)
                at += n_digits + (point >= 0)
    while not is_short and at < data.size:
        digit = np.int64(data[at]) - ZERO
        if 0 <= digit <= 9:
            mantissa = 10 * mantissa + digit
        elif digit == mark - ZERO and point < 0 and is_settled:
            point = at
        else:
            break
        at += 1
    n_digits = at - begin - (point >= 0)
    n_behind = at - point - 1 if point >= 0 else 0
    form = NUMBER
    if at < data.size and data[at] == PERCENT_SIGN:
        at, n_behind, form = at + 1, n_behind + 2, PERCENT
    is_end = at == data.size or special[data[at]] == ENDS
    if not is_end or n_digits == 0 or n_digits > SAFE_DIGITS or mantissa > EXACT:
        return UNREAD, np.nan, at
    return form, mantissa / POWERS[n_behind], at


@leaf
def split_records(
    data,
    first,
    stop,
    separator,
    n_skipped,
    mark,
    words,
    special,
    room,
    starts,
    ends,
    values,
    forms,
    notes,
    rows,
    widths,
):
    """Find every cell of the records that begin in a piece, and read those that are plain numbers.

    Cells may stand in quotation marks, lines may end in every known way, and rows without anything
    are left out. What ``csv.reader`` would refuse is left alone.

    Parameters
    ----------
    data : (n_bytes,) uint8
        Text in UTF-8; doubled quotation marks inside cells are made single in place.
    first, stop : int
        The piece: where its first record begins, and where the next piece does.
    separator : int
    n_skipped : int
        Records of it above the table.
    mark : int
        The decimal mark to read numbers with.
    words : (26, most, longest) uint8
        Words that may stand for a number or its absence, by their first letter.
    special : (256,) uint8
        ENDS for the bytes that end a cell, NO_TEXT for those that no text holds, 0 for others.
    room : (2,) int64
        The first place among those of all pieces that may be filled, and the one behind the last.
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
        Of the table, and of the whole piece.
    """
    n_columns = len(starts)
    at, row, n_records = first, room[0], 0
    size = data.size
    point = mark if mark != separator else -1  # which would be quoted
    while at < stop:
        if row == room[1] and n_records >= n_skipped:
            return BEYOND, 0, 0
        n_cells, is_filled = 0, False
        while True:
            begin, is_table = at, n_records >= n_skipped
            is_settled = n_cells < n_columns and notes[n_cells, CERTAIN] >= 0
            form, value, end = plain_number(data, at, point, special, is_settled)
            if form == UNREAD:
                begin, end, at = next_cell(data, at, separator, special)
                if at < 0:
                    return ODD, 0, 0
            else:
                at = end
            if is_table and n_cells >= n_columns and begin < end:
                return WIDE, 0, 0
            if is_table and n_cells < n_columns:
                if form == UNREAD:
                    form, value = read_cell(
                        data, begin, end, mark, words, row - room[0], notes, n_cells
                    )
                starts[n_cells, row], ends[n_cells, row] = begin, end
                forms[n_cells, row], values[n_cells, row] = form, value
                is_filled |= begin < end
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
                starts[j, row], ends[j, row] = 0, 0
                forms[j, row], values[j, row] = EMPTY, np.nan
            rows[row] = n_records
            widths[row] = n_cells
            row += 1
    state = SPLIT if at == stop and n_records >= n_skipped else BEYOND
    return state, row - room[0], n_records
