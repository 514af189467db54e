"""Lines of the svmlight format, read byte by byte."""

import numpy as np

from rankwright.kernels.compile import kernel

__all__ = ["count_words", "parse_lines"]

LINE_FEED, RETURN, TAB, SPACE, COMMENT, COLON = 10, 13, 9, 32, 35, 58
VERTICAL_TAB, FORM_FEED = 11, 12
PLUS, MINUS, POINT, ZERO, NINE = 43, 45, 46, 48, 57
UPPER_E, LOWER_E = 69, 101
QID = np.frombuffer(b"qid:", dtype=np.uint8)
LARGEST_FEATURE = 2**31 - 1
LARGEST_TENTH = (2**63 - 1) // 10
# Up to this many digits a whole number is a double, and so are these powers of ten: their product
# or quotient is rounded once, as the number itself would be.
EXACT_DIGITS, EXACT_POWER = 15, 22
POWERS = np.array([10.0**power for power in range(EXACT_POWER + 1)])
GOOD, WRONG, LONG = 0, 1, 2


@kernel
def is_blank(byte):
    """Return whether a byte separates words."""
    return byte in (SPACE, TAB, VERTICAL_TAB, FORM_FEED, RETURN)


@kernel
def count_words(data):
    """Return the number of lines that hold a row, and of colons in them."""
    n_rows, n_colons = 0, 0
    in_comment, has_word = False, False
    for byte in data:
        if byte == LINE_FEED:
            n_rows += has_word
            in_comment, has_word = False, False
        elif byte == COMMENT:
            in_comment = True
        elif not in_comment and not is_blank(byte):
            has_word = True
            n_colons += byte == COLON
    return n_rows + has_word, n_colons


@kernel
def read_whole(data, at):
    """Read digits from a place on; return the number, -1 if there is none, and where they end."""
    number = np.int64(0)
    begin = at
    while at < data.size and ZERO <= data[at] <= NINE:
        digit = np.int64(data[at] - ZERO)
        if number > LARGEST_TENTH or (number == LARGEST_TENTH and digit > 7):
            return np.int64(-1), at
        number = 10 * number + digit
        at += 1
    return (number, at) if at > begin else (np.int64(-1), at)


@kernel
def read_number(data, at):
    """Read a decimal number; return its state, its value if it is short, and where it ends."""
    sign = 1.0
    if at < data.size and (data[at] == PLUS or data[at] == MINUS):
        sign = -1.0 if data[at] == MINUS else 1.0
        at += 1
    mantissa, n_digits, n_seen, power = np.int64(0), 0, 0, 0
    after_point = False
    while at < data.size:
        byte = data[at]
        if ZERO <= byte <= NINE:
            n_seen += 1
            n_digits += n_digits > 0 or byte != ZERO
            if n_digits <= EXACT_DIGITS:
                mantissa = 10 * mantissa + np.int64(byte - ZERO)
            power -= after_point
        elif byte == POINT and not after_point:
            after_point = True
        else:
            break
        at += 1
    if n_seen == 0:
        return WRONG, 0.0, at
    if at < data.size and (data[at] == UPPER_E or data[at] == LOWER_E):
        at += 1
        negative = at < data.size and data[at] == MINUS
        if at < data.size and (data[at] == PLUS or data[at] == MINUS):
            at += 1
        exponent, end = read_whole(data, at)
        if end == at:
            return WRONG, 0.0, at
        at = end
        while at < data.size and ZERO <= data[at] <= NINE:  # more than 2^63
            at += 1
        if exponent < 0 or exponent > 400:
            return LONG, 0.0, at
        power += -exponent if negative else exponent
    if n_digits > EXACT_DIGITS or abs(power) > EXACT_POWER:
        return LONG, 0.0, at
    value = np.float64(mantissa)
    value = value * POWERS[power] if power >= 0 else value / POWERS[-power]
    return GOOD, sign * value, at


@kernel
def ends_word(data, at):
    """Return whether a word ends here."""
    return at >= data.size or data[at] == LINE_FEED or data[at] == COMMENT or is_blank(data[at])


@kernel
def begins_query(data, at):
    """Return whether the word here begins with ``qid:``."""
    word = data[at : at + 4]
    return word.size == 4 and (word == QID).all()


@kernel
def parse_lines(data, y, queries, starts, indices, values):
    """Read all rows.

    Parameters
    ----------
    data : (n_bytes,) uint8
    y, queries : (n_rows,) float64, int64
        Filled with grades and queries.
    starts : (n_rows + 1,) int64
        Filled with where the features of each row begin.
    indices, values : (n_colons,) int32, float64
        Filled with the numbers and values of features.

    Returns
    -------
    is_good : bool
        False as soon as a line is not of the form.
    n_queries : int
        Rows with a query.
    long : (n_long, 3) int64
        Numbers of more digits than fit a double: where they begin and end, and whose value they
        are: the number of a feature's place or, as the complement, of a row.
    """
    row, place, n_queries, n_long = 0, 0, 0, 0
    long = np.empty((64, 3), dtype=np.int64)
    at = 0
    while at < data.size:
        while at < data.size and is_blank(data[at]):
            at += 1
        if at < data.size and data[at] != LINE_FEED and data[at] != COMMENT:
            starts[row] = place
            last, n_words = -1, 0
            while at < data.size and data[at] != LINE_FEED and data[at] != COMMENT:
                whose = ~row
                if n_words == 1 and begins_query(data, at):
                    queries[row], at = read_whole(data, at + 4)
                    n_queries += 1
                    state, value = WRONG if queries[row] < 0 else GOOD, 0.0
                else:
                    if n_words > 0:
                        index, at = read_whole(data, at)
                        if index <= last or index > LARGEST_FEATURE or at >= data.size:
                            return False, n_queries, long[:0]
                        if data[at] != COLON:
                            return False, n_queries, long[:0]
                        at += 1
                        last, whose = index, place
                        indices[place] = index
                        place += 1
                    begin = at
                    state, value, at = read_number(data, at)
                    if state == LONG:
                        if n_long == len(long):
                            wider = np.empty((2 * n_long, 3), dtype=np.int64)
                            wider[:n_long] = long
                            long = wider
                        long[n_long, 0], long[n_long, 1], long[n_long, 2] = begin, at, whose
                        n_long += 1
                    elif whose >= 0:
                        values[whose] = value
                    else:
                        y[row] = value
                if state == WRONG or not ends_word(data, at):
                    return False, n_queries, long[:0]
                n_words += 1
                while at < data.size and is_blank(data[at]):
                    at += 1
            row += 1
        while at < data.size and data[at] != LINE_FEED:
            at += 1
        at += 1
    starts[row] = place
    return True, n_queries, long[:n_long]
