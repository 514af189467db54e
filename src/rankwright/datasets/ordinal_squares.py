"""Five ordered labels on the unit square: the ranking-tree data."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.random import RandomState
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.special import ndtr
from sklearn.utils import check_random_state

from rankwright.datasets.ranking_data import GeneratedData, check_count, check_not_negative

__all__ = ["OrdinalData", "make_ordinal_squares"]

THRESHOLDS = np.array([-1.0, -0.1, 0.25, 1.0])


@dataclass(frozen=True, kw_only=True, eq=False)
class OrdinalData(GeneratedData):
    """Hold items with ordered labels and the smallest loss that any rule reaches.

    Attributes
    ----------
    optimal_labels : ndarray of shape (n_items,)
        The label without noise; it is the median of the label's distribution at the item and so
        minimises the mean absolute rank loss.
    loss_star : float
        The mean absolute rank loss of `optimal_labels`, over the distribution.

    Examples
    --------
    >>> import rankwright as rw
    >>> data = rw.datasets.make_ordinal_squares(20_000, random_state=0)
    >>> bool(abs(abs(data.y - data.optimal_labels).mean() - data.loss_star) < 0.02)
    True
    """

    optimal_labels: NDArray[np.float64]
    loss_star: float


def _labels(latent: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the largest r in 1..5 whose threshold lies below `latent`."""
    return (1 + np.searchsorted(THRESHOLDS, latent, side="left")).astype(np.float64)


def _loss_star(noise: float) -> float:
    """Integrate the loss of the noise-free label.

    The loss counts thresholds on the wrong side; the latent value is 2.5·p for a product p of two
    uniform variables on (-1, 1), which has density -ln|p| / 2.
    """
    if noise == 0:
        return 0.0
    cuts = THRESHOLDS / 2.5

    def loss_density(p: float) -> float:
        crossed = ndtr(-2.5 * np.abs(p - cuts) / noise).sum()
        return float(-0.5 * np.log(abs(p)) * crossed)

    negative, _ = quad(loss_density, -1, 0, points=cuts[cuts < 0].tolist())
    positive, _ = quad(loss_density, 0, 1, points=cuts[cuts > 0].tolist())
    return negative + positive


def make_ordinal_squares(
    n_items: int = 1000,
    *,
    noise: float = 0.125,
    n_noise_features: int = 0,
    random_state: int | RandomState | None = None,
) -> OrdinalData:
    """Draw points of the unit square with labels 1 to 5 that follow a saddle.

    The label is the largest r with 10·(x1 - 0.5)·(x2 - 0.5) + e above the r-th of the thresholds
    -inf, -1, -0.1, 0.25, 1.

    Parameters
    ----------
    n_items : int
        Number of points.
    noise : float
        Standard deviation of e.
    n_noise_features : int
        Number of further uniform features that say nothing about the label.
    random_state : int, RandomState or None
        Seed.

    Returns
    -------
    OrdinalData
        `y` is the label.

    Examples
    --------
    >>> import rankwright as rw
    >>> data = rw.datasets.make_ordinal_squares(1000, n_noise_features=18, random_state=0)
    >>> data.X.shape, round(data.loss_star, 3)
    ((1000, 20), 0.153)
    """
    check_count("n_items", n_items, minimum=1)
    check_count("n_noise_features", n_noise_features, minimum=0)
    check_not_negative("noise", noise)
    rng = check_random_state(random_state)
    square = rng.uniform(size=(n_items, 2))
    saddle = 10 * (square[:, 0] - 0.5) * (square[:, 1] - 0.5)
    y = _labels(saddle + noise * rng.standard_normal(n_items))
    irrelevant = rng.uniform(size=(n_items, n_noise_features))
    names = ["x1", "x2", *(f"noise{i}" for i in range(1, n_noise_features + 1))]
    return OrdinalData(
        X=pd.DataFrame(np.hstack([square, irrelevant]), columns=names),
        y=y,
        optimal_scores=saddle,
        optimal_labels=_labels(saddle),
        loss_star=_loss_star(noise),
    )
