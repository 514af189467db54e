"""Rating formulas: proved, beside the paper's program in HiGHS and least squares."""

from typing import Any

import numpy as np
from sklearn.linear_model import LinearRegression

import rankwright as rw
from benchmarks.case import Case, Task
from rankwright.reverse import RatingFormula

TOP = 25
SEEDS = 10


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
        for data in (_stars(factors, seed) for seed in range(SEEDS))
    ]


def _least_squares(factors: int) -> list[float]:
    values = []
    for data in (_stars(factors, seed) for seed in range(SEEDS)):
        model = LinearRegression(positive=True).fit(data.X, data.y)
        values.append(rw.metrics.top_auc(data.y, model.predict(data.X), top=TOP, emphasis=9.0))
    return values


def _objective(result: Any) -> float:
    return float(np.mean([getattr(one, "objective_", one) for one in result]))


def _seconds(result: Any) -> list[float]:
    return [one.history_[-1].seconds for one in result if hasattr(one, "history_")] or [0.0]


def proofs(factors: int) -> Task:
    """Ten ratings of 100 products in half stars; times are those of all ten."""

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
            "median s": lambda r: float(np.median(_seconds(r))),
            "slowest s": lambda r: max(_seconds(r)),
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
        "rating-program",
        "Prove the best formula beside the paper's integer program in HiGHS, by products",
        (10, 20, 30),
        (10,),
        against_the_program,
        repeats=1,
    ),
]
