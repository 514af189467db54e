"""Undecided pairs that no formula of a cell wins together.

An undecided plane leaves a half of the cell on either side, and its pairs are won in one of them.
Halves that don't meet are rivals: a formula lies in one of them at most, and the pairs of the
others are lost. So the bound of single planes (``top_bound``) may be lowered, for each set of
rivals, by what all but the best of them earn. Sets don't overlap, so that no loss counts twice;
which sets are found decides how sharp the bound is, not whether it holds.
"""

from typing import NamedTuple

import numpy as np

from rankwright.kernels.inner import inner, inner_allocating
from rankwright.kernels.rating.bound import bonus_bound
from rankwright.kernels.rating.digits import doubt_of, exact_side

__all__ = ["Halves", "allocate_halves", "rivals_loss"]

PLACE, SIGN, UPPER, LOWER, SIZE, UNIT, BONUS = range(7)
SET, LAST, RIVAL = range(3)
RAYS_PER_WORD = 64
SEEKERS = 64  # halves that look for rivals: as many again gain little
# Products of two numbers below 2**53 that differ by less than this share in floating point differ
# by less than 2**63.
CLOSE = 2.0**-50
SPARE = 2.0**-20  # of the quotient of multipliers, which leaves room for errors of scores


class Halves(NamedTuple):
    """Room for halves of a cell.

    Half a lies on the side ``facts[a, SIGN]`` of the undecided plane in place ``PLACE``, where
    product ``UPPER`` scores above ``LOWER``, and has ``SIZE`` of the cell's rays inside. Its pairs
    earn ``UNIT`` more than those on the other side, and those of products that the bound puts at
    the top another ``BONUS``.

    Halves of the same set, ``links[a, SET]``, named after one of them, are rivals; from the
    ``LAST`` of the set, kept with its name, they are linked by ``RIVAL``, which ends with -1.

    ``order`` has those with a bonus first, and large ones before small ones. ``fewer`` is what is
    left of the pairs that each product can win, and ``at_top`` who would be at the top then.
    """

    facts: np.ndarray
    links: np.ndarray
    order: np.ndarray
    fewer: np.ndarray
    at_top: np.ndarray


def allocate_halves(n_planes: int, n_products: int) -> Halves:
    """Return room for the halves of all planes."""
    n = 2 * n_planes
    return Halves(
        np.empty((n, 7), np.int64),
        np.empty((n, 3), np.int64),
        np.empty(n, np.int64),
        np.empty(n_products, np.int64),
        np.empty(n_products, np.int64),
    )


@inner
def find_halves(undecided, n_undecided, planes, aims, at_top, lost, halves):
    """Find the halves that earn something, each a set of its own; return how many there are.

    The bound counts the better side of each plane; a formula on the other side loses no more than
    the difference of both, the ``UNIT`` of the better half. The bonus counts on both sides, so
    either half may have one. ``lost`` counts the rays on either side of each undecided plane.
    """
    n = np.int64(0)  # a plain 0 has a type of its own, for which others would be compiled again
    for q in range(n_undecided):
        h = undecided[q]
        unit, upper_bonus, lower_bonus = 0, 0, 0
        for p in range(planes.offsets[h], planes.offsets[h + 1]):
            if planes.strict[p]:
                i = planes.better[p]
                unit += planes.side[p] * aims.unit[i]
                if planes.side[p] > 0:
                    upper_bonus += at_top[i] * aims.bonus[i]
                else:
                    lower_bonus += at_top[i] * aims.bonus[i]
        if unit > 0 or upper_bonus > 0:
            halves.facts[n, PLACE], halves.facts[n, SIGN], halves.facts[n, SIZE] = q, 1, lost[q, 1]
            halves.facts[n, UPPER], halves.facts[n, LOWER] = planes.first[h], planes.second[h]
            halves.facts[n, UNIT], halves.facts[n, BONUS] = max(unit, 0), upper_bonus
            n += 1
        if unit < 0 or lower_bonus > 0:
            halves.facts[n, PLACE], halves.facts[n, SIGN], halves.facts[n, SIZE] = q, -1, lost[q, 0]
            halves.facts[n, UPPER], halves.facts[n, LOWER] = planes.second[h], planes.first[h]
            halves.facts[n, UNIT], halves.facts[n, BONUS] = max(-unit, 0), lower_bonus
            n += 1
    for a in range(n):
        halves.links[a, SET], halves.links[a, LAST], halves.links[a, RIVAL] = a, a, -1
    return n


@inner
def sort_halves(halves, n, n_rays, begin):
    """Order the halves; return how many have a bonus. ``begin`` is room for two sorts of sizes."""
    n_bonus = np.int64(0)
    for key in range(len(begin)):
        begin[key] = 0
    for a in range(n):
        has_bonus = halves.facts[a, BONUS] > 0
        n_bonus += has_bonus
        begin[n_rays - halves.facts[a, SIZE] + (1 if has_bonus else n_rays + 2)] += 1
    for key in range(len(begin) - 1):
        begin[key + 1] += begin[key]
    for a in range(n):
        key = n_rays - halves.facts[a, SIZE] + (0 if halves.facts[a, BONUS] > 0 else n_rays + 1)
        halves.order[begin[key]] = a
        begin[key] += 1
    return n_bonus


@inner
def mark_rays(scores, halves, n, marks, doubt, stop):
    """Mark with a bit each ray inside a half: one word of all halves, in order, after the other.

    Where that is in ``doubt`` the ray counts as on the plane: :func:`may_meet` looks closer.
    Once stopped it marks no more, and nobody may look at the marks.
    """
    n_rays = scores.shape[1]
    for o in range(n):
        if stop[0]:
            break
        a = halves.order[o]
        upper, lower = scores[halves.facts[a, UPPER]], scores[halves.facts[a, LOWER]]
        for begin in range(0, n_rays, RAYS_PER_WORD):
            # Of a part that begins with 0 the compiler knows that no place is negative: only then
            # it compares several rays at once.
            end = begin + RAYS_PER_WORD
            above, under = upper[begin:end], lower[begin:end]
            inside = np.int64(0)
            for r in range(len(above)):
                inside |= np.int64(above[r] - under[r] > doubt) << r
            marks[begin // RAYS_PER_WORD * n + o] = inside


@inner
def list_rays(upper, lower, rays, depths, words, bits, doubt):
    """List the rays inside a half and how deep each is, and mark them and those on its plane.

    The marks are in words that have any. Returns the number of rays inside, and of words.
    """
    n_inside, n_words = 0, 0
    for begin in range(0, len(upper), RAYS_PER_WORD):
        end = begin + RAYS_PER_WORD
        above, under = upper[begin:end], lower[begin:end]
        touched = np.int64(0)
        for r in range(len(above)):
            touched |= np.int64(under[r] - above[r] <= doubt) << r
        if touched != 0:
            words[n_words], bits[n_words] = begin // RAYS_PER_WORD, touched
            n_words += 1
            for r in range(len(above)):
                if above[r] - under[r] > doubt:
                    rays[n_inside], depths[n_inside] = begin + r, above[r] - under[r]
                    n_inside += 1
    return n_inside, n_words


@inner
def list_apart(inside, n, end, words, bits, n_words, apart):
    """List those of the first halves inside which none of the marked rays lies; return how many.

    The marked rays lie in, or on the plane of, a half. If one of them lies inside another half, the
    two meet near it; so only the halves listed here may be its rivals.
    """
    count = 0
    for j in range(n_words):
        word = inside[words[j] * n : (words[j] + 1) * n]
        kept = 0
        if j == 0:
            for o in range(end):
                apart[kept] = o
                kept += (word[o] & bits[0]) == 0
        else:
            for k in range(count):
                apart[kept] = apart[k]
                kept += (word[apart[k]] & bits[j]) == 0
        count = kept
    return count


@inner
def exceeds(a, b, c, d):
    """Tell whether a * b > c * d, exactly, for whole numbers of absolute value up to 2**53."""
    first, second = a * b, c * d
    if abs(first - second) > CLOSE * abs(first):
        return first > second
    # Whole numbers wrap around at 2**64, but their difference is small.
    return np.int64(a) * np.int64(b) - np.int64(c) * np.int64(d) > 0


@inner
def meet(upper, lower, other_upper, other_lower, inside_other, other_depths):
    """Tell whether some weights of the cell lie in both of two halves.

    None do if and only if, for some p and q above 0, p times the depth in the one half and q times
    the depth in the other sum to no more than 0 on each ray (Farkas; neither is 0, since each half
    has weights of its own). A ray inside the other half, where its depth is positive, needs ``p /
    q >= other / -depth``: the rays listed, inside the other half, say how large it must be at
    least, and every ray must allow that. Rounding keeps the order of quotients, so that only those
    that are equal when rounded have to be compared exactly.
    """
    p, q, least = 0.0, 1.0, 0.0
    for k in range(len(inside_other)):
        r = inside_other[k]
        other, beyond = other_depths[k], lower[r] - upper[r]
        if beyond <= 0.0:
            return True
        quotient = other / beyond
        if quotient > least or (quotient == least and exceeds(other, q, p, beyond)):
            p, q, least = other, beyond, quotient
    for begin in range(0, len(upper), RAYS_PER_WORD):
        end = begin + RAYS_PER_WORD
        above, under = upper[begin:end], lower[begin:end]
        other_above, other_under = other_upper[begin:end], other_lower[begin:end]
        doubtful = 0  # counting them all is quicker than stopping at the first
        for r in range(len(above)):
            first, second = (above[r] - under[r]) * p, (other_above[r] - other_under[r]) * q
            doubtful += first + second > -CLOSE * abs(first)
        if doubtful > 0:
            for r in range(len(above)):
                if exceeds(above[r] - under[r], p, other_under[r] - other_above[r], q):
                    return True
    return False


@inner
def may_meet(cells, slot, factors, scores, halves, a, b, inside_b, depths_b, numbers):
    """Tell whether two halves meet (see :func:`meet`), or may meet, where rays are rounded.

    Any p and q above 0 prove that they don't. A little more than the least ``p / q`` leaves room
    for errors of scores, except at rays where both depths are 0. There is no such room where two
    of three products tie and the third one may be in between: then p and q are equal, and what is
    in doubt is settled in whole numbers.
    """
    i, k = halves.facts[a, UPPER], halves.facts[a, LOWER]
    u, v = halves.facts[b, UPPER], halves.facts[b, LOWER]
    doubt, least = numbers.doubt[0], 0.0
    for o in range(len(inside_b)):
        beyond = scores[k, inside_b[o]] - scores[i, inside_b[o]]
        if beyond <= doubt:
            return True
        least = max(least, depths_b[o] / beyond)
    equal = abs(least - 1.0) <= SPARE
    p = 1.0 if equal else least * (1.0 + SPARE)
    for r in range(scores.shape[1]):
        depth, other = scores[i, r] - scores[k, r], scores[u, r] - scores[v, r]
        margin = (1.0 + p) * doubt + CLOSE * abs(other)
        if p * depth + other < -margin:
            continue
        ray = cells.digits[slot, r]
        if p * depth + other > margin:
            return True
        if equal and exact_side(ray, i, k, u, v, factors, numbers) <= 0:
            continue
        one = exact_side(ray, i, k, i, i, factors, numbers)
        if one > 0 or exact_side(ray, u, v, i, i, factors, numbers) > 0:
            return True
    return False


@inner
def meets_any(cells, slot, factors, scores, halves, s, a, inside, depths, numbers):
    """Tell whether half a meets, or may meet, any of a set."""
    upper, lower = scores[halves.facts[a, UPPER]], scores[halves.facts[a, LOWER]]
    b = halves.links[s, LAST]
    while b >= 0:
        if numbers is None:
            member_upper, member_lower = halves.facts[b, UPPER], halves.facts[b, LOWER]
            if meet(scores[member_upper], scores[member_lower], upper, lower, inside, depths):
                return True
        elif may_meet(cells, slot, factors, scores, halves, b, a, inside, depths, numbers):
            return True
        b = halves.links[b, RIVAL]
    return False


@inner
def gather_rivals(
    cells,
    slot,
    factors,
    scores,
    halves,
    inside,
    n,
    begin,
    end,
    found,
    depths,
    refused,
    numbers,
    stop,
):
    """Let the smallest halves, in the order from ``begin`` to ``end``, each join a set of rivals.

    A half joins a set only if it meets none of its members. Small halves have many rivals, large
    ones few: these come into question first. In a cell with few rays most halves are large.
    ``found`` is room for rays, words and bits, and for halves that are apart, ``depths`` for those
    of rays; ``refused`` has the half that each set refused last.
    """
    n_rays = scores.shape[1]
    rays, words, bits = found[:n_rays], found[n_rays : 2 * n_rays], found[2 * n_rays : 3 * n_rays]
    apart = found[3 * n_rays :]
    for s in range(n):
        refused[s] = -1
    for o in range(max(begin, end - min(n_rays, SEEKERS)), end):
        a = halves.order[o]
        if stop[0]:
            return
        if halves.links[a, LAST] != a:
            continue
        upper, lower = scores[halves.facts[a, UPPER]], scores[halves.facts[a, LOWER]]
        n_inside, n_words = list_rays(upper, lower, rays, depths, words, bits, doubt_of(numbers))
        for k in range(list_apart(inside, n, o, words, bits, n_words, apart)):
            s = halves.links[halves.order[apart[k]], SET]
            if refused[s] == o:
                continue
            refused[s] = o
            if not meets_any(
                cells,
                slot,
                factors,
                scores,
                halves,
                s,
                a,
                rays[:n_inside],
                depths[:n_inside],
                numbers,
            ):
                halves.links[a, SET], halves.links[a, RIVAL] = s, halves.links[s, LAST]
                halves.links[s, LAST] = a
                break


@inner
def withdraw_pairs(planes, plane, sign, at_top, winnable):
    """Take the pairs won on a side of a plane from those that products at the top can win."""
    for p in range(planes.offsets[plane], planes.offsets[plane + 1]):
        if planes.strict[p] and planes.side[p] == sign:
            winnable[planes.better[p]] -= at_top[planes.better[p]]


@inner
def sum_losses(undecided, planes, at_top, halves, n):
    """Return what rivals can't earn together; what they can't add at the top leaves ``fewer``.

    A formula lies in one half of a set at most. So of their units it earns no more than the
    largest. Of the pairs by which they would add to the bonus of products at the top it wins those
    of one half at most: all of them leave ``fewer``, and the largest bonus of a half comes back,
    whoever is at the top then.
    """
    loss = 0
    for s in range(n):
        if halves.links[s, LAST] == s or halves.links[s, SET] != s:
            continue
        units, unit, n_bonus, bonus, a = 0, 0, 0, 0, halves.links[s, LAST]
        while a >= 0:
            units += halves.facts[a, UNIT]
            unit = max(unit, halves.facts[a, UNIT])
            n_bonus += halves.facts[a, BONUS] > 0
            bonus = max(bonus, halves.facts[a, BONUS])
            a = halves.links[a, RIVAL]
        loss += units - unit
        if n_bonus > 1:
            loss -= bonus
            a = halves.links[s, LAST]
            while a >= 0:
                plane, sign = undecided[halves.facts[a, PLACE]], halves.facts[a, SIGN]
                withdraw_pairs(planes, plane, sign, at_top, halves.fewer)
                a = halves.links[a, RIVAL]
    return loss


@inner
def discount(halves, n, lost):
    """Count rays as lost to a lesser part where a half has rivals: its loss is known already.

    This only matters for the choice of the next plane.
    """
    for a in range(n):
        if halves.links[a, RIVAL] >= 0 or halves.links[a, LAST] != a:
            k = 0 if halves.facts[a, SIGN] > 0 else 1
            lost[halves.facts[a, PLACE], k] = lost[halves.facts[a, PLACE], k] // 2


@inner_allocating
def rivals_loss(
    cells,
    slot,
    factors,
    scores,
    undecided,
    n_undecided,
    planes,
    aims,
    below,
    prospects,
    lost,
    halves,
    enough,
    numbers,
    stop,
):
    """Return how much less than ``top_bound`` says the undecided pairs allow.

    ``prospects`` are what ``top_bound`` filled. No more rivals are looked for where the loss is
    ``enough``; once stopped, the rivals found so far count.
    """
    reach, at_top, largest = prospects.reach, prospects.at_top, prospects.largest
    n = find_halves(undecided, n_undecided, planes, aims, at_top, lost, halves)
    if n == 0:
        return 0
    n_rays = scores.shape[1]
    n_bonus = sort_halves(halves, n, n_rays, np.empty(2 * n_rays + 3, np.int64))
    inside = np.empty(n * (n_rays // RAYS_PER_WORD + 1), np.int64)
    mark_rays(scores, halves, n, inside, doubt_of(numbers), stop)
    found, refused = np.empty(3 * n_rays + n + 1, np.int64), np.empty(n, np.int64)
    depths = np.empty(n_rays)
    before = bonus_bound(aims, below, reach, prospects.winnable, at_top, largest)
    begin, end = np.int64(0), n_bonus
    while True:
        gather_rivals(
            cells,
            slot,
            factors,
            scores,
            halves,
            inside,
            n,
            begin,
            end,
            found,
            depths,
            refused,
            numbers,
            stop,
        )
        for i in range(len(below)):
            halves.fewer[i] = prospects.winnable[i]
        loss = before + sum_losses(undecided, planes, at_top, halves, n)
        loss -= bonus_bound(aims, below, reach, halves.fewer, halves.at_top, largest)
        if loss >= enough or end == n:
            break
        begin, end = end, n
    discount(halves, n, lost)
    return max(0, loss)
