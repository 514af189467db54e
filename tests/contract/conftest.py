"""Every public ranker, found by discovery, with a constructor small enough to run many times."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge

import rankwright as rw
from rankwright.base import RankerMixin


@dataclass(frozen=True)
class Ranker:
    """A small constructor, and which invariants the ranker's documentation does not promise."""

    make: Callable[[], Any]
    binary: bool = False  # takes two grades only
    takes_groups: bool = True
    sees_values: bool = False  # learns from the values of y, not only from their order
    sees_row_order: bool = False  # online, or draws rows by number
    scores_by_blas: bool = False  # scikit-learn's products of matrices
    measure: Callable[..., float] = rw.metrics.kendall_tau  # what its score is the mean of
    trusted: tuple[str, ...] = ()  # the foreign classes of its model file
    expected_failures: dict[str, str] = field(default_factory=dict)


BOOTSTRAP = {
    f"check_sample_weight_equivalence_on_{kind}_data": (
        "a bootstrap draws rows, so a repeated row is not a row of twice the weight"
    )
    for kind in ("dense", "sparse")
}
TWO_CLASSES = dict.fromkeys(
    BOOTSTRAP,
    "the check calls the first row's label negative: repeating and shuffling rows may turn classes",
)
# A ranker of two classes is a classifier to scikit-learn, which asks its decision_function; what
# its predict returns is scores, as every ranker's does, so the two checks of predicted labels fail.
SCORES = dict.fromkeys(
    ["check_classifiers_classes", "check_classifiers_train"], "predict returns scores, not labels"
)
FOLDS = {
    f"check_sample_weight_equivalence_on_{kind}_data": "folds split repeated rows"
    for kind in ("dense", "sparse")
}
ROUNDING = {
    f"check_sample_weight_equivalence_on_{kind}_data": "rows are drawn, and rounded at random"
    for kind in ("dense", "sparse")
}
ONLINE = {
    "check_sample_weight_equivalence_on_dense_data": "it learns from rows in their order",
}

BINNED = {
    f"check_sample_weight_equivalence_on_{kind}_data": "bins are quantiles of rows, not of weights"
    for kind in ("dense", "sparse")
}


def adapted(package: str, name: str, **settings: Any) -> Any:
    """Adapt a ranker of a peer, where it is installed."""
    model = getattr(pytest.importorskip(package), name)
    return rw.adapt(model(n_estimators=5, **settings))


RANKERS = {
    "AdaptedRanker": Ranker(lambda: rw.adapt(Ridge()), sees_values=True, scores_by_blas=True),
    "AdaptedRanker of a classifier": Ranker(
        lambda: rw.adapt(LogisticRegression()), sees_values=True, scores_by_blas=True
    ),
    "AdaptedRanker of LightGBM": Ranker(
        lambda: adapted("lightgbm", "LGBMRanker", min_child_samples=2, verbose=-1, n_jobs=1),
        sees_values=True,
        sees_row_order=True,
        trusted=("lightgbm.basic.Booster", "lightgbm.sklearn.LGBMRanker"),
        expected_failures=BINNED,
    ),
    "AdaptedRanker of XGBoost": Ranker(
        lambda: adapted("xgboost", "XGBRanker", n_jobs=1),
        sees_values=True,
        sees_row_order=True,
        trusted=("xgboost.core.Booster", "xgboost.sklearn.XGBRanker"),
        expected_failures=dict.fromkeys(BINNED, "XGBoost weighs groups, not rows"),
    ),
    "AdaptedRanker of CatBoost": Ranker(
        lambda: adapted("catboost", "CatBoostRanker", verbose=False, thread_count=1),
        sees_values=True,
        sees_row_order=True,
        trusted=("catboost.core.CatBoostRanker",),
        expected_failures=BINNED,
    ),
    "BayesPointPerceptron": Ranker(
        lambda: rw.BayesPointPerceptron(5, random_state=0),
        takes_groups=False,
        sees_row_order=True,
        expected_failures=ONLINE,
    ),
    "BoostedOrdinal": Ranker(
        lambda: rw.BoostedOrdinal(10, random_state=0),
        takes_groups=False,
        sees_row_order=True,
        expected_failures=ROUNDING,
    ),
    "BoostedRanker": Ranker(
        lambda: rw.BoostedRanker(10, random_state=0),
        sees_row_order=True,
        expected_failures=ROUNDING,
    ),
    "ExpectedRankRegressor": Ranker(rw.ExpectedRankRegressor),
    "LeastSquaresRanker": Ranker(lambda: rw.LeastSquaresRanker("group_rank")),
    "OrdinalForest": Ranker(
        lambda: rw.OrdinalForest(n_estimators=5, random_state=0),
        sees_values=True,
        sees_row_order=True,
        expected_failures=BOOTSTRAP,
    ),
    "OrdinalTree": Ranker(rw.OrdinalTree, sees_values=True),
    "PRankPerceptron": Ranker(
        lambda: rw.PRankPerceptron(random_state=0),
        takes_groups=False,
        sees_row_order=True,
        expected_failures=ONLINE,
    ),
    "PairwiseRanker": Ranker(lambda: rw.PairwiseRanker(tol=1e-10)),
    "PairwiseRankerCV": Ranker(
        lambda: rw.PairwiseRankerCV([1e-3, 1e-1], cv=2), expected_failures=FOLDS
    ),
    "PlackettLuceRanker": Ranker(lambda: rw.PlackettLuceRanker()),
    "PreferenceRanker": Ranker(lambda: rw.PreferenceRanker(random_state=0)),
    "PushRanker": Ranker(lambda: rw.PushRanker()),
    "RatingFormula": Ranker(
        lambda: rw.RatingFormula(
            top=3, signs="positive", solver="search", time_limit=600, random_state=0
        ),
        measure=rw.metrics.somers_d,
    ),
    "RankingForest": Ranker(
        lambda: rw.RankingForest(5, min_samples_split=2, min_samples_leaf=1, random_state=0),
        binary=True,
        takes_groups=False,
        sees_row_order=True,
        expected_failures=BOOTSTRAP | SCORES,
    ),
    "TreeRank": Ranker(
        rw.TreeRank, binary=True, takes_groups=False, expected_failures=TWO_CLASSES | SCORES
    ),
}


def public_rankers() -> list[str]:
    values = {name: getattr(rw, name) for name in rw.__all__}
    found = [n for n, v in values.items() if isinstance(v, type) and issubclass(v, RankerMixin)]
    return sorted({*found, *RANKERS})


def pytest_generate_tests(metafunc):
    if "ranker" in metafunc.fixturenames:
        metafunc.parametrize("name", public_rankers(), indirect=True)


@pytest.fixture
def name(request):
    return request.param


@pytest.fixture
def ranker(name) -> Ranker:
    assert name in RANKERS, f"{name} is public: give it a small constructor in {__file__}"
    return RANKERS[name]


@dataclass(frozen=True)
class Problem:
    X: np.ndarray
    y: np.ndarray
    groups: np.ndarray | None


@pytest.fixture
def problem(ranker) -> Problem:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    latent = X @ [1.0, -2.0, 0.5] + 0.3 * rng.normal(size=60)
    y = (latent > 0).astype(float) if ranker.binary else np.digitize(latent, [-2.0, 0.0, 2.0]) * 1.0
    groups = rng.integers(0, 3, size=60) if ranker.takes_groups else None
    return Problem(X, y, groups)
