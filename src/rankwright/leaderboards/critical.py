"""How large studentised differences get by chance alone."""

from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from rankwright.kernels.differences import largest_differences
from rankwright.leaderboards.outcomes import BoolArray, FloatArray

__all__ = [
    "Bonferroni",
    "Critical",
    "DrawnErrors",
    "MaxT",
    "draw_strengths",
    "draw_studentised",
    "selected",
]

SELECTION = 0.1  # of the error, spent on finding what is far apart; as its authors advise
SLACKEST, SLACK_BINS = -8.0, 400


class Critical(Protocol):
    """Bounds for families of tests; test (i, k) asks whether item i is above item k.

    Under its hypothesis the studentised difference is below chance by a ``slack`` of at least
    |slack[i, k]|; the slack is 0 where i and k may be equal.
    """

    @property
    def level(self) -> float:
        """The probability that nothing in the family exceeds the bound by chance."""
        ...

    def of_item(self, item: int, above: BoolArray, below: BoolArray) -> float:
        """Return the bound for one item: ``above`` marks tests (item, k), ``below`` (k, item)."""
        ...

    def of_pairs(self, open_pairs: BoolArray) -> float:
        """Return the bound for all tests (row, column) that are marked."""
        ...


Bound = TypeVar("Bound", "MaxT", "DrawnErrors", "Bonferroni")


def selected(critical: Bound, studentised: FloatArray) -> Bound:
    """Return bounds that know which items are far apart, so that they need not be guarded against.

    J. P. Romano, A. M. Shaikh and M. Wolf, A practical two-step method for testing moment
    inequalities, Econometrica 82 (2014). With probability 1 - β every difference is at most the
    observed one plus the bound for all pairs. Where that is negative, so is the mean of the test's
    statistic: the slack. Then the bound for what is left, at 1 - α + β, is no smaller than it would
    be with the true means, in every step, so that both errors together are at most α.
    """
    error = 1 - critical.level
    first = replace(critical, level=1 - SELECTION * error)
    reach = first.of_pairs(~np.eye(len(studentised), dtype=bool))
    slack = np.minimum(studentised + reach, 0.0)
    return replace(critical, level=1 - (1 - SELECTION) * error, slack=slack)


@dataclass(frozen=True, eq=False)
class MaxT:
    """Quantiles of the largest difference among draws of all strengths together."""

    draws: FloatArray  # (items, draws)
    inverse_errors: FloatArray
    degrees: float
    level: float
    slack: FloatArray

    def of_item(self, item: int, above: BoolArray, below: BoolArray) -> float:
        """Return the quantile for one item's differences."""
        largest = np.full(self.draws.shape[1], -np.inf)
        self._raise(item, above, below, largest)
        return self._quantile(largest)

    def of_pairs(self, open_pairs: BoolArray) -> float:
        """Return the quantile for pairs of items."""
        largest = np.full(self.draws.shape[1], -np.inf)
        later = np.arange(len(open_pairs))
        for item in range(len(open_pairs) - 1):
            above, below = open_pairs[item] & (later > item), open_pairs[:, item] & (later > item)
            self._raise(item, above, below, largest)
        return self._quantile(largest)

    def _raise(self, item: int, above: BoolArray, below: BoolArray, largest: FloatArray) -> None:
        slack_above = np.where(above, self.slack[item], -np.inf)
        slack_below = np.where(below, self.slack[:, item], -np.inf)
        largest_differences(
            self.draws, item, self.inverse_errors[item], slack_above, slack_below, largest
        )

    def _quantile(self, largest: FloatArray) -> float:
        bound = _quantile(largest, self.level)
        # Errors from clusters are uncertain: Student's quantile of the same probability.
        return bound if np.isinf(self.degrees) else _isf(float(ndtr(-bound)), self.degrees)


@dataclass(frozen=True, eq=False)
class DrawnErrors:
    """Quantiles of the largest difference, each draw divided by errors that are drawn as well.

    Errors from few clusters are uncertain, and those of different pairs in different ways, which
    makes the largest of many studentised differences larger than Student's distribution of a single
    one lets expect.
    """

    draws: NDArray[np.float32]  # (draws, items, items): studentised differences, row minus column
    level: float
    slack: FloatArray

    def of_item(self, item: int, above: BoolArray, below: BoolArray) -> float:
        """Return the quantile for one item's differences."""
        rows = self.draws[:, item]
        found = np.concatenate(
            [
                rows[:, above] + self.slack[item, above],
                self.slack[below, item] - rows[:, below],
            ],
            axis=1,
        )
        return _quantile(found.max(axis=1), self.level)

    def of_pairs(self, open_pairs: BoolArray) -> float:
        """Return the quantile for pairs of items."""
        slack = np.where(open_pairs, self.slack, -np.inf).astype(np.float32)
        return _quantile((self.draws + slack).max(axis=(1, 2)), self.level)


@dataclass(frozen=True, eq=False)
class Bonferroni:
    """The bound that holds for any dependence: each test has its share of the error."""

    degrees: float
    level: float
    slack: FloatArray

    def of_item(self, item: int, above: BoolArray, below: BoolArray) -> float:
        """Return the bound for one item's differences."""
        return self._bound(np.append(self.slack[item, above], self.slack[below, item]))

    def of_pairs(self, open_pairs: BoolArray) -> float:
        """Return the bound for pairs of items."""
        return self._bound(self.slack[open_pairs])

    def _bound(self, slack: FloatArray) -> float:
        """Find the bound at which the probabilities of all tests add up to the error."""
        error, n_tests = 1 - self.level, max(len(slack), 1)
        strictest = _isf(error / n_tests, self.degrees)
        # The slack is rounded towards 0, which is the safe side.
        bins = np.floor(np.maximum(slack, SLACKEST) * (SLACK_BINS / SLACKEST)).astype(np.int64)
        counts = np.bincount(bins)
        if len(counts) < 2:
            return strictest
        rounded: FloatArray = np.arange(len(counts), dtype=np.float64) * (SLACKEST / SLACK_BINS)

        def excess(bound: float) -> float:
            return float(counts @ _sf(bound - rounded, self.degrees)) - error

        loosest = _isf(error, self.degrees) + SLACKEST
        return float(brentq(excess, loosest, strictest)) if excess(loosest) > 0 else loosest


def draw_strengths(covariance: FloatArray, n_draws: int, rng: np.random.Generator) -> FloatArray:
    """Draw errors of all strengths together, in columns.

    Sums of scores with Gaussian multipliers have just this distribution given the data, so the
    multipliers themselves need not be drawn.
    """
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    return np.asarray(root @ rng.standard_normal((len(values), n_draws)))


def draw_studentised(
    covariance: FloatArray, degrees: int, n_draws: int, rng: np.random.Generator
) -> NDArray[np.float32]:
    """Draw differences and, for each draw, a covariance to studentise them with.

    The sum of squares of that many clusters, each about normal, has Wishart's distribution.
    """
    values, vectors = np.linalg.eigh(covariance)
    kept = values > 1e-12 * values.max()
    root = vectors[:, kept] * np.sqrt(values[kept])
    n, rank = root.shape
    found = np.zeros((n_draws, n, n), dtype=np.float32)
    for draw in found:
        clusters = root @ rng.standard_normal((rank, degrees))
        products = clusters @ clusters.T / degrees
        squares = np.diag(products)
        variance = squares[:, None] + squares - 2 * products
        strengths = root @ rng.standard_normal(rank)
        known = variance > 1e-12 * max(float(squares.max()), 1e-300)
        gaps = strengths[:, None] - strengths
        draw[known] = gaps[known] / np.sqrt(variance[known])
    return found


def _sf(values: FloatArray, degrees: float) -> FloatArray:
    """Return the probability that Student's variable exceeds values; the normal one's for inf."""
    return np.asarray(ndtr(-values) if np.isinf(degrees) else stdtr(degrees, -values))


def _isf(probability: float, degrees: float) -> float:
    return -float(ndtri(probability) if np.isinf(degrees) else stdtrit(degrees, probability))


def _quantile(largest: NDArray[np.floating], level: float) -> float:
    # The observed value counts as one more draw, so that drawing errs on the safe side.
    place = min(int(np.ceil(level * (len(largest) + 1))), len(largest)) - 1
    return float(np.partition(largest, place)[place])
