"""Boosters of this project and its peers under one contract: fit, and score after some trees."""

from collections.abc import Callable
from typing import Any

import numpy as np

import rankwright as rw
from benchmarks.ranking_sets import Lists

Scores = np.ndarray
# Fits to lists with a learning rate and a number of trees; the result scores rows after k trees.
Fit = Callable[[Lists, float, int], Callable[[np.ndarray, int], Scores]]

SAMPLED = {"feature_fraction": 0.5, "bagging_fraction": 0.7, "bagging_freq": 1}


def whole_grades(y: np.ndarray) -> np.ndarray:
    """Return grades from 0 on in whole steps, as the peers need them."""
    return np.unique(y, return_inverse=True)[1]


def ours(**options: Any) -> Fit:
    def fit(lists: Lists, rate: float, n_trees: int) -> Any:
        ranker = rw.BoostedRanker(
            n_trees, learning_rate=rate, early_stopping=False, random_state=0, **options
        ).fit(lists.X, lists.y, lists.groups)

        def score(X: np.ndarray, k: int) -> Scores:
            scores = np.zeros(len(X))
            # With pairs of features: k trees of single ones, and k of pairs.
            for first in range(0, len(ranker.trees_), n_trees):
                ranker.trees_[first : first + k].add_scores(np.ascontiguousarray(X), scores)
            return scores

        return score

    return fit


def lightgbm(objective: str, **options: Any) -> Fit:
    def fit(lists: Lists, rate: float, n_trees: int) -> Any:
        import lightgbm

        parameters = {
            "objective": objective, "learning_rate": rate, "verbose": -1, "num_threads": 1,
            "seed": 0, "deterministic": True, **options,
        }  # fmt: skip
        data = lightgbm.Dataset(lists.X, whole_grades(lists.y), group=lists.sizes)
        model = lightgbm.train(parameters, data, n_trees)
        return lambda X, k: model.predict(X, num_iteration=k, num_threads=1)

    return fit


def lightgbm_regression(**options: Any) -> Fit:
    def fit(lists: Lists, rate: float, n_trees: int) -> Any:
        import lightgbm

        starts = np.append(0, np.cumsum(lists.sizes))[:-1]
        means = np.add.reduceat(lists.y, starts) / lists.sizes
        centred = lists.y - np.repeat(means, lists.sizes)
        parameters = {
            "objective": "regression", "learning_rate": rate, "verbose": -1, "num_threads": 1,
            "seed": 0, **options,
        }  # fmt: skip
        model = lightgbm.train(parameters, lightgbm.Dataset(lists.X, centred), n_trees)
        return lambda X, k: model.predict(X, num_iteration=k, num_threads=1)

    return fit


def xgboost(objective: str, **options: Any) -> Fit:
    def fit(lists: Lists, rate: float, n_trees: int) -> Any:
        import xgboost

        model = xgboost.XGBRanker(
            objective=objective, learning_rate=rate, n_estimators=n_trees, n_jobs=1,
            tree_method="hist", random_state=0, **options,
        )  # fmt: skip
        model.fit(lists.X, whole_grades(lists.y), group=lists.sizes)
        return lambda X, k: model.predict(X, iteration_range=(0, k))

    return fit


def catboost(loss: str, **options: Any) -> Fit:
    def fit(lists: Lists, rate: float, n_trees: int) -> Any:
        import catboost

        model = catboost.CatBoost(
            {
                "loss_function": loss, "iterations": n_trees, "learning_rate": rate,
                "thread_count": 1, "verbose": False, "random_seed": 0,
                "allow_writing_files": False, **options,
            }
        )  # fmt: skip
        grades = whole_grades(lists.y)
        model.fit(catboost.Pool(lists.X, grades / max(grades.max(), 1), group_id=lists.groups))
        return lambda X, k: model.predict(X, ntree_end=k)

    return fit


ALL_PAIRS = {"lambdarank_pair_method": "topk", "lambdarank_num_pair_per_sample": 100_000}
SAMPLED_CATBOOST = {
    "rsm": 0.5, "bootstrap_type": "Bernoulli", "subsample": 0.7, "sampling_unit": "Group",
}  # fmt: skip
PEERS: dict[str, Fit] = {
    "LightGBM lambdarank": lightgbm("lambdarank"),
    "LightGBM lambdarank, all pairs, sampled": lightgbm(
        "lambdarank", lambdarank_truncation_level=100_000, bagging_by_query=True, **SAMPLED
    ),
    "LightGBM xendcg": lightgbm("rank_xendcg"),
    "LightGBM xendcg, sampled": lightgbm("rank_xendcg", bagging_by_query=True, **SAMPLED),
    "LightGBM regression, centred": lightgbm_regression(),
    "LightGBM regression, centred, sampled": lightgbm_regression(**SAMPLED),
    "XGBoost pairwise": xgboost("rank:pairwise"),
    "XGBoost pairwise, all pairs, sampled": xgboost(
        "rank:pairwise", subsample=0.7, colsample_bytree=0.5, **ALL_PAIRS
    ),
    "XGBoost ndcg": xgboost("rank:ndcg"),
    "CatBoost YetiRank": catboost("YetiRank"),
    "CatBoost YetiRank, sampled": catboost("YetiRank", **SAMPLED_CATBOOST),
    "CatBoost PairLogit": catboost("PairLogit"),
    "CatBoost PairLogit, sampled": catboost("PairLogit", **SAMPLED_CATBOOST),
}
# Why some peers are not measured on some sets. PairLogit: "Too many pairs should be generated".
TOO_MANY_PAIRS = dict.fromkeys(
    ("CatBoost PairLogit", "CatBoost PairLogit, sampled"),
    "refuses lists of more than a million pairs",
)
LEFT_OUT: dict[str, dict[str, str]] = {
    "movielens": TOO_MANY_PAIRS,
    "long-lists": TOO_MANY_PAIRS
    | {"XGBoost pairwise, all pairs, sampled": "takes more than a second for a tree"}
    | dict.fromkeys(
        ("CatBoost YetiRank", "CatBoost YetiRank, sampled"), "takes more than forty minutes"
    ),
}
OURS: dict[str, Fit] = {
    "rankwright": ours(),
    "rankwright, leaf-wise": ours(tree="leafwise"),
    "rankwright, loss top": ours(loss="top"),
    "rankwright, additive": ours(interactions=0),
    "rankwright, 10 pairs of features": ours(interactions=10),
}
