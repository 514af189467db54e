"""Discounted gains of the items at the top of a list."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from rankwright.metrics.inputs import Floats, UndefinedMetricError, choice, paired
from rankwright.metrics.listed import listed, places_counted

__all__ = ["GAINS", "dcg", "ndcg"]

GAINS: dict[str, Callable[[Floats], Floats]] = {
    "exponential": lambda y: np.exp2(y) - 1,
    "linear": lambda y: y,
}
LARGEST_EXPONENT = 1000.0  # 2 to this power still is a float, and so are sums of such gains


def gains_of(
    y_true: ArrayLike, scores: ArrayLike, k: int | None, gains: str
) -> tuple[Floats, Floats, int]:
    """Return the gain and the score of each item, and how many places count."""
    grades, values = paired(y_true, scores)
    gain = choice("gains", gains, GAINS)
    if grades.min() < 0:
        raise ValueError(
            f"y_true has a negative gain ({grades.min()}); pass gains of 0 or more, "
            "for example y_true - min(y_true), or y_true == 1 for two classes"
        )
    if gains == "exponential" and grades.max() > LARGEST_EXPONENT:
        raise ValueError(
            f"y_true is as large as {grades.max()}, and 2 to that power is beyond floats; "
            'pass grades, such as 0 to 4, or gains="linear"'
        )
    return gain(grades), values, places_counted(k, len(grades))


def discounted(gains: Floats, scores: Floats, k: int) -> float:
    """Sum the block means of the gains, divided by ln(1 + place), over the first k places."""
    places = np.arange(1, k + 1)
    return float((listed(gains, scores).means()[:k] / np.log1p(places)).sum())


def dcg(
    y_true: ArrayLike, scores: ArrayLike, *, k: int | None = None, gains: str = "linear"
) -> float:
    """Return the discounted cumulative gain.

    The sum of gain / ln(1 + position), positions from 1 (the discount of Clémençon et al., 2013;
    the one with log2 is ln(2) times this). Constant scores give every place the mean gain.

    Parameters
    ----------
    y_true : array-like of shape (n_items,)
        Grades, 0 or more.
    scores : array-like of shape (n_items,)
        Larger is better.
    k : int, optional
        Count only the first k places.
    gains : {"linear", "exponential"}
        The gain of an item: its grade y, or 2^y - 1 as in most publications on web search.

    Returns
    -------
    float
        0 or more.

    Examples
    --------
    >>> import rankwright as rw
    >>> round(rw.metrics.dcg([1, 0, 1], [0.9, 0.5, 0.1]), 4)
    2.164
    """
    return discounted(*gains_of(y_true, scores, k, gains))


def ndcg(
    y_true: ArrayLike, scores: ArrayLike, *, k: int | None = None, gains: str = "linear"
) -> float:
    """Return the discounted cumulative gain as a share of the largest one.

    The base of the logarithm cancels. Undefined when every grade is 0: what such a list counts in a
    mean over lists is ``empty`` of `by_group` and `Measure`.

    Parameters
    ----------
    y_true : array-like of shape (n_items,)
        Grades, 0 or more.
    scores : array-like of shape (n_items,)
        Larger is better.
    k : int, optional
        Count only the first k places.
    gains : {"linear", "exponential"}
        The gain of an item: its grade y, or 2^y - 1 as in most publications on web search.

    Returns
    -------
    float
        Between 0 and 1.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.metrics.ndcg([2, 1, 0], [0.9, 0.5, 0.1])
    1.0
    >>> round(rw.metrics.ndcg([2, 1, 0], [0.5, 0.9, 0.1], gains="exponential"), 4)
    0.7967
    """
    gain, values, places = gains_of(y_true, scores, k, gains)
    if gain.max() == 0:
        raise UndefinedMetricError("y_true is 0 for every item; NDCG needs an item with a gain")
    return discounted(gain, values, places) / discounted(gain, gain, places)
