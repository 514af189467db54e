"""Texts of cells, as bytes: different ones numbered, some of them written one after the other."""

import numpy as np

from rankwright.kernels.compile import kernel, leaf
from rankwright.kernels.words import SIZE, copy_bytes, last_word, word_at

__all__ = ["hash_cells", "join_cells", "mark_beginnings", "number_cells"]

# A multiplier of Steele and Vigna, whose high bits depend on all bits below them.
SEED, PRIME, SHIFT = np.uint64(0xCBF29CE484222325), np.uint64(0xD1342543DE82EF95), np.uint64(32)
FEW_SLOTS = 2**20


@leaf
def hash_of(data, begin, end):
    """Return a number that is the same for the same bytes, eight of which are taken at a time."""
    found = SEED
    at = begin
    while at + SIZE <= end:
        found = (found ^ word_at(data, at)) * PRIME
        found ^= found >> SHIFT
        at += SIZE
    # Of another length: that of a text is part of its number, since bytes that lack count as 0.
    found = (found ^ last_word(data, at, end) ^ np.uint64(end - begin)) * PRIME
    found = (found ^ (found >> SHIFT)) * PRIME
    return found ^ (found >> SHIFT)


@leaf
def same_bytes(data, begin, other, length):
    """Return whether the same bytes stand at two places."""
    end = begin + length
    while begin + SIZE <= end:
        if word_at(data, begin) != word_at(data, other):
            return False
        begin += SIZE
        other += SIZE
    return last_word(data, begin, end) == last_word(data, other, other + end - begin)


@leaf
def number_some(data, starts, ends, begin, codes, slots, hashes, firsts, n_different):
    """Give numbers to cells from one on until half the slots are taken; return how far it came."""
    n_slots = len(slots)
    for i in range(begin, len(starts)):
        start, length = starts[i], ends[i] - starts[i]
        key = hash_of(data, start, start + length)
        slot = np.int64(key & np.uint64(n_slots - 1))
        code = slots[slot]
        while code >= 0:
            if hashes[code] == key:
                first = firsts[code]
                if ends[first] - starts[first] == length and same_bytes(
                    data, start, starts[first], length
                ):
                    break
            slot = (slot + 1) & (n_slots - 1)
            code = slots[slot]
        if code < 0:
            if 2 * n_different == n_slots:
                return i, n_different
            code = n_different
            slots[slot], hashes[code], firsts[code] = code, key, i
            n_different += 1
        codes[i] = code
    return len(starts), n_different


@kernel
def number_cells(data, starts, ends, codes):
    """Give numbers to the different texts of a column in the order in which they first occur.

    Parameters
    ----------
    data : (n_bytes,) uint8
    starts, ends : (n,) of integers
    codes : (n,) int64
        Filled with the number of each cell's text.

    Returns
    -------
    firsts : (n_different,) int64
        Where each text occurs first.
    """
    n_slots, n_different, done = 1024, 0, 0
    hashes = np.empty(n_slots // 2, dtype=np.uint64)
    firsts = np.empty(n_slots // 2, dtype=np.int64)
    while True:
        slots = np.full(n_slots, -1, dtype=np.int32)
        for code in range(n_different):
            slot = np.int64(hashes[code] & np.uint64(n_slots - 1))
            while slots[slot] >= 0:
                slot = (slot + 1) & (n_slots - 1)
            slots[slot] = code
        done, n_different = number_some(
            data, starts, ends, done, codes, slots, hashes, firsts, n_different
        )
        if done == len(starts):
            return firsts[:n_different].copy()
        n_slots *= 8 if n_slots < FEW_SLOTS else 2
        more_hashes = np.empty(n_slots // 2, dtype=np.uint64)
        more_firsts = np.empty(n_slots // 2, dtype=np.int64)
        more_hashes[:n_different] = hashes[:n_different]
        more_firsts[:n_different] = firsts[:n_different]
        hashes, firsts = more_hashes, more_firsts


@leaf
def hash_cells(data, starts, ends, hashes):
    """Fill in a number for each cell: equal texts have the same one, others hardly ever."""
    for i in range(len(starts)):
        hashes[i] = hash_of(data, starts[i], ends[i])


@leaf
def mark_beginnings(data, starts, ends, wanted, found):
    """Fill in which cells begin with a wanted pair of bytes, letters taken as small ones."""
    for i in range(len(starts)):
        at = starts[i]
        found[i] = ends[i] - at > 1 and wanted[data[at] | 32, data[at + 1] | 32]


@kernel
def join_cells(data, starts, ends, gap):
    """Write cells one after the other, `gap` zeros behind each; also return where each ends."""
    stops = np.empty(len(starts) + 1, dtype=np.int64)
    stops[0] = 0
    for k in range(len(starts)):
        stops[k + 1] = stops[k] + ends[k] - starts[k] + gap
    joined = np.empty(stops[-1] + SIZE, dtype=np.uint8)
    for k in range(len(starts)):
        copy_bytes(data, starts[k], ends[k], joined, stops[k])
        for at in range(stops[k + 1] - gap, stops[k + 1]):
            joined[at] = 0
    return joined[: stops[-1]], stops
