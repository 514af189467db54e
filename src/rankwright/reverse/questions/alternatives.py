"""What other methods make of products left out: whether a weighted sum is the right kind."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.reverse.clock import Clock
from rankwright.reverse.problem import Rating
from rankwright.reverse.questions.agreement import (
    Agreement,
    agreement,
    regression_scores,
    shares_below,
)
from rankwright.reverse.refit import refit_anew
from rankwright.reverse.solution import RatingSolution

__all__ = ["Alternatives", "alternatives"]

Floats = NDArray[np.float64]
N_FOLDS, N_PARTS = 5, 5
FEW = 150  # products: fewer are dealt out three times, so that there are pairs to count
MOST_FITTED = 2_000  # products that curves and trees learn from: more are slower, hardly better
CLEAR = 2.8  # standard errors: Student's t with four degrees of freedom, the fewest there are
COIN = 2.0  # standard errors within which a share may be that of a coin
WORTH_SAYING = 0.01  # of the pairs
PART_OF_ERRORS = 0.25  # that curves or trees avoid, for a weighted sum to be called the wrong kind


@dataclass(frozen=True)
class Alternatives:
    """The share of pairs of held-out products that each method orders as published.

    Both products of a pair were held out, so that no method has an advantage by knowing one.

    Attributes
    ----------
    formula, regression, curves, trees : float
        A weighted sum found by search, plain least squares on places, a curve for each factor
        (splines), and randomised trees; NaN where there was nothing to count.
    fitted : float
        The formula that was fitted to all products, these among them.
    gain_error : float
        The standard error, over folds or the parts of few, of ``gain``.
    chance_error : float
        The standard error, over folds, of the formula's share.
    n_pairs, n_products : int
        Pairs counted and products held out, repetitions included.
    is_enough : bool
        Whether every product was held out, or enough of them to tell one kind of formula from
        another.
    is_cut : bool
        Whether the time ended during the only search, which then says little of weighted sums.
    """

    formula: float
    regression: float
    curves: float
    trees: float
    fitted: float
    gain_error: float
    chance_error: float
    n_pairs: int
    n_products: int
    is_enough: bool
    is_cut: bool

    @property
    def flexible(self) -> float:
        """Return the share of the better of curves and trees."""
        return max(self.curves, self.trees)

    @property
    def linear(self) -> float:
        """Return the share of the best weighted sum.

        Where the search was cut, that of all products counts too, though it has seen these.
        """
        return max(self.formula, self.regression, *[self.fitted] * self.is_cut)

    @property
    def gain(self) -> float:
        """Return how many more pairs, as a share, curves or trees order than weighted sums."""
        return self.flexible - self.linear

    @property
    def is_curved(self) -> bool:
        """Tell whether curves or trees order held-out products clearly better than any sum."""
        least = max(WORTH_SAYING, PART_OF_ERRORS * (1 - self.linear), CLEAR * self.gain_error)
        return bool(self.is_enough and self.gain > least)

    @property
    def is_near_chance(self) -> bool:
        """Tell whether the formula orders held-out pairs hardly better than a coin.

        One fold can't tell: there is no error to compare with.
        """
        if not np.isfinite(self.chance_error):
            return False
        return bool(self.formula - 0.5 < max(0.05, COIN * self.chance_error))


NOTHING = Alternatives(
    formula=nan,
    regression=nan,
    curves=nan,
    trees=nan,
    fitted=nan,
    gain_error=nan,
    chance_error=nan,
    n_pairs=0,
    n_products=0,
    is_enough=False,
    is_cut=False,
)


def alternatives(rating: Rating, solution: RatingSolution, *, clock: Clock) -> Alternatives:
    """Hold out products, or whole groups if there are five or more, and let all methods guess."""
    problem, counted = rating.problem, rating.counted
    X, y, groups = rating.X[counted], rating.y[counted], problem.group_of_row
    places, rng = shares_below(y, groups), np.random.default_rng(0)

    def by_search(train: Any) -> Floats:
        found = refit_anew(rating, problem.select(train), clock)
        directed = replace(problem, directions=found.problem.directions)
        return (
            directed.exact_places(found.weights) if found.weights is not None else np.zeros(len(y))
        )

    def by(model: Any) -> Callable[[Any], Floats]:
        def predict(train: Any) -> Floats:
            some = train[:: -(-len(train) // MOST_FITTED)]
            scores: Floats = model.fit(X[some], places[some]).predict(X)
            return scores

        return predict

    in_all = problem.exact_places(solution.whole_weights(problem))
    methods: list[Callable[[Any], Floats]] = [
        by_search,
        lambda train: regression_scores(X[train], y[train], groups[train], X),
        by(_curves()),
        by(_trees()),
        lambda train: in_all,
    ]

    def counted_in(test: NDArray[np.bool_]) -> _Fold:
        train, held_out = np.flatnonzero(~test), np.flatnonzero(test)
        if not problem.select(train).has_order:
            return _Fold(len(held_out), [])
        guesses = [method(train) for method in methods]
        parts = [held_out, *(held_out[part::N_PARTS] for part in range(N_PARTS))]
        counts = [[agreement(y[at], guess[at], groups[at]) for guess in guesses] for at in parts]
        return _Fold(len(held_out), counts)

    folds = clock.answer_each(list(_folds(groups, rng)), counted_in, "folds")
    found = [fold for fold in folds if fold.counts and fold.counts[0][0].pairs]
    is_cut = clock.is_late and len(folds) == 1
    if not found:
        return NOTHING
    return _summed(found, len(y), is_cut=is_cut)


@dataclass(frozen=True)
class _Fold:
    """How many products were held out, and what each method makes of them and of parts of them."""

    n_products: int
    counts: list[list[Agreement]]


def _summed(found: list[_Fold], n_rated: int, *, is_cut: bool) -> Alternatives:
    """Sum up folds."""
    pairs, right = _counts([fold.counts[0] for fold in found])
    shares = right.sum(axis=0) / pairs.sum(axis=0)
    sums = [0, 1, 4] if is_cut else [0, 1]
    flexible, linear = 2 + int(shares[2:4].argmax()), max(sums, key=lambda j: shares[j])
    # Few folds tell by their parts how far a gain may be chance: pairs inside each, of a fifth of
    # the products, so that the error is rather too large.
    parts = [part for fold in found for part in fold.counts[1:]]
    all_pairs, all_right = (pairs, right) if len(found) >= N_FOLDS else _counts(parts)
    n_products = sum(fold.n_products for fold in found)
    formula, regression, curves, trees, fitted = shares.tolist()
    return Alternatives(
        formula,
        regression,
        curves,
        trees,
        fitted,
        gain_error=_error(all_right[:, flexible] - all_right[:, linear], all_pairs[:, 0]),
        chance_error=_error(right[:, 0], pairs[:, 0]),
        n_pairs=int(pairs[:, 0].sum()),
        n_products=n_products,
        is_enough=n_products >= min(FEW, n_rated),
        is_cut=is_cut,
    )


def _counts(found: list[list[Agreement]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return pairs and right ones by fold or part, and by method."""
    pairs = np.array([[one.pairs for one in part] for part in found])
    right = np.array([[one.right for one in part] for part in found])
    return pairs, right


def _error(right: NDArray[np.int64], pairs: NDArray[np.int64]) -> float:
    """Return the standard error of a ratio of sums over folds or parts; infinite for one."""
    if np.count_nonzero(pairs) < 2:
        return float("inf")
    residuals = right - pairs * right.sum() / pairs.sum()
    return float(np.sqrt(len(pairs) / (len(pairs) - 1) * (residuals**2).sum()) / pairs.sum())


def _folds(groups: NDArray[np.int64], rng: np.random.Generator) -> Iterator[NDArray[np.bool_]]:
    """Yield which products are held out together."""
    n_groups = int(groups.max()) + 1
    for _ in range(3 if len(groups) < FEW else 1):
        if n_groups >= N_FOLDS:
            dealt = (rng.permutation(n_groups) % N_FOLDS)[groups]
        else:
            dealt = np.empty(len(groups), dtype=np.int64)
            for group in range(n_groups):
                members = np.flatnonzero(groups == group)
                dealt[members] = rng.permutation(len(members)) % N_FOLDS
        for fold in range(N_FOLDS):
            if (test := dealt == fold).any():
                yield test


def _curves() -> Any:
    from sklearn.linear_model import RidgeCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import SplineTransformer, StandardScaler

    return make_pipeline(
        StandardScaler(),
        SplineTransformer(n_knots=5, degree=3, extrapolation="linear"),
        RidgeCV(np.logspace(-5, 2, 8)),
    )


def _trees() -> Any:
    from sklearn.ensemble import ExtraTreesRegressor

    return ExtraTreesRegressor(40, min_samples_leaf=2, random_state=0)
