"""Rating formulas: proved, beside the paper's program in HiGHS and least squares."""

from typing import Any

import numpy as np
from sklearn.linear_model import LinearRegression

import rankwright as rw
from benchmarks.case import Case, Task
from rankwright.reverse import RatingFormula
from rankwright.reverse.bound.milp import RatingProgram
from rankwright.reverse.clock import Clock

TOP = 25
SEEDS = 10
# Ratings of so many factors take their whole minute each: fewer of them, so that a run ends soon.
FEWER_SEEDS = {10: 3, 12: 3}


def _ratings(factors: int) -> list[Any]:
    return [_stars(factors, seed) for seed in range(FEWER_SEEDS.get(factors, SEEDS))]


def _stars(factors: int, seed: int) -> Any:
    return rw.datasets.make_product_ratings(
        100,
        n_factors=factors,
        n_subcategories=1,
        rounding=0.5,
        exact_share=0,
        noise=0,
        random_state=seed,
    )


def _fit(factors: int, time_limit: float) -> list[RatingFormula]:
    return [
        RatingFormula(
            top=TOP, solver="certified", time_limit=time_limit, n_jobs=2, random_state=0
        ).fit(data.X, data.y)
        for data in _ratings(factors)
    ]


def _least_squares(factors: int) -> list[float]:
    values = []
    for data in _ratings(factors):
        model = LinearRegression(positive=True).fit(data.X, data.y)
        values.append(rw.metrics.top_auc(data.y, model.predict(data.X), top=TOP, emphasis=9.0))
    return values


def _objective(result: Any) -> float:
    return float(np.mean([getattr(one, "objective_", one) for one in result]))


def _seconds(result: Any) -> list[float]:
    return [one.history_[-1].seconds for one in result if hasattr(one, "history_")] or [0.0]


def proofs(factors: int) -> Task:
    """Ratings of 100 products in half stars, ten or three; times are those of all of them."""

    def agree(_: str, ours: Any, theirs: Any) -> None:
        for formula, baseline in zip(ours, theirs, strict=True):
            assert baseline <= formula.bound_ + 1e-12, "a baseline beyond a proved bound"
            assert formula.objective_ >= baseline

    return Task(
        ours=lambda: _fit(factors, 60.0),
        peers={"least squares": lambda: _least_squares(factors)},
        agree=agree,
        measures={
            "mean objective": _objective,
            "proved": lambda r: float(np.mean([getattr(f, "status_", "") == "optimal" for f in r])),
            "largest gap": lambda r: max(getattr(f, "gap_", np.nan) for f in r),
            "median s to the last step": lambda r: float(np.median(_seconds(r))),
            "slowest s to the last step": lambda r: max(_seconds(r)),
        },
    )


def against_the_program(products: int) -> Task:
    """The certified optimum and the paper's formulation (13) in HiGHS, ten times as long."""
    data = rw.datasets.make_product_ratings(
        products,
        n_factors=3,
        n_subcategories=1,
        rounding=0.5,
        exact_share=0,
        noise=0,
        random_state=0,
    )
    top = products // 4

    def fit(solver: str, time_limit: float) -> RatingFormula:
        formula = RatingFormula(top=top, solver=solver, time_limit=time_limit, random_state=0)
        return formula.fit(data.X, data.y)

    def agree(_: str, ours: RatingFormula, theirs: RatingFormula) -> None:
        assert theirs.objective_ <= ours.bound_ + 1e-12

    return Task(
        ours=lambda: fit("certified", 60.0),
        peers={"HiGHS on (13)": lambda: fit("milp", 20.0)},
        agree=agree,
        measures={"objective": lambda r: r.objective_, "bound": lambda r: r.bound_},
    )


def study(shape: str) -> Task:
    """The shape of the paper's study: 421 products, 16 subcategories, 19 factors."""
    data = rw.datasets.make_product_ratings(random_state=0)
    categories = np.array([str(group)[0] for group in data.groups])
    weights = {"A": 1.0, "B": 0.5}
    options = {"top": 5, "category_weights": weights, "signs": "positive", "random_state": 0}

    def fit(solver: str, time_limit: float) -> float:
        formula = RatingFormula(solver=solver, time_limit=time_limit, n_jobs=2, **options)
        return formula.fit(data.X, data.y, data.groups, categories).objective_

    def value(target: np.ndarray) -> float:
        scores = LinearRegression(positive=True).fit(data.X, target).predict(data.X)
        chosen = {"categories": categories, "category_weights": weights}
        return rw.metrics.top_auc(data.y, scores, data.groups, top=5, emphasis=9.0, **chosen)

    def highs() -> float:
        formula = RatingFormula(**options).set_params(time_limit=1e-3, solver="search")
        problem = formula.fit(data.X, data.y, data.groups, categories).rating_.problem
        solution = RatingProgram(problem).solve(None, Clock(600.0), 0.0)
        return -solution.objective / float(problem.rates.scale) if solution.x is not None else 0.0

    within = -rw.positions(data.y, data.groups)

    def agree(name: str, ours: float, theirs: float) -> None:
        assert ours >= theirs, f"{name} found a better formula"

    return Task(
        ours=lambda: fit("auto", 60.0),
        peers={
            "LS1": lambda: value(data.y),
            "LS2": lambda: value(-rw.positions(data.y)),
            "LS3": lambda: value(within),
            "HiGHS on (13), 600 s": highs,
        },
        agree=agree,
        measures={"objective": float},
    )


def flexible(top: int) -> Task:
    """The flexible ratings of section 7: M1 as in Tables 1 to 3, on the products fitted."""
    data = rw.datasets.make_flex_ratings(random_state=0)
    X, y = data.X.iloc[data.train], data.y[data.train]

    def m1(ranker: Any) -> float:
        return rw.metrics.quality_measures(y, ranker.fit(X, y).predict(X), top=top).train.m1

    def agree(name: str, ours: float, theirs: float) -> None:
        assert ours > theirs, f"{name} orders the top better"

    return Task(
        ours=lambda: m1(RatingFormula(top=top, signs="positive", n_jobs=2, random_state=0)),
        peers={
            "LS1": lambda: m1(rw.LeastSquaresRanker("score", nonnegative=True)),
            "LS3": lambda: m1(rw.LeastSquaresRanker("group_rank", nonnegative=True)),
            "ℓp, p = 1": lambda: m1(rw.PushRanker(p=1, nonnegative=True)),
            "ℓp, p = 2": lambda: m1(rw.PushRanker(p=2, nonnegative=True)),
            "ℓp, p = 2, pull": lambda: m1(rw.PushRanker(p=2, pull=1.0, nonnegative=True)),
        },
        agree=agree,
        measures={"M1": float},
    )


CASES = [
    Case(
        "rating-proofs",
        "Prove the best formula of 100 products (top 25, ten ratings), by number of factors",
        (4, 5, 6),
        (3,),
        proofs,
        repeats=1,
    ),
    Case(
        "rating-gaps",
        "Bound what a minute does not prove: 100 products (top 25; ten ratings of eight factors, "
        "three of ten and of twelve), by factors",
        (8, 10, 12),
        (),
        proofs,
        repeats=0,  # limits take most of the time
    ),
    Case(
        "rating-program",
        "Prove the best formula beside the paper's integer program in HiGHS, by products",
        (10, 20, 30),
        (10,),
        against_the_program,
        repeats=1,
    ),
    Case(
        "rating-study",
        "Find a formula for 421 products, 16 subcategories and 19 factors in a minute",
        ("421 x 19",),
        (),
        study,
        repeats=0,  # limits take most of the time
    ),
    Case(
        "rating-flexible",
        "Order the top of the flexible ratings (M1 on the 100 products fitted), by top",
        (60, 45, 25),
        (25,),
        flexible,
        repeats=1,
    ),
]
