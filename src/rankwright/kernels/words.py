"""Eight bytes of a text at a time, as the digits of one number."""

import numpy as np
from llvmlite.ir import Constant, IntType
from numba import types
from numba.extending import intrinsic

from rankwright.kernels.compile import leaf, part

__all__ = [
    "ONE",
    "SIZE",
    "bytes_below",
    "copy_bytes",
    "digits_of",
    "first_special",
    "is_beyond_ascii",
    "last_word",
    "lowest",
    "number_of",
    "survey",
    "word_at",
]

SIZE = 8
LINE_FEED, RETURN, QUOTE = 10, 13, 34
ONES = np.uint64(0x0101010101010101)
HIGHS = np.uint64(0x8080808080808080)  # the highest bit of each byte
LOWS = np.uint64(0x7F7F7F7F7F7F7F7F)  # the others
BLANKS = np.uint64(0x2020202020202020)
FEEDS, RETURNS, QUOTES = (ONES * np.uint64(byte) for byte in (LINE_FEED, RETURN, QUOTE))
BLANK, ONE, SEVEN = 32, np.uint64(1), np.uint64(7)
ZEROS = np.uint64(0x3030303030303030)
TO_HIGHS = np.uint64(0x7676767676767676)  # added to a byte that is 10 or more, sets its highest bit
# Digits as bytes become numbers below a hundred, ten thousand, and a hundred million: the mask of
# those that are there, what they are multiplied by, and how far the sums are shifted.
PAIRING = (
    (np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(2561), np.uint64(8)),
    (np.uint64(0x00FF00FF00FF00FF), np.uint64(6553601), np.uint64(16)),
    (np.uint64(0x0000FFFF0000FFFF), np.uint64(42949672960001), np.uint64(32)),
)
MOST_ADDED = 255  # ones that a byte can hold


@intrinsic
def word_at(_, data, at):
    """Return the eight bytes from a place on, the first of them lowest; they have to be there."""

    def written(context, builder, signature, arguments):
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.gep(array.data, [arguments[1]])
        return builder.load(
            builder.bitcast(place, context.get_value_type(types.uint64).as_pointer()), align=1
        )

    return types.uint64(data, types.int64), written


@intrinsic
def put_word(_, data, at, word):
    """Write eight bytes from a place on, where there has to be room for them."""

    def written(context, builder, signature, arguments):
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.gep(array.data, [arguments[1]])
        builder.store(
            arguments[2],
            builder.bitcast(place, context.get_value_type(types.uint64).as_pointer()),
            align=1,
        )
        return context.get_dummy_value()

    return types.void(data, types.int64, types.uint64), written


@intrinsic
def bytes_below(_, marks):
    """Return how many bytes of a word are below the first of which a bit is set."""

    def written(context, builder, signature, arguments):
        zeros = builder.cttz(arguments[0], Constant(IntType(1), 0))
        return builder.lshr(zeros, Constant(zeros.type, 3))

    return types.int64(types.uint64), written


@leaf
def copy_bytes(data, begin, end, target, at):
    """Copy some bytes to a place of another text; up to seven bytes behind them may be written."""
    while begin < end and begin + SIZE <= data.size:
        put_word(target, at, word_at(data, begin))
        begin += SIZE
        at += SIZE
    while begin < end:
        target[at] = data[begin]
        begin += 1
        at += 1


@part
def last_word(data, begin, end):
    """Return fewer than eight bytes, those behind them taken as 0."""
    if begin + SIZE <= data.size:
        return lowest(word_at(data, begin), end - begin)
    word = np.uint64(0)
    for at in range(begin, end):
        word |= np.uint64(data[at]) << np.uint64(SIZE * (at - begin))
    return word


@part
def first_special(data, at, byte):
    """Return where the first byte from here on is this one or below 32: at the end if nowhere."""
    pattern = ONES * np.uint64(byte)
    while at + SIZE <= data.size:
        word = word_at(data, at)
        other = word ^ pattern
        # Of bytes that are 0 or below 32 the first one is told exactly, which is the one asked for.
        found = ((word - BLANKS) & ~word | (other - ONES) & ~other) & HIGHS
        if found:
            return at + bytes_below(found)
        at += SIZE
    while at < data.size and data[at] >= BLANK and data[at] != byte:
        at += 1
    return at


@part
def digits_of(word):
    """Return the bytes of a word less that of 0, and marks on those that are no digits."""
    less = word ^ ZEROS
    return less, ((less & LOWS) + TO_HIGHS | less) & HIGHS


@part
def lowest(word, n_bytes):
    """Return the lowest bytes of a word, fewer than eight."""
    return word & ((ONE << np.uint64(SIZE * n_bytes)) - ONE)


@part
def number_of(digits, n_digits):
    """Return the number whose digits are the lowest bytes of a word, one to eight of them."""
    number = digits << np.uint64(SIZE * (SIZE - n_digits))  # zeros before it
    for mask, factor, shift in PAIRING:
        number = ((number & mask) * factor) >> shift
    return np.int64(number)


@part
def is_beyond_ascii(data, begin, end):
    """Return whether any of some bytes is no ASCII."""
    bits, at = np.uint64(0), begin
    while at + SIZE <= end:
        bits |= word_at(data, at)
        at += SIZE
    return ((bits | last_word(data, at, end)) & HIGHS) != 0


@part
def where_equal(word, pattern):
    """Return the highest bit of each byte that is the same in both."""
    other = word ^ pattern
    # The highest bit of a byte that is not 0 is set, or becomes so when 127 is added.
    return ~(((other & LOWS) + LOWS) | other) & HIGHS


@part
def sum_of_bytes(word):
    """Add the eight bytes of a word."""
    total = np.int64(0)
    for place in range(SIZE):
        total += np.int64((word >> np.uint64(8 * place)) & np.uint64(255))
    return total


@leaf
def survey(data, begin, end):
    """Count line feeds and returns among some bytes; also tell whether two quotes stand together.

    All at once, without a branch: so it takes no longer than the memory does.
    """
    n_feeds, n_returns, doubled, at = 0, 0, np.uint64(0), begin
    while at + SIZE < end:
        feeds, returns, last = np.uint64(0), np.uint64(0), min(at + MOST_ADDED * SIZE, end - SIZE)
        while at < last:
            word = word_at(data, at)
            feeds += where_equal(word, FEEDS) >> SEVEN
            returns += where_equal(word, RETURNS) >> SEVEN
            doubled |= where_equal(word, QUOTES) & where_equal(word_at(data, at + 1), QUOTES)
            at += SIZE
        n_feeds += sum_of_bytes(feeds)
        n_returns += sum_of_bytes(returns)
    has_doubled = doubled != 0
    while at < end:
        n_feeds += data[at] == LINE_FEED
        n_returns += data[at] == RETURN
        has_doubled |= data[at] == QUOTE and at + 1 < end and data[at + 1] == QUOTE
        at += 1
    return n_feeds, n_returns, has_doubled
