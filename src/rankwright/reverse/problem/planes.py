"""The hyperplanes of weights on which two products tie, each with its pairs of products."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankwright.kernels.rating.planes import Pairs, Planes

__all__ = ["PlanePairs", "count_pairs", "list_pairs", "merge_pairs", "orient_pairs"]

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]


class PlanePairs(NamedTuple):
    """The pairs of products with different factors, those that tie on the same plane together.

    They depend on the products alone, so that another published order needs no new ones.
    ``offsets`` says where the pairs of a plane begin; ``side`` is 1 where ``one`` wins on the
    positive side of it, -1 where ``other`` does.
    """

    offsets: Ints
    one: Ints
    other: Ints
    side: Ints


def merge_pairs(whole: Ints, offsets: Ints, matters: Mask | None = None) -> PlanePairs:
    """Pair the products of each group, and put the pairs of a hyperplane together.

    Of pairs at least one product ``matters``; by default all do.
    """
    one, other = _rows_of_pairs(offsets, matters)
    normals = whole[one] - whole[other]
    differ = normals.any(axis=1)
    one, other, normals = one[differ], other[differ], normals[differ]
    leading = np.take_along_axis(normals, (normals != 0).argmax(axis=1)[:, None], axis=1)[:, 0]
    side = np.sign(leading)
    normals *= side[:, None]
    normals //= _greatest_divisors(normals)[:, None]
    plane = _number_rows(normals)
    order = np.argsort(plane, kind="stable")
    plane = plane[order]
    starts = np.flatnonzero(np.r_[True, plane[1:] != plane[:-1]]) if len(plane) else plane
    return PlanePairs(
        offsets=np.append(starts, len(plane)).astype(np.int64),
        one=one[order].astype(np.int64),
        other=other[order].astype(np.int64),
        side=side[order].astype(np.int64),
    )


def orient_pairs(pairs: PlanePairs, levels: Ints) -> Planes:
    """Say which product of each pair is published above the other."""
    starts = pairs.offsets[:-1]
    ahead = pairs.side[starts] > 0
    first, second = pairs.one[starts], pairs.other[starts]
    is_swapped = levels[pairs.one] < levels[pairs.other]
    better = np.where(is_swapped, pairs.other, pairs.one)
    worse = np.where(is_swapped, pairs.one, pairs.other)
    return Planes(
        first=np.where(ahead, first, second),
        second=np.where(ahead, second, first),
        offsets=pairs.offsets,
        better=better,
        worse=worse,
        side=np.where(is_swapped, -pairs.side, pairs.side),
        strict=(levels[better] > levels[worse]).astype(np.int64),
    )


def count_pairs(offsets: Ints, matters: Mask | None = None) -> int:
    """Return how many pairs of products of the same group there are, one of which matters."""
    sizes = np.diff(offsets)
    rest = 0 * sizes if matters is None else np.add.reduceat(~matters, offsets[:-1], dtype=np.int64)
    return int((sizes * (sizes - 1) // 2 - rest * (rest - 1) // 2).sum())


def list_pairs(levels: Ints, offsets: Ints, matters: Mask | None = None) -> Pairs:
    """List the pairs of products of each group, the one published above the other first."""
    one, other = _rows_of_pairs(offsets, matters)
    is_swapped = levels[one] < levels[other]
    better, worse = np.where(is_swapped, other, one), np.where(is_swapped, one, other)
    return Pairs(better, worse, (levels[one] != levels[other]).astype(np.int64))


def _rows_of_pairs(offsets: Ints, matters: Mask | None) -> tuple[Ints, Ints]:
    """Return every pair of rows of each group, one of which matters."""
    if matters is None:
        matters = np.ones(offsets[-1], dtype=bool)
    parts = [_pairs_of_group(begin, matters[begin:end]) for begin, end in pairwise(offsets)]
    one, other = (np.concatenate([rows[side] for rows in parts]) for side in range(2))
    return one, other


def _pairs_of_group(begin: int, matters: Mask) -> tuple[Ints, Ints]:
    chosen, rest = (begin + np.flatnonzero(rows) for rows in (matters, ~matters))
    one, other = np.triu_indices(len(chosen), 1)
    return (
        np.r_[chosen[one], np.repeat(chosen, len(rest))],
        np.r_[chosen[other], np.tile(rest, len(chosen))],
    )


def _greatest_divisors(rows: Ints) -> Ints:
    """Return the greatest common divisor of each row; of most, two or three entries decide it."""
    divisors = np.abs(rows[:, 0])
    for column in rows.T[1:]:
        open_rows = np.flatnonzero(divisors != 1)
        divisors[open_rows] = np.gcd(divisors[open_rows], column[open_rows])
    return divisors


def _number_rows(rows: Ints) -> Ints:
    """Return equal numbers for equal rows, ascending in lexicographic order.

    Column by column, and only where rows are alike so far: much quicker than comparing rows. The
    number of a class is the place of its first row, which leaves room for its parts.
    """
    number = np.zeros(len(rows), dtype=np.int64)
    for column in rows.T:
        alike = np.flatnonzero(np.bincount(number, minlength=1)[number] > 1)
        if not len(alike):
            break
        order = alike[np.lexsort((column[alike], number[alike]))]
        new_class = np.r_[True, np.diff(number[order]) != 0]
        new_part = new_class | np.r_[True, np.diff(column[order]) != 0]
        place = np.arange(len(order))
        of_class, of_part = (place[new][np.cumsum(new) - 1] for new in (new_class, new_part))
        number[order] += of_part - of_class
    return number
