"""How far the tops of two rankings hold the same items."""

import numpy as np
from numpy.typing import ArrayLike

from rankwright.metrics.inputs import Floats, paired
from rankwright.metrics.listed import listed

__all__ = ["rank_biased_overlap"]

NEGLIGIBLE = 1e-15


def rank_biased_overlap(y_true: ArrayLike, scores: ArrayLike, *, persistence: float = 0.9) -> float:
    """Return the rank-biased overlap of two rankings of the same items: RBO.

    The mean agreement of their first d items, d drawn with weight (1 - p) p^(d - 1) (Webber et al.,
    2010). An item of a tie counts by its chance to be among the first d, and agreement is the
    cosine of these chances, so that a ranking agrees with itself also where it has ties (the form
    "b" of Corsi and Urbano, 2024).

    Parameters
    ----------
    y_true, scores : array-like of shape (n_items,)
        Larger is better in both.
    persistence : float, default=0.9
        p: 0.9 gives the first ten places 86% of the weight.

    Returns
    -------
    float
        Between 0 and 1.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.metrics.rank_biased_overlap([3, 2, 1], [3, 2, 1])
    1.0
    >>> round(rw.metrics.rank_biased_overlap([3, 2, 1], [1, 2, 3], persistence=0.5), 4)
    0.375
    """
    if not 0 < persistence < 1:
        raise ValueError(f"persistence={persistence!r}; give a number between 0 and 1")
    chances = [_Chances(ranking) for ranking in paired(y_true, scores)]
    n = len(chances[0].before)
    # From n items on both tops are the same set; depths that weigh next to nothing are not read.
    deepest = min(n - 1, int(np.ceil(np.log(NEGLIGIBLE) / np.log(persistence))))
    depths = range(1, deepest + 1)
    agreement = [_cosine(*(ranking.among_first(d) for ranking in chances)) for d in depths]
    weights = (1 - persistence) * persistence ** np.arange(deepest)
    return float(weights @ np.array(agreement)) + persistence**deepest


class _Chances:
    """The chances of the items to be among the first when ties are broken at random."""

    def __init__(self, scores: Floats) -> None:
        order = np.argsort(-scores)
        blocks = listed(scores, scores)
        self.before, self.size = np.empty_like(order), np.empty_like(order)
        self.before[order], self.size[order] = blocks.before, blocks.size

    def among_first(self, depth: int) -> Floats:
        """Return the chance of each item to be among the first."""
        return np.clip((depth - self.before) / self.size, 0.0, 1.0)


def _cosine(first: Floats, second: Floats) -> float:
    return float(first @ second / np.sqrt((first @ first) * (second @ second)))
