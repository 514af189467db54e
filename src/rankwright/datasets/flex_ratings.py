"""Products whose factors follow their score in one stretch and oppose it in another."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.random import RandomState
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from rankwright.datasets.ranking_data import RankingData, check_count

__all__ = ["FlexRatings", "make_flex_ratings"]

EIGHTHS = 8
SCALE = 100.0


class Factor(NamedTuple):
    """Say in which eighths of the score's range a factor follows it and in which it opposes it."""

    follows: range
    opposes: range
    elsewhere: float


# Found by a search over such designs: least squares and the ℓp losses agree on weights that
# disorder the top, while other weights order nearly all of it.
FACTORS = {
    "factor1": Factor(follows=range(3), opposes=range(5, 6), elsewhere=50.0),
    "factor2": Factor(follows=range(5, 8), opposes=range(1, 2), elsewhere=0.0),
    "factor3": Factor(follows=range(1, 2), opposes=range(1), elsewhere=50.0),
    "factor4": Factor(follows=range(6), opposes=range(6, 7), elsewhere=50.0),
    "factor5": Factor(follows=range(3, 5), opposes=range(3), elsewhere=100.0),
}


@dataclass(frozen=True, kw_only=True, eq=False)
class FlexRatings(RankingData):
    """Hold the products and their division for training and testing.

    Attributes
    ----------
    train, test : ndarray of shape (n_items / 2,)
        Row numbers of either half.

    Examples
    --------
    >>> import rankwright as rw
    >>> ratings = rw.datasets.make_flex_ratings(random_state=0)
    >>> ratings.X.iloc[ratings.train].shape
    (100, 5)
    """

    train: NDArray[np.intp]
    test: NDArray[np.intp]


def make_flex_ratings(
    n_items: int = 200, *, random_state: int | RandomState | None = None
) -> FlexRatings:
    """Make products on which least squares and convex losses miss the best formula.

    Each of five factors equals the score on one set of products, equals 100 minus the score on
    another, and is constant on the rest, as in the artificial data of "Reverse-engineering
    quality rankings", which are no longer public. Least squares and ℓp-RE agree here, and exact
    optimisation orders the top visibly better. The scores are evenly spaced, so the seed only
    divides the products.

    Parameters
    ----------
    n_items : int
        Number of products, a multiple of 8.
    random_state : int, RandomState or None
        Seed of the division into halves.

    Returns
    -------
    FlexRatings
        `y` is the score, between 0 and 100; `train` and `test` are the two halves.

    Examples
    --------
    >>> import rankwright as rw
    >>> ratings = rw.datasets.make_flex_ratings(random_state=0)
    >>> ratings.X.shape, len(ratings.train), len(ratings.test)
    ((200, 5), 100, 100)
    """
    check_count("n_items", n_items, minimum=8, multiple_of=8)
    y = SCALE * (np.arange(n_items) + 0.5) / n_items
    eighth = np.arange(n_items) * EIGHTHS // n_items
    columns = {
        name: np.select(
            [np.isin(eighth, factor.follows), np.isin(eighth, factor.opposes)],
            [y, SCALE - y],
            factor.elsewhere,
        )
        for name, factor in FACTORS.items()
    }
    halves = check_random_state(random_state).permutation(n_items)
    return FlexRatings(
        X=pd.DataFrame(columns),
        y=y,
        train=np.sort(halves[: n_items // 2]),
        test=np.sort(halves[n_items // 2 :]),
    )
