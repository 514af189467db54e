"""Formulas for new products: how the stable choice orders products that were held out."""

from dataclasses import dataclass
from functools import partial

import numpy as np
from joblib import Parallel, delayed
from scipy.stats import rankdata

from benchmarks.case import Case, Estimate, Task
from rankwright.datasets import make_product_ratings
from rankwright.linear import LeastSquaresRanker, PairwiseRanker, PushRanker
from rankwright.metrics import quality_measures
from rankwright.reverse import RatingFormula

# Section 8 of Chang et al. (2012): 209 products, 19 factors, eight subcategories; noise and top as
# in the reproduction. Seeds are others than those by which the method was chosen.
SHAPE = {"n_factors": 19, "n_subcategories": 8}
TOP, N_FOLDS, FIRST_SEED = 4, 4, 200
KINDS = {
    "scores": {"noise": 0.1},
    "ranks": {"noise": 0.1},
    "scores, no noise": {"noise": 0.0, "rounding": 0.0},
    "ranks, no noise": {"noise": 0.0, "rounding": 0.0},
}
# Only the search needs time; what is left of it suffices for the folds of the stable choice.
SECONDS = 12.0
CORES = 2  # each fit takes one
PEERS = {
    "LS1": partial(LeastSquaresRanker, "score"),
    "LS2": partial(LeastSquaresRanker, "rank"),
    "LS3": partial(LeastSquaresRanker, "group_rank"),
    "push, p = 1": partial(PushRanker, 1),
    "push, p = 2": partial(PushRanker, 2),
    "push, p = 2 with pull": partial(PushRanker, 2, 1.0),
    "pairwise logistic": PairwiseRanker,
}


@dataclass(frozen=True)
class Rated:
    """A generated rating: what is published, and the fold of each product."""

    X: np.ndarray
    y: np.ndarray
    groups: np.ndarray
    fold: np.ndarray


def _draw(seed: int, kind: str) -> Rated:
    rng = np.random.default_rng([seed, 77])
    smallest = 0
    while smallest < N_FOLDS:  # until every subcategory has products for every fold
        made = make_product_ratings(
            209, **SHAPE, **KINDS[kind], random_state=int(rng.integers(2**31))
        )
        smallest = np.unique(made.groups, return_counts=True)[1].min()
    X, y = made.X.to_numpy(), made.y
    if kind.endswith("no noise"):
        X = X.round(3)  # as published, and what is published is the formula of it
        y = X @ made.weights.to_numpy()[0]
    fold = np.empty(len(y), dtype=np.int64)
    fold[np.lexsort((rng.random(len(y)), made.groups))] = np.arange(len(y)) % N_FOLDS
    return Rated(X, y, made.groups, fold)


def _published(one: Rated, train: np.ndarray, kind: str) -> np.ndarray:
    """Return the scores of training products, or minus their ranks inside each group."""
    y = one.y[train]
    if kind.startswith("scores"):
        return y
    ranks = np.empty(len(y))
    for label in np.unique(one.groups):
        rows = one.groups[train] == label
        ranks[rows] = -rankdata(-y[rows], "min")
    return ranks


def _held_out(make, ratings: list[Rated], kind: str) -> np.ndarray:
    """Return M1, M2 and M3 of held-out products, the mean over the folds of each rating."""
    return np.array(
        Parallel(n_jobs=CORES)(delayed(_held_out_of)(make, one, kind) for one in ratings)
    )


def _held_out_of(make, one: Rated, kind: str) -> np.ndarray:
    parts = []
    for number in range(N_FOLDS):
        test = one.fold == number
        train = ~test
        target = _published(one, train, kind)
        scores = make().fit(one.X[train], target, one.groups[train]).predict(one.X)
        found = quality_measures(one.y, scores, one.groups, top=TOP, test=test).test
        parts.append([found.m1, found.m2, found.m3])
    return np.mean(parts, axis=0)


def _formula(selection: str) -> RatingFormula:
    return RatingFormula(
        top=TOP, signs="positive", solver="search", selection=selection, time_limit=SECONDS,
        random_state=0,
    )  # fmt: skip


def _held_out_products(size: str) -> Task:
    count, kind = size.split(" ", 2)[0], size.split(" ratings, ")[1]
    ratings = [_draw(FIRST_SEED + number, kind) for number in range(int(count))]
    stable: list[np.ndarray] = []

    def ours() -> np.ndarray:
        stable[:] = [_held_out(partial(_formula, "stable"), ratings, kind)]
        return stable[0]

    def column(measure: int):
        return lambda values: float(values[:, measure].mean())

    def ahead(measure: int):
        def by(values: np.ndarray) -> Estimate | None:
            if values is stable[0]:
                return None
            by_rating = (stable[0] - values)[:, measure]
            error = by_rating.std(ddof=1) / np.sqrt(len(ratings)) if len(ratings) > 1 else np.nan
            return Estimate(float(by_rating.mean()), float(error))

        return by

    measures = {}
    for place, name in enumerate(("M1", "M2", "M3")):
        measures[name] = column(place)
        measures[f"we are ahead by ({name})"] = ahead(place)
    peers = {name: partial(_held_out, make, ratings, kind) for name, make in PEERS.items()}
    return Task(ours, peers, lambda *_: None, measures)


CASES = (
    Case(
        name="rating-stable",
        question="How do formulas order new products? M1, M2 and M3 of a held-out quarter, "
        "the mean over generated ratings; how far selection='stable' is ahead, with standard "
        "errors over ratings",
        sizes=tuple(f"20 ratings, {kind}" for kind in KINDS),
        quick=("1 ratings, ranks, no noise",),
        prepare=_held_out_products,
        repeats=0,
        timed=False,  # every search takes its limit
    ),
)
