"""Ordinal trees and forests beside scikit-learn's on the ranking-tree paper's data."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import rankwright as rw
from benchmarks.case import Case, Task
from rankwright.trees import OrdinalForest, OrdinalTree

CYSTIC_FIBROSIS = Path(__file__).parents[3] / "shared/data/cystic-fibrosis/cfquery.xml"
Split = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def _squares(n: int, n_noise_features: int, seed: int = 0, n_test: int = 100_000) -> Split:
    train, test = (
        rw.datasets.make_ordinal_squares(
            size, n_noise_features=n_noise_features, random_state=state
        )
        for size, state in ((n, seed), (n_test, seed + 1000))
    )
    return train.X.to_numpy(), train.y.astype(int), test.X.to_numpy(), test.y.astype(int)


def _rank_loss(model: Any, X: np.ndarray, y: np.ndarray) -> float:
    return float(np.abs(model.predict(X) - y).mean())


def _fitting(split: Split, ours: Any, peers: dict[str, Any], skipped: dict[str, str]) -> Task:
    X, y, X_test, y_test = split
    loss = partial(_rank_loss, X=X_test, y=y_test)

    def agree(name: str, our_model: Any, their_model: Any) -> None:
        assert loss(our_model) <= loss(their_model) + 0.02, name

    return Task(
        ours=lambda: ours.fit(X, y),
        peers={
            name: partial(peer.fit, X, y) for name, peer in peers.items() if name not in skipped
        },
        agree=agree,
        measures={"test rank loss": loss},
        skipped=skipped,
    )


GINI = "scikit-learn tree, gini"
ABSOLUTE = "scikit-learn tree, absolute_error"
FOREST = "scikit-learn RandomForestClassifier"


def fit_tree(n: int, n_noise_features: int) -> Task:
    peers = {
        GINI: DecisionTreeClassifier(max_depth=8, random_state=0),
        ABSOLUTE: DecisionTreeRegressor(criterion="absolute_error", max_depth=8, random_state=0),
    }
    skipped = dict.fromkeys(peers, "takes minutes") if n > 100_000 else {}
    return _fitting(_squares(n, n_noise_features), OrdinalTree(max_depth=8), peers, skipped)


def fit_forest(n: int) -> Task:
    options = {"n_estimators": 100, "max_depth": 8, "n_jobs": 2, "random_state": 0}
    peers = {
        FOREST: RandomForestClassifier(**options),
        f"{FOREST}, max_features=0.5": RandomForestClassifier(max_features=0.5, **options),
    }
    return _fitting(_squares(n, 18), OrdinalForest(**options), peers, {})


def predict(n: int) -> Task:
    X, y, X_test, _ = _squares(20_000, 18, n_test=n)
    ours = OrdinalTree(max_depth=8).fit(X, y)
    theirs = DecisionTreeClassifier(max_depth=8, random_state=0).fit(X, y)

    def agree(_: str, our_labels: np.ndarray, their_labels: np.ndarray) -> None:
        assert np.abs(our_labels - their_labels).mean() < 0.2

    return Task(
        ours=lambda: ours.predict(X_test), peers={GINI: lambda: theirs.predict(X_test)}, agree=agree
    )


def _cystic_fibrosis(seed: int) -> Split:
    data = rw.datasets.load_cystic_fibrosis(CYSTIC_FIBROSIS)
    order = np.random.default_rng(seed).permutation(len(data.y))
    X, y = data.X.to_numpy(dtype=float)[order], data.y[order].astype(int)
    return X[:4247], y[:4247], X[4247:], y[4247:]


# (splits, number of them, depth)
STUDIES: dict[str, tuple[Callable[[int], Split], int, int]] = {
    f"{kind}, n = {n}, depth {depth}": (partial(_squares, n, noise, n_test=5000), trials, depth)
    for kind, noise in (("two features", 0), ("two and 18 noise", 18))
    for n, trials in ((1000, 20), (10_000, 5))
    for depth in (3, 4, 6, 8)
} | {f"cystic fibrosis, depth {depth}": (_cystic_fibrosis, 30, depth) for depth in (2, 3, 4, 6)}


def compare_criteria(study: str) -> Task:
    draw, trials, depth = STUDIES[study]
    if draw is _cystic_fibrosis and not CYSTIC_FIBROSIS.exists():
        return Task(lambda: float("nan"), {}, lambda *_: None, skipped={study: "data not here"})

    def mean_loss(make: Callable[[], Any]) -> float:
        losses = []
        for seed in range(trials):
            X, y, X_test, y_test = draw(seed)
            losses.append(_rank_loss(make().fit(X, y), X_test, y_test))
        return float(np.mean(losses))

    makers = {
        criterion: partial(OrdinalTree, criterion=criterion, max_depth=depth)
        for criterion in ("ranking", "absolute", "gini", "entropy")
    } | {GINI: partial(DecisionTreeClassifier, max_depth=depth, random_state=0)}
    return Task(
        ours=partial(mean_loss, partial(OrdinalTree, max_depth=depth)),
        peers={name: partial(mean_loss, make) for name, make in makers.items()},
        agree=lambda *_: None,
        measures={"test rank loss": float},
    )


SIZES = (1_000, 10_000, 100_000, 1_000_000)
CASES = [
    Case(
        "ordinal-tree-20",
        "A tree of depth 8 on 2 features and 18 of noise",
        SIZES,
        (1_000,),
        partial(fit_tree, n_noise_features=18),
        repeats=3,
    ),
    Case(
        "ordinal-tree-2",
        "A tree of depth 8 on 2 features",
        SIZES,
        (1_000,),
        partial(fit_tree, n_noise_features=0),
    ),
    Case(
        "ordinal-tree-predict",
        "Labels of new rows by a tree of depth 8 on 20 features",
        SIZES,
        (1_000,),
        predict,
    ),
    Case(
        "ordinal-forest",
        "A forest of 100 trees of depth 8 on 20 features (ours tries 10 at a split), two threads",
        (1_000, 10_000, 50_000),
        (1_000,),
        fit_forest,
        repeats=2,
    ),
    Case(
        "ordinal-criteria",
        "Criteria at equal depth; rankwright is its default, ordinal_gini",
        tuple(STUDIES),
        ("two and 18 noise, n = 1000, depth 4",),
        compare_criteria,
        repeats=1,
    ),
]
