"""How many pieces a factor's value function needs: as many as order held-out products better."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import nnls

from rankwright.reverse.problem import Rating
from rankwright.reverse.values.functions import ValueFunctions

__all__ = ["choose_functions", "suggest_forms"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
MOST_PIECES = 4
N_FOLDS, N_REPEATS = 5, 3
CLEAR = 1.0  # standard errors by which more pieces have to be better on held-out pairs
SURE = 2.0  # for what is suggested and not asked for


def choose_functions(rating: Rating, directions: Ints) -> ValueFunctions:
    """Return value functions with knots at quantiles, as few as held-out pairs ask for.

    Factor after factor, the knots are added that raise the share of held-out pairs most, while the
    rise is clear. Formulas are least squares on published places: quick, and only for this choice.
    """
    judge = _Judge.of(rating, directions)
    ends = [(float(column.min()), float(column.max())) for column in rating.X.T]
    knots: dict[int, list[float]] = {}
    best = judge.shares(ValueFunctions.of(knots, ends, rating.factor_names))
    while True:
        options = []
        for j, column in enumerate(rating.X.T):
            for more in _finer(column, len(knots.get(j, []))):
                functions = ValueFunctions.of({**knots, j: more}, ends, rating.factor_names)
                shares = judge.shares(functions)
                options.append((float((shares - best).mean()), j, more, shares))
        gains = [one for one in options if _is_clear(one[3] - best, CLEAR)]
        if not gains:
            return ValueFunctions.of(knots, ends, rating.factor_names)
        _, j, knots[j], best = max(gains, key=lambda one: one[:2])


def suggest_forms(rating: Rating, directions: Ints) -> pd.DataFrame:
    """Return forms of factors with which clearly more held-out pairs are ordered as published.

    A row for each: ``factor``, ``form`` (its logarithm, or a threshold), the share of held-out
    pairs ``as_is``, with the rows above, and ``with_form``.
    """
    judge = _Judge.of(rating, directions)
    X = rating.X.copy()
    rows: list[tuple[int, str, str, float, float]] = []
    while True:  # one after the other: a factor in a wrong form makes others look wrong, too
        as_is = judge.of_columns(X, directions)
        options = []
        for j in set(range(X.shape[1])) - {row[0] for row in rows}:
            for form, changed in _forms(rating.X[:, j]).items():
                columns = np.column_stack([X[:, :j], changed, X[:, j + 1 :]])
                shares = judge.of_columns(columns, directions)
                if _is_clear(shares - as_is, SURE):
                    options.append((float(shares.mean()), j, form, changed))
        if not options:
            break
        share, j, form, X[:, j] = max(options, key=lambda one: one[:2])
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
    """Tell whether gains over folds are larger than so many standard errors."""
    return bool(gains.mean() > max(errors * gains.std(ddof=1) / np.sqrt(len(gains)), 1e-9))


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
        groups = np.unique(rating.groups.astype(str), return_inverse=True)[1]
        places = np.empty(len(rating.y))
        for group in np.unique(groups):
            rows = groups == group
            places[rows] = np.unique(rating.y[rows], return_inverse=True)[1] / max(rows.sum(), 1)
        rng = np.random.default_rng(0)
        folds = []
        for _ in range(N_REPEATS):
            part = rng.permutation(len(places)) % N_FOLDS
            folds += [part == k for k in range(N_FOLDS)]
        return cls(rating.X, places, groups, directions, folds)

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
        kept = ~held_out
        means = scaled[kept].mean(axis=0), self.places[kept].mean()
        weights = nnls(scaled[kept] - means[0], self.places[kept] - means[1])[0]
        scores = scaled @ weights
        right = total = 0
        for i in np.flatnonzero(held_out):
            same = self.groups == self.groups[i]
            published = np.sign(self.places[i] - self.places[same])
            modelled = np.sign(scores[i] - scores[same])
            right += int(((published == modelled) & (published != 0)).sum())
            total += int((published != 0).sum())
        return right / total if total else 1.0
