"""The weights behind a ranking: other ways to find them, on the same ratings."""

import importlib.util
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy.optimize import linprog

import rankwright as rw
from benchmarks.case import Case, Task
from rankwright.reverse import RatingFormula

TOP, SEEDS, SECONDS = 10, 5, 20.0
NOISE = {"exact": 0.0, "noise 0.2": 0.2}
STRICT = 1e-3  # by how much UTA wants the better product ahead, of the whole scale
STOCHASTIC = "pymcdm-reidentify, SITW"


def _rating(noise: float, seed: int) -> Any:
    return rw.datasets.make_product_ratings(
        60, n_factors=5, n_subcategories=1, rounding=0.5, exact_share=0, noise=noise,
        random_state=seed,
    )  # fmt: skip


def utastar(X: np.ndarray, y: np.ndarray, pieces: int) -> np.ndarray:
    """Return scores by UTASTAR (Siskos and Yannacopoulos 1985), a linear program.

    Values of factors rise piece by piece and sum to one at best; each product has an error above
    and one below, and neighbours in the published order are to be apart. Errors have the least sum.
    """
    order = np.argsort(-y, kind="stable")
    X, y = X[order], y[order]
    knots = [np.linspace(column.min(), column.max(), pieces + 1) for column in X.T]
    parts = [
        np.clip((X[:, [j]] - ends[:-1]) / np.maximum(np.diff(ends), 1e-12), 0.0, 1.0)
        for j, ends in enumerate(knots)
    ]
    values = np.hstack(parts)
    n, m = values.shape
    rows = np.hstack([np.diff(-values, axis=0), _steps(n), -_steps(n)])
    is_tie = np.diff(y) == 0
    whole = np.r_[np.ones(m), np.zeros(2 * n)][None, :]
    found = linprog(
        np.r_[np.zeros(m), np.ones(2 * n)],
        A_ub=-rows[~is_tie],
        b_ub=np.full((~is_tie).sum(), -STRICT),
        A_eq=np.vstack([whole, rows[is_tie]]),
        b_eq=np.r_[1.0, np.zeros(is_tie.sum())],
    )
    scores = np.empty(n)
    scores[order] = values @ found.x[:m]
    return scores


def _steps(n: int) -> np.ndarray:
    """Return how the errors of neighbours enter their difference."""
    return np.eye(n)[:-1] - np.eye(n)[1:]


def stochastic(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return scores by weights that a particle swarm finds for the ranking of a weighted sum."""
    from mealpy.swarm_based.PSO import OriginalPSO
    from pymcdm.methods import WSM
    from pymcdm_reidentify.methods import SITW

    types = np.ones(X.shape[1])
    model = SITW(OriginalPSO(epoch=200, pop_size=50).solve, WSM(), types)
    model.fit(X, rw.positions(y), log_to=None)
    return WSM()(X, np.asarray(model.weights), types)


def _ranker(make: Callable[[], Any], X: np.ndarray, y: np.ndarray) -> np.ndarray:
    return make().fit(X, y).predict(X)


PEERS = {
    "least squares on places": partial(_ranker, partial(rw.LeastSquaresRanker, "rank")),
    "pairwise logistic": partial(_ranker, rw.PairwiseRanker),
    "UTASTAR, straight": partial(utastar, pieces=1),
    "HiGHS on (13), 20 s": partial(
        _ranker,
        partial(
            RatingFormula, top=TOP, solver="milp", signs="positive", time_limit=SECONDS,
            random_state=0,
        ),
    ),
}  # fmt: skip


def peers(noise: str) -> Task:
    """Five ratings of 60 products in half stars; the statistic of each method's order."""
    ratings = [_rating(NOISE[noise], seed) for seed in range(SEEDS)]

    def values(scores: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> list[float]:
        found = [(data.y, scores(data.X.to_numpy(), data.y)) for data in ratings]
        return [rw.metrics.top_auc(y, one, top=TOP, emphasis=9.0) for y, one in found]

    def ours() -> list[RatingFormula]:
        formula = partial(
            RatingFormula, top=TOP, signs="positive", time_limit=SECONDS, random_state=0
        )
        return [formula().fit(data.X, data.y) for data in ratings]

    def agree(name: str, formulas: list[RatingFormula], theirs: list[float]) -> None:
        for formula, value in zip(formulas, theirs, strict=True):
            assert value <= formula.bound_ + 1e-9, f"{name} is beyond a proved bound"

    contenders = {name: partial(values, scores) for name, scores in PEERS.items()}
    is_there = importlib.util.find_spec("pymcdm_reidentify") is not None
    if is_there:
        contenders[STOCHASTIC] = partial(values, stochastic)
    return Task(
        ours=ours,
        peers=contenders,
        agree=agree,
        measures={
            "mean statistic": lambda r: float(np.mean([getattr(f, "objective_", f) for f in r])),
            "proved": lambda r: float(np.mean([getattr(f, "status_", "") == "optimal" for f in r])),
        },
        skipped={} if is_there else {STOCHASTIC: "not installed: it needs mealpy, which is GPL"},
    )


CASES = (
    Case(
        name="rating-peers",
        question="Find the weights behind a ranking beside other methods: 60 products, five "
        "factors, top 10, five ratings; the statistic of their orders",
        sizes=tuple(NOISE),
        quick=(),
        prepare=peers,
        repeats=0,
    ),
)
