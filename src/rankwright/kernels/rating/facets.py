"""The facets of a cell: which of them a ray lies on, as bits of two words."""

from rankwright.kernels.inner import inner, inner_apart

__all__ = [
    "FACETS_PER_WORD",
    "MAX_FACETS",
    "count_bits",
    "count_facets",
    "is_on",
    "pack_facets",
]

FACETS_PER_WORD = 62  # bits of a number that are used: its sign is not
MAX_FACETS = 2 * FACETS_PER_WORD


@inner
def is_on(facets, f):
    """Tell whether a ray with these facets lies on facet f."""
    return (facets[f // FACETS_PER_WORD] >> (f % FACETS_PER_WORD)) & 1


@inner
def count_bits(bits):
    """Return the number of bits that are set."""
    bits -= (bits >> 1) & 0x5555555555555555
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F
    return (bits * 0x0101010101010101) >> 56 & 0x7F


@inner
def count_facets(facets):
    """Return the number of facets that a ray lies on."""
    return count_bits(facets[0]) + count_bits(facets[1])


@inner
def lies_inside(facets, n_rays, f, e):
    """Tell whether facet f bounds nothing beside facet e; of two alike, the first one stays.

    If all rays on f lie on e too, f is a part of the face that e cuts out: not a facet.
    """
    extra, missing = 0, 0
    for r in range(n_rays):
        on_f, on_e = is_on(facets[r], f), is_on(facets[r], e)
        if on_f and not on_e:
            return False
        extra += on_e and not on_f
        missing += not on_e
    return missing > 0 and (extra > 0 or e < f)


@inner_apart
def pack_facets(facets, n_rays, walls, n_facets, keep):
    """Renumber the facets, leaving out those that bound nothing; return how many are left.

    A plane that all rays lie on stays: it says how many dimensions the cell has. ``walls`` has the
    plane of each facet, ``keep`` is room for the numbers of ``MAX_FACETS``.
    """
    kept = 0
    for f in range(n_facets):
        count = 0
        for r in range(n_rays):
            count += is_on(facets[r], f)
        useful = count > 0
        for e in range(n_facets):
            if not useful or count == n_rays:
                break
            if e != f and lies_inside(facets, n_rays, f, e):
                useful = False
        if useful:
            keep[kept] = f
            kept += 1
    for r in range(n_rays):
        low, high = 0, 0
        for j in range(kept):
            if j < FACETS_PER_WORD:
                low |= is_on(facets[r], keep[j]) << j
            else:
                high |= is_on(facets[r], keep[j]) << (j - FACETS_PER_WORD)
        facets[r, 0], facets[r, 1] = low, high
    for j in range(kept):
        walls[j] = walls[keep[j]]
    return kept
