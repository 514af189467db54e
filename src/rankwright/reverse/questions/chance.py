"""A proof is not the truth: whether a formula holds for products it has not seen."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.metrics import Measures, quality_measures
from rankwright.reverse.problem import RatingProblem
from rankwright.reverse.problem.reading import RatingData
from rankwright.reverse.questions.audit import positions_of
from rankwright.reverse.questions.refit import refit, select, shares_of

__all__ = [
    "ChanceCheck",
    "HeldOut",
    "against_chance",
    "bootstrap_shares",
    "held_out",
    "leave_one_out",
]


@dataclass(frozen=True)
class ChanceCheck:
    """What the same search reaches on shuffled ranks.

    Attributes
    ----------
    objective : float
        Of the published ranks.
    shuffled : (n,) array
        Of each shuffle.
    p_value : float
        Share of the shuffles that do as well, the published ranks counted among them.
    """

    objective: float
    shuffled: NDArray[np.float64]
    p_value: float

    @property
    def is_better_than_chance(self) -> bool:
        """Tell whether no more than one shuffle in twenty does as well."""
        return self.p_value <= 0.05


@dataclass(frozen=True)
class HeldOut:
    """How a formula orders products that it was not fitted to.

    Attributes
    ----------
    measures : Measures
        Means over the folds of M1 (pairs at the top), M2 (all pairs) and M3 (in or out of the top).
    guessed : Measures
        What scores drawn at random would get.
    """

    measures: Measures
    guessed: Measures


def against_chance(problem: RatingProblem, weights: NDArray[Any], permutations: int) -> ChanceCheck:
    """Shuffle the published ranks inside each group and search again."""
    rng = np.random.default_rng(0)
    objective = problem.normalised(problem.value(weights))
    shuffled = np.empty(permutations)
    bounds = problem.bounds
    for s in range(permutations):
        levels = np.concatenate([rng.permutation(problem.levels[b:e]) for b, e in bounds])
        found = refit(replace(problem, levels=levels), None, seed=s)
        shuffled[s] = problem.normalised(found.value)
    sign = -1 if problem.objective.by_position else 1
    as_good = int((sign * shuffled >= sign * objective).sum())
    return ChanceCheck(objective, shuffled, (1 + as_good) / (1 + permutations))


def held_out(data: RatingData, problem: RatingProblem, folds: int, repeats: int) -> HeldOut:
    """Return the mean measures of held-out products relative to those fitted."""
    rng = np.random.default_rng(0)
    n = len(problem.levels)
    tops = dict(zip(data.groups[problem.offsets[:-1]].tolist(), problem.objective.top, strict=True))
    values = []
    for _ in range(repeats):
        fold = _folds(problem, folds, rng)
        for f in range(folds):
            test = fold == f
            train = np.flatnonzero(~test)
            part = select(problem, train)
            if not test.any() or not (part.planes.strict > 0).any():
                continue
            found = refit(part, None, seed=f)
            scores = np.zeros(n) if found.weights is None else problem.exact_places(found.weights)
            tested = quality_measures(data.y, scores, data.groups, top=tops, test=test).test
            if tested is not None:
                values.append([tested.m1, tested.m2, tested.m3])
    sizes = np.diff(problem.offsets)
    shares = np.minimum(np.asarray(problem.objective.top) / sizes, 1)
    in_or_out = float(np.average(shares**2 + (1 - shares) ** 2, weights=sizes))
    return HeldOut(Measures(*_means(values)), Measures(0.5, 0.5, in_or_out))


def _means(values: list[list[float]]) -> list[float]:
    """Return the mean of each measure over the folds in which it counts something."""
    measured = np.array(values, dtype=np.float64).reshape(-1, 3)
    counted = ~np.isnan(measured)
    return [
        float(column[there].mean()) if there.any() else float("nan")
        for column, there in zip(measured.T, counted.T, strict=True)
    ]


def leave_one_out(data: RatingData, problem: RatingProblem, weights: NDArray[Any]) -> pd.DataFrame:
    """Fit without each product and see where it would enter its group."""
    n = len(problem.levels)
    predicted = np.empty(n, dtype=np.int64)
    for i in range(n):
        part = select(problem, np.delete(np.arange(n), i))
        found = refit(part, weights) if len(part.planes.better) else None
        used = weights if found is None or found.weights is None else found.weights
        predicted[i] = positions_of(problem, problem.exact_places(used))[i]
    return pd.DataFrame(
        {
            "group": data.groups,
            "published": positions_of(problem, problem.levels),
            "predicted": predicted,
        },
        index=pd.Index(data.names, name="product"),
    )


def bootstrap_shares(
    problem: RatingProblem, weights: NDArray[Any], samples: int
) -> NDArray[np.float64]:
    """Return the shares of formulas fitted to products drawn with replacement in each group."""
    rng = np.random.default_rng(0)
    bounds = problem.bounds
    shares = []
    for s in range(samples):
        rows = np.concatenate([rng.integers(b, e, size=e - b) for b, e in bounds])
        part = select(problem, rows)
        if (part.planes.strict > 0).any():
            found = refit(part, weights, seed=s).weights
            shares.append(shares_of(problem, weights if found is None else found))
    return np.array(shares).reshape(len(shares), -1)


def _folds(problem: RatingProblem, folds: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Deal the products of each group out to folds; a single product always stays."""
    parts = []
    for begin, end in problem.bounds:
        dealt = rng.permutation(np.arange(end - begin) % min(folds, max(end - begin, 1)))
        parts.append(dealt if end - begin > 1 else np.full(1, -1))
    return np.concatenate(parts)
