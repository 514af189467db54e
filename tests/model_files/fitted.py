"""A small fitted model of every kind that a file can hold."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import FactorAnalysis
from sklearn.ensemble import (
    AdaBoostClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
)
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression, Ridge, SGDClassifier
from sklearn.model_selection import GridSearchCV, GroupKFold
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    KBinsDiscretizer,
    OneHotEncoder,
    PolynomialFeatures,
    PowerTransformer,
    SplineTransformer,
    StandardScaler,
)
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import rankwright as rw

_rng = np.random.default_rng(0)
X = pd.DataFrame(_rng.normal(size=(40, 3)), columns=["a", "b", "c"])
KINDS = X.assign(b=pd.Categorical(_rng.choice(["x", "y", "z"], size=40)))
Y = np.digitize(X["a"] + X["c"], [-1.0, 0.0, 1.0])
GROUPS = np.repeat(np.arange(4), 10)


def _search(scoring: Any = None) -> GridSearchCV:
    pipeline = make_pipeline(StandardScaler(), rw.PairwiseRanker())
    alphas = {"pairwiseranker__alpha": [0.1, 1.0]}
    return GridSearchCV(pipeline, alphas, cv=GroupKFold(2), scoring=scoring)


def _columns() -> ColumnTransformer:
    parts = [("one", OneHotEncoder(), ["b"]), ("rest", "passthrough", ["a", "c"])]
    return ColumnTransformer(parts)


MODELS: dict[str, Callable[[], Any]] = {
    "AdaptedRanker": lambda: rw.adapt(LogisticRegression()).fit(X, Y, GROUPS),
    "BayesPointPerceptron": lambda: rw.BayesPointPerceptron(
        3, random_state=np.random.RandomState(0)
    ).fit(X, Y),
    "BoostedOrdinal": lambda: rw.BoostedOrdinal(3, random_state=0).fit(KINDS, Y),
    "BoostedRanker": lambda: rw.BoostedRanker(3, interactions=1, random_state=0).fit(
        KINDS, Y, GROUPS
    ),
    "BoostedRanker, leaf-wise": lambda: rw.BoostedRanker(3, tree="leafwise", random_state=0).fit(
        KINDS, Y, GROUPS
    ),
    "ExpectedRankRegressor": lambda: rw.ExpectedRankRegressor().fit(X, Y),
    "LeastSquaresRanker": lambda: rw.LeastSquaresRanker().fit(X, Y),
    "OrdinalForest": lambda: rw.OrdinalForest(3, oob_score=True, random_state=0).fit(KINDS, Y),
    "OrdinalTree": lambda: rw.OrdinalTree(prune="cv", random_state=0).fit(KINDS, Y),
    "PRankPerceptron": lambda: rw.PRankPerceptron(random_state=0).fit(X, Y),
    "PairwiseRanker": lambda: rw.PairwiseRanker(loss="hinge").fit(X, Y, GROUPS),
    "PairwiseRankerCV": lambda: rw.PairwiseRankerCV([0.1, 1.0], cv=2).fit(X, Y),
    "PlackettLuceRanker": lambda: rw.PlackettLuceRanker().fit(X, Y),
    "PreferenceRanker": lambda: rw.PreferenceRanker(n_references=5).fit(X, Y),
    "PushRanker": lambda: rw.PushRanker().fit(X, Y),
    "RankingForest": lambda: rw.RankingForest(
        3, max_depth=2, aggregation="kemeny", oob_score=True, random_state=0
    ).fit(KINDS, Y > 1),
    "RatingFormula": lambda: rw.RatingFormula(
        top=3, solver="search", time_limit=1, random_state=0
    ).fit(X, Y, GROUPS),
    "RatingFormula for new products": lambda: rw.RatingFormula(
        top=3, signs="positive", selection="stable", time_limit=60, random_state=0
    ).fit(X, Y, GROUPS),
    "RatingFormula of scores": lambda: rw.RatingFormula(
        "scores", value_functions={"a": [0.0]}, time_limit=5, random_state=0
    ).fit(X, X["a"].round(1)),
    "TreeRank": lambda: rw.TreeRank(prune="cv", n_folds=2, random_state=0).fit(KINDS, Y > 1),
    "TreeRank of classifiers": lambda: rw.TreeRank(
        leaf_rank=DecisionTreeClassifier(max_depth=2)
    ).fit(X, Y > 1),
    "boosted": lambda: rw.PreferenceRanker(
        GradientBoostingClassifier(n_estimators=2, random_state=np.random.RandomState(0)),
        n_references=3,
    ).fit(X, Y),
    "calibrated": lambda: rw.PreferenceRanker(
        CalibratedClassifierCV(LogisticRegression(), cv=2), n_references=3
    ).fit(X, Y),
    "committee": lambda: rw.PreferenceRanker(
        AdaBoostClassifier(n_estimators=2), n_references=3
    ).fit(X, Y),
    "descent": lambda: rw.PreferenceRanker(SGDClassifier(random_state=0), n_references=3).fit(X, Y),
    "derived columns": lambda: make_pipeline(
        _columns(),
        KBinsDiscretizer(3, encode="onehot-dense", strategy="uniform"),
        PolynomialFeatures(2, interaction_only=True),
        rw.PairwiseRanker(),
    ).fit(KINDS, Y),
    "factors": lambda: rw.adapt(make_pipeline(FactorAnalysis(2), Ridge())).fit(X, Y),
    "extra trees": lambda: rw.ExpectedRankRegressor(ExtraTreesRegressor(2)).fit(X, Y),
    "histogram boosted": lambda: rw.ExpectedRankRegressor(
        HistGradientBoostingRegressor(max_iter=2, min_samples_leaf=5)
    ).fit(X, Y),
    "network": lambda: rw.PreferenceRanker(
        MLPClassifier((2,), tol=1.0, random_state=0), n_references=3
    ).fit(X, Y),
    "one against the rest": lambda: rw.adapt(OneVsRestClassifier(LogisticRegression())).fit(X, Y),
    "pipeline": lambda: make_pipeline(
        _columns(), FunctionTransformer(np.abs), SelectKBest(k=2), rw.PairwiseRanker()
    ).fit(KINDS, Y),
    "powers": lambda: rw.adapt(make_pipeline(PowerTransformer(), Ridge())).fit(X, Y),
    "random forest": lambda: rw.PreferenceRanker(
        RandomForestClassifier(2, max_depth=3, random_state=0), n_references=3
    ).fit(X, Y),
    "search": lambda: _search().fit(X, Y, groups=GROUPS),
    "search by a metric": lambda: _search(rw.metrics.scorer("ndcg", k=3)).fit(X, Y, groups=GROUPS),
    "search by a metric of scikit-learn": lambda: _search("neg_mean_absolute_error").fit(
        X, Y, groups=GROUPS
    ),
    "splines": lambda: make_pipeline(
        _columns(), SplineTransformer(n_knots=3, sparse_output=False), rw.PairwiseRanker()
    ).fit(KINDS, Y),
    "tree": lambda: rw.adapt(DecisionTreeRegressor(max_depth=4)).fit(X, Y),
}

_GAMES = pd.DataFrame(
    {
        "left": ["w", "x", "x", "y", "z", "w", "y"] * 6,
        "right": ["x", "y", "z", "z", "w", "y", "x"] * 6,
        "outcome": ([1, 1, 0, 0.5, 1, 0, 1] * 5 + [0, 0, 1, 0.5, 0, 1, 0]),
        "judge": [f"judge {game % 11}" for game in range(42)],
    }
)
BOARDS: dict[str, Callable[[], Any]] = {
    "leaderboard of battles": lambda: rw.leaderboard(
        _GAMES, cluster="judge", side_advantage=True, random_state=0
    ),
    "leaderboard of orders": lambda: rw.leaderboard(
        [["a", "b", "c", "d"], ["b", "a", "d", "c"], ["a", "d", "b"], ["c", "a", "b", "d"]] * 4
    ),
    "leaderboard of tasks": lambda: rw.leaderboard(X.iloc[:5].round(2)),
}


def _boosted(package: str, name: str, **parameters: Any) -> Any:
    return rw.adapt(getattr(import_module(package), name)(**parameters)).fit(X, Y, GROUPS)


FOREIGN: dict[str, Callable[[], Any]] = {
    "adapted CatBoost": lambda: _boosted(
        "catboost", "CatBoostRanker", iterations=2, thread_count=1
    ),
    "adapted LightGBM": lambda: _boosted(
        "lightgbm", "LGBMRanker", n_estimators=2, min_child_samples=2, n_jobs=1, verbose=-1
    ),
    "adapted XGBoost": lambda: _boosted("xgboost", "XGBRanker", n_estimators=2, n_jobs=1),
}
# What a caller has to trust to load them.
TRUSTED = {
    "adapted CatBoost": ("catboost.core.CatBoostRanker",),
    "adapted LightGBM": ("lightgbm.basic.Booster", "lightgbm.sklearn.LGBMRanker"),
    "adapted XGBoost": ("xgboost.core.Booster", "xgboost.sklearn.XGBRanker"),
}


@cache
def fitted(name: str) -> Any:
    """Return a fitted model; do not change it."""
    return (MODELS | BOARDS | FOREIGN)[name]()


def rows_for(model: Any) -> pd.DataFrame:
    """Return rows that the model can score."""
    categories = getattr(model, "categories_", {}) or hasattr(model, "steps")
    return KINDS if categories else X
