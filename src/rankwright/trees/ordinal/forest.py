"""Forests of ordinal trees: the cure of a single tree's instability."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.inspection import permutation_importance
from sklearn.utils import Bunch, check_random_state
from sklearn.utils.validation import check_is_fitted

from rankwright.base.parameters import Rule
from rankwright.trees.bootstrap import Bag, grow_on_bags, require_bags
from rankwright.trees.features import score_in_blocks
from rankwright.trees.ordinal.growing import grow_tree
from rankwright.trees.ordinal.nodes import Tree, median_labels
from rankwright.trees.ordinal.out_of_bag import estimate_out_of_bag
from rankwright.trees.ordinal.ranker import OrdinalRanker
from rankwright.trees.out_of_bag import unseen_votes
from rankwright.trees.parameters import FOREST_RULES
from rankwright.trees.rows import TrainingRows

__all__ = ["OrdinalForest"]


class OrdinalForest(OrdinalRanker):
    """Rank by the mean of many ordinal trees, each grown on a bootstrap sample.

    A single tree is unstable: a small change of the data may change every split. The mean label
    distribution of trees that saw different rows and tried different features is not.

    Parameters
    ----------
    n_estimators : int
        Number of trees.
    criterion, splitter, max_depth, max_leaf_nodes, min_samples_leaf, min_impurity_decrease
        As in :class:`OrdinalTree`.
    max_bins, categorical_features
        As in :class:`OrdinalTree`.
    max_features : None, "sqrt", int or float
        Features tried at each split; half of them by default, which finds interactions among noise
        that the square root of their number misses.
    bootstrap : bool
        Grow each tree on rows drawn with replacement; else on all rows.
    oob_score : bool
        Predict each row by the trees that did not see it.
    n_jobs : int, optional
        Threads. The result does not depend on it.
    random_state : int, RandomState or None
        Rows are drawn by their number: another order of the rows is another draw.

    Attributes
    ----------
    trees_ : list of Tree
        One for each estimator.
    labels_, classes_ : (k,) array
        The labels that occur, worst first.
    label_values_ : (k,) float64
        Their values.
    label_scale_ : LabelScale
        How labels become these values.
    feature_importances_ : (n_features_in_,) float64
        Mean of the trees' shares of the decrease of impurity. It favours features of many values;
        see ``permutation_importances``.
    oob_rank_loss_ : float
        With ``oob_score``: mean distance between the out-of-bag prediction and the label.
    oob_decision_function_ : (n,) float64
        Out-of-bag expected label of each training row, NaN where every tree saw it (or its weight
        is 0).
    categories_ : dict
        Categories of the categorical columns, by column number.
    has_missing_ : (n_features_in_,) bool
        Whether a feature had missing values.
    n_features_in_ : int
    feature_names_in_ : (n_features_in_,) array of str
        Only when ``X`` has column names.

    Examples
    --------
    >>> import rankwright as rw
    >>> data = rw.datasets.make_ordinal_squares(500, random_state=0)
    >>> forest = rw.OrdinalForest(20, oob_score=True, random_state=0).fit(data.X, data.y)
    >>> forest.predict(data.X[:3]).tolist() == data.y[:3].tolist()
    True
    >>> bool(forest.oob_rank_loss_ < 0.4)
    True
    """

    _parameter_rules: ClassVar[dict[str, Rule]] = {
        **OrdinalRanker._parameter_rules,
        **FOREST_RULES,
    }

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "ordinal_gini",
        splitter: str = "hist",
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        min_samples_leaf: int = 1,
        min_impurity_decrease: float = 0.0,
        max_features: float | str | None = 0.5,
        max_bins: int = 255,
        categorical_features: Sequence[Any] | str | None = "from_dtype",
        bootstrap: bool = True,
        oob_score: bool = False,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_leaf = min_samples_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_features = max_features
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(
        self,
        X: Any,
        y: Any = None,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Grow the trees.

        Parameters
        ----------
        X : (n, d) frame, array or sparse matrix, or Rankings
            Missing values and categories are welcome.
        y : (n,) array
            Numbers, larger is better, or an ordered categorical.
        groups : (n,) array, optional
            Group id of each row: pairs of different groups are not counted. Where only the order
            inside groups matters, use ``BoostedRanker``.
        sample_weight : (n,) array, optional
            Rows of weight zero are left out.

        Returns
        -------
        self
        """
        data = self._read_rows(X, y, groups, sample_weight)
        seeds = self._draw_seeds()
        self._finish(data, self._grow(data, seeds), seeds)
        return self

    def _draw_seeds(self) -> list[int]:
        drawn = check_random_state(self.random_state).randint(2**31, size=self.n_estimators)
        seeds: list[int] = drawn.tolist()
        return seeds

    def _grow(self, data: TrainingRows, seeds: Sequence[int]) -> list[Tree]:
        """Grow the tree of each seed; trees grow alike wherever the same rows are."""
        grow = partial(grow_tree, data.bins, data.labels, self._growth())
        return grow_on_bags(grow, data, self._bag(data), seeds, self.n_jobs)

    def _finish(self, data: TrainingRows | None, grown: list[Tree], seeds: Sequence[int]) -> None:
        """Keep the trees, and let them speak of the rows that they did not see."""
        self.trees_ = grown
        if self.oob_score:
            assert data is not None  # trees of parts have no rows in common to be judged by
            tables = [tree.distributions() for tree in self.trees_]
            votes = unseen_votes(self.trees_, tables, seeds, self._bag(data), data.X)
            found = estimate_out_of_bag(votes, data)
            self.oob_rank_loss_, self.oob_decision_function_ = found.rank_loss, found.scores

    def _bag(self, data: TrainingRows) -> Bag:
        return Bag(data.n_rows, data.n_rows if self.bootstrap else None)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.oob_score:
            require_bags(self.bootstrap)

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Mean of the trees' shares of the decrease of impurity."""
        check_is_fitted(self)
        shares = [tree.importances(self.n_features_in_) for tree in self.trees_]
        mean: NDArray[np.float64] = np.mean(shares, axis=0)
        return mean

    def permutation_importances(
        self,
        X: Any,
        y: ArrayLike,
        *,
        n_repeats: int = 5,
        random_state: int | np.random.RandomState | None = None,
    ) -> Bunch:
        """Return how much the rank loss grows when a feature's values are shuffled.

        Parameters
        ----------
        X : (n, d) frame or array
            Rows that the forest has not seen, for an honest answer.
        y : (n,) array
            The labels of the rows.
        n_repeats : int
            How often each column is shuffled.
        random_state : int, RandomState or None
            Shuffles the columns.

        Returns
        -------
        Bunch
            ``importances_mean``, ``importances_std``, ``importances`` (d, n_repeats).
        """
        return permutation_importance(
            self,
            X,
            y,
            scoring=lambda forest, rows, labels: -forest.rank_loss(rows, labels),
            n_repeats=n_repeats,
            random_state=random_state,
        )

    def _grown(self) -> list[Tree]:
        return self.trees_

    def _label_codes(self, X: NDArray[np.float64]) -> NDArray[np.int64]:
        return median_labels(self._leaf_mean(X, Tree.distributions))

    def _leaf_mean(
        self, X: NDArray[np.float64], of_nodes: Callable[[Tree], NDArray[np.float64]]
    ) -> NDArray[np.float64]:
        # Threads share the rows, not the trees, so that sums do not depend on their number.
        tables = [of_nodes(tree) for tree in self.trees_]

        def mean(rows: NDArray[np.float64]) -> NDArray[np.float64]:
            total = np.zeros((len(rows), *tables[0].shape[1:]))
            for tree, table in zip(self.trees_, tables, strict=True):
                total += table[tree.apply(rows)]
            return total / len(tables)

        return score_in_blocks(mean, X, self.n_jobs)
