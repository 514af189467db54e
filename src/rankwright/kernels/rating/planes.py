"""What all kernels of a rating read: pairs of products by plane, and what they earn."""

from typing import NamedTuple

import numpy as np

__all__ = ["Aims", "NOTHING", "Pairs", "Planes", "UNFIXED"]

# The value of no formula: worse than any. Whole numbers hold it and the sums that bounds add to
# it, and its opposite is a bound that no formula reaches.
NOTHING = -(2**62)
UNFIXED = 2  # the side of a plane that no three-way cut has fixed; the others are 1, -1 and 0


class Pairs(NamedTuple):
    """The pairs of products of each group, one by one.

    ``better`` is published at least as high as ``worse``, and strictly higher if ``strict``.
    """

    better: np.ndarray
    worse: np.ndarray
    strict: np.ndarray


class Planes(NamedTuple):
    """Pairs of products, merged by the plane of weights on which they tie.

    On the positive side of plane h, ``first[h]`` scores above ``second[h]``. Its pairs are
    ``offsets[h]`` to ``offsets[h + 1]``: ``better`` is published at least as high as ``worse``,
    strictly if ``strict``, and scores above it on the side of sign ``side``.
    """

    first: np.ndarray
    second: np.ndarray
    offsets: np.ndarray
    better: np.ndarray
    worse: np.ndarray
    side: np.ndarray
    strict: np.ndarray


class Aims(NamedTuple):
    """What each product can earn: formula (2), and for position errors the places to take.

    Each pair that product i wins earns ``unit[i]``, and ``bonus[i]`` more if i scores above at
    least ``threshold[i]`` products of its group; group g has ``slots[g]`` such places and products
    ``groups[g]`` to ``groups[g + 1]``. Product i wins against those of its group with a lower
    ``level`` that score less; a level of -1 says that its pairs don't count. For position errors,
    ``position[i]`` is the place that product i should take, 0 where it doesn't matter.
    """

    unit: np.ndarray
    bonus: np.ndarray
    threshold: np.ndarray
    slots: np.ndarray
    groups: np.ndarray
    position: np.ndarray
    level: np.ndarray
