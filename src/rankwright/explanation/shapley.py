"""Shapley values of the features in which two items differ, from the scores of hybrids.

A hybrid has some features of the item and the others of the other. ``worth`` scores hybrids: it
takes which of the n features come from the item, (m, n) bool, and returns m scores.
"""

from collections.abc import Callable
from math import comb

import numpy as np
from numpy.typing import NDArray

__all__ = ["enumerate_hybrids", "sample_orders"]

Floats = NDArray[np.float64]
Worth = Callable[[NDArray[np.bool_]], Floats]

HYBRIDS_AT_ONCE = 8192


def enumerate_hybrids(worth: Worth, n: int) -> Floats:
    """Return the exact values: all 2^n hybrids are scored."""
    numbers = np.arange(2**n)
    from_item = (numbers[:, None] >> np.arange(n)) % 2 == 1
    scores = worth(from_item)
    # |S|! (n - |S| - 1)! / n!, the share of orders in which the features before j are the set S.
    shares = np.array([1.0 / (n * comb(n - 1, size)) for size in range(n)])
    values = np.empty(n)
    for j in range(n):
        without = numbers[~from_item[:, j]]
        share = shares[from_item[without].sum(axis=1)]
        values[j] = share @ (scores[without + 2**j] - scores[without])
    return values


def sample_orders(worth: Worth, n: int, n_orders: int, seed: int) -> tuple[Floats, Floats]:
    """Return estimates from random orders, each used forwards and backwards, and their errors."""
    rng = np.random.default_rng(seed)
    at_once = max(1, HYBRIDS_AT_ONCE // (2 * n + 2))
    gains = [
        _gains(worth, np.array([rng.permutation(n) for _ in range(min(at_once, n_orders - done))]))
        for done in range(0, n_orders, at_once)
    ]
    drawn = np.concatenate(gains)
    return drawn.mean(axis=0), drawn.std(axis=0, ddof=1) / np.sqrt(n_orders)


def _gains(worth: Worth, orders: NDArray[np.int64]) -> Floats:
    """Return what the score gains with each feature, the mean of both directions of each order."""
    both = np.stack([orders, orders[:, ::-1]], axis=1)
    places = np.argsort(both, axis=2)  # when each feature is replaced
    steps = np.arange(orders.shape[1] + 1)
    from_item = places[:, :, None, :] < steps[:, None]
    scores = worth(from_item.reshape(-1, orders.shape[1]))
    gains = np.diff(scores.reshape(*both.shape[:2], steps.size), axis=2)
    mean: Floats = np.take_along_axis(gains, places, axis=2).mean(axis=1)
    return mean
