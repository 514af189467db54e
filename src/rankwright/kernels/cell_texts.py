"""Texts of cells, as bytes: different ones numbered, some of them written one after the other."""

import numpy as np

from rankwright.kernels.compile import kernel, leaf

__all__ = ["join_cells", "number_cells"]

# A multiplier of Steele and Vigna, whose high bits depend on all bits below them.
SEED, PRIME, SHIFT = np.uint64(0xCBF29CE484222325), np.uint64(0xD1342543DE82EF95), np.uint64(32)


@leaf
def hash_of(data, begin, end):
    """Return a number that is the same for the same bytes, eight of which are taken at a time."""
    found = SEED
    at = begin
    while at + 8 <= end:
        word = np.uint64(data[at])
        for offset in range(1, 8):
            word |= np.uint64(data[at + offset]) << np.uint64(8 * offset)
        found = (found ^ word) * PRIME
        found ^= found >> SHIFT
        at += 8
    while at < end:
        found = (found ^ np.uint64(data[at])) * PRIME
        at += 1
    return found ^ (found >> SHIFT)


@leaf
def same_bytes(data, begin, other, length):
    """Return whether the same bytes stand at two places."""
    for offset in range(length):
        if data[begin + offset] != data[other + offset]:
            return False
    return True


@kernel
def number_cells(data, starts, ends, codes):
    """Number the different texts of a column in the order in which they first occur.

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
    n_slots = 1024
    slots = np.full(n_slots, -1, dtype=np.int64)
    hashes = np.empty(n_slots // 2, dtype=np.uint64)
    firsts = np.empty(n_slots // 2, dtype=np.int64)
    n_different = 0
    for i in range(len(starts)):
        begin, length = starts[i], ends[i] - starts[i]
        key = hash_of(data, begin, begin + length)
        slot = np.int64(key & np.uint64(n_slots - 1))
        while True:
            code = slots[slot]
            if code < 0:
                break
            first = firsts[code]
            if (
                hashes[code] == key
                and ends[first] - starts[first] == length
                and same_bytes(data, begin, starts[first], length)
            ):
                break
            slot = (slot + 1) & (n_slots - 1)
        if code < 0:
            code = n_different
            slots[slot] = code
            hashes[code], firsts[code] = key, i
            n_different += 1
            if 2 * n_different == n_slots:
                n_slots *= 4
                slots = np.full(n_slots, -1, dtype=np.int64)
                wider = np.empty(n_slots // 2, dtype=np.uint64)
                wider[:n_different] = hashes
                longer = np.empty(n_slots // 2, dtype=np.int64)
                longer[:n_different] = firsts
                hashes, firsts = wider, longer
                for old in range(n_different):
                    slot = np.int64(hashes[old] & np.uint64(n_slots - 1))
                    while slots[slot] >= 0:
                        slot = (slot + 1) & (n_slots - 1)
                    slots[slot] = old
        codes[i] = code
    return firsts[:n_different].copy()


@kernel
def join_cells(data, starts, ends, chosen):
    """Write the chosen cells one after the other, a zero between them."""
    size = max(len(chosen) - 1, 0)
    for i in chosen:
        size += ends[i] - starts[i]
    joined = np.zeros(size, dtype=np.uint8)
    write = 0
    for i in chosen:
        for at in range(starts[i], ends[i]):
            joined[write] = data[at]
            write += 1
        write += 1
    return joined
