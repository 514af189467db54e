"""How many pieces a factor's value function needs: as many as order held-out products better."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.metrics.kendall import count_pairs
from rankwright.programs import nonnegative_least_squares
from rankwright.reverse.clock import Clock
from rankwright.reverse.problem import Rating
from rankwright.reverse.values.functions import ValueFunctions

__all__ = ["choose_functions", "suggest_forms"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
MOST_PIECES = 4
MOST_FITTED = 4_000  # products: more make the choice slower, and hardly better
N_FOLDS, N_REPEATS = 3, 10  # few folds: both products of a pair have to be in the same one
CLEAR = 1.5  # standard errors by which more pieces have to be better on held-out pairs
SURE = 2.0  # for what is suggested and not asked for


def choose_functions(rating: Rating, directions: Ints, clock: Clock) -> ValueFunctions:
    """Return value functions with knots at quantiles, as few as held-out pairs ask for.

    Factor after factor, the knots are added that raise the share of held-out pairs most, while the
    rise is clear. Formulas are least squares on published places: quick, and only for this choice.
    Only products that count are looked at.
    """
    judge = _Judge.of(rating, directions)
    ends = [(float(column.min()), float(column.max())) for column in rating.X.T]
    chosen = ValueFunctions.of({}, ends, rating.factor_names)
    knots: dict[int, list[float]] = {}
    best = judge.shares(chosen)
    while True:
        gains = []
        for j, column in enumerate(judge.X.T):
            for more in _finer(column, len(knots.get(j, []))):
                if clock.is_late:
                    _warn_of_time()
                    return chosen
                functions = ValueFunctions.of({**knots, j: more}, ends, rating.factor_names)
                shares = judge.shares(functions)
                if _is_clear(shares - best, CLEAR):
                    gains.append((float((shares - best).mean()), j, more, functions, shares))
        if not gains:
            return chosen
        _, j, more, chosen, best = max(gains, key=lambda one: one[:2])
        knots[j] = more


def _warn_of_time() -> None:
    warnings.warn(
        "there was not enough time to try pieces for every factor, so there may be too few; give "
        "more time, or give the knots",
        UserWarning,
        stacklevel=6,
    )


def suggest_forms(rating: Rating, directions: Ints) -> pd.DataFrame:
    """Return forms of factors with which clearly more held-out pairs are ordered as published.

    A row for each: ``factor``, ``form`` (its logarithm, or a threshold), the share of held-out
    pairs ``as_is``, with the rows above, and ``with_form``.
    """
    judge = _Judge.of(rating, directions)
    X = judge.X.copy()
    rows: list[tuple[int, str, str, float, float]] = []
    while True:  # one after the other: a factor in a wrong form makes others look wrong, too
        as_is = judge.of_columns(X, directions)
        options = []
        for j in set(range(X.shape[1])) - {row[0] for row in rows}:
            for form, changed in _forms(judge.X[:, j]).items():
                columns = np.column_stack([X[:, :j], changed, X[:, j + 1 :]])
                shares = judge.of_columns(columns, directions)
                if _is_clear(shares - as_is, SURE):
                    options.append((float(shares.mean()), j, form, changed))
        if not options:
            break
        share, j, form, changed = max(options, key=lambda one: one[:2])
        X[:, j] = changed
        rows.append((j, rating.factor_names[j], form, float(as_is.mean()), share))
    return pd.DataFrame([row[1:] for row in rows], columns=["factor", "form", "as_is", "with_form"])


def _forms(column: Floats) -> Mapping[str, Floats]:
    forms = {"logarithm": np.log(column)} if column.min() > 0 else {}
    for share in (0.25, 0.5, 0.75):
        threshold = float(np.quantile(column, share, method="lower"))
        if column.min() < threshold:
            forms[f"threshold at {threshold:g}"] = (column >= threshold).astype(np.float64)
    return forms


def _finer(column: Floats, n_knots: int) -> list[list[float]]:
    """Return knots at quantiles, for one piece more and for two."""
    found = []
    for n_pieces in range(n_knots + 2, min(n_knots + 3, MOST_PIECES) + 1):
        shares = np.linspace(0, 1, n_pieces + 1)[1:-1]
        knots = np.unique(np.quantile(column, shares, method="nearest"))
        inner = knots[(knots > column.min()) & (knots < column.max())].tolist()
        if len(inner) > n_knots:
            found.append(inner)
    return found


def _is_clear(gains: Floats, errors: float) -> bool:
    """Tell whether gains over folds are larger than so many standard errors.

    Folds share most of the products that they are fitted to, so that their gains are no independent
    ones: the variance is corrected as Nadeau and Bengio (2003) propose.
    """
    per_fold = 1 / len(gains) + 1 / (N_FOLDS - 1)
    return bool(gains.mean() > max(errors * gains.std(ddof=1) * np.sqrt(per_fold), 1e-9))


@dataclass(frozen=True)
class _Judge:
    """Folds of the products, to see how many held-out pairs value functions order as published."""

    X: Floats
    places: Floats
    groups: Ints
    directions: Ints
    folds: Sequence[NDArray[np.bool_]]

    @classmethod
    def of(cls, rating: Rating, directions: Ints) -> "_Judge":
        problem = rating.problem
        # Products come sorted by group and level: every k-th of them has its share of both.
        chosen = np.s_[:: -(-len(problem.levels) // MOST_FITTED)]
        groups = problem.group_of_row[chosen]
        places = problem.levels[chosen] / problem.sizes[groups]
        rng = np.random.default_rng(0)
        folds = []
        for _ in range(N_REPEATS):
            part = rng.permutation(len(places)) % N_FOLDS
            folds += [part == k for k in range(N_FOLDS)]
        return cls(rating.X[rating.counted[chosen]], places, groups, directions, folds)

    def shares(self, functions: ValueFunctions) -> Floats:
        """Return for each fold the share of held-out pairs that are ordered as published."""
        signs = self.directions[functions.factors]
        return self.of_columns(functions.expand(self.X), signs)

    def of_columns(self, columns: Floats, signs: Ints) -> Floats:
        """Return for each fold the share of held-out pairs that the columns order as published."""
        oriented = columns * signs
        spans = np.maximum(np.ptp(oriented, axis=0), 1e-300)
        scaled = (oriented - oriented.min(axis=0)) / spans
        return np.array([self._share(scaled, fold) for fold in self.folds])

    def _share(self, scaled: Floats, held_out: NDArray[np.bool_]) -> float:
        """Fit the products of the other folds; count the pairs that have none of these.

        A pair with one of them would be half fitted: pieces would gain by noise.
        """
        kept, out = np.flatnonzero(~held_out), np.flatnonzero(held_out)
        groups = self.groups[kept]
        weights, _ = nonnegative_least_squares(
            _inside_groups(scaled[kept], groups),
            _inside_groups(self.places[kept, None], groups)[:, 0],
        )
        pairs, right = _count(self.places[out], scaled[out] @ weights, self.groups[out])
        return right / pairs if pairs else 1.0


def _inside_groups(columns: Floats, groups: Ints) -> Floats:
    """Return columns less their means in each group: products of two groups are not compared."""
    sizes = np.maximum(np.bincount(groups), 1)
    means = np.column_stack([np.bincount(groups, column) / sizes for column in columns.T])
    return np.asarray(columns - means[groups])


def _count(places: Floats, scores: Floats, groups: Ints) -> tuple[int, float]:
    """Return how many pairs are published in an order, and how many of them scores order so.

    Equal scores count half, as guessing would: least squares on noise may leave no weight at all.
    """
    offsets = np.append(0, np.cumsum(np.bincount(groups))).astype(np.int64)
    counts = count_pairs(places, scores, offsets)
    right = counts.concordant + counts.tied_second / 2
    return int(np.sum(counts.ordered_first)), float(np.sum(right))
