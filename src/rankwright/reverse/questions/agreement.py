"""How many published pairs scores order as published."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwright.data import group_rows, positions
from rankwright.metrics.kendall import count_pairs
from rankwright.reverse.problem import Rating
from rankwright.reverse.questions.places import place_spans
from rankwright.reverse.solution import RatingSolution

__all__ = ["Agreement", "HowWell", "agreement", "how_well", "regression_scores", "shares_below"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Agreement:
    """The pairs of products that were published in an order, and what scores make of them.

    Attributes
    ----------
    pairs : int
        Pairs of a group that were not published as ties.
    right : int
        Those that the scores order the same way; a tie of the scores is not right.
    """

    pairs: int
    right: int

    @property
    def lost(self) -> int:
        """Return the pairs that are not ordered as published."""
        return self.pairs - self.right

    @property
    def share(self) -> float:
        """Return the share that is right, NaN if nothing was published in an order."""
        return self.right / self.pairs if self.pairs else float("nan")

    def __sub__(self, part: "Agreement") -> "Agreement":
        return Agreement(self.pairs - part.pairs, self.right - part.right)


@dataclass(frozen=True)
class HowWell:
    """The published pairs that a formula and a plain regression order as published.

    Attributes
    ----------
    formula, regression : Agreement
        Of all pairs of the products that were fitted.
    formula_top, regression_top : Agreement
        Of those with a product published at the top of its group.
    formula_objective, regression_objective : float
        What was optimised: the share of all pairs, those of the top counted more often, or the
        places by which products of the top are off.
    n_products : int
        The products that were fitted.
    elsewhere : Agreement or None
        The formula's, among products of categories that it was not fitted to; None if there are
        none.
    n_elsewhere : int
        These products.
    """

    formula: Agreement
    formula_top: Agreement
    formula_objective: float
    regression: Agreement
    regression_top: Agreement
    regression_objective: float
    n_products: int
    elsewhere: Agreement | None
    n_elsewhere: int


def agreement(y: ArrayLike, scores: ArrayLike, groups: ArrayLike | None = None) -> Agreement:
    """Count the published pairs of each group, and those that scores order as published.

    In O(n log n): no pair is listed.

    Examples
    --------
    >>> agreement([3, 2, 2, 1], [9.0, 4.0, 5.0, 5.0])
    Agreement(pairs=5, right=3)
    """
    grouping = group_rows(groups, np.size(y))
    published, reached = (
        np.ascontiguousarray(grouping.sort(np.asarray(values, dtype=np.float64)))
        for values in (y, scores)
    )
    counts = count_pairs(published, reached, grouping.offsets)
    return Agreement(int(np.sum(counts.ordered_first)), int(np.sum(counts.concordant)))


def shares_below(y: Floats, groups: ArrayLike | None = None) -> Floats:
    """Return the share of its group that each product is published above, ties counted half."""
    grouping = group_rows(groups, len(y))
    sizes = np.diff(grouping.offsets)
    size_of_row = grouping.unsort(np.repeat(sizes, sizes))
    shares: Floats = 1 - (positions(y, groups) - 0.5) / size_of_row
    return shares


def regression_scores(X: Floats, y: Floats, groups: ArrayLike, new: Floats) -> Floats:
    """Return the scores of new products by plain least squares inside each group.

    What anybody would try first: the yardstick of a formula. It is fitted to places and to the
    published numbers, which may be scores; the one that orders more pairs as published counts.
    """
    grouping = group_rows(groups, len(y))
    factors = grouping.sort(X).astype(np.float64)
    targets = grouping.sort(np.column_stack([shares_below(y, groups), y]))
    for begin, end in pairwise(grouping.offsets.tolist()):
        factors[begin:end] -= factors[begin:end].mean(axis=0)
        targets[begin:end] -= targets[begin:end].mean(axis=0)
    spread = np.maximum(np.abs(factors).max(axis=0), 1e-300)
    fitted = (np.linalg.lstsq(factors / spread, targets, rcond=None)[0] / spread[:, None]).T
    weights = max(fitted, key=lambda one: agreement(y, X @ one, groups).right)
    scores: Floats = new @ weights
    return scores


def how_well(rating: Rating, solution: RatingSolution) -> HowWell:
    """Count the published pairs that a formula, and a plain regression, order as published."""
    counted = rating.counted
    X, y, groups = rating.X[counted], rating.y[counted], rating.problem.group_of_row
    first, _ = place_spans(y, groups)
    rest = first > np.array(rating.tops)[groups]

    problem = rating.problem

    def judged(scores: Floats) -> tuple[Agreement, Agreement, float]:
        every = agreement(y, scores, groups)
        top = every - agreement(y[rest], scores[rest], groups[rest])
        return every, top, abs(float(problem.comparable(problem.value_of(scores))))

    exact = problem.exact_places(solution.whole_weights(problem))
    others = np.setdiff1d(np.arange(len(rating.y)), counted)
    elsewhere = None
    if len(others):
        scores = np.round(rating.X[others] @ solution.weights, 9)
        elsewhere = agreement(rating.y[others], scores, rating.groups[others])
    formula, regression = judged(exact), judged(regression_scores(X, y, groups, X))
    return HowWell(*formula, *regression, len(counted), elsewhere, len(others))
