"""Fictitious camera ratings with a known formula: the demonstration's data."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.random import RandomState
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from rankwright.datasets.cameras import TABLES
from rankwright.datasets.ranking_data import RankingData, check_count

__all__ = ["CameraRatings", "load_camera_ratings", "make_camera_ratings"]

CAMERA_RATINGS = TABLES / "fictitious" / "cameras.csv"
BUNDLED_SEED = 2012

# The factors of `load_cameras`, so that its changes apply, and a price that the formula ignores.
TRUE_WEIGHTS = {
    "resolution": 0.6,
    "weight": -0.6,
    "photo_quality": 4.3,
    "video_quality": 2.9,
    "response_time": 3.8,
    "handling_shake": 1.1,
    "versatility": 1.4,
    "lcd_quality": 2.9,
    "widest_angle": 0.1,
    "battery_life": 0.01,
    "price": 0.0,
}
NAMES = (
    "Alder", "Basalt", "Cirrus", "Dune", "Ember", "Fjord", "Gannet", "Heron", "Isle", "Juniper",
    "Kestrel", "Linnet", "Moor", "Nimbus", "Osprey", "Plover",
)  # fmt: skip


@dataclass(frozen=True)
class CameraType:
    """A subcategory: its share of the products and its typical values."""

    share: float
    letter: str
    megapixels: float
    ounces: float
    stars: float
    millimetres: float
    shots: float
    price: float


TYPES = {
    "compact": CameraType(0.225, "C", 14, 6, 3.0, 27, 260, 180),
    "rugged": CameraType(0.150, "R", 13, 7, 2.9, 28, 300, 260),
    "superzoom": CameraType(0.200, "Z", 15, 20, 3.2, 25, 380, 340),
    "mirrorless": CameraType(0.250, "M", 18, 14, 3.7, 28, 350, 700),
    "reflex": CameraType(0.175, "X", 20, 28, 3.8, 28, 700, 850),
}


@dataclass(frozen=True, kw_only=True, eq=False)
class CameraRatings(RankingData):
    """Hold the fictitious ratings and the formula behind them.

    Attributes
    ----------
    weights : Series
        The true weight of each factor; a camera's score is the weighted sum of its factors.
    table : DataFrame
        The ratings as published: `name`, `type`, the factors, and the `rank` within the type.

    Examples
    --------
    >>> import rankwright as rw
    >>> ratings = rw.datasets.load_camera_ratings()
    >>> float(ratings.weights["photo_quality"])
    4.3
    """

    weights: pd.Series
    table: pd.DataFrame


def make_camera_ratings(
    n_items: int = 200, *, random_state: int | RandomState | None = BUNDLED_SEED
) -> CameraRatings:
    """Draw fictitious cameras of five types and rank each type by a known formula.

    Names, values and ranks are invented. Factors are published as the formula uses them (stars in
    halves, the rest in natural units), so the formula reproduces every rank. The defaults give
    the bundled `cameras.csv`.

    Parameters
    ----------
    n_items : int
        Number of cameras, at least 20.
    random_state : int, RandomState or None
        Seed.

    Returns
    -------
    CameraRatings
        `y` is minus the rank, `groups` the type.

    Examples
    --------
    >>> import rankwright as rw
    >>> ratings = rw.datasets.make_camera_ratings(50, random_state=0)
    >>> ratings.table.columns[:3].tolist(), len(ratings.table)
    (['name', 'type', 'resolution'], 50)
    """
    check_count("n_items", n_items, minimum=20)
    rng = check_random_state(random_state)
    shares = np.cumsum([camera_type.share for camera_type in TYPES.values()])
    sizes = np.diff(np.round(shares * n_items).astype(int), prepend=0)
    blocks = [_draw_type(label, int(size), rng) for label, size in zip(TYPES, sizes, strict=True)]
    table = pd.concat(blocks, ignore_index=True)
    score = _score(table)
    table["rank"] = score.groupby(table["type"]).rank(ascending=False, method="min").astype(int)
    return _as_ratings(table.sort_values(["type", "rank", "name"], ignore_index=True))


def load_camera_ratings() -> CameraRatings:
    """Load the bundled fictitious ratings of two hundred cameras.

    `make_camera_ratings` made them: no real product is described.

    Returns
    -------
    CameraRatings
        `y` is minus the published rank, `groups` the type of camera.

    Examples
    --------
    >>> import rankwright as rw
    >>> ratings = rw.datasets.load_camera_ratings()
    >>> ratings.X.shape, sorted(set(ratings.groups.tolist()))
    ((200, 11), ['compact', 'mirrorless', 'reflex', 'rugged', 'superzoom'])
    """
    return _as_ratings(pd.read_csv(CAMERA_RATINGS))


def _score(table: pd.DataFrame) -> pd.Series:
    """Apply the true formula, free of the last digits of floating point so that ties are ties."""
    return (table[list(TRUE_WEIGHTS)] @ pd.Series(TRUE_WEIGHTS)).round(6)


def _as_ratings(table: pd.DataFrame) -> CameraRatings:
    return CameraRatings(
        X=table.set_index("name")[list(TRUE_WEIGHTS)].astype(np.float64),
        y=-table["rank"].to_numpy(dtype=np.float64),
        groups=table["type"].to_numpy(dtype=str),
        weights=pd.Series(TRUE_WEIGHTS, name="weight"),
        table=table,
    )


def _draw_type(label: str, n: int, rng: RandomState) -> pd.DataFrame:
    """Draw the cameras of one type: better ones tend to be dearer, heavier and better in all."""
    kind = TYPES[label]
    level = rng.standard_normal(n)

    def around(centre: float, by_level: float, spread: float) -> NDArray[np.float64]:
        values: NDArray[np.float64] = centre * np.exp(
            by_level * level + spread * rng.standard_normal(n)
        )
        return values

    def stars() -> NDArray[np.float64]:
        exact = kind.stars + 0.4 * level + 0.6 * rng.standard_normal(n)
        return np.clip(np.round(2 * exact) / 2, 1, 5)

    columns = {
        "name": _names(kind.letter, n, rng),
        "type": label,
        "resolution": np.round(around(kind.megapixels, 0.05, 0.12)).astype(int),
        "weight": np.round(around(kind.ounces, 0.06, 0.15), 1),
        "photo_quality": stars(),
        "video_quality": stars(),
        "response_time": stars(),
        "handling_shake": stars(),
        "versatility": stars(),
        "lcd_quality": stars(),
        "widest_angle": np.round(around(kind.millimetres, -0.02, 0.08)).astype(int),
        "battery_life": (10 * np.round(around(kind.shots, 0.08, 0.25) / 10)).astype(int),
        "price": (10 * np.round(around(kind.price, 0.25, 0.2) / 10)).astype(int) - 1,
    }
    return pd.DataFrame(columns)


def _names(letter: str, n: int, rng: RandomState) -> list[str]:
    """Invent model names: a word and a number of the type's own series, never twice the same."""
    words = rng.choice(NAMES, n)
    return [f"{word} {letter}{100 + 10 * number}" for number, word in enumerate(words)]
