"""The hyperplanes of weights on which two products tie, each with its pairs of products."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankwright.kernels.rating_bound import Planes

__all__ = ["PlanePairs", "build_planes", "merge_pairs", "orient_pairs", "pairs_of_group"]

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
    parts = [pairs_of_group(begin, end) for begin, end in pairwise(offsets)]
    one, other = (np.concatenate(column) for column in zip(*parts, strict=True))
    normals = whole[one] - whole[other]
    differ = normals.any(axis=1)
    one, other, normals = one[differ], other[differ], normals[differ]
    leading = np.take_along_axis(normals, (normals != 0).argmax(axis=1)[:, None], axis=1)[:, 0]
    side = np.sign(leading)
    normals = normals * side[:, None] // np.gcd.reduce(normals, axis=1)[:, None]
    plane = np.unique(normals, axis=0, return_inverse=True)[1].ravel()
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


def pairs_of_group(begin: int, end: int) -> tuple[Ints, Ints]:
    """Return every pair of rows of a group, the first row first."""
    one, other = np.triu_indices(end - begin, 1)
    return one + begin, other + begin
