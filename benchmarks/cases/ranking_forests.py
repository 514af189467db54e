"""TreeRank and ranking forests beside scikit-learn's trees and forests, by time and by test AUC."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

import rankwright as rw
from benchmarks.case import Case, Task
from rankwright.trees import RankingForest, TreeRank

Split = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def _split(n: int, make: Callable[..., Any]) -> Split:
    train, test = make(n, random_state=0), make(3000, random_state=1)
    return train.X.to_numpy(), train.y, test.X.to_numpy(), test.y


def _test_auc(model: Any, X: np.ndarray, y: np.ndarray) -> float:
    is_ours = isinstance(model, TreeRank | RankingForest)
    return rw.metrics.auc(y, model.predict(X) if is_ours else model.predict_proba(X)[:, 1])


def _fitting(split: Split, ours: Any, peers: dict[str, Any], margin: float) -> Task:
    X, y, X_test, y_test = split
    auc = partial(_test_auc, X=X_test, y=y_test)

    def agree(name: str, our_model: Any, their_model: Any) -> None:
        assert auc(our_model) >= auc(their_model) - margin, name

    return Task(
        ours=lambda: ours.fit(X, y),
        peers={name: partial(peer.fit, X, y) for name, peer in peers.items()},
        agree=agree,
        measures={"test AUC": auc},
    )


def tree(n: int) -> Task:
    peers = {"DecisionTreeClassifier": DecisionTreeClassifier(random_state=0)}
    return _fitting(_split(n, rw.datasets.make_rf10), TreeRank(max_depth=10), peers, 0.05)


def forest(n: int, make: Callable[..., Any] = rw.datasets.make_rf10) -> Task:
    peers = {
        "RandomForestClassifier(100)": RandomForestClassifier(100, random_state=0),
        "ExtraTreesClassifier(100, min_samples_leaf=5)": ExtraTreesClassifier(
            100, min_samples_leaf=5, random_state=0
        ),
    }
    return _fitting(_split(n, make), RankingForest(random_state=0), peers, 0.01)


def large_forest(n: int) -> Task:
    """Ten trees stand for a hundred: growth is linear in their number."""
    peers = {"RandomForestClassifier(10)": RandomForestClassifier(10, random_state=0)}
    split = _split(n, rw.datasets.make_rf20)
    return _fitting(split, RankingForest(10, random_state=0), peers, 0.01)


def scoring(n: int) -> Task:
    X, y, X_test, _ = _split(2000, rw.datasets.make_rf10)
    rows = np.tile(X_test, (-(-n // len(X_test)), 1))[:n]
    ours = RankingForest(random_state=0).fit(X, y)
    theirs = RandomForestClassifier(100, random_state=0).fit(X, y)
    return Task(
        ours=lambda: ours.predict(rows),
        peers={"RandomForestClassifier.predict_proba": lambda: theirs.predict_proba(rows)[:, 1]},
        agree=lambda _, a, b: np.testing.assert_array_less(0.5, rw.metrics.kendall_tau(a, b)),
    )


CASES = [
    Case(
        "treerank",
        "TreeRank of depth 10 on rf10 (10 features) beside a fully grown tree",
        (500, 2000, 8000),
        (500,),
        tree,
    ),
    Case(
        "ranking-forest",
        "RankingForest(100) on rf10 (10 features)",
        (500, 2000, 8000),
        (500,),
        forest,
        repeats=3,
    ),
    Case(
        "ranking-forest-large",
        "RankingForest(10) on rf20 (20 features)",
        (2000, 20_000, 200_000),
        (2000,),
        large_forest,
        repeats=3,
    ),
    Case(
        "ranking-forest-scoring",
        "Scores of new rows by 100 trees",
        (3000, 30_000, 300_000),
        (3000,),
        scoring,
        repeats=3,
    ),
]
