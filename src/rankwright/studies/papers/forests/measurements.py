"""How ranking forests are measured beside other forests on the same samples."""

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from math import ceil
from typing import Any

import numpy as np
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

import rankwright as rw
from rankwright.studies.experiment import Row

__all__ = [
    "CASES",
    "MEASURES",
    "SAMPLES",
    "judge",
    "measure_leaf_sizes",
    "measure_methods",
    "measure_optimum",
    "test_sample",
]

SAMPLES = {
    "rf10": rw.datasets.make_rf10,
    "rf20": rw.datasets.make_rf20,
    "rf10_sparse": rw.datasets.make_rf10_sparse,
}
# Features drawn for a cell of the master tree and for a cut of LeafRank (F_T, F_L).
CASES = {
    "rf10": {1: (5, 5), 2: (10, 5), 3: (5, 3), 4: (3, 3), 5: (10, 3), 6: (3, 1)},
    "rf20": {1: (10, 10), 2: (20, 10), 3: (10, 5), 4: (5, 5), 5: (20, 5), 6: (5, 1)},
}
CASES["rf10_sparse"] = CASES["rf10"]
LEAF_DEPTHS = {"rf10": 10, "rf20": 10, "rf10_sparse": 8}
LEAF_SIZES = (1, 5, 10, 20)
N_TEST = 3000
TEST_SEED = 2013
# Where the ROC curves are kept, and the test rows whose order is: for envelopes and instability.
RATES = np.linspace(0, 1, 41)
N_ORDERED = 40
PARTS = np.arange(N_TEST) % 10


def _hit_percentage(y_true: Any, scores: Any, *, share: float) -> float:
    return 100 * rw.metrics.hit_ratio(y_true, scores, share=share)


# By their names in the published tables.
MEASURES: dict[str, Callable[..., float]] = {
    "auc": rw.metrics.auc,
    "average_precision": rw.metrics.average_precision,
    "hit_ratio_10_pct": partial(_hit_percentage, share=0.1),
    "hit_ratio_20_pct": partial(_hit_percentage, share=0.2),
}
Scored = Iterator[tuple[str, int, Any]]


def measure_methods(rng: np.random.Generator, data: str, n_train: int, shrink: int) -> list[Row]:
    """Fit all methods to one sample and judge them by the test sample."""
    train = SAMPLES[data](n_train // shrink, random_state=int(rng.integers(2**31)))
    X, y = train.X.to_numpy(), train.y
    sizes = (1, 20, 50, 100) if n_train == 2000 else (20,)
    scored = [
        *score_by_paper(rng, data, X, y, sizes, shrink),
        *score_by_others(rng, data, X, y, ceil(100 / shrink)),
    ]
    return [
        {"method": method, "n_trees": n_trees, **judge(data, scores)}
        for method, n_trees, scores in scored
    ]


def measure_leaf_sizes(rng: np.random.Generator, data: str, shrink: int) -> list[Row]:
    """Grow plain trees with smaller and larger leaves, a choice that the paper does not state."""
    train = SAMPLES[data](2000 // shrink, random_state=int(rng.integers(2**31)))
    test = test_sample(data)
    rows: list[Row] = []
    for size in LEAF_SIZES:
        tree = rw.TreeRank(**plain_settings(data, size)).fit(train.X, train.y)
        auc = rw.metrics.auc(test.y, tree.predict(test.X))
        rows.append({"min_samples_leaf": size, "auc": round(auc, 5)})
    return rows


def measure_optimum(rng: np.random.Generator, data: str) -> Row:
    """Judge the likelihood ratio, which no method can beat but by luck."""
    test = test_sample(data)
    return {"auc_star": test.auc_star, **judge(data, test.optimal_scores)}


def score_by_paper(
    rng: np.random.Generator, data: str, X: Any, y: Any, sizes: tuple[int, ...], shrink: int
) -> Scored:
    """Yield the scores of the plain tree, and of bagging and the cases with growing forests."""
    X_test = test_sample(data).X.to_numpy()
    plain = plain_settings(data)
    yield "treerank", 1, rw.TreeRank(**plain).fit(X, y).predict(X_test)
    cases = {f"case_{case}": drawn for case, drawn in CASES[data].items()}
    for method, (f_t, f_l) in {"bagging": (None, None), **cases}.items():
        forest = rw.RankingForest(
            aggregation="median",
            min_samples_split=2,
            splitter="hist",
            max_features_master=f_t,
            max_features_leaf=f_l,
            warm_start=True,
            random_state=int(rng.integers(2**31)),
            **plain,
        )
        for n_trees in sizes:
            forest.set_params(n_estimators=ceil(n_trees / shrink)).fit(X, y)
            yield method, n_trees, forest.predict(X_test)


def score_by_others(rng: np.random.Generator, data: str, X: Any, y: Any, n_trees: int) -> Scored:
    """Yield the scores of the default forest and of scikit-learn's."""
    X_test = test_sample(data).X.to_numpy()
    seed = int(rng.integers(2**31))
    forest = rw.RankingForest(n_trees, random_state=seed)
    yield "RankingForest()", 100, forest.fit(X, y).predict(X_test)
    for kind in (RandomForestClassifier, ExtraTreesClassifier):
        for size in (1, 5):
            classifier = kind(n_trees, min_samples_leaf=size, random_state=seed)
            name = f"{kind.__name__}(min_samples_leaf={size})"
            yield name, 100, classifier.fit(X, y).predict_proba(X_test)[:, 1]


def plain_settings(data: str, min_samples_leaf: int = 10) -> dict[str, Any]:
    """Return the paper's settings of TreeRank, which leave the size of leaves open."""
    return {
        "max_depth": 10,
        "max_depth_leaf": LEAF_DEPTHS[data],
        "min_samples_leaf": min_samples_leaf,
    }


@lru_cache
def test_sample(data: str) -> rw.datasets.BipartiteData:
    """Draw the test sample, one for all replications as in the paper."""
    return SAMPLES[data](N_TEST, random_state=TEST_SEED)


def judge(data: str, scores: Any) -> Row:
    """Return measures with the test sample's share in their error, the ROC curve and the order."""
    y = test_sample(data).y
    row: dict[str, Any] = {}
    for name, metric in MEASURES.items():
        parts = rw.metrics.by_group(metric, y, scores, PARTS).values
        row[name] = round(metric(y, scores), 5)
        row[f"{name}_test_error"] = round(parts.std(ddof=1) / np.sqrt(parts.size), 4)
    curve = rw.metrics.roc_curve(y, scores)
    rates = np.interp(RATES, curve.false_positive_rate, curve.true_positive_rate)
    return {
        **row,
        "dcg": round(rw.metrics.dcg(y, scores), 3),
        "roc_per_mille": np.rint(1000 * rates).astype(int).tolist(),
        "order": np.unique(scores[:N_ORDERED], return_inverse=True)[1].tolist(),
    }
