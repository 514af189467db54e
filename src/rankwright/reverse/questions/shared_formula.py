"""Whether groups share one formula, judged by products that were held out."""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.linear import PairwiseRanker
from rankwright.reverse.clock import Clock
from rankwright.reverse.problem import Rating
from rankwright.reverse.refusal import QuestionRefusedError

__all__ = ["SharedFormula", "shared_formula"]

Floats = NDArray[np.float64]
N_FOLDS = 8
FEWEST = 5  # products of a group that has a formula of its own
MOST_COMPARED = 1_000  # held-out products of a group that are compared with each other
SMALL = 0.05
# Little shrinkage: a group whose order one formula reproduces is to get that formula.
RANKER: dict[str, Any] = {"alpha": 1e-5, "tol": 1e-4, "max_iter": 200}


@dataclass(frozen=True, eq=False)
class SharedFormula:
    """How held-out products are ordered by their group's own formula and by one for all groups.

    Attributes
    ----------
    own, shared : float
        The share of pairs of held-out products that each orders as published.
    p_value : float
        Of the hypothesis that own formulas are no better than a shared one, by a t-test over
        held-out products. A shared formula learns from more products, so that the test errs
        towards one formula for all: it is sure of differences, not of their absence.
    groups : DataFrame
        By group: ``products``, ``own`` and ``shared``; NaN for groups of fewer than five products.
    n_products : int
        How many products were held out.
    """

    own: float
    shared: float
    p_value: float
    groups: pd.DataFrame
    n_products: int

    @property
    def is_refuted(self) -> bool:
        """Tell whether groups have different formulas, more clearly than chance would seldom do."""
        return bool(self.p_value <= SMALL)


def shared_formula(rating: Rating, *, clock: Clock) -> SharedFormula:
    """Order held-out products by their group's own formula, and by one fitted to all groups.

    Both see the same products of the group; the shared formula sees the other groups too. Where
    groups have one formula, that is an advantage; where they have not, a burden. Two folds are held
    out at a time, and only pairs of held-out products count: one that was fitted would be placed
    well by the more flexible formula, whatever the order means.
    """
    X, y = rating.X[rating.counted], rating.y[rating.counted]
    offsets, groups = rating.problem.offsets, rating.problem.group_of_row
    labels = rating.groups[rating.counted][offsets[:-1]]
    sizes = np.diff(offsets)
    if (sizes >= FEWEST).sum() < 2:
        raise QuestionRefusedError(
            f"fewer than two groups have {FEWEST} products or more, so it can't be told whether "
            "groups share one formula; give a column of larger groups"
        )
    X = _standardised(X, groups)
    rng = np.random.default_rng(0)
    dealt = np.concatenate([rng.permutation(size) % N_FOLDS for size in sizes])
    won = np.zeros((len(y), 2))  # of each product's held-out pairs, by the own and the shared one
    pairs = np.zeros(len(y))

    def hold_out(folds: tuple[int, int]) -> None:
        train = ~np.isin(dealt, folds)
        for_all = _fitted(X[train], y[train], groups[train])
        for group in np.flatnonzero(sizes >= FEWEST):
            rows = np.arange(offsets[group], offsets[group + 1])
            known = rows[train[rows]]
            own = _fitted(X[known], y[known], groups[known])
            # Products of a group come sorted: any of them, not the first.
            test = rng.permutation(rows[~train[rows]])[:MOST_COMPARED]
            published = _order(y[test])
            pairs[test] += (published != 0).sum(axis=1)
            for column, weights in enumerate((own, for_all)):
                is_won = (published != 0) & (published == _order(X[test] @ weights))
                won[test, column] += is_won.sum(axis=1)

    clock.answer_each(list(combinations(range(N_FOLDS), 2)), hold_out, "pairs of folds")
    right = np.where(pairs[:, None] > 0, won / np.maximum(pairs, 1)[:, None], np.nan)
    return _judged(right, groups, labels, sizes)


def _judged(
    right: Floats, groups: NDArray[np.int64], labels: NDArray[Any], sizes: NDArray[np.int64]
) -> SharedFormula:
    from scipy.stats import t

    is_counted = np.isfinite(right).all(axis=1)
    gains = right[is_counted, 0] - right[is_counted, 1]
    # Each pair counts for both its products: the mean of a function of pairs (a U-statistic) has
    # twice the error that independent products would have.
    error = 2 * gains.std(ddof=1) / np.sqrt(len(gains)) if len(gains) > 1 else np.nan
    if not np.any(gains):
        p_value = 1.0
    else:
        p_value = float(t.sf(gains.mean() / error, len(gains) - 1)) if error > 0 else np.nan
    frame = pd.DataFrame(right, columns=["own", "shared"])
    means = frame[is_counted].groupby(groups[is_counted]).mean().reindex(range(len(labels)))
    table = pd.DataFrame(means.to_numpy(), pd.Index(labels, name="group"), ["own", "shared"])
    table.insert(0, "products", sizes)
    own, shared = right[is_counted].mean(axis=0)
    return SharedFormula(float(own), float(shared), p_value, table, int(is_counted.sum()))


def _standardised(X: Floats, groups: NDArray[np.int64]) -> Floats:
    """Return factors centred in each group, with the same spread: what pairs are made of."""
    sums = np.array([np.bincount(groups, column) for column in X.T]).T
    centred = X - (sums / np.bincount(groups)[:, None])[groups]
    spread = centred.std(axis=0)
    scaled: Floats = centred / np.where(spread > 0, spread, 1.0)
    return scaled


def _fitted(X: Floats, y: Floats, groups: NDArray[np.int64]) -> Floats:
    """Return the weights of pairwise logistic regression, zeros where nothing is ordered."""
    import warnings

    if not any(np.ptp(y[groups == group]) > 0 for group in np.unique(groups)):
        return np.zeros(X.shape[1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        weights: Floats = PairwiseRanker(**RANKER).fit(X, y, groups=groups).coef_
    return weights


def _order(values: Floats) -> Floats:
    """Return 1 where a row's product is above a column's, -1 where it is below, else 0."""
    return np.asarray(np.sign(values[:, None] - values[None, :]))
