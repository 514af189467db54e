"""How rating formulas, push rankers and plans are measured."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rankwright as rw
from rankwright.studies.experiment import Row

__all__ = [
    "EMPHASIS",
    "FOLDS",
    "measure_budget",
    "measure_flexible",
    "measure_plans",
    "measure_ratings",
    "measure_target",
]

EMPHASIS = 9.0
# The paper doesn't say how many products of a subcategory are its top. Its M1 on training products
# are multiples of 1/48 and 1/51: the pairs of four in eight subcategories, or with a tie at a cut.
TOP = 4
FOLDS = "1234"
# Stars that the rating adds to its formula: so much that LS1 orders as many pairs as in the paper.
NOISE = 0.1
# A safety net only: fits end with a proof, or when the search brings nothing new.
TIME_LIMIT = 3600.0

Ranker = Any
Rankers = Mapping[str, Callable[[Mapping[str, float], float, float, int], Ranker]]

RANKERS: Rankers = {
    "ls1": lambda weights, *_: rw.LeastSquaresRanker("score", category_weights=weights),
    "ls2": lambda weights, *_: rw.LeastSquaresRanker("rank", category_weights=weights),
    "ls3": lambda weights, *_: rw.LeastSquaresRanker("group_rank", category_weights=weights),
    "l1re": lambda weights, pull, *_: rw.PushRanker(1, pull, category_weights=weights),
    "l2re": lambda weights, pull, *_: rw.PushRanker(2, pull, category_weights=weights),
    "mio_re": lambda weights, _, emphasis, seed: rw.RatingFormula(
        top=TOP,
        emphasis=emphasis,
        category_weights=weights,
        signs="positive",
        solver="search",
        time_limit=TIME_LIMIT,
        random_state=seed,
        n_jobs=1,
    ),
}


def measure_flexible(rng: np.random.Generator, top: int) -> list[Row]:
    """Compare all methods on one division of the flexible ratings, as in Tables 1 to 3."""
    data = rw.datasets.make_flex_ratings(random_state=int(rng.integers(2**31)))
    X, y = data.X.iloc[data.train], data.y[data.train]
    exact = rw.RatingFormula(
        top=top,
        emphasis=EMPHASIS,
        signs="positive",
        solver="certified",
        time_limit=TIME_LIMIT,
        random_state=int(rng.integers(2**31)),
        n_jobs=1,
    )
    rankers: dict[str, Ranker] = {
        "ls1": rw.LeastSquaresRanker("score"),
        "ls2": rw.LeastSquaresRanker("rank"),
        "ls3": rw.LeastSquaresRanker("group_rank"),
        "l1re": rw.PushRanker(1),
        **{f"l2re, pull {pull:g}": rw.PushRanker(2, pull) for pull in (0.0, 0.5, 1.0)},
        "mio_re": exact,
    }
    test = np.isin(np.arange(len(data.y)), data.test)
    rows: list[Row] = []
    for method, ranker in rankers.items():
        scores = ranker.fit(X, y).predict(data.X)
        statistic = rw.metrics.top_auc(y, scores[data.train], top=top, emphasis=EMPHASIS)
        proof = {"bound": ranker.bound_, "status": str(ranker.status_)} if ranker is exact else {}
        measured = _measures(data.y, scores, None, top, test)
        rows += [{"method": method, **row, "statistic": statistic, **proof} for row in measured]
    return rows


def measure_ratings(
    rng: np.random.Generator,
    train: str,
    method: str,
    borrow: float,
    pull: float,
    emphasis: float,
    **shape: int,
) -> list[Row]:
    """Fit one setting of Table 4 to some folds, and evaluate it on each of the others."""
    data, fold = _folded_ratings(rng, **shape)
    seed = int(rng.integers(2**31))
    trained = np.isin(fold, list(train))
    # With C = 0 the related category counts for nothing: it may as well be left out.
    rows = trained | ((data.categories == "B") & (borrow > 0))
    weights = {"A": 1.0, "B": borrow} if borrow else {"A": 1.0}
    ranker = RANKERS[method](weights, pull, emphasis, seed)
    ranker.fit(data.X[rows], data.y[rows], data.groups[rows], data.categories[rows])
    scores = ranker.predict(data.X)
    found = _found(ranker, data) if method == "mio_re" else {}
    measured: list[Row] = []
    for held_out in sorted(set(FOLDS) - set(train)):
        among = trained | (fold == held_out)
        parts = _measures(
            data.y[among], scores[among], data.groups[among], TOP, (fold == held_out)[among]
        )
        measured += [{"held_out": held_out, **part, **found} for part in parts]
    return measured


def measure_budget(rng: np.random.Generator, budget: int) -> list[Row]:
    """Find all plans with the best score within a budget: (14), a row of Table 15."""
    planner, camera = _camera()
    return _plans(planner.best_plans(camera, budget))


def measure_target(rng: np.random.Generator, target: int) -> list[Row]:
    """Find all cheapest plans for a gain: (15), a row of Table 16."""
    planner, camera = _camera()
    return _plans(planner.cheapest_plans(camera, gain=target))


def measure_plans(rng: np.random.Generator, which: str) -> list[Row]:
    """List all plans, or the efficient ones: Figure 3."""
    planner, camera = _camera()
    return _plans(planner.plans(camera) if which == "all" else planner.frontier(camera))


def _measures(
    y: NDArray[np.float64],
    scores: NDArray[np.float64],
    groups: NDArray[Any] | None,
    top: int,
    test: NDArray[np.bool_],
) -> list[dict[str, Any]]:
    quality = rw.metrics.quality_measures(y, scores, groups, top=top, test=test)
    parts = {"train": quality.train, "test": quality.test}
    return [{"split": split, **vars(part)} for split, part in parts.items()]


def _folded_ratings(
    rng: np.random.Generator, products: int, related: int, factors: int, subcategories: int
) -> tuple[Any, NDArray[np.str_]]:
    """Draw ratings, and deal the first category's products, by subcategory, to the folds."""
    smallest = 0
    while smallest < len(FOLDS):  # until every subcategory has products for every fold
        data: Any = rw.datasets.make_product_ratings(
            (products, related),
            n_factors=factors,
            n_subcategories=subcategories,
            noise=NOISE,
            random_state=int(rng.integers(2**31)),
        )
        smallest = np.unique(data.groups, return_counts=True)[1].min()
    fold = np.full(len(data.y), "-")
    shuffled = np.lexsort((rng.random(products), data.groups[:products]))
    fold[shuffled] = [FOLDS[place % len(FOLDS)] for place in range(products)]
    return data, fold


def _found(formula: Ranker, data: Any) -> dict[str, Any]:
    """Return how good the formula is, and its shares beside those of the true one."""
    true = data.weights.loc["A"] * np.ptp(data.X, axis=0)
    return {
        "statistic": formula.objective_,
        "bound": formula.bound_,
        "status": str(formula.status_),
        "shares": dict(zip(data.X.columns, (formula.shares_ / 100).tolist(), strict=True)),
        "true_shares": (true / true.sum()).to_dict(),
    }


def _camera() -> tuple[Any, Any]:
    example = rw.datasets.load_cameras()
    planner = rw.Planner(example.factors["weight"], example.changes, example.conflicts)
    return planner, example.cameras.loc["camera_2"]


def _plans(plans: Any) -> list[Row]:
    return [
        {
            "changes": list(plan.changes),
            "cost": plan.cost,
            "gain": plan.gain,
            "optimal": plan.optimal,
        }
        for plan in plans
    ]
