"""Sort numbers by their bits, and count inversions while merging."""

import numpy as np

from rankwright.kernels.compile import kernel, part
from rankwright.kernels.inner import inner, inner_allocating

__all__ = [
    "ascending",
    "count_inversions",
    "extremes",
    "insert",
    "ordered_bits",
    "rank_few",
    "sort_by_key",
]

# Blocks of this length are sorted by insertion before merging begins; up to SHORT, insertion beats
# the fixed cost of counting bytes.
BLOCK = 8
SHORT = 64
SIGN = np.uint64(1 << 63)
BYTE = np.uint64(255)
# At most this many distinct keys are few; a table of twice as many slots finds them.
FEW = 1024
SLOT_BITS = np.uint64(64 - 11)
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@part
def extremes(values, start, end):
    """Return the least and the largest of the values from start to end."""
    least, largest = values[start], values[start]
    for i in range(start, end):
        least = min(least, values[i])
        largest = max(largest, values[i])
    return least, largest


@part
def insert(values, names, n, value, name):
    """Insert a value and its name behind the n ascending ones that are not larger."""
    at = n
    while at > 0 and values[at - 1] > value:
        values[at], names[at] = values[at - 1], names[at - 1]
        at -= 1
    values[at], names[at] = value, name


@kernel
def ordered_bits(values, keys):
    """Write to `keys` unsigned integers in the order of the finite floats `values`."""
    bits = values.view(np.uint64)
    for i in range(len(values)):
        if values[i] == 0.0:
            keys[i] = SIGN  # equal floats get equal keys: -0.0 is 0.0
        else:
            keys[i] = ~bits[i] if bits[i] & SIGN else bits[i] | SIGN


@kernel
def find_slot(table, key):
    """Return the slot of `key` in an open table whose empty slots hold 0, which no key is."""
    slot = (key * GOLDEN) >> SLOT_BITS
    while table[slot] != 0 and table[slot] != key:
        slot = (slot + np.uint64(1)) & np.uint64(len(table) - 1)
    return slot


@kernel
def rank_few(keys):
    """Replace `keys` by their dense ranks from 0 if there are few; return how many, 0 for many."""
    table = np.zeros(2 * FEW, dtype=np.uint64)
    distinct = np.empty(FEW, dtype=np.uint64)
    count = 0
    for i in range(len(keys)):
        slot = find_slot(table, keys[i])
        if table[slot] == 0:
            if count == FEW:
                return 0
            table[slot] = keys[i]
            distinct[count] = keys[i]
            count += 1
    spare = np.empty((3, FEW), dtype=np.uint64)
    sort_by_key(distinct[:count], spare[0, :count], spare[1], spare[2])
    ranks = np.empty(2 * FEW, dtype=np.uint64)
    for rank in range(count):
        ranks[find_slot(table, distinct[rank])] = rank
    for i in range(len(keys)):
        keys[i] = ranks[find_slot(table, keys[i])]
    return count


@inner
def sort_by_insertion(keys, payload):
    """Sort short `keys` in place and stably, carrying `payload`."""
    for i in range(1, len(keys)):
        key = keys[i]
        carried = payload[i]
        j = i
        while j > 0 and keys[j - 1] > key:
            keys[j] = keys[j - 1]
            payload[j] = payload[j - 1]
            j -= 1
        keys[j] = key
        payload[j] = carried


@kernel
def sort_by_key(keys, payload, spare_keys, spare_payload):
    """Sort `keys` in place and stably, carrying `payload`, byte by byte from the lowest."""
    n = len(keys)
    if n <= SHORT:
        sort_by_insertion(keys, payload)
        return
    counts = np.zeros((8, 256), dtype=np.int64)
    for i in range(n):
        key = keys[i]
        for digit in range(8):
            counts[digit, (key >> np.uint64(8 * digit)) & BYTE] += 1
    source, target, source_payload, target_payload = keys, spare_keys, payload, spare_payload
    moved = False
    for digit in range(8):
        shift = np.uint64(8 * digit)
        starts = counts[digit]
        if starts[(source[0] >> shift) & BYTE] == n:
            continue  # every key has the same byte here
        total = 0
        for value in range(256):
            count = starts[value]
            starts[value] = total
            total += count
        for i in range(n):
            value = (source[i] >> shift) & BYTE
            position = starts[value]
            starts[value] = position + 1
            target[position] = source[i]
            target_payload[position] = source_payload[i]
        source, target = target, source
        source_payload, target_payload = target_payload, source_payload
        moved = not moved
    if moved:
        for i in range(n):
            keys[i] = source[i]
            payload[i] = source_payload[i]


@inner_allocating
def ascending(values):
    """Return the order that sorts finite floats; equal ones keep theirs."""
    n = len(values)
    keys, spare_keys = np.empty(n, np.uint64), np.empty(n, np.uint64)
    order, spare_order = np.empty(n, np.int64), np.empty(n, np.int64)
    for i in range(n):
        order[i] = i
    ordered_bits(values, keys)
    sort_by_key(keys, order, spare_keys, spare_order)
    return order


@kernel
def merge_halves(source, target, low, width):
    """Merge two sorted runs of equal `width` from both ends at once; return their inversions.

    Each end makes exactly `width` steps, so neither run can be exhausted early, and the two chains
    of dependent loads run side by side in the processor.
    """
    middle = low + width
    i, j = low, middle
    i_last, j_last = middle - 1, middle + width - 1
    front = 0
    back = 0
    for step in range(width):
        left, right = source[i], source[j]
        takes_right = right < left
        target[low + step] = right if takes_right else left
        front += (middle - i) if takes_right else 0
        j += takes_right
        i += not takes_right

        left, right = source[i_last], source[j_last]
        takes_left = right < left
        target[middle + width - 1 - step] = left if takes_left else right
        back += 0 if takes_left else (middle - 1 - i_last)
        i_last -= takes_left
        j_last -= not takes_left
    return front + back


@kernel
def merge(source, target, low, middle, high):
    """Merge the sorted runs low:middle and middle:high; return their inversions."""
    inversions = 0
    i, j = low, middle
    for k in range(low, high):
        if i < middle and (j == high or source[i] <= source[j]):
            target[k] = source[i]
            i += 1
        else:
            target[k] = source[j]
            inversions += middle - i
            j += 1
    return inversions


@kernel
def count_inversions(values, spare):
    """Sort `values` in place; return the number of pairs i < j with values[i] > values[j]."""
    n = len(values)
    inversions = 0
    for low in range(0, n, BLOCK):
        for i in range(low + 1, min(low + BLOCK, n)):
            value = values[i]
            j = i
            while j > low and values[j - 1] > value:
                values[j] = values[j - 1]
                j -= 1
            values[j] = value
            inversions += i - j
    source, target = values, spare
    moved = False
    width = BLOCK
    while width < n:
        for low in range(0, n, 2 * width):
            middle, high = min(low + width, n), min(low + 2 * width, n)
            if middle == high or source[middle - 1] <= source[middle]:
                for i in range(low, high):
                    target[i] = source[i]
            elif high - low == 2 * width:
                inversions += merge_halves(source, target, low, width)
            else:
                inversions += merge(source, target, low, middle, high)
        source, target = target, source
        moved = not moved
        width *= 2
    if moved:
        for i in range(n):
            values[i] = source[i]
    return inversions
