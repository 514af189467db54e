"""Whether an unpenalised fit has a minimum, and a single one.

A loss that falls for ever along a direction has no minimum, and where a solver stops is arbitrary:
scores that order every pair correctly, an item that won all its comparisons. Where items were never
compared, not even through others, any difference of their scores fits equally well.
"""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.data.levels import Levels
from rankwright.linear.pairs import Pairs
from rankwright.linear.solver import SAMPLED_PAIRS

__all__ = ["falls_for_ever", "is_connected", "warn_if_arbitrary"]

Floats = NDArray[np.float64]

DECIDED = 9.0  # a score difference whose loss is below 2e-4
ROUNDING = 1e-9  # of the range of the scores
FLAT = 1e-12  # sum of squares along a direction, in units in which that of a feature is one
MOST_FEATURES = 1000  # beyond this, eigenvectors would take longer than the fit


def warn_if_arbitrary(
    X: Any,
    pairs: Pairs,
    coef: Floats,
    *,
    bounded: bool = False,
    tied: Levels | None = None,
    one_table: bool = False,
) -> None:
    """Warn if an unpenalised fit could as well be another one.

    A ``bounded`` loss reaches its minimum. Rows of one level of ``tied`` are pulled together. The
    rows of ``one_table`` are all to be compared; otherwise rows of different groups need not be.
    """
    if not bounded and falls_for_ever(X, pairs, coef, tied):
        warnings.warn(
            "without a penalty there is no best fit: some score differences (of an item that won "
            "or lost all its comparisons, or of all pairs) could grow for ever, and where they "
            "stopped is arbitrary; set alpha > 0",
            stacklevel=3,
        )
    if one_table and not is_connected(X, pairs):
        warnings.warn(
            "some items are not connected with the others by comparisons, direct or through other "
            "items, so without a penalty their score differences are arbitrary; set alpha > 0, "
            "leave them out, or add comparisons",
            stacklevel=3,
        )


def falls_for_ever(X: Any, pairs: Pairs, coef: Floats, tied: Levels | None = None) -> bool:
    """Say whether some direction contradicts no pair and tells better from worse in some.

    The solver has gone far along such a direction, where pairs are decided. The others have
    settled, so what is left of the coefficients in the directions that those do not see is
    tried on all pairs: True is proved, up to rounding errors.
    """
    if coef.size > MOST_FEATURES:
        return tied is None and pairs.separates(X @ coef)
    better, worse, _ = pairs.sample(max(SAMPLED_PAIRS, 4 * coef.size))
    differences = X[better] - X[worse]
    settled = np.abs(differences @ coef) < DECIDED
    scale = _scale(differences)
    unseen = _unseen(differences[settled], scale)
    scores = X @ (unseen @ (unseen.T @ (scale * coef)) / scale)
    slack = ROUNDING * float(np.ptp(scores))
    if tied is not None and np.max(_spreads(scores, tied)) > slack:
        return False
    contradicted = pairs.margin(scores, -slack, False, -1.0)[0] > 0
    told_apart = pairs.margin(-scores, -slack, False, -1.0)[0] > 0
    return told_apart and not contradicted


def is_connected(X: Any, pairs: Pairs) -> bool:
    """Say whether comparisons, direct or through others, fix every difference of two scores."""
    if X.shape[1] > MOST_FEATURES:
        return True  # not looked at
    first, second = pairs.spanning()
    differences = X[first] - X[second]
    scale = _scale(differences)
    free = np.ptp(X @ (_unseen(differences, scale) / scale[:, None]), axis=0)
    return bool(free.max(initial=0.0) <= np.sqrt(ROUNDING) * np.max(_scale(X) / scale))


def _scale(differences: Any) -> Floats:
    squares = differences**2 if isinstance(differences, np.ndarray) else differences.power(2)
    sums = np.asarray(squares.sum(axis=0)).ravel()
    return np.sqrt(np.where(sums > 0, sums, 1.0))


def _unseen(differences: Any, scale: Floats) -> Floats:
    """Return an orthonormal basis of the scaled directions in which no difference points."""
    products = differences.T @ differences
    products = products if isinstance(products, np.ndarray) else products.toarray()
    values, vectors = np.linalg.eigh(products / np.outer(scale, scale))
    return np.asarray(vectors[:, values <= FLAT])


def _spreads(scores: Floats, levels: Levels) -> Floats:
    """Return how far the scores of each level reach."""
    ordered, starts = scores[levels.order], levels.offsets[:-1]
    spreads: Floats = np.maximum.reduceat(ordered, starts) - np.minimum.reduceat(ordered, starts)
    return spreads
