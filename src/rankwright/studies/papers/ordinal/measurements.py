"""How trees with ranking impurity are measured against other criteria and perceptrons."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

import rankwright as rw
from rankwright.studies.experiment import Row

__all__ = ["measure_cystic_fibrosis", "measure_movielens", "measure_synthetic"]

Floats = NDArray[np.float64]
Labelled = tuple[Floats, Floats]  # features and labels

CRITERIA = {"gini": "gini", "ranking impurity": "ranking", "ordinal gini": "ordinal_gini"}
PERCEPTRONS = {"PRank": rw.PRankPerceptron, "OAP-BPM": rw.BayesPointPerceptron}
N_TREES = 50
LEAF_SIZES = (1, 5, 25)
N_TEST = 1000
PAIRS_TESTED = 572
FILMS_TESTED = 90


def measure_synthetic(rng: np.random.Generator, n_train: int, n_noise: int) -> list[Row]:
    """Compare on fresh points of the square."""
    data = rw.datasets.make_ordinal_squares(
        n_train + N_TEST, n_noise_features=n_noise, random_state=_seed(rng)
    )
    X, y = data.X.to_numpy(), data.y
    train, test = (X[:n_train], y[:n_train]), (X[n_train:], y[n_train:])
    return list(_compare(rng, train, test, degree=2, deepest=12))


def measure_cystic_fibrosis(rng: np.random.Generator, path: Path) -> list[Row]:
    """Predict the grades of a judge, drawn anew, from those of the other three."""
    judge = int(rng.integers(1, 5))
    train, test = _split(rng, _grades(path, judge), PAIRS_TESTED)
    return [{"judge": judge, **row} for row in _compare(rng, train, test, degree=2, deepest=6)]


def measure_movielens(rng: np.random.Generator) -> list[Row]:
    """Predict the ratings of a viewer, drawn anew, from those of the others."""
    user = int(rng.choice(rw.datasets.load_movielens().users))
    films = rw.datasets.load_movielens(user)
    train, test = _split(rng, (films.X.to_numpy(), films.y), FILMS_TESTED)
    return [{"user": user, **row} for row in _compare(rng, train, test, degree=1, deepest=6)]


@lru_cache
def _grades(path: Path, judge: int) -> Labelled:
    pairs = rw.datasets.load_cystic_fibrosis(path, judge=judge)
    return pairs.X.to_numpy(), pairs.y


def _split(rng: np.random.Generator, data: Labelled, n_test: int) -> tuple[Labelled, Labelled]:
    X, X_test, y, y_test = train_test_split(*data, test_size=n_test, random_state=_seed(rng))
    return (X, y), (X_test, y_test)


def _compare(
    rng: np.random.Generator, train: Labelled, test: Labelled, *, degree: int, deepest: int
) -> Iterator[Row]:
    """Yield a row for each method, then one for each criterion and limit of depth."""
    seed = _seed(rng)
    for name, perceptron in PERCEPTRONS.items():
        features = PolynomialFeatures(degree, include_bias=False)
        model = make_pipeline(StandardScaler(), features, perceptron(random_state=seed))
        predicted = model.fit(*train).predict(test[0])
        yield {"method": name, "loss": rw.metrics.rank_loss(test[1], predicted)}
    for name, criterion in CRITERIA.items():
        tree = rw.OrdinalTree(criterion=criterion, prune="cv", prune_by="depth", random_state=seed)
        yield {"method": name, **_of_tree(tree.fit(*train), test)}
    forest = _grow_forest(train, seed)
    nodes = sum(tree.nodes.size for tree in forest.trees_)
    yield {"method": "OrdinalForest", "loss": forest.rank_loss(*test), "nodes": nodes}
    for name, criterion in CRITERIA.items():
        for limit in range(1, deepest + 1):
            tree = rw.OrdinalTree(criterion=criterion, max_depth=limit, random_state=seed)
            yield {"method": name, "limit": limit, **_of_tree(tree.fit(*train), test)}


def _grow_forest(train: Labelled, seed: int) -> rw.OrdinalForest:
    """Choose the size of the leaves out of the bag, as trees choose their depth by folds."""
    forests = [
        rw.OrdinalForest(N_TREES, min_samples_leaf=size, oob_score=True, random_state=seed)
        for size in LEAF_SIZES
    ]
    return min((forest.fit(*train) for forest in forests), key=lambda grown: grown.oob_rank_loss_)


def _of_tree(tree: rw.OrdinalTree, test: Labelled) -> dict[str, Any]:
    X, y = test
    nodes = tree.tree_.nodes
    modes = tree.labels_[tree.predict_proba(X).argmax(axis=1)]
    return {
        "loss": tree.rank_loss(X, y),
        "mode_loss": rw.metrics.rank_loss(y, modes),
        "depth": int(nodes["depth"].max()),
        "nodes": nodes.size,
        "features": np.unique(nodes["feature"][~tree.tree_.is_leaf]).size,
        "first_cut": None if nodes.size == 1 else float(nodes["threshold"][0]),
    }


def _seed(rng: np.random.Generator) -> int:
    return int(rng.integers(2**31))
