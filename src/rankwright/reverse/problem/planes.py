"""The hyperplanes of weights on which two products tie, each with its pairs of products."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankwright.kernels.rating.planes import Pairs, Planes

__all__ = ["PlanePairs", "build_planes", "count_pairs", "list_pairs", "merge_pairs", "orient_pairs"]

Ints = NDArray[np.int64]


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


def build_planes(whole: Ints, levels: Ints, offsets: Ints) -> Planes:
    """Pair the products of each group, and merge the pairs that tie on the same hyperplane."""
    return orient_pairs(merge_pairs(whole, offsets), levels)


def merge_pairs(whole: Ints, offsets: Ints) -> PlanePairs:
    """Pair the products of each group, and put the pairs of a hyperplane together."""
    one, other = _rows_of_pairs(offsets)
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


def count_pairs(offsets: Ints) -> int:
    """Return how many pairs of products of the same group there are."""
    sizes = np.diff(offsets)
    return int((sizes * (sizes - 1) // 2).sum())


def list_pairs(levels: Ints, offsets: Ints) -> Pairs:
    """List the pairs of products of each group, the one published above the other first."""
    one, other = _rows_of_pairs(offsets)
    is_swapped = levels[one] < levels[other]
    better, worse = np.where(is_swapped, other, one), np.where(is_swapped, one, other)
    return Pairs(better, worse, (levels[one] != levels[other]).astype(np.int64))


def _rows_of_pairs(offsets: Ints) -> tuple[Ints, Ints]:
    """Return every pair of rows of each group, the first row first."""
    parts = [np.triu_indices(end - begin, 1) for begin, end in pairwise(offsets)]
    one, other = (
        np.concatenate([rows[side] + begin for rows, begin in zip(parts, offsets, strict=False)])
        for side in range(2)
    )
    return one, other


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
