"""What a formula is judged by, and what each won pair of products is worth."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import lcm

import numpy as np
from numpy.typing import NDArray

__all__ = ["Rates", "RatingObjective", "published_wins", "rate_pairs", "without_freed"]

Ints = NDArray[np.int64]
LARGEST_SCALE = 2**45


@dataclass(frozen=True)
class RatingObjective:
    """What a formula is judged by: the statistic (2), or the summed position error of the top.

    Attributes
    ----------
    by_position : bool
    top : tuple of int
        How many products of each group are its top.
    emphasis : Fraction
        θ, the extra weight of pairs won by a product at the top.
    """

    by_position: bool
    top: tuple[int, ...]
    emphasis: Fraction


@dataclass(frozen=True)
class Rates:
    """Whole numbers that stand for the statistic times ``scale``.

    Attributes
    ----------
    scale : Fraction
    unit, bonus : (n,) int64
        What a won pair is worth to each product, and how much more at the top.
    """

    scale: Fraction
    unit: Ints
    bonus: Ints


def published_wins(levels: Ints, offsets: Ints) -> list[Ints]:
    """Return for each group how many products each one is published strictly above."""
    groups = (levels[begin:end] for begin, end in pairwise(offsets))
    return [np.searchsorted(np.sort(group), group).astype(np.int64) for group in groups]


def rate_pairs(
    levels: Ints,
    offsets: Ints,
    objective: RatingObjective,
    categories: tuple[Hashable, ...],
    weights: Mapping[Hashable, float],
    freed: int | None = None,
) -> Rates:
    """Return what a won pair is worth to each product.

    A won pair is worth C_s / Π_s(θ), with (4): Π is common to the groups of a category. Where the
    common denominator is too large the units are rounded up, so that bounds stay bounds.
    """
    emphasis = objective.emphasis
    # There may be thousands of groups: fractions are made once for each category.
    wins, wins_at_top = dict.fromkeys(categories, 0), dict.fromkeys(categories, 0)
    lists = zip(
        published_wins(levels, offsets), offsets[:-1], objective.top, categories, strict=True
    )
    for won, begin, top, name in lists:
        counted = without_freed(won, freed, begin)
        wins[name] += int(counted.sum())
        wins_at_top[name] += int(counted[won >= len(won) - top].sum())
    shares = {}
    for name in wins:
        perfect = wins[name] + emphasis * wins_at_top[name]
        weight = Fraction(repr(float(weights[name])))
        shares[name] = weight / perfect if perfect else Fraction(0)
    parts = [share * part for share in shares.values() for part in (1, emphasis)]
    scale = Fraction(lcm(*(part.denominator for part in parts)))
    scale = min(scale, Fraction(LARGEST_SCALE))
    rounded_up = {
        name: [-int(-share * part * scale // 1) for part in (1, emphasis)]
        for name, share in shares.items()
    }
    by_group = np.array([rounded_up[name] for name in categories], dtype=np.int64)
    by_product = np.repeat(by_group, np.diff(offsets), axis=0)
    unit, bonus = np.ascontiguousarray(by_product.T)
    return Rates(scale, unit, bonus)


def without_freed(won: Ints, freed: int | None, begin: int) -> Ints:
    """Return the wins in a group that begins at a row, but for those of or over a freed product."""
    if freed is None or not begin <= freed < begin + len(won):
        return won
    counted: Ints = won - (won > won[freed - begin])
    counted[freed - begin] = 0
    return counted
