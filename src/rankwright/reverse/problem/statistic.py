"""The exact order of scores, and what no formula can exceed, without listing pairs."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankwright.kernels.rating.bound import bonus_bound
from rankwright.kernels.rating.planes import NOTHING
from rankwright.reverse.problem.objective import published_wins, without_freed
from rankwright.reverse.whole_numbers import as_floats, sums_in_digits

if TYPE_CHECKING:
    from rankwright.reverse.problem.whole_problem import RatingProblem

__all__ = ["Twins", "bound_without_pairs", "exact_places", "find_twins"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
ROUNDING = 2.0**-50  # per product of a sum, with room to spare
SMALLEST = 1e-290  # weights that floating point loses altogether weigh less than this


def exact_places(whole: Ints, weights: NDArray[Any]) -> Floats:
    """Return numbers in the order of the exact scores of whole-number weights.

    Scores that are far enough apart in floating point are in that order; only those in between are
    computed in whole numbers of any size.

    Examples
    --------
    >>> exact_places(np.array([[3, 1], [0, 2], [1, 1]]), np.array([1, 2])).tolist()
    [2.0, 1.0, 0.0]
    """
    whole_weights = [int(w) for w in weights]
    largest = int(np.abs(whole).max(initial=1))
    if largest * sum(map(abs, whole_weights)) < -NOTHING:  # no sum wraps around
        exact_scores = whole @ np.array(whole_weights, dtype=np.int64)
        return np.unique(exact_scores, return_inverse=True)[1].astype(np.float64)
    floats = as_floats(weights)
    scores = whole @ floats
    doubt = ROUNDING * len(floats) * float((np.abs(whole) @ np.abs(floats)).max())
    order = np.argsort(scores, kind="stable")
    is_near = np.diff(scores[order]) <= 2 * doubt + SMALLEST
    run = np.cumsum(np.r_[True, ~is_near])
    in_doubt = np.flatnonzero(np.r_[False, is_near] | np.r_[is_near, False])
    exact, _ = sums_in_digits(whole[order[in_doubt]], whole_weights)
    by_score = np.lexsort([*exact, run[in_doubt]])
    order[in_doubt] = order[in_doubt[by_score]]
    is_new = np.r_[True, ~is_near]
    for part in exact:
        is_new[in_doubt[1:]] |= np.diff(part[by_score]) != 0
    places = np.empty(len(whole))
    places[order] = np.cumsum(is_new)
    return places


def bound_without_pairs(problem: "RatingProblem") -> int:
    """Return what no formula can exceed: every published pair won, but for twins.

    Products with equal factors score the same. With everything else undecided, this is the bound
    of single pairs (``top_bound``, ``position_bound``), less sharp only where one product has more
    of every factor than another.
    """
    aims, n = problem.aims, len(problem.levels)
    same, lower = problem.twins
    reach = problem.sizes[problem.group_of_row] - 1 - same
    if problem.objective.by_position:
        return -int(np.maximum(aims.position - 1 - reach, 0).sum())
    zeros, room = np.zeros(n, dtype=np.int64), np.empty((2, n), dtype=np.int64)
    all_wins = published_wins(problem.levels, problem.offsets)
    won = [
        without_freed(wins, problem.freed, begin)
        for (begin, _), wins in zip(problem.bounds, all_wins, strict=True)
    ]
    winnable = np.concatenate(won) - lower
    bonus = bonus_bound(aims, zeros, reach, aims.bonus * winnable, room[0], room[1])
    return int(aims.unit @ winnable) + int(bonus)


class Twins(NamedTuple):
    """How many products equal each one in all factors, and how many of them are published lower."""

    same: Ints
    lower: Ints


def _all_differ(whole: Ints) -> bool:
    """Tell that no two rows are equal; where they may be, say no: equal rows have equal sums."""
    multipliers = np.random.default_rng(0).integers(1, 2**63, whole.shape[1], dtype=np.uint64)
    sums = whole.astype(np.uint64) @ (2 * multipliers + 1)  # modulo 2**64
    return len(np.unique(sums)) == len(sums)


def find_twins(whole: Ints, levels: Ints, group_of_row: Ints, freed: int | None) -> Twins:
    """Count the twins of each product; a freed one counts as nobody's."""
    if _all_differ(whole):
        return Twins(np.zeros_like(levels), np.zeros_like(levels))
    alone = np.arange(len(levels)) == (-1 if freed is None else freed)
    keys = [alone, group_of_row, *whole.T]
    order = np.lexsort([levels, *keys])
    differs = np.zeros(len(order) - 1, dtype=bool)
    for key in keys:
        differs |= key[order][1:] != key[order][:-1]
    new_class = np.r_[True, differs]
    new_level = new_class | np.r_[True, np.diff(levels[order]) != 0]
    place = np.arange(len(order))
    of_class, of_level = (place[new][np.cumsum(new) - 1] for new in (new_class, new_level))
    same, lower = np.empty_like(levels), np.empty_like(levels)
    same[order] = np.bincount(of_class)[of_class] - 1
    lower[order] = of_level - of_class
    return Twins(same, lower)
