"""Linear rankers beside the explicit pairs, Ridge, LightGBM and XGBoost."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from lightgbm import LGBMRanker
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.svm import LinearSVC
from xgboost import XGBRanker

import rankwright as rw
from benchmarks.case import Case, Task
from rankwright.linear import PairwiseRanker, PlackettLuceRanker

ALPHA = 1e-4
REAL = Path(__file__).parents[3] / "shared" / "data" / "lambdarank"


def _rows(n: int, d: int, grades: int | None, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    latent = X @ rng.normal(size=d)
    latent += latent.std() * rng.normal(size=n)
    if grades is None:
        return X, latent
    return X, np.searchsorted(np.quantile(latent, np.arange(1, grades) / grades), latent) * 1.0


def _same_coefficients(_: str, ours: Any, theirs: Any) -> None:
    np.testing.assert_allclose(theirs.coef_.ravel(), ours.coef_, rtol=1e-3, atol=1e-4)


def _on_pairs(X: np.ndarray, y: np.ndarray, classifier: Any) -> Any:
    differences, signs = rw.pairwise_transform(X, y)
    return classifier.set_params(C=1 / (ALPHA * len(signs))).fit(differences, signs)


def logistic_pairs(n: int) -> Task:
    X, y = _rows(n, 18, None)
    peer = LogisticRegression(fit_intercept=False, tol=1e-6)
    return Task(
        ours=lambda: PairwiseRanker("logistic", alpha=ALPHA).fit(X, y),
        peers={"all pairs + LogisticRegression": lambda: _on_pairs(X, y, peer)},
        agree=_same_coefficients,
    )


def squared_hinge_pairs(n: int) -> Task:
    X, y = _rows(n, 18, None)
    peer = LinearSVC(fit_intercept=False, dual=False)
    return Task(
        ours=lambda: PairwiseRanker("squared_hinge", alpha=ALPHA).fit(X, y),
        peers={"all pairs + LinearSVC": lambda: _on_pairs(X, y, peer)},
        agree=_same_coefficients,
    )


def one_group(setting: tuple[int, str, int | None]) -> Task:
    n, loss, grades = setting
    X, y = _rows(n, 20, grades)

    def agree(_: str, ours: Any, ridge: Any) -> None:
        """The data are linear, so both find the same direction."""
        cosine = ours.coef_ @ ridge.coef_
        assert cosine > 0.999 * np.linalg.norm(ours.coef_) * np.linalg.norm(ridge.coef_)

    return Task(
        ours=lambda: PairwiseRanker(loss, alpha=ALPHA).fit(X, y),
        peers={"Ridge": lambda: Ridge().fit(X, y)},
        agree=agree,
    )


def growth(n: int) -> Task:
    X, y = _rows(n, 20, None)
    others = {
        "squared hinge": PairwiseRanker("squared_hinge", alpha=ALPHA),
        "hinge, gap 1e-3": PairwiseRanker("hinge", alpha=ALPHA),
        "Plackett-Luce": PlackettLuceRanker(alpha=ALPHA),
    }

    def agree(_: str, ours: Any, theirs: Any) -> None:
        assert abs(ours.score(X, y) - theirs.score(X, y)) < 0.05

    return Task(
        ours=lambda: PairwiseRanker("logistic", alpha=ALPHA).fit(X, y),
        peers={name: lambda ranker=ranker: ranker.fit(X, y) for name, ranker in others.items()},
        agree=agree,
    )


# The peak from /proc: a child process inherits its parent's ru_maxrss.
MEMORY_PROGRAM = """
import re, sys
import numpy as np
from benchmarks.cases.linear import ALPHA, PairwiseRanker, _on_pairs, _rows, LogisticRegression
def peak():
    return int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1])
what, n = sys.argv[1], int(sys.argv[2])
X, y = _rows(n, 18, None)
PairwiseRanker().fit(X[:300], y[:300])
before = peak()
if what == "ours":
    PairwiseRanker(alpha=ALPHA).fit(X, y)
else:
    _on_pairs(X, y, LogisticRegression(fit_intercept=False))
after = peak()
print((after - before) / 1024, X.nbytes / 2**20)
"""


def memory(n: int) -> Task:
    def grown(what: str) -> float:
        """Return by how many megabytes a process that holds the data grows while it fits."""
        command = [sys.executable, "-c", MEMORY_PROGRAM, what, str(n)]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return float(output.split()[0])

    pairs = {"all pairs + LogisticRegression": lambda: grown("pairs")}
    return Task(
        ours=lambda: grown("ours"),
        peers=pairs if n <= 3000 else {},
        agree=lambda _, ours, theirs: None,
        measures={"MB while fitting": float},
        skipped={} if n <= 3000 else {"all pairs + LogisticRegression": "needs gigabytes"},
    )


def _against_boosting(train: Any, test: Any) -> Task:
    X, y, groups = train
    sizes = np.unique(groups, return_counts=True)[1]

    def mean(metric: str) -> Callable[[Any], float]:
        """Return the mean of a metric over the test groups, as a function of the model."""
        measure = rw.metrics.Measure.read(metric)
        return lambda model: measure.by_group(test[1], model.predict(test[0]), test[2]).mean

    return Task(
        ours=lambda: PairwiseRanker(alpha=1e-2).fit(X, y, groups),
        peers={
            "LightGBM lambdarank": lambda: LGBMRanker(verbose=-1, n_jobs=2).fit(X, y, group=sizes),
            "XGBoost rank:pairwise": lambda: XGBRanker(objective="rank:pairwise", n_jobs=2).fit(
                X, y, group=sizes
            ),
            "XGBoost rank:ndcg": lambda: XGBRanker(n_jobs=2).fit(X, y, group=sizes),
        },
        agree=lambda _, ours, theirs: None,
        measures={
            "test tau": mean("kendall_tau"),
            "test NDCG@10, gains y": mean("ndcg@10"),
            "test NDCG@10, gains 2^y - 1": mean("ndcg(gains=exponential)@10"),
        },
    )


def many_groups(n_groups: int) -> Task:
    rng = np.random.default_rng(0)
    coef = rng.normal(size=18)

    def draw() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        X, groups = rng.normal(size=(50 * n_groups, 18)), np.repeat(np.arange(n_groups), 50)
        latent = X @ coef + np.linalg.norm(coef) * rng.normal(size=len(X))
        return X, np.searchsorted(np.quantile(latent, [0.5, 0.75, 0.88, 0.96]), latent), groups

    return _against_boosting(draw(), draw())


def real_queries(_: str) -> Task:
    train = rw.read_svmlight(REAL / "rank.train", query_sizes=REAL / "rank.train.query")
    test = rw.read_svmlight(
        REAL / "rank.test", query_sizes=REAL / "rank.test.query", n_features=train.X.shape[1]
    )
    return _against_boosting(train, test)


SETTINGS = [(1_000_000, loss, g) for loss in ("logistic", "squared_hinge") for g in (5, None)]
CASES = [
    Case(
        "pairwise-logistic", "One group, 18 features, real-valued y: the same optimum",
        (500, 1000, 2000), (300,), logistic_pairs, repeats=3,
    ),
    Case(
        "pairwise-squared-hinge", "The same with the squared hinge",
        (500, 1000, 2000), (300,), squared_hinge_pairs, repeats=3,
    ),
    Case(
        "pairwise-million",
        "One group of a million rows, 20 features (rows, loss, grades or real-valued): how many "
        "times the fit of a Ridge? Ridge's ratio is its share of our time. liblinear-ranksvm, in "
        "C, is quoted with 12.7 s for the squared hinge and real-valued y",
        tuple(SETTINGS), ((5000, "logistic", 5), (5000, "squared_hinge", None)), one_group,
        repeats=3,
    ),
    Case(
        "pairwise-growth", "One group, 20 features, real-valued y: time against the rows",
        (1_000, 10_000, 100_000, 1_000_000), (1_000,), growth, repeats=1,
    ),
    Case(
        "pairwise-memory", "Memory that a fit adds to a process that holds the data, 18 features",
        (1_000, 2_000, 10_000, 100_000, 1_000_000), (300,), memory, repeats=1,
    ),
    Case(
        "many-groups", "Groups of 50 rows, 18 features, grades 0 to 4, linear data",
        (2000,), (50,), many_groups, repeats=3,
    ),
]  # fmt: skip
if REAL.exists():
    CASES.append(
        Case(
            "real-queries",
            "LightGBM's example of learning to rank: 201 and 50 queries, 300 features; boosted "
            "trees may win",
            ("lambdarank",),
            ("lambdarank",),
            real_queries,
            repeats=3,
        )
    )
