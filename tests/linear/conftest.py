"""Small ranking problems, and sums over all pairs by brute force."""

from dataclasses import dataclass

import numpy as np
import pytest

from rankwright.data import sort_rows


@dataclass(frozen=True)
class Problem:
    rows: object  # Rows
    group: np.ndarray

    def pairs(self, adjacent=False):
        """List (better, worse) from the table of all comparisons."""
        y = self.rows.y
        gap = y[:, None] - y[None, :]
        if adjacent:  # the number of distinct values of y that rows of the group have below each
            place = np.array(
                [
                    np.unique(y[(self.group == g) & (y < v)]).size
                    for g, v in zip(self.group, y, strict=True)
                ]
            )
            gap = np.where(place[:, None] - place[None, :] == 1, gap, 0.0)
        return np.argwhere((gap > 0) & (self.group[:, None] == self.group[None, :]))


@pytest.fixture
def make_problem():
    def make(n=60, d=3, n_groups=3, decimals=None, seed=0, weighted=False, noise=1.0):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(n, d))
        y = X @ np.linspace(1, -1, d) + noise * rng.normal(size=n)
        y = y if decimals is None else np.round(y, decimals)
        group = np.sort(rng.integers(0, n_groups, size=n))
        weights = rng.integers(1, 5, size=n).astype(float) if weighted else None
        return Problem(sort_rows(X, y, group, weights), group)

    return make
