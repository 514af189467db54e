"""Undecided pairs that no formula of a cell wins together.

An undecided plane leaves a half of the cell on either side, and its pairs are won in one of them.
Halves that don't meet are rivals: a formula w lies in one of them at most. Let x_a be 1 where it
lies in half a, else 0, and t_i be 1 where product i is at the top. The bound of single planes
(``top_bound``) is that of

    sum over halves of  unit_a * x_a  +  sum over products of  bonus_i * t_i * (pairs won by i),

with every x_a = 1. A pair won by i in half a earns ``bonus_i * t_i * x_a <= c * x_a + (bonus_i - c)
* t_i`` for any c from 0 to bonus_i: so a half may be worth more than its unit, if what its products
earn at the top (``extra``) is worth less. And a charge v to both of two rivals costs w at least v,
since ``v * x_a + v * x_b <= v``. So the bound falls by the sum of all charges, whichever rivals are
charged, as long as all charges to a half sum to no more than it is worth: a half that is worth much
may be charged together with many rivals that are worth little.
"""

from typing import NamedTuple

import numpy as np

from rankwright.kernels.inner import inner, inner_allocating, inner_apart
from rankwright.kernels.rating.bound import bonus_bound
from rankwright.kernels.rating.digits import exact_side
from rankwright.kernels.rating.sides import RAYS_PER_WORD, gather_marks, list_touched

__all__ = ["Halves", "REST", "allocate_halves", "list_apart", "mark_of", "rivals_loss"]

PLACE, SIGN, UPPER, LOWER, SIZE, UNIT, CHARGE, REST = range(8)
SEEKERS = 64  # halves that look for rivals before the loss is counted again,
ROUNDS = 4  # and how often it is: as many again gain little
HOPE = 8  # a round is worth its time if less than so many times the gain of the last is missing
# Products of two numbers below 2**53 that differ by less than this share in floating point differ
# by less than 2**63.
CLOSE = 2.0**-50
SPARE = 2.0**-20  # of the quotient of multipliers, which leaves room for errors of scores


class Halves(NamedTuple):
    """Room for halves of a cell.

    Half a lies on the side ``facts[a, SIGN]`` of the undecided plane in place ``PLACE``, where
    product ``UPPER`` scores above ``LOWER``, and has ``SIZE`` of the cell's rays inside. Its pairs
    earn ``UNIT`` more than those on the other side. Together with rivals it was charged ``CHARGE``,
    and may be charged ``REST`` more.

    ``order`` has large halves before small ones. ``extra`` is what is left of what each product
    can earn at the top. ``count`` is the number of halves, 0 where nobody looked for rivals.
    """

    facts: np.ndarray
    order: np.ndarray
    extra: np.ndarray
    count: np.ndarray


def allocate_halves(n_planes: int, n_products: int) -> Halves:
    """Return room for the halves of all planes."""
    n = 2 * n_planes
    return Halves(
        np.empty((n, 8), np.int64),
        np.empty(n, np.int64),
        np.empty(n_products, np.int64),
        np.zeros(1, np.int64),
    )


@inner
def find_halves(undecided, n_undecided, planes, aims, reach, lost, halves):
    """Find the halves that may earn something; return how many there are.

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
                bonus = aims.bonus[i] if reach[i] >= aims.threshold[i] else 0
                if planes.side[p] > 0:
                    upper_bonus += bonus
                else:
                    lower_bonus += bonus
        if unit > 0 or upper_bonus > 0:
            halves.facts[n, PLACE], halves.facts[n, SIGN], halves.facts[n, SIZE] = q, 1, lost[q, 1]
            halves.facts[n, UPPER], halves.facts[n, LOWER] = planes.first[h], planes.second[h]
            halves.facts[n, UNIT], halves.facts[n, CHARGE] = max(unit, 0), 0
            n += 1
        if unit < 0 or lower_bonus > 0:
            halves.facts[n, PLACE], halves.facts[n, SIGN], halves.facts[n, SIZE] = q, -1, lost[q, 0]
            halves.facts[n, UPPER], halves.facts[n, LOWER] = planes.second[h], planes.first[h]
            halves.facts[n, UNIT], halves.facts[n, CHARGE] = max(-unit, 0), 0
            n += 1
    return n


@inner
def sort_halves(halves, n, n_rays, begin):
    """Order the halves by size, the largest first; ``begin`` is room for all sizes."""
    for key in range(len(begin)):
        begin[key] = 0
    for a in range(n):
        begin[n_rays - halves.facts[a, SIZE] + 1] += 1
    for key in range(len(begin) - 1):
        begin[key + 1] += begin[key]
    for a in range(n):
        key = n_rays - halves.facts[a, SIZE]
        halves.order[begin[key]] = a
        begin[key] += 1


@inner
def mark_of(halves, a):
    """Return the place of a half's marks among the sides of planes; that of the other is ^ 1."""
    return 2 * halves.facts[a, PLACE] + (halves.facts[a, SIGN] < 0)


@inner
def list_rays(upper, lower, sides, mine, rays, depths):
    """List the rays inside a half and how deep each is; return how many there are."""
    n_inside = 0
    for w in range(len(sides)):
        marks, begin = sides[w, mine], w * RAYS_PER_WORD
        if marks != 0:
            for r in range(begin, min(begin + RAYS_PER_WORD, len(upper))):
                if (marks >> (r - begin)) & 1:
                    rays[n_inside], depths[n_inside] = r, upper[r] - lower[r]
                    n_inside += 1
    return n_inside


@inner_apart
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
def meets(cells, slot, factors, scores, halves, a, b, inside_b, depths_b, numbers):
    """Tell whether two halves meet, or may meet; the rays inside b are listed."""
    if numbers is None:
        upper, lower = scores[halves.facts[a, UPPER]], scores[halves.facts[a, LOWER]]
        other_upper, other_lower = scores[halves.facts[b, UPPER]], scores[halves.facts[b, LOWER]]
        return meet(upper, lower, other_upper, other_lower, inside_b, depths_b)
    return may_meet(cells, slot, factors, scores, halves, a, b, inside_b, depths_b, numbers)


@inner
def charge_rivals(
    cells, slot, factors, scores, sides, halves, inside, n, begin, end, room, depths, numbers, stop
):
    """Charge halves, from the ``end`` of the order to ``begin``, and rivals; return what they lose.

    Small halves have many rivals, large ones few: so the smallest begin, and look at larger ones,
    the largest first. ``room`` is for rays, words and bits, and for halves that are apart,
    ``depths`` for those of rays.
    """
    n_rays = scores.shape[1]
    rays, words, bits = room[:n_rays], room[n_rays : 2 * n_rays], room[2 * n_rays : 3 * n_rays]
    apart = room[3 * n_rays :]
    loss = 0
    for o in range(end - 1, begin - 1, -1):
        a = halves.order[o]
        if stop[0]:
            break
        if halves.facts[a, REST] == 0:
            continue
        upper, lower = scores[halves.facts[a, UPPER]], scores[halves.facts[a, LOWER]]
        mine = mark_of(halves, a)
        n_inside = list_rays(upper, lower, sides, mine, rays, depths)
        n_words = list_touched(sides, mine ^ 1, n_rays, words, bits)
        listed, deep = rays[:n_inside], depths[:n_inside]
        for k in range(list_apart(inside, n, o, words, bits, n_words, apart)):
            b = halves.order[apart[k]]
            if halves.facts[b, REST] == 0:
                continue
            if meets(cells, slot, factors, scores, halves, b, a, listed, deep, numbers):
                continue
            charge = min(halves.facts[a, REST], halves.facts[b, REST])
            loss += charge
            for half in (a, b):
                halves.facts[half, CHARGE] += charge
                halves.facts[half, REST] -= charge
            if halves.facts[a, REST] == 0:
                break
    return loss


@inner
def appraise(undecided, planes, aims, at_top, halves, n):
    """Fill what each half is worth beyond its charge: its unit, and the bonus of those at the top.

    That of others could be charged too, but what it takes from them the top doesn't lose.
    """
    for a in range(n):
        plane, sign = undecided[halves.facts[a, PLACE]], halves.facts[a, SIGN]
        rest = halves.facts[a, UNIT] - halves.facts[a, CHARGE]
        for p in range(planes.offsets[plane], planes.offsets[plane + 1]):
            i = planes.better[p]
            if planes.strict[p] and planes.side[p] == sign:
                rest += at_top[i] * aims.bonus[i]
        halves.facts[a, REST] = max(rest, 0)


@inner
def withdraw(undecided, planes, aims, extra, at_top, halves, n):
    """Take what halves were charged beyond their units from what their products earn at the top.

    Of several products from those that are there first, and from none more than its bonus. Returns
    the sum.
    """
    total = 0
    for i in range(len(extra)):
        halves.extra[i] = extra[i]
    for a in range(n):
        charge = halves.facts[a, CHARGE] - halves.facts[a, UNIT]
        plane, sign = undecided[halves.facts[a, PLACE]], halves.facts[a, SIGN]
        for is_at_top in (1, 0):
            if charge <= 0:
                break
            for p in range(planes.offsets[plane], planes.offsets[plane + 1]):
                i = planes.better[p]
                if planes.strict[p] and planes.side[p] == sign and at_top[i] == is_at_top:
                    part = min(charge, aims.bonus[i])
                    halves.extra[i] -= part
                    charge -= part
                    total += part
    return total


@inner
def discount(halves, n, lost):
    """Count rays as lost to a lesser part where rivals cost a half all it is worth: it is known.

    This only matters for the choice of the next plane.
    """
    for a in range(n):
        if halves.facts[a, CHARGE] > 0 and halves.facts[a, REST] == 0:
            k = 0 if halves.facts[a, SIGN] > 0 else 1
            lost[halves.facts[a, PLACE], k] = lost[halves.facts[a, PLACE], k] // 2


@inner_allocating
def rivals_loss(
    cells,
    slot,
    factors,
    scores,
    sides,
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

    ``sides`` marks the rays on each side of undecided planes (see :func:`mark_sides`), and
    ``prospects`` are what ``top_bound`` filled. No more rivals are looked for where the loss is
    ``enough``; once stopped, the rivals found so far count.
    """
    reach, at_top, largest = prospects.reach, prospects.at_top, prospects.largest
    n = find_halves(undecided, n_undecided, planes, aims, reach, lost, halves)
    halves.count[0] = n
    if n == 0:
        return 0
    n_rays = scores.shape[1]
    sort_halves(halves, n, n_rays, np.empty(n_rays + 2, np.int64))
    inside = np.empty(n * len(sides), np.int64)
    room, depths = np.empty(3 * n_rays + n + 1, np.int64), np.empty(n_rays)
    for o in range(n):
        room[o] = mark_of(halves, halves.order[o])
    gather_marks(sides, room, n, inside, stop)
    before = bonus_bound(aims, below, reach, prospects.extra, at_top, largest)
    charges, best, end = 0, 0, n
    for _ in range(ROUNDS):
        begin = max(end - SEEKERS, 0)
        appraise(undecided, planes, aims, at_top, halves, n)
        charges += charge_rivals(
            cells,
            slot,
            factors,
            scores,
            sides,
            halves,
            inside,
            n,
            begin,
            end,
            room,
            depths,
            numbers,
            stop,
        )
        withdrawn = withdraw(undecided, planes, aims, prospects.extra, at_top, halves, n)
        after = bonus_bound(aims, below, reach, halves.extra, at_top, largest)
        loss = charges - withdrawn + before - after
        gain, best, end = loss - best, max(best, loss), begin
        if best >= enough or best + HOPE * gain < enough or end == 0 or stop[0]:
            break
    discount(halves, n, lost)
    return best
