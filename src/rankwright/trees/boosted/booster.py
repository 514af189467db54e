"""What boosted rankers share: parameters, stages of boosting, and scores from trees."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from rankwright.base import RankerMixin, check_array
from rankwright.base.parameters import (
    FLAG,
    NONE,
    THREADS,
    Rule,
    number,
    one_of,
    whole_number,
)
from rankwright.trees.boosted.additive import ShapeFunction, find_terms
from rankwright.trees.boosted.boosting import Boosted, Sampling, boost
from rankwright.trees.boosted.growing import TreeShape
from rankwright.trees.boosted.interactions import any_two, best_pairs, only_alone, only_pairs
from rankwright.trees.boosted.nodes import TreeSum, sum_trees
from rankwright.trees.boosted.problem import HoldOut, Problem
from rankwright.trees.boosted.soundness import check_tree_sum
from rankwright.trees.boosted.team import Team
from rankwright.trees.contributions import mean_contributions
from rankwright.trees.features import as_dense, check_features, count_features, score_in_blocks
from rankwright.trees.parameters import FEATURES_TRIED, TREE_RULES
from rankwright.trees.soundness import check_categories

__all__ = ["Booster"]

Floats = NDArray[np.float64]

TREES = ("leafwise", "symmetric")
DEEPEST_SYMMETRIC = 10
UNLIMITED = 10_000
# With more rows than this, early_stopping="auto" holds some out.
MANY_ROWS = 10_000
# max_features="auto" draws half of the features, but so many at least.
FEW_FEATURES = 6
# Trees of any two features that are grown to see which pairs gain.
PAIR_TREES = 30


class Booster(RankerMixin, BaseEstimator):
    """What boosted rankers share."""

    tree: str
    n_estimators: int
    learning_rate: float
    max_depth: int | None
    max_leaf_nodes: int
    l2: float
    min_samples_leaf: int
    random_strength: float = 0.0
    max_features: float | str | None
    max_bins: int
    monotone: Mapping[Any, int] | Sequence[int] | None
    interactions: int | None
    categorical_features: Sequence[Any] | str | None
    early_stopping: bool | str
    validation_fraction: float
    n_iter_no_change: int
    warm_start: bool
    n_jobs: int | None
    random_state: int | np.random.RandomState | None

    _parameter_rules: ClassVar[dict[str, Rule]] = {
        "tree": one_of(TREES),
        "n_estimators": whole_number(1),
        "learning_rate": number(above=0, most=1),
        "max_depth": whole_number(1) | NONE,
        "max_leaf_nodes": whole_number(2),
        "l2": number(least=0),
        "max_features": FEATURES_TRIED | one_of(["auto"]),
        "interactions": whole_number(0) | NONE,
        "early_stopping": FLAG | one_of(["auto"]),
        "validation_fraction": number(above=0, most=0.9),
        "n_iter_no_change": whole_number(1),
        "warm_start": FLAG,
        "n_jobs": THREADS,
        "monotone": Rule("map features to -1, 0 or 1", lambda value: isinstance(value, Mapping))
        | Rule("a list with one of these for each feature", lambda value: np.ndim(value) == 1)
        | NONE,
        **TREE_RULES,
    }

    @property
    def feature_importances_(self) -> Floats:
        """Each feature's share of what all splits gained."""
        check_is_fitted(self)
        return self.trees_.importances(self.n_features_in_)

    def shape_functions(self) -> list[ShapeFunction]:
        """Return the functions of one feature or two that add up to the score.

        Only where ``interactions`` is a number: the score of other boosters is no such sum.

        Returns
        -------
        list of ShapeFunction
            The one with the largest differences first.
        """
        check_is_fitted(self)
        if self.interactions is None:
            raise ValueError(
                "interactions=None: trees mix many features, so the score is no sum of functions "
                "that can be drawn; fit with interactions=0, or with a number of pairs"
            )
        return find_terms(self)

    def _tree_scores(self, features: Any, trees: TreeSum) -> Floats:
        def score(rows: Floats) -> Floats:
            scores = np.zeros(len(rows))
            trees.add_scores(np.ascontiguousarray(rows), scores)
            return scores

        return score_in_blocks(score, features, self.n_jobs)

    def _staged_scores(self, X: Any) -> Iterator[Floats]:
        features = check_features(self, X)
        scores = np.zeros(features.shape[0])
        for at in range(len(self.trees_)):
            scores = scores + self._tree_scores(features, self.trees_[at : at + 1])
            yield scores

    def _contributions(self, rows: Any) -> Floats | None:
        features = as_dense(check_features(self, rows))
        mean = mean_contributions((t.walk(features) for t in self.trees_), self.n_features_in_)
        return None if mean is None else mean * len(self.trees_)

    def _hold_out(self, n_rows: int, random: np.random.RandomState) -> HoldOut | None:
        wanted = n_rows > MANY_ROWS if self.early_stopping == "auto" else self.early_stopping
        return HoldOut(float(self.validation_fraction), random) if wanted else None

    def _boost(self, problem: Problem, fraction: float, random: np.random.RandomState) -> Floats:
        """Grow the trees, after those of a warm start; return the scores of the problem's rows."""
        before, scores = self._before(problem)
        self._forget_fit()
        self.categories_, self.has_missing_ = problem.categories, problem.bins.has_missing
        shape = self._shape()
        seeds = random.randint(2**31, size=self.n_estimators)[len(before) :].tolist()
        with Team(self.n_jobs) as team:
            grow = partial(
                boost, problem, sampling=Sampling(problem, fraction, self._n_drawn()),
                rate=float(self.learning_rate), patience=self.n_iter_no_change, team=team,
            )  # fmt: skip
            found = grow(shape, scores, seeds=seeds)
            trees, scores = found.trees, found.scores
            if self.interactions:
                added = self._grow_pairs(grow, shape, found, random)
                trees, scores = trees + added.trees, added.scores
        self.trees_ = before.followed_by(sum_trees(trees, shape.symmetric))
        self.n_iter_ = len(self.trees_)
        self.validation_scores_ = np.array(found.judged)
        return scores

    def _n_drawn(self) -> int | None:
        """Return how many features a tree sees, None for all."""
        if self.max_features == "auto":
            return max(-(-int(self.n_features_in_) // 2), FEW_FEATURES)
        return count_features(self.max_features, self.n_features_in_)

    def _before(self, problem: Problem) -> tuple[TreeSum, Floats]:
        """Return the trees of a previous fit, if this one begins with them, and their scores."""
        if self.warm_start and self.interactions:
            raise ValueError(
                f"warm_start=True with interactions={self.interactions}: the trees of pairs of "
                "features follow all others, so none can be added before them; give "
                "warm_start=False, or interactions=0 or None"
            )
        nothing = sum_trees([], self.tree == "symmetric")
        before = getattr(self, "trees_", nothing) if self.warm_start else nothing
        if len(before) > self.n_estimators:
            raise ValueError(
                f"n_estimators={self.n_estimators} with warm_start=True, but there are "
                f"{len(before)} trees already; give at least as many"
            )
        if len(before) and (
            self.has_missing_.size != self.n_features_in_ or self.categories_ != problem.categories
        ):
            raise ValueError(
                f"warm_start=True, but the previous fit had {self.has_missing_.size} features with "
                f"categories in {list(self.categories_)}, and now there are "
                f"{self.n_features_in_} with categories in {list(problem.categories)}, or other "
                "categories; give the same features, or warm_start=False"
            )
        scores = np.zeros(problem.n_rows)
        return before, self._tree_scores(problem.X, before) if len(before) else scores

    def _grow_pairs(
        self, grow: Any, shape: TreeShape, found: Boosted, random: np.random.RandomState
    ) -> Boosted:
        """Choose the best pairs of features by trial, and grow trees of them."""
        seeds = random.randint(2**31, size=PAIR_TREES + self.n_estimators).tolist()
        trial = replace(shape, partners=any_two(self.n_features_in_))
        tried = grow(trial, found.scores.copy(), seeds=seeds[:PAIR_TREES])
        self.pairs_ = best_pairs(tried.trees, int(self.interactions or 0))
        chosen = replace(shape, partners=only_pairs(self.n_features_in_, self.pairs_))
        grown: Boosted = grow(chosen, found.scores, seeds=seeds[PAIR_TREES:])
        return grown

    def _shape(self) -> TreeShape:
        symmetric = self.tree == "symmetric"
        depth = self.max_depth or (6 if symmetric else UNLIMITED)
        if symmetric and depth > DEEPEST_SYMMETRIC:
            raise ValueError(
                f"max_depth={depth} of symmetric trees, which have 2**max_depth leaves; give at "
                f"most {DEEPEST_SYMMETRIC}, or tree='leafwise'"
            )
        return TreeShape(
            symmetric=symmetric,
            max_depth=depth,
            max_leaves=2**depth if symmetric else self.max_leaf_nodes,
            l2=float(self.l2),
            min_rows=self.min_samples_leaf,
            noise=float(self.random_strength),
            signs=self._signs(),
            partners=None if self.interactions is None else only_alone(self.n_features_in_),
        )

    def _signs(self) -> NDArray[np.int64]:
        """Return the monotone direction of each feature."""
        n_features = self.n_features_in_
        names = [str(name) for name in getattr(self, "feature_names_in_", [])]
        asked: Any = {} if self.monotone is None else self.monotone
        if not isinstance(asked, Mapping):
            if np.shape(asked) != (n_features,):
                raise ValueError(
                    f"monotone={asked!r}; give -1, 0 or 1 for each of the {n_features} features, "
                    "or a dictionary of some of them"
                )
            asked = dict(enumerate(asked))
        signs = np.zeros(n_features, dtype=np.int64)
        for feature, sign in asked.items():
            known = feature in names or (
                isinstance(feature, Integral) and 0 <= int(feature) < n_features
            )
            if not known or sign not in (-1, 0, 1):
                raise ValueError(
                    f"monotone has {feature!r}: {sign!r}; give a feature's name or number and -1, "
                    "0 or 1"
                )
            column = names.index(feature) if feature in names else int(feature)
            if column in self.categories_ and sign != 0:
                raise ValueError(
                    f"monotone has {feature!r}, whose values are categories without an order"
                )
            signs[column] = sign
        return signs

    def _check_arrays(self) -> None:
        super()._check_arrays()
        if hasattr(self, "trees_"):
            check_array(self, "has_missing_", (self.n_features_in_,), np.bool_)
            check_categories(self)
            check_tree_sum(self, self.trees_)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags
