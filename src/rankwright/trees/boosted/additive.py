"""The terms of an additive score: functions of one feature or of two, constant between steps."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.trees.boosted.nodes import TreeSum

__all__ = ["ShapeFunction", "find_terms"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ShapeFunction:
    """What one feature, or a pair of them, adds to an additive score.

    Attributes
    ----------
    features : tuple of str
        The names of the one or two features.
    points : tuple of lists
        For each feature: the upper ends of the steps, the last one infinity, or the categories.
    values : array with an axis for each feature
        What is added on each step. Only differences matter: scores have no zero.
    missing : float or None
        What a missing value adds, of a function of one feature that had some.

    Examples
    --------
    >>> import numpy as np
    >>> import rankwright as rw
    >>> X = np.random.default_rng(0).normal(size=(200, 2))
    >>> ranker = rw.BoostedRanker(20, interactions=0, random_state=0).fit(X, X[:, 0] > 0)
    >>> function = ranker.shape_functions()[0]
    >>> function.features, len(function.points[0]) == len(function.values)
    (('x0',), True)
    """

    features: tuple[str, ...]
    points: tuple[list[Any], ...]
    values: Floats
    missing: float | None = None

    @property
    def spread(self) -> float:
        """The difference of the largest and the smallest value."""
        return float(np.ptp(self.values))


def find_terms(ranker: Any) -> list[ShapeFunction]:
    """Return the terms of an additive booster, the most spread first."""
    trees: TreeSum = ranker.trees_
    terms: dict[tuple[int, ...], list[int]] = {}
    for number, tree in enumerate(trees):
        features = np.unique(tree.nodes["feature"][tree.nodes["left"] >= 0])
        terms.setdefault(tuple(features.tolist()), []).append(number)
    found = [
        _term(ranker, features, trees.only(numbers))
        for features, numbers in terms.items()
        if features
    ]
    return sorted(found, key=lambda term: (-term.spread, term.features))


def _term(ranker: Any, features: tuple[int, ...], trees: TreeSum) -> ShapeFunction:
    names = getattr(ranker, "feature_names_in_", None)
    points = [_points(ranker, feature, trees) for feature in features]
    grid = np.meshgrid(*(codes for codes, _ in points), indexing="ij")

    def score(*columns: Floats) -> Floats:
        rows = np.zeros((columns[0].size, ranker.n_features_in_))
        for feature, column in zip(features, columns, strict=True):
            rows[:, feature] = column.ravel()
        scores = np.zeros(len(rows))
        trees.add_scores(rows, scores)
        return scores

    gap = len(features) == 1 and ranker.has_missing_[features[0]]
    return ShapeFunction(
        tuple(f"x{j}" if names is None else str(names[j]) for j in features),
        tuple(list(shown) for _, shown in points),
        score(*grid).reshape(grid[0].shape),
        float(score(np.array([np.nan]))[0]) if gap else None,
    )


def _points(ranker: Any, feature: int, trees: TreeSum) -> tuple[Floats, list[Any]]:
    """Return a value inside each step of a feature, and how to call the steps."""
    if feature in ranker.categories_:
        known = ranker.categories_[feature]
        return np.arange(float(len(known))), known
    here = (trees.nodes["left"] >= 0) & (trees.nodes["feature"] == feature)
    # A threshold itself is on the left side of it.
    ends = np.unique(np.append(trees.nodes["threshold"][here], np.inf))
    return ends, ends.tolist()
