"""Ranking forests: the rankings of many TreeRank trees, aggregated."""

from collections.abc import Sequence
from functools import partial
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from rankwright.base.parameters import COUNT_OR_SHARE, FLAG, NONE, Rule, one_of, share_of
from rankwright.metrics import instability
from rankwright.trees.bipartite.aggregation import AGGREGATIONS, find_median, leaf_values
from rankwright.trees.bipartite.growing import grow_ranking
from rankwright.trees.bipartite.labels import TwoClasses
from rankwright.trees.bipartite.nodes import RankingTree
from rankwright.trees.bipartite.out_of_bag import auc_drops, estimate_out_of_bag
from rankwright.trees.bipartite.ranker import OF_ROWS, BipartiteRanker
from rankwright.trees.bipartite.subpartition import Subpartition, find_subpartition
from rankwright.trees.bootstrap import Bag, grow_on_bags, require_bags
from rankwright.trees.contributions import mean_contributions
from rankwright.trees.features import as_dense, check_features, score_in_blocks
from rankwright.trees.out_of_bag import unseen_votes
from rankwright.trees.parameters import FOREST_RULES
from rankwright.trees.rows import TrainingRows

__all__ = ["RankingForest"]

GrownTree = tuple[RankingTree, NDArray[np.float64]]  # and what it says of its leaves


class RankingForest(BipartiteRanker):
    """Rank rows of two classes by the aggregated rankings of many trees.

    Each tree is a :class:`TreeRank` on a bootstrap sample, with random features and random cuts. A
    row's score depends on the row alone: the trees' ranks are ranks among the training rows. What
    :class:`TreeRank` says of ordered categoricals and scikit-learn's scorers holds here, too.

    Parameters
    ----------
    n_estimators : int
        Number of trees.
    aggregation : {"plugin", "mean", "median", "kemeny"}
        The score of a row: the mean of its ranks among the training negatives (Remark 20 of
        Clémençon et al., 2013), the mean or the median of its ranks among all training rows, or its
        place in a consensus ranking of the cells of the largest common subpartition. ``kemeny`` is
        for few, shallow trees: 100 deep ones have nearly as many cells as there are rows.
    max_depth, max_depth_leaf, min_samples_split, min_samples_leaf, splitter, max_features_master, \
max_features_leaf, leaf_rank, max_bins, categorical_features
        As in :class:`TreeRank`. Bagging is the special case ``splitter="hist"`` with all features.
    bootstrap : bool
        Draw the rows of each tree with replacement; else each tree sees all rows.
    max_samples : None, int or float
        Rows drawn for each tree: a number of them, at most as many as there are, which is the
        default, or a share of all (``1.0`` is all).
    oob_score : bool
        Estimate the AUC by the trees that saw neither row of a pair.
    warm_start : bool
        Keep the trees of the last ``fit``, which had the same rows, and add to them.
    n_jobs : int, optional
        Threads. The result does not depend on it.
    random_state : int, RandomState or None
        Rows are drawn by their number: another order of the rows is another draw.

    Attributes
    ----------
    trees_ : list of RankingTree
        One for each estimator.
    leaf_values_ : list of (n_cells,) float64
        What each tree says of its leaves: their mid-rank among the training rows or negatives, as a
        share.
    seeds_ : list of int
        What each tree was grown from.
    bag_ : Bag
        How many rows there were, and how many of them each tree drew.
    classes_ : (2,) array
        The negative and the positive label: the larger is positive.
    oob_ : OutOfBag
        With ``oob_score``: the AUC, the pairs that were left out, scores, ROC curve and its band.
    median_ : KemenyMedian
        With ``aggregation="kemeny"``: the subpartition, and the consensus with its cost and bound.
    feature_importances_ : (n_features_in_,) float64
        Each feature's share of the AUC gained, averaged over trees; see also ``oob_importances``.
    categories_ : dict
        Categories of the categorical columns, by column number.
    has_missing_ : (n_features_in_,) bool
        Whether a feature had missing values.
    n_features_in_ : int
    feature_names_in_ : (n_features_in_,) array of str
        Only when ``X`` has column names.

    Notes
    -----
    The defaults come from the study in ``docs/ranking-forests.md``. A sample that misses one of the
    classes, as happens with very few rows of it, gives a tree of one leaf.

    References
    ----------
    Stéphan Clémençon, Marine Depecker, Nicolas Vayatis. Ranking forests. Journal of Machine
    Learning Research 14, 2013.

    Examples
    --------
    >>> import rankwright as rw
    >>> train, test = (rw.datasets.make_rf10_sparse(n, random_state=n) for n in (500, 1000))
    >>> forest = rw.RankingForest(50, oob_score=True, random_state=0).fit(train.X, train.y)
    >>> rw.metrics.auc(test.y, forest.predict(test.X)) > 0.84
    True
    >>> forest.oob_.n_compared > 100 * forest.oob_.n_left_out
    True
    """

    _parameter_rules: ClassVar[dict[str, Rule]] = {
        **BipartiteRanker._parameter_rules,
        **FOREST_RULES,
        "aggregation": one_of(AGGREGATIONS),
        "max_samples": COUNT_OR_SHARE | NONE,
        "warm_start": FLAG,
    }

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        aggregation: str = "plugin",
        max_depth: int = 5,
        max_depth_leaf: int = 10,
        min_samples_split: int = 25,
        min_samples_leaf: int = 3,
        splitter: str = "random",
        max_features_master: float | str | None = None,
        max_features_leaf: float | str | None = 0.5,
        leaf_rank: BaseEstimator | None = None,
        bootstrap: bool = True,
        max_samples: float | None = None,
        oob_score: bool = False,
        warm_start: bool = False,
        max_bins: int = 255,
        categorical_features: Sequence[Any] | str | None = "from_dtype",
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.aggregation = aggregation
        self.max_depth = max_depth
        self.max_depth_leaf = max_depth_leaf
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.splitter = splitter
        self.max_features_master = max_features_master
        self.max_features_leaf = max_features_leaf
        self.leaf_rank = leaf_rank
        self.bootstrap = bootstrap
        self.max_samples = max_samples
        self.oob_score = oob_score
        self.warm_start = warm_start
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(
        self,
        X: Any,
        y: Any = None,
        groups: None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Grow the trees and aggregate them.

        Parameters
        ----------
        X : (n, d) frame, array or sparse matrix
            Missing values and categories are welcome.
        y : (n,) array
            Labels of two classes, of any kind; the larger is positive.
        groups : None
            Refused: there is one group.
        sample_weight : (n,) array, optional
            Rows of weight zero are left out.

        Returns
        -------
        self
        """
        data = self._read_rows(X, y, groups, sample_weight)
        old = self._kept_trees(self._bag(data.n_rows))
        seeds = self._draw_seeds()
        kept = list(zip(old, self._values(data, old), strict=True))
        self._finish(data, kept + self._grow(data, seeds[len(old) :]), seeds)
        return self

    def _draw_seeds(self) -> list[int]:
        """Return the seeds of all trees; of a warm start's, those that they were grown from."""
        drawn = check_random_state(self.random_state).randint(2**31, size=self.n_estimators)
        kept: list[int] = self.seeds_ if self.warm_start and hasattr(self, "trees_") else []
        seeds: list[int] = kept + drawn[len(kept) :].tolist()
        return seeds

    def _grow(self, data: TrainingRows, seeds: Sequence[int]) -> list[GrownTree]:
        """Grow the tree of each seed; trees grow alike wherever the same rows are."""
        grow = partial(grow_ranking, data, self._growth())
        trees = grow_on_bags(grow, data, self._bag(data.n_rows), seeds, self.n_jobs)
        return list(zip(trees, self._values(data, trees), strict=True))

    def _values(self, data: TrainingRows, trees: list[RankingTree]) -> list[NDArray[np.float64]]:
        values: list[NDArray[np.float64]] = Parallel(n_jobs=self.n_jobs, prefer="threads")(
            delayed(leaf_values)(tree, self.aggregation, data) for tree in trees
        )
        return values

    def _finish(
        self, data: TrainingRows | None, grown: list[GrownTree], seeds: Sequence[int]
    ) -> None:
        """Keep the trees, find their consensus, and let them speak of what they did not see."""
        self._forget_fit(*OF_ROWS)
        self.trees_ = [tree for tree, _ in grown]
        self.leaf_values_ = [values for _, values in grown]
        self.seeds_ = list(seeds)
        if data is None:  # trees of parts have no rows in common to be judged by
            self.bag_ = Bag(0, None)
            return
        self.bag_ = bag = self._bag(data.n_rows)
        if self.aggregation == "kemeny":
            self.median_ = find_median(self._leaves(data.X), self.leaf_values_, data.weights)
        if self.oob_score:
            votes = unseen_votes(self.trees_, self.leaf_values_, self.seeds_, bag, data.X)
            rule = AGGREGATIONS[self.aggregation]
            self.oob_ = estimate_out_of_bag(votes, len(self.trees_), data, rule, self.seeds_[0])

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Each feature's share of the AUC gained, averaged over trees."""
        check_is_fitted(self)
        gained = np.mean([tree.importances(self.n_features_in_) for tree in self.trees_], axis=0)
        shares: NDArray[np.float64] = gained / gained.sum() if gained.sum() > 0 else gained
        return shares

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the score of each row, block by block: memory does not grow with the rows.

        Parameters
        ----------
        X : (n, d) frame or array

        Returns
        -------
        (n,) float64
        """
        return score_in_blocks(self._score_block, check_features(self, X), self.n_jobs)

    def subpartition(self, X: Any, sample_weight: ArrayLike | None = None) -> Subpartition:
        """Return the cells of the largest subpartition in which rows lie, with their masses.

        Each cell is where one leaf of every tree meet (Definition 6 of Clémençon et al., 2013).

        Parameters
        ----------
        X : (n, d) frame or array
            The training rows, for the cells that ``aggregation="kemeny"`` ranks.
        sample_weight : (n,) array, optional
            Weights of the rows.

        Returns
        -------
        Subpartition
        """
        weights = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        return find_subpartition(self._leaves(check_features(self, X)), weights)

    def instability(self, X: Any) -> float:
        """Return the mean Kendall distance between the rankings of two trees.

        The formula after (4) of Clémençon et al. (2013).

        Parameters
        ----------
        X : (n, d) frame or array
            The rows to rank.

        Returns
        -------
        float
            Between 0 and 1.
        """
        features = check_features(self, X)
        return instability([tree.scores()[tree.apply(features)] for tree in self.trees_])

    def oob_importances(
        self,
        X: Any,
        y: Any,
        sample_weight: ArrayLike | None = None,
        *,
        random_state: int | np.random.RandomState | None = None,
    ) -> NDArray[np.float64]:
        """Return how much the AUC of the trees falls when a feature of unseen rows is shuffled.

        Parameters
        ----------
        X, y, sample_weight
            The training rows, as they were given to ``fit``.
        random_state : int, RandomState or None
            Shuffles the columns.

        Returns
        -------
        (n_features_in_,) float64
            Mean over the trees that did not see rows of both classes.
        """
        check_is_fitted(self)
        require_bags(self.bootstrap)
        rows, labels = check_features(self, X), TwoClasses(self.classes_).numbers(y)
        weights = _check_sample_weight(sample_weight, rows, dtype=np.float64)
        kept = np.flatnonzero(weights > 0)
        if kept.size != self.bag_.n_rows:
            raise ValueError(
                f"X has {kept.size} rows but the forest was fitted on {self.bag_.n_rows}; "
                "give the training rows"
            )
        rng = check_random_state(random_state)
        unseen = [kept[self.bag_.unseen(seed)] for seed in self.seeds_]
        drops = Parallel(n_jobs=self.n_jobs, prefer="threads")(
            delayed(auc_drops)(
                tree, as_dense(rows[own]), labels[own], weights[own], rng.randint(2**31)
            )
            for tree, own in zip(self.trees_, unseen, strict=True)
        )
        found = [drop for drop in drops if drop is not None]
        return np.mean(found, axis=0) if found else np.full(self.n_features_in_, np.nan)

    def _contributions(self, rows: Any) -> NDArray[np.float64] | None:
        if AGGREGATIONS[self.aggregation] != AGGREGATIONS["mean"]:
            return None
        features = as_dense(check_features(self, rows))
        walks = (
            tree.splits.walk(values, features)
            for tree, values in zip(self.trees_, self.leaf_values_, strict=True)
        )
        return mean_contributions(walks, self.n_features_in_)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.oob_score:
            require_bags(self.bootstrap)
        if self.aggregation == "kemeny" and self.n_estimators == 1:
            raise ValueError(
                "n_estimators=1 but a Kemeny consensus needs two trees; grow more, or give "
                "aggregation='mean'"
            )

    def _bag(self, n_rows: int) -> Bag:
        if not self.bootstrap:
            return Bag(n_rows, None)
        asked = self.max_samples
        if isinstance(asked, Integral) and asked > n_rows:
            raise ValueError(f"max_samples={asked!r} but {n_rows} rows have weight; draw no more")
        return Bag(n_rows, n_rows if asked is None else share_of(asked, n_rows))

    def _kept_trees(self, bag: Bag) -> list[RankingTree]:
        if not (self.warm_start and hasattr(self, "trees_")):
            return []
        if len(self.trees_) > self.n_estimators:
            raise ValueError(
                f"n_estimators={self.n_estimators!r} but warm_start keeps {len(self.trees_)} trees"
            )
        if bag != self.bag_:
            raise ValueError(
                f"warm_start adds trees on the same rows: the forest drew {self.bag_.n_drawn} of "
                f"{self.bag_.n_rows} rows, now it is to draw {bag.n_drawn} of {bag.n_rows}"
            )
        return self.trees_

    def _leaves(self, X: NDArray[np.float64]) -> NDArray[np.int32]:
        return np.column_stack([tree.apply(X) for tree in self.trees_])

    def _tree_values(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what each tree says of each row (n_trees, n)."""
        values = np.empty((len(self.trees_), len(X)))
        for row, tree, table in zip(values, self.trees_, self.leaf_values_, strict=True):
            row[:] = table[tree.apply(X)]
        return values

    def _score_block(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        values = self._tree_values(X)
        if self.aggregation == "kemeny":
            return self.median_.scores(values)
        if self.aggregation == "median":
            return np.median(values, axis=0)
        # Tree by tree: a sum over an axis would round differently for one row than for many.
        total = np.zeros(len(X))
        for says in values:
            total += says
        return total / len(values)
