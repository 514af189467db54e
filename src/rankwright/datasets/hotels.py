"""Hotels of five cities ranked by popularity: the data of pairwise against pointwise ranking."""

import numpy as np
import pandas as pd
from numpy.random import RandomState
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from rankwright.datasets.ranking_data import GeneratedData, check_counts

__all__ = ["make_hotels"]

CITY_SIZES = (363, 110, 170, 149, 194)
ASPECTS = ("location", "sleep_quality", "rooms", "service", "value", "cleanliness")
GRADES = ("excellent", "very_good", "average", "poor", "terrible")
# Noise of the index, in its own standard deviations: sets how well any model can do.
INDEX_NOISE = 0.2


def make_hotels(
    n_items: int | tuple[int, ...] = CITY_SIZES,
    *,
    random_state: int | RandomState | None = None,
) -> GeneratedData:
    """Draw the hotels of several cities, each city ranked completely by a popularity index.

    The attributes are those listed in the study of pairwise and pointwise ranking, whose own data
    are not public: correlated through the hotels' quality and class, skewed, and on different
    scales. The index is a shrunken mean rating with bonuses for the number and freshness of
    reviews, so it is not linear in the attributes, and noisy.

    Parameters
    ----------
    n_items : int or tuple of int
        Number of hotels of each city; the default is the study's, training city first.
    random_state : int, RandomState or None
        Seed.

    Returns
    -------
    GeneratedData
        `y` is minus the position in the city (-1 is its best hotel), `groups` names the city,
        `optimal_scores` is the index before noise.

    Examples
    --------
    >>> import rankwright as rw
    >>> hotels = rw.datasets.make_hotels(random_state=0)
    >>> hotels.X.shape, int(hotels.y.max())
    ((986, 19), -1)
    """
    sizes = check_counts("n_items", n_items, minimum=2)
    rng = check_random_state(random_state)
    groups = np.repeat([f"city {city}" for city in range(1, len(sizes) + 1)], sizes)
    X = _attributes(sum(sizes), rng)
    optimal_scores = _popularity(X)
    index = optimal_scores + INDEX_NOISE * optimal_scores.std() * rng.standard_normal(len(X))
    position = pd.Series(index).groupby(groups).rank(ascending=False, method="first")
    return GeneratedData(X=X, y=-position.to_numpy(), groups=groups, optimal_scores=optimal_scores)


def _attributes(n: int, rng: RandomState) -> pd.DataFrame:
    """Draw hotels whose attributes share two hidden causes: guests' liking and class."""
    liking = rng.standard_normal(n)
    luxury = 0.5 * liking + np.sqrt(0.75) * rng.standard_normal(n)
    stars = np.clip(np.round(3.3 + 0.8 * luxury), 1, 5)
    rooms = np.ceil(np.exp(4.2 + 0.35 * luxury + 0.7 * rng.standard_normal(n)))
    price = np.round(np.exp(3.4 + 0.32 * stars + 0.25 * rng.standard_normal(n)), 2)
    distance = np.round(rng.gamma(1.5, 2.2, n), 2)
    activity = 1.6 + 0.6 * np.log(rooms) + 0.35 * liking + 0.7 * rng.standard_normal(n)
    counts = _rating_counts(np.ceil(np.exp(activity)).astype(int), liking, rng)
    rated = counts.sum(axis=1)
    reviews = rated + rng.poisson(0.08 * rated)
    recommended = counts[:, :2].sum(axis=1) / rated + 0.04 * rng.standard_normal(n)
    columns = {
        "reviews": reviews,
        "review_age_days": np.round(rng.gamma(2.0, 160.0, n) * np.exp(-0.15 * liking), 1),
        **{f"ratings_{grade}": counts[:, k] for k, grade in enumerate(GRADES)},
        **_aspects(liking, luxury, distance, rng),
        "distance_km": distance,
        "stars": stars,
        "pictures": rng.poisson(2 + 0.4 * reviews),
        "rooms": rooms,
        "price": price,
        "recommended_percent": np.round(100 * np.clip(recommended, 0, 1)),
    }
    return pd.DataFrame(columns, dtype=np.float64)


def _rating_counts(
    reviews: NDArray[np.int64], liking: NDArray[np.float64], rng: RandomState
) -> NDArray[np.int64]:
    """Split each hotel's reviews over the grades by an ordered logit of guests' liking."""
    at_least = 1 / (1 + np.exp(-(0.9 * liking[:, None] + np.array([-0.9, 1.0, 2.3, 3.4]))))
    shares = np.diff(at_least, axis=1, prepend=0, append=1)
    return np.array([rng.multinomial(*row) for row in zip(reviews, shares, strict=True)])


def _aspects(
    liking: NDArray[np.float64],
    luxury: NDArray[np.float64],
    distance: NDArray[np.float64],
    rng: RandomState,
) -> dict[str, NDArray[np.float64]]:
    """Average ratings of six aspects, as sites show them: rounded to a tenth, at most five."""
    means = {
        "location": 4.2 + 0.15 * liking - 0.10 * distance,
        "sleep_quality": 3.8 + 0.40 * liking,
        "rooms": 3.7 + 0.35 * liking + 0.20 * luxury,
        "service": 3.9 + 0.45 * liking + 0.10 * luxury,
        "value": 3.8 + 0.35 * liking - 0.10 * luxury,
        "cleanliness": 4.1 + 0.35 * liking + 0.10 * luxury,
    }
    return {
        f"rating_{aspect}": np.clip(
            np.round(means[aspect] + 0.2 * rng.standard_normal(len(liking)), 1), 1, 5
        )
        for aspect in ASPECTS
    }


def _popularity(X: pd.DataFrame) -> NDArray[np.float64]:
    """Rate hotels by quality, quantity and freshness of their reviews."""
    counts = X[[f"ratings_{grade}" for grade in GRADES]].to_numpy()
    # A mean rating that few reviews leave near 3.5, so that quality and quantity interact.
    shrunken = (counts @ np.arange(5.0, 0.0, -1.0) + 15 * 3.5) / (counts.sum(axis=1) + 15)
    aspects = X[[f"rating_{aspect}" for aspect in ASPECTS]].to_numpy().mean(axis=1)
    freshness = np.exp(-X["review_age_days"].to_numpy() / 365)
    volume = np.log10(X["reviews"].to_numpy())
    index: NDArray[np.float64] = shrunken + 0.8 * aspects + 0.5 * freshness + 0.25 * volume
    return index
