"""Expected reciprocal rank: a reader goes down the list until an item satisfies them."""

import numpy as np
from numpy.typing import ArrayLike

from rankwright.metrics.inputs import Floats, paired
from rankwright.metrics.listed import listed, places_counted

__all__ = ["expected_reciprocal_rank"]


def expected_reciprocal_rank(
    y_true: ArrayLike, scores: ArrayLike, *, k: int | None = None, largest: float = 4.0
) -> float:
    """Return the expected 1 / position at which a reader stops: ERR.

    An item of grade g satisfies with probability (2^g - 1) / 2^largest (Chapelle et al., 2009).
    Tied scores count the mean over all orders of the tied items.

    Parameters
    ----------
    y_true : array-like of shape (n_items,)
        Grades from 0 to ``largest``.
    scores : array-like of shape (n_items,)
        Larger is better.
    k : int, optional
        Count only the first k places.
    largest : float, default=4
        The largest grade of the scale, whether or not this list has it.

    Returns
    -------
    float
        Between 0 and 1; 0 if every grade is 0.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.metrics.expected_reciprocal_rank([1, 0, 1], [3, 2, 1], largest=1)
    0.5833333333333334
    """
    grades, values = paired(y_true, scores)
    if grades.min() < 0 or grades.max() > largest:
        raise ValueError(
            f"y_true runs from {grades.min()} to {grades.max()}; grades are from 0 to "
            f"largest={largest!r}: pass the largest grade of your scale as `largest`"
        )
    last = places_counted(k, len(grades))
    unsatisfied = 1 - (np.exp2(grades) - 1) / 2.0**largest
    total, reading, place = 0.0, 1.0, 0
    for block in listed(unsatisfied, values).blocks():
        if place >= last:
            break
        left = reading * still_reading(block, min(len(block), last - place))
        total += float(((left[:-1] - left[1:]) / np.arange(place + 1, place + len(left))).sum())
        reading, place = float(left[-1]), place + len(block)
    return total


def still_reading(chances: Floats, most: int) -> Floats:
    """Return for t = 0..most the mean, over all sets of t items, of the product of their chances.

    Adding an item to m items, E_t becomes ((m + 1 - t) E_t + t · chance · E_(t-1)) / (m + 1): a set
    of t holds the new item in t of m + 1 cases.
    """
    means = np.zeros(most + 1)
    means[0] = 1.0
    if len(chances) == 1:
        means[1:] = chances
        return means
    sizes = np.arange(1, most + 1)
    for m, chance in enumerate(chances):
        means[1:] = ((m + 1 - sizes) * means[1:] + sizes * chance * means[:-1]) / (m + 1)
    return means
