"""The ranks that items may have: differences tested together, step by step.

The reference is M. Mogstad, J. P. Romano, A. M. Shaikh and D. Wilhelm, Inference for ranks with
applications to mobility across neighbourhoods and academic achievement across countries, Review of
Economic Studies 91 (2024).
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm
from scipy.stats import t as student

from rankwright.kernels.differences import largest_differences
from rankwright.leaderboards.outcomes import FloatArray, IntArray

__all__ = [
    "Bonferroni",
    "Critical",
    "MOST_DRAWN",
    "MaxT",
    "RankSets",
    "differences",
    "draw_strengths",
    "marginal_sets",
    "simultaneous_sets",
]

BoolArray = NDArray[np.bool_]
MOST_DRAWN = 500  # items whose differences are drawn together; beyond it Bonferroni's bound


class Critical(Protocol):
    """Says how large studentised differences get by chance alone."""

    def of_item(self, item: int, above: BoolArray, below: BoolArray) -> float:
        """Return the value that an item's differences to others exceed with probability 1 - level.

        ``above`` marks the items that it may wrongly be found above, ``below`` the others.
        """
        ...

    def of_pairs(self, open_pairs: BoolArray) -> float:
        """Return the same for all pairs (row above column) that are marked."""
        ...


@dataclass(frozen=True, eq=False)
class MaxT:
    """Quantiles of the largest difference among draws of all strengths together.

    Errors from few clusters are themselves uncertain, each for itself: the quantile of normal draws
    becomes that of Student's distribution with the same probability.
    """

    draws: FloatArray  # (items, draws)
    inverse_errors: FloatArray
    degrees: float
    level: float

    def of_item(self, item: int, above: BoolArray, below: BoolArray) -> float:
        """Return the quantile for one item's differences."""
        largest = np.full(self.draws.shape[1], -np.inf)
        largest_differences(self.draws, item, self.inverse_errors[item], above, below, largest)
        return self._quantile(largest)

    def of_pairs(self, open_pairs: BoolArray) -> float:
        """Return the quantile for pairs of items."""
        largest = np.full(self.draws.shape[1], -np.inf)
        later = np.arange(len(open_pairs))
        for item in range(len(open_pairs) - 1):
            above, below = open_pairs[item] & (later > item), open_pairs[:, item] & (later > item)
            largest_differences(self.draws, item, self.inverse_errors[item], above, below, largest)
        return self._quantile(largest)

    def _quantile(self, largest: FloatArray) -> float:
        # The observed value counts as one more draw, so that drawing errs on the safe side.
        place = min(int(np.ceil(self.level * (len(largest) + 1))), len(largest)) - 1
        bound = float(np.partition(largest, place)[place])
        return bound if np.isinf(self.degrees) else float(student.isf(norm.sf(bound), self.degrees))


@dataclass(frozen=True)
class Bonferroni:
    """The bound that holds for any dependence: each test at its share of the error."""

    degrees: float
    level: float

    def of_item(self, item: int, above: BoolArray, below: BoolArray) -> float:
        """Return the bound for one item's differences."""
        return self._bound(int(above.sum() + below.sum()))

    def of_pairs(self, open_pairs: BoolArray) -> float:
        """Return the bound for pairs of items."""
        return self._bound(int(open_pairs.sum()))

    def _bound(self, n_tests: int) -> float:
        return float(student.isf((1 - self.level) / max(n_tests, 1), self.degrees))


@dataclass(frozen=True, eq=False)
class RankSets:
    """The best and the worst rank that each item may have."""

    low: IntArray
    high: IntArray


def draw_strengths(covariance: FloatArray, n_draws: int, rng: np.random.Generator) -> FloatArray:
    """Draw errors of all strengths together, in columns.

    Sums of scores with Gaussian multipliers have just this distribution given the data, so the
    multipliers themselves need not be drawn.
    """
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    return np.asarray(root @ rng.standard_normal((len(values), n_draws)))


def differences(strengths: FloatArray, covariance: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return studentised differences (row minus column), and one over their standard errors.

    Items whose difference has no error at all have 0 for both.
    """
    diagonal = np.diag(covariance)
    variance = diagonal[:, None] + diagonal - 2 * covariance
    known = variance > 1e-12 * max(float(diagonal.max()), 1e-300)
    inverse = np.zeros_like(variance)
    inverse[known] = 1 / np.sqrt(variance[known])
    return (strengths[:, None] - strengths) * inverse, inverse


def marginal_sets(studentised: FloatArray, critical: Critical) -> RankSets:
    """Return rank sets that hold for each item by itself."""
    n = len(studentised)
    others = ~np.eye(n, dtype=bool)
    low, high = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    for item in range(n):
        above, below = others[item].copy(), others[item].copy()
        while above.any() or below.any():
            bound = critical.of_item(item, above, below)
            won = above & (studentised[item] > bound)
            lost = below & (-studentised[item] > bound)
            if not (won.any() or lost.any()):
                break
            # A rejected hypothesis leaves the family, and the next bound is lower.
            above &= ~won
            below &= ~lost
        low[item] = 1 + (others[item] & ~below).sum()
        high[item] = n - (others[item] & ~above).sum()
    return RankSets(low, high)


def simultaneous_sets(studentised: FloatArray, critical: Critical) -> RankSets:
    """Return rank sets that hold for all items at once."""
    n = len(studentised)
    everybody = ~np.eye(n, dtype=bool)
    open_pairs = everybody.copy()
    while open_pairs.any():
        rejected = open_pairs & (studentised > critical.of_pairs(open_pairs))
        if not rejected.any():
            break
        open_pairs &= ~rejected
    above = everybody & ~open_pairs
    return RankSets(1 + above.sum(axis=0), n - above.sum(axis=1))
