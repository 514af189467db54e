"""Out-of-bag comparisons: pairs of rows, ordered by the trees that saw neither of them."""

import numpy as np

from rankwright.kernels.compile import kernel

__all__ = ["MAJORITY", "MEAN", "MEDIAN", "compare_pairs"]

MEAN, MEDIAN, MAJORITY = range(3)

# Sums of values between 0 and 1 that differ by rounding alone are equal.
TIED = 1e-10


@kernel
def _median(values, n_values):
    """Sort the first values of an array; return the middle one, or the mean of the middle two."""
    for i in range(1, n_values):
        value = values[i]
        slot = i
        while slot > 0 and values[slot - 1] > value:
            values[slot] = values[slot - 1]
            slot -= 1
        values[slot] = value
    return (values[(n_values - 1) // 2] + values[n_values // 2]) / 2.0


@kernel
def compare_pairs(values, unseen, weights, positives, negatives, rule):
    """Compare all positives with all negatives; return sums over the pairs.

    Parameters
    ----------
    values : (n, B) float64
        What each tree says of each row.
    unseen : (n, B) bool
        Whether a tree did not see a row.
    weights : (n,) float64
    positives, negatives : int64
        Row numbers.
    rule : int
        How trees decide on a pair: by the mean or the median of their values, or by majority.

    Returns
    -------
    won, total : float
        Weight of the pairs in the right order, ties counted half, and of those compared.
    n_compared, n_votes : int
        Number of pairs compared, and of the trees that compared them, summed.
    """
    n_trees = values.shape[1]
    first = np.empty(n_trees)
    second = np.empty(n_trees)
    free = np.empty(n_trees, dtype=np.int64)
    won, total = 0.0, 0.0
    n_compared, n_votes = 0, 0
    for i in positives:
        n_free = 0
        for b in range(n_trees):
            if unseen[i, b]:
                free[n_free] = b
                n_free += 1
        for j in negatives:
            n_both = 0
            lead = 0.0
            for f in range(n_free):
                b = free[f]
                if unseen[j, b]:
                    if rule == MEAN:
                        lead += values[i, b] - values[j, b]
                    elif rule == MAJORITY:
                        lead += np.sign(values[i, b] - values[j, b])
                    else:
                        first[n_both] = values[i, b]
                        second[n_both] = values[j, b]
                    n_both += 1
            if n_both == 0:
                continue
            if rule == MEDIAN:
                lead = _median(first, n_both) - _median(second, n_both)
            weight = weights[i] * weights[j]
            total += weight
            won += weight * (1.0 if lead > TIED else 0.5 if lead >= -TIED else 0.0)
            n_compared += 1
            n_votes += n_both
    return won, total, n_compared, n_votes
