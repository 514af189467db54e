"""TreeRank: one oriented tree that ranks rows of two classes."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.model_selection import StratifiedKFold
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from rankwright.base.parameters import Rule
from rankwright.trees.bipartite.growing import grow_ranking
from rankwright.trees.bipartite.nodes import RankingTree, auc_gains, cell_masses
from rankwright.trees.bipartite.pruning import choose_penalty, prune
from rankwright.trees.bipartite.ranker import OF_ROWS, BipartiteRanker
from rankwright.trees.contributions import mean_contributions
from rankwright.trees.features import as_dense, check_features
from rankwright.trees.parameters import PRUNING_RULES
from rankwright.trees.rows import TrainingRows

__all__ = ["TreeRank"]


class TreeRank(BipartiteRanker):
    """Rank rows of two classes by a tree whose splits raise the AUC.

    Each cell of the master tree is split by LeafRank, a classifier in which both classes of the
    cell weigh alike: the rows that it takes for positives go left. So the leaves, read from left to
    right, are the ranking, and each split raises the AUC on the training rows by (alpha(C)·beta(C')
    - beta(C)·alpha(C')) / 2, where alpha and beta are the shares of all negatives and positives in
    the cell C and in its left child C'.

    The positive label is the larger one, of an ordered categorical the later one. Where that is not
    the one that sorts last, scikit-learn's scorers (``"roc_auc"``) would count the wrong way round,
    so there is no ``decision_function`` for them: give ``y.cat.codes``, or a scorer of
    :func:`rankwright.metrics.scorer`.

    Parameters
    ----------
    max_depth : int
        Depth of the master tree, at most 50.
    max_depth_leaf : int
        Depth of the classification tree that splits a cell.
    min_samples_split : int
        Rows that a cell has at least to be split.
    min_samples_leaf : int
        Rows that a leaf of a classification tree has at least, and so every cell.
    splitter : {"hist", "random"}
        Best cuts between at most ``max_bins`` bins of each feature, or one random cut per feature,
        drawn evenly from its range in the node.
    max_features_master : None, "sqrt", int or float
        Features drawn for each cell; all by default.
    max_features_leaf : None, "sqrt", int or float
        Features of these tried at each cut; all by default.
    leaf_rank : classifier, optional
        A scikit-learn classifier that takes ``sample_weight``, in place of the classification tree.
        It sees categories as numbers; of the parameters of the classification tree,
        ``min_samples_leaf`` and ``max_features_master`` apply.
    prune : None or "cv"
        Keep the subtree of largest AUC less a penalty for each leaf, the penalty chosen by
        cross-validation.
    n_folds : int
        Number of folds.
    max_bins : int
        From 2 to 255.
    categorical_features : "from_dtype", None or list
        Columns whose values are categories: those of a categorical dtype or of text, none, or those
        listed by number, name or mask; at most 255 categories each. A category that is new at
        prediction goes with the heavier part.
    random_state : int, RandomState or None
        For random cuts, for drawing features and for folds.

    Attributes
    ----------
    tree_ : RankingTree
        The cells, in one structured array, and how they are split.
    classes_ : (2,) array
        The negative and the positive label: the larger is positive.
    pruning_ : AucPruning
        With ``prune="cv"``: the cross-validated AUCs.
    feature_importances_ : (n_features_in_,) float64
        Each feature's share of the AUC gained.
    categories_ : dict
        Categories of the categorical columns, by column number.
    has_missing_ : (n_features_in_,) bool
        Whether a feature had missing values.
    n_features_in_ : int
    feature_names_in_ : (n_features_in_,) array of str
        Only when ``X`` has column names.

    See Also
    --------
    RankingForest : many such trees, for accuracy.

    Notes
    -----
    Shallow trees inside the cells rank new rows better than those of depth 10 of the reference, and
    are easier to read. Missing values learn their side of each cut; a feature that has only missing
    values is never cut. Where no cut helps (all features constant, all rows alike), the tree is one
    leaf and all scores are equal. Bipartite ranking has one group: ``groups`` are refused.

    References
    ----------
    Stéphan Clémençon, Marine Depecker, Nicolas Vayatis. Ranking forests. Journal of Machine
    Learning Research 14, 2013.

    Examples
    --------
    >>> import rankwright as rw
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]]
    >>> y = ["bad", "good", "good", "good", "bad", "bad"]
    >>> tree = rw.TreeRank(max_depth=2, min_samples_leaf=1).fit(X, y)
    >>> tree.classes_.tolist()
    ['bad', 'good']
    >>> tree.predict([[1.0], [3.5], [9.0]])
    array([0.5, 1.5, 0.5])
    """

    _parameter_rules: ClassVar[dict[str, Rule]] = {
        **BipartiteRanker._parameter_rules,
        **PRUNING_RULES,
    }

    def __init__(
        self,
        *,
        max_depth: int = 10,
        max_depth_leaf: int = 3,
        min_samples_split: int = 2,
        min_samples_leaf: int = 5,
        splitter: str = "hist",
        max_features_master: float | str | None = None,
        max_features_leaf: float | str | None = None,
        leaf_rank: BaseEstimator | None = None,
        prune: str | None = None,
        n_folds: int = 5,
        max_bins: int = 255,
        categorical_features: Sequence[Any] | str | None = "from_dtype",
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.max_depth = max_depth
        self.max_depth_leaf = max_depth_leaf
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.splitter = splitter
        self.max_features_master = max_features_master
        self.max_features_leaf = max_features_leaf
        self.leaf_rank = leaf_rank
        self.prune = prune
        self.n_folds = n_folds
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.random_state = random_state

    def fit(
        self,
        X: Any,
        y: Any = None,
        groups: None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Grow the tree, and prune it if asked to.

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
        rng = check_random_state(self.random_state)
        seed = int(rng.randint(2**31))
        tree = grow_ranking(data, self._growth(), seed=seed)
        self._forget_fit(*OF_ROWS)
        if self.prune == "cv":
            self.pruning_ = choose_penalty(tree, self._grow_folds(data, seed, rng))
            tree = prune(tree, self.pruning_.chosen)
        self.tree_ = tree
        return self

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Each feature's share of the AUC gained."""
        check_is_fitted(self)
        gained = self.tree_.importances(self.n_features_in_)
        return gained / gained.sum() if gained.sum() > 0 else gained

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the score of each row: 2^D - 2^(D-d)·k - 1/2 in the k-th cell of depth d.

        That is the score of Clémençon et al. (2013) less one half, lest it be taken for a label.

        Parameters
        ----------
        X : (n, d) frame or array

        Returns
        -------
        (n,) float64
        """
        leaves = self.apply(X)
        return self.tree_.scores()[leaves]

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Return the leaf of each row, as a number of ``tree_.cells``.

        Parameters
        ----------
        X : (n, d) frame or array

        Returns
        -------
        (n,) int32
        """
        features = check_features(self, X)
        return self.tree_.apply(features)

    def _contributions(self, rows: Any) -> NDArray[np.float64] | None:
        walk = self.tree_.splits.walk(self.tree_.scores(), as_dense(check_features(self, rows)))
        return mean_contributions([walk], self.n_features_in_)

    def _grow_folds(
        self, data: TrainingRows, seed: int, rng: np.random.RandomState
    ) -> Iterator[tuple[RankingTree, NDArray[np.float64]]]:
        """Grow a tree without each fold and find what its splits gain on the fold."""
        rarest = int(np.bincount(data.labels.codes).min())
        if min(self.n_folds, rarest) < 2:
            raise ValueError(
                f"n_folds={self.n_folds!r} with {rarest} row of the rarer class; prune='cv' needs "
                "two folds and two rows of each class: use prune=None"
            )
        folds = StratifiedKFold(min(self.n_folds, rarest), shuffle=True, random_state=rng)
        for kept, held_out in folds.split(data.X, data.labels.codes):
            tree = grow_ranking(data, self._growth(), rows=kept.astype(np.int32), seed=seed)
            ends = tree.apply(data.X[held_out])
            weights = np.ones(held_out.size) if data.weights is None else data.weights[held_out]
            positive = data.labels.codes[held_out] == 1
            negatives = cell_masses(tree.cells, ends, weights * ~positive)
            yield (
                tree,
                auc_gains(tree.cells, negatives, cell_masses(tree.cells, ends, weights * positive)),
            )
