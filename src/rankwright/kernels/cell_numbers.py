"""Numbers of cells, read byte by byte in their commonest forms: 12.5, $1,234, -3e4, 25%."""

import numpy as np

from rankwright.kernels.compile import leaf, part
from rankwright.kernels.words import is_beyond_ascii

__all__ = [
    "CERTAIN",
    "DOUBTFUL",
    "EMPTY",
    "EXACT",
    "LONG",
    "MARK",
    "NUMBER",
    "PERCENT",
    "PERCENT_SIGN",
    "POWERS",
    "SAFE_DIGITS",
    "TEXT",
    "UNREAD",
    "ZERO",
    "note_mark",
    "read_cell",
    "scan_numbers",
]

PLUS, MINUS, COMMA, POINT, ZERO, NINE = 43, 45, 44, 46, 48, 57
DOLLAR, PERCENT_SIGN, PARENTHESIS, ASTERISK, BRACKET = 36, 37, 41, 42, 93
LOWER_E, SMALL = 101, 32  # a letter with this bit is small
# Whole numbers up to this one are doubles, and so are these powers of ten: their product or
# quotient is rounded once, as the number itself would be. So many digits fit into 64 bits.
EXACT, EXACT_POWER, SAFE_DIGITS = 2**53, 22, 18
POWERS = np.array([10.0**power for power in range(EXACT_POWER + 1)])
# What a cell is: LONG ones are numbers of these forms too, but need more than a double to be read,
# TEXT is certainly no number, and UNREAD may be anything.
EMPTY, NUMBER, PERCENT, LONG, TEXT, UNREAD = 0, 1, 2, 3, 4, 5
# What is noted of a column: its first cell that settles the decimal mark, this mark, and its first
# cell that is a number with either mark.
CERTAIN, MARK, DOUBTFUL = 0, 1, 2
LONGEST_EXPONENT = 4  # digits
LONGEST_CURRENCY = 3  # letters that may stand before a number: CHF
LONGEST_FOLDED = 40  # bytes that may become a word of 13 letters when case is folded


@leaf
def digits_behind(data, begin, end, mark, grouping):
    """Return how many digits stand behind the mark; -1 if digits and marks are no number."""
    at = begin
    while at < end and ZERO <= data[at] <= NINE:
        at += 1
    if at < end and data[at] == grouping and 1 <= at - begin <= 3:
        while at < end and data[at] == grouping:
            group = at + 1
            at = group
            while at < end and ZERO <= data[at] <= NINE:
                at += 1
            if at - group != 3:
                return -1
    if at == end:
        return 0
    if data[at] != mark:
        return -1
    at += 1
    fraction = at
    while at < end and ZERO <= data[at] <= NINE:
        at += 1
    return at - fraction if at == end else -1


@part
def may_be_number(data, begin, end, words):
    """Return whether a text that begins with a letter may be a number or a word for none."""
    last = data[end - 1]
    if last in (BRACKET, ASTERISK) or last >= 128:  # the mark of a footnote
        return True
    if last == PARENTHESIS and ZERO <= data[end - 2] <= NINE:  # a grade's number behind its word
        return True
    n_letters = 1
    while (
        n_letters <= LONGEST_CURRENCY
        and begin + n_letters < end
        and 97 <= data[begin + n_letters] | 32 <= 122
    ):
        n_letters += 1
    length, longest = end - begin, words.shape[2]
    letter = np.int64(data[begin] | 32) - 97
    if n_letters > LONGEST_CURRENCY and (length > longest or words[letter, 0, 0] == 0):
        return length <= LONGEST_FOLDED and is_beyond_ascii(data, begin, end)
    has_digit = False
    for at in range(begin + n_letters, end):
        if data[at] >= 128 and length <= LONGEST_FOLDED:
            return True
        has_digit |= ZERO <= data[at] <= NINE
    if has_digit:
        return n_letters <= LONGEST_CURRENCY
    if length > longest:
        return False
    for k in range(words.shape[1]):
        if words[letter, k, 0] == 0:
            break
        if length < longest and words[letter, k, length] != 0:
            continue
        at = 1
        while at < length:
            byte = data[begin + at]
            if words[letter, k, at] != (byte | 32 if 65 <= byte <= 90 else byte):
                break
            at += 1
        if at == length:
            return True
    return False


@leaf
def note_mark(data, begin, end, has_exponent, number, notes, column):
    """Note whether a cell settles the decimal mark, or is a number with either.

    1. is a place rather than a fraction, and nobody groups 0,250 or 1.234e5.
    """
    with_point = digits_behind(data, begin, end, POINT, COMMA) >= 0
    with_comma = digits_behind(data, begin, end, COMMA, POINT) >= 0
    if notes[column, DOUBTFUL] < 0 and with_point and with_comma:
        notes[column, DOUBTFUL] = number
    if not (with_point or with_comma) or not ZERO <= data[end - 1] <= NINE:
        return
    if with_point != with_comma:
        notes[column, CERTAIN], notes[column, MARK] = number, POINT if with_point else COMMA
    elif data[begin] == ZERO or has_exponent:
        notes[column, CERTAIN], notes[column, MARK] = number, COMMA
        for at in range(begin, end):
            if data[at] == POINT:
                notes[column, MARK] = POINT


@leaf
def read_exponent(data, at, end):
    """Read a power of ten from its letter on; return it, and where it ends: here if it is none."""
    begin, power = at, 0
    at += 1
    is_negative = at < end and data[at] == MINUS
    if at < end and (data[at] == PLUS or data[at] == MINUS):
        at += 1
    first = at
    while at < end and ZERO <= data[at] <= NINE and at - first < LONGEST_EXPONENT:
        power = 10 * power + (data[at] - ZERO)
        at += 1
    if at == first:
        return 0, begin
    return (-power if is_negative else power), at


@part
def read_sign(data, at, end):
    """Read a sign and a dollar, either first; return whether it is a minus, and where digits begin.

    There is a byte at least.
    """
    byte = data[at]
    is_negative, has_sign = False, False
    if byte in (PLUS, MINUS):
        is_negative, has_sign = byte == MINUS, True
        at += 1
    if at < end and data[at] == DOLLAR:
        at += 1
        if not has_sign and at < end and (data[at] == PLUS or data[at] == MINUS):
            is_negative = data[at] == MINUS
            at += 1
    return is_negative, at


@part
def read_cell(data, at, end, mark, words, number, notes, column):
    """Read a cell with a decimal mark; return its form and its value.

    What it tells of the mark of its column is noted until one cell has settled it.
    """
    if at == end:
        return EMPTY, np.nan
    byte = data[at]
    if 97 <= byte | 32 <= 122:
        return (UNREAD if may_be_number(data, at, end, words) else TEXT), np.nan
    is_negative, at = read_sign(data, at, end)
    begin, n_marks, last_mark = at, 0, at
    mantissa = np.int64(0)
    while at < end:
        digit = np.int64(data[at]) - ZERO
        if 0 <= digit <= 9:
            mantissa = 10 * mantissa + digit
        elif digit == POINT - ZERO or digit == COMMA - ZERO:
            n_marks += 1
            last_mark = at
        else:
            break
        at += 1
    stop, n_digits = at, at - begin - n_marks
    if n_digits == 0:
        return UNREAD, np.nan
    power, has_exponent, has_percent = 0, False, False
    if at < end and data[at] | SMALL == LOWER_E:
        power, after = read_exponent(data, at, end)
        has_exponent = after > at
        at = after
    if at < end:
        has_percent = at == end - 1 and data[at] == PERCENT_SIGN
    if at < end and (not has_percent or has_exponent):
        return UNREAD, np.nan
    if n_marks > 0:
        # 1,234 may be either; it is no news once that was noted.
        is_either = n_marks == 1 and stop - last_mark == 4 and 1 <= last_mark - begin <= 3
        is_news = not is_either or data[begin] == ZERO or has_exponent
        if notes[column, CERTAIN] < 0 and (is_news or notes[column, DOUBTFUL] < 0):
            note_mark(data, begin, stop, has_exponent, number, notes, column)
        if n_marks == 1 and data[last_mark] == mark:
            power -= stop - last_mark - 1
        elif not is_either:
            behind = digits_behind(data, begin, stop, mark, POINT + COMMA - mark)
            if behind < 0:
                return UNREAD, np.nan
            power -= behind
    power -= 2 if has_percent else 0
    if n_digits > SAFE_DIGITS or mantissa > EXACT or abs(power) > EXACT_POWER:
        return LONG, np.nan
    value = np.float64(mantissa)
    value = value * POWERS[power] if power >= 0 else value / POWERS[-power]
    return (PERCENT if has_percent else NUMBER), (-value if is_negative else value)


@leaf
def scan_numbers(data, starts, ends, mark, words, values, forms, notes):
    """Read the cells of a column with a decimal mark.

    Parameters
    ----------
    data : (n_bytes,) uint8
    starts, ends : (n,) of integers
    mark : int
    words : (26, most, longest) uint8
        Words that may stand for a number or its absence, in small letters, by their first one.
    values : (n,) float64
        Filled with numbers, NaN where a cell is none or was not read.
    forms : (n,) int8
        Filled with what each cell is.
    notes : (1, 3) int64
        Filled with what was found of the decimal mark; -1 where nothing was.
    """
    for i in range(len(starts)):
        begin, end = np.int64(starts[i]), np.int64(ends[i])
        forms[i], values[i] = read_cell(data, begin, end, mark, words, i, notes, 0)
