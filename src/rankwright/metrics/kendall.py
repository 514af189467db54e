"""Kendall's tau: how many pairs of items two rankings order alike."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwright.metrics.inputs import Floats, UndefinedMetricError, paired, weights_or_ones

__all__ = ["PairSums", "kendall_tau", "pair_sums", "probabilistic_kendall_tau", "somers_d"]

# Rows of a list up to which meeting every pair takes no longer than sorting (measured).
SHORT_LIST = 100


@dataclass(frozen=True)
class PairSums:
    """The pairs of items by how two rankings order them: numbers, or one array entry per group.

    Each pair is in one of five classes, so that what is asked of them is a sum and never a small
    difference of large ones. With item weights a pair counts the product of its items' weights.

    Attributes
    ----------
    concordant, discordant : number or array
        Ordered by both rankings, alike or oppositely.
    tied_first, tied_second : number or array
        Tied in this ranking alone.
    tied_both : number or array
    """

    concordant: Any
    discordant: Any
    tied_first: Any
    tied_second: Any
    tied_both: Any

    @property
    def total(self) -> Any:
        """All pairs."""
        return self.ordered_first + self.tied_first + self.tied_both

    @property
    def ordered_first(self) -> Any:
        """The pairs that the first ranking orders."""
        return self.concordant + self.discordant + self.tied_second

    @property
    def ordered_second(self) -> Any:
        """The pairs that the second ranking orders."""
        return self.concordant + self.discordant + self.tied_first

    def tau_b(self) -> Floats:
        """Return tau-b: 0 where a ranking is constant, NaN where there is no pair."""
        return self._excess_in(_geometric_mean(self.ordered_first, self.ordered_second))

    def somers_d(self) -> Floats:
        """Return Somers' D: 0 where the first ranking is constant, NaN where there is no pair."""
        return self._excess_in(self.ordered_first)

    def _excess_in(self, ordered: Any) -> Floats:
        """Return the concordant less the discordant pairs, as a share of those that are ordered."""
        excess, nothing = self.concordant - self.discordant, np.zeros(np.shape(ordered))
        share = np.divide(excess, ordered, out=nothing, where=ordered > 0)
        return np.asarray(np.where(self.total > 0, share, np.nan))

    def distance(self) -> Floats:
        """Return the share of discordant pairs, ties in one ranking only counted half."""
        disagreeing = self.discordant + (self.tied_first + self.tied_second) / 2
        undefined = np.full(np.shape(self.total), np.nan)
        share = np.divide(disagreeing, self.total, out=undefined, where=self.total > 0)
        return np.asarray(share)

    def probabilistic_tau(self) -> Floats:
        """Return 1 - 2 d, Definition 7 and (3) of the ranking forests paper."""
        return np.asarray(1 - 2 * self.distance())


def _geometric_mean(first: Any, second: Any) -> Floats:
    """Return the root of a product that may be too large for 64 bits, or for floats."""
    _, exponent = np.frexp(first)
    product = np.ldexp(first, -exponent) * np.ldexp(second, -exponent)
    return np.asarray(np.ldexp(np.sqrt(product), exponent))


def count_pairs(first: Floats, second: Floats, offsets: NDArray[np.int64]) -> PairSums:
    """Count the pairs inside each group offsets[g]:offsets[g + 1], without weights."""
    from rankwright.kernels.kendall import kendall_counts, short_counts

    sizes = np.diff(offsets)
    count = short_counts if sizes.max(initial=0) <= SHORT_LIST else kendall_counts
    discordant, tied_first, tied_second, both = count(first, second, offsets).T
    ordered = sizes * (sizes - 1) // 2 - tied_first - tied_second + both
    return PairSums(ordered - discordant, discordant, tied_first - both, tied_second - both, both)


def pair_sums(first: Floats, second: Floats, sample_weight: ArrayLike | None = None) -> PairSums:
    """Sum the pairs of one list, weighted when there are weights."""
    n = len(first)
    if sample_weight is None:
        return count_pairs(first, second, np.array([0, n], dtype=np.int64))
    from rankwright.kernels.kendall import dominated_weight, tied_weights

    weights = weights_or_ones(sample_weight, n)
    x, y = (np.unique(values, return_inverse=True)[1] for values in (first, second))
    upwards, downwards = (
        dominated_weight(np.argsort(first), first, ranks, weights) for ranks in (y, y.max() - y)
    )

    def tied(ranks: NDArray[np.int64], others: NDArray[np.int64]) -> Any:
        """Return the pairs that are tied in the one ranking alone, and in both."""
        order = np.lexsort([others, ranks])
        return tied_weights(ranks[order], others[order], weights[order])

    (tied_first, tied_both), (tied_second, _) = tied(x, y), tied(y, x)
    return PairSums(weights @ upwards, weights @ downwards, tied_first, tied_second, tied_both)


def defined(tau: Floats, n: int) -> float:
    """Return the one tau as a number, or raise when no pair has weight."""
    if np.isnan(tau).all():
        raise UndefinedMetricError(
            f"{n} item(s) make no pair of positive weight; Kendall's tau needs two items"
        )
    return float(tau.item())


def kendall_tau(
    y_true: ArrayLike, scores: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """Return Kendall's tau-b between two rankings that may have ties.

    (concordant - discordant) / sqrt((pairs - ties in y_true)(pairs - ties in scores)), in
    O(n log n). A constant ranking carries no order: tau is then 0.0, also when both are constant.

    Parameters
    ----------
    y_true, scores : array-like of shape (n_items,)
        Larger is better in both.
    sample_weight : array-like of shape (n_items,), optional
        Weights of items; a pair counts the product of its two weights.

    Returns
    -------
    float
        Between -1 (reversed) and 1 (the same order and the same ties).

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.metrics.kendall_tau([3, 2, 1], [0.9, 0.1, 0.4])
    0.3333333333333333
    >>> rw.metrics.kendall_tau([3, 2, 1], [5, 5, 5])
    0.0
    """
    first, second = paired(y_true, scores)
    return defined(pair_sums(first, second, sample_weight).tau_b(), len(first))


def somers_d(
    y_true: ArrayLike, scores: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """Return Somers' D: how the scores order the pairs that y_true orders.

    (concordant - discordant) / (pairs - ties in y_true). Unlike tau-b it is 1 for scores that order
    every such pair, also when they break ties of y_true: a published rank or band that several
    items share says nothing about their order. A constant y_true has no order: 0.0.

    Parameters
    ----------
    y_true, scores : array-like of shape (n_items,)
        Larger is better in both.
    sample_weight : array-like of shape (n_items,), optional
        Weights of items; a pair counts the product of its two weights.

    Returns
    -------
    float
        Between -1 (every pair reversed) and 1 (every pair as in y_true).

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.metrics.somers_d([2, 2, 1], [5, 4, 1])
    1.0
    >>> rw.metrics.somers_d([2, 2, 1], [5, 1, 1])
    0.5
    """
    first, second = paired(y_true, scores)
    return defined(pair_sums(first, second, sample_weight).somers_d(), len(first))


def probabilistic_kendall_tau(
    y_true: ArrayLike, scores: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """Return the probabilistic Kendall tau, ties in one ranking only at half weight.

    1 - 2 d, where d is the share of pairs ordered oppositely plus half the share of pairs tied in
    one ranking but not in the other (Definition 7 and (3) of the ranking forests paper). Two
    constant rankings agree: 1.0; a constant ranking against one without ties gives 0.0.

    Parameters
    ----------
    y_true, scores : array-like of shape (n_items,)
        Larger is better in both.
    sample_weight : array-like of shape (n_items,), optional
        Weights of items; a pair counts the product of its two weights.

    Returns
    -------
    float
        Between -1 and 1.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.metrics.probabilistic_kendall_tau([3, 2, 1], [2, 1, 1])
    0.6666666666666667
    """
    first, second = paired(y_true, scores)
    return defined(pair_sums(first, second, sample_weight).probabilistic_tau(), len(first))
