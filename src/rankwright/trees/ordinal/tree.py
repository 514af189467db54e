"""Ordinal trees: predict a label on an ordered scale, and rank by the expected label."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.model_selection import GroupKFold, KFold
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from rankwright.base.parameters import Rule, number, one_of
from rankwright.trees.features import check_features
from rankwright.trees.ordinal.growing import grow_tree
from rankwright.trees.ordinal.nodes import Tree
from rankwright.trees.ordinal.pruning import PRUNE_BY, PRUNE_COSTS, choose_pruning, prune, strengths
from rankwright.trees.ordinal.ranker import OrdinalRanker
from rankwright.trees.parameters import PRUNING_RULES
from rankwright.trees.rows import TrainingRows

__all__ = ["OrdinalTree"]


class OrdinalTree(OrdinalRanker):
    """Rank by a decision tree whose impurity knows the order of the labels.

    The tree is binary, on thresholds of numbers and sets of categories; missing values learn their
    side. A leaf predicts the label of least expected rank loss (``predict``), and its rows are
    ranked by the expected label (``decision_function``). Labels are numbers, whose distances count,
    or a pandas ordered categorical, whose labels count 0, 1, 2, ...

    Parameters
    ----------
    criterion : {"ordinal_gini", "ranking", "absolute", "gini", "entropy"}
        What a split decreases. ``ranking`` is the ranking impurity, the sum over pairs of rows of
        the distance of their labels; ``ordinal_gini`` its mean form, which noise can't fool;
        ``absolute`` the distance to the median label; ``gini`` and ``entropy`` ignore the order.
    splitter : {"hist", "exact", "random"}
        Cuts between at most ``max_bins`` bins of each feature, between all its distinct values
        (small data), or one random cut per feature.
    max_depth, max_leaf_nodes : int, optional
        Limits of growth; with ``max_leaf_nodes`` the best split is made first.
    min_samples_leaf : int
        Rows that a leaf has at least, whatever their weights. With fewer than twice as many rows in
        all, the tree is one leaf.
    min_impurity_decrease : float
        A split has to decrease the impurity, averaged over all rows (pairs for ``ranking``), by
        more.
    max_features : None, "sqrt", int or float
        Features tried at each split, a number or a share of all (``1.0`` is all); more until one
        offers a split. All by default.
    max_bins : int
        From 2 to 255.
    categorical_features : "from_dtype", None or list
        Columns whose values are categories: those of a categorical dtype or of text, none, or those
        listed by number, name or mask; at most 255 categories each. A category that is new at
        prediction goes with the larger part.
    prune : None or "cv"
        Choose the size of the tree by cross-validation of the rank loss.
    prune_by : {"alpha", "depth"}
        Compare the trees of the minimal cost-complexity path, or those of all depths.
    prune_cost : {"rank_loss", "impurity"}
        The cost that a leaf of the cost-complexity path has to lower.
    ccp_alpha : float
        Without ``prune``: prune splits that lower the mean cost by less than this for each leaf.
    n_folds : int
        Folds of the cross-validation; of whole groups when there are groups.
    random_state : int, RandomState or None
        For random cuts, for drawing features and for folds.

    Attributes
    ----------
    tree_ : Tree
        The nodes, in one structured array, and their label weights.
    labels_, classes_ : (k,) array
        The labels that occur, worst first.
    label_values_ : (k,) float64
        Their values.
    label_scale_ : LabelScale
        How labels become these values.
    pruning_ : Pruning
        With ``prune="cv"``: the cross-validated losses.
    feature_importances_ : (n_features_in_,) float64
        Each feature's share of the decrease of impurity.
    categories_ : dict
        Categories of the categorical columns, by column number.
    has_missing_ : (n_features_in_,) bool
        Whether a feature had missing values.
    n_features_in_ : int
    feature_names_in_ : (n_features_in_,) array of str
        Only when ``X`` has column names.

    Notes
    -----
    With ``groups`` only pairs inside a group count, so the criterion must be one of pairs; label
    histograms can't express it, and every split sweeps the sorted rows instead, which is slower.
    More than 64 labels are swept as well.

    References
    ----------
    Fen Xia, Wensheng Zhang, Fuxin Li, Yanwu Yang. Ranking with decision tree.

    Examples
    --------
    >>> import rankwright as rw
    >>> X = [[1.0, 7.0], [2.0, 3.0], [3.0, 5.0], [4.0, 1.0], [5.0, 4.0], [6.0, 2.0]]
    >>> y = [1, 1, 2, 2, 3, 3]
    >>> tree = rw.OrdinalTree(max_depth=2).fit(X, y)
    >>> tree.predict([[0.0, 4.0], [3.5, 4.0], [9.0, 4.0]])
    array([1, 2, 3])
    >>> tree.rank([[0.0, 4.0], [3.5, 4.0], [9.0, 4.0]])
    array([3., 2., 1.])
    """

    _parameter_rules: ClassVar[dict[str, Rule]] = {
        **OrdinalRanker._parameter_rules,
        **PRUNING_RULES,
        "prune_by": one_of(PRUNE_BY),
        "prune_cost": one_of(PRUNE_COSTS),
        "ccp_alpha": number(least=0),
    }

    def __init__(
        self,
        *,
        criterion: str = "ordinal_gini",
        splitter: str = "hist",
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        min_samples_leaf: int = 1,
        min_impurity_decrease: float = 0.0,
        max_features: float | str | None = None,
        max_bins: int = 255,
        categorical_features: Sequence[Any] | str | None = "from_dtype",
        prune: str | None = None,
        prune_by: str = "alpha",
        prune_cost: str = "rank_loss",
        ccp_alpha: float = 0.0,
        n_folds: int = 5,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_leaf = min_samples_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_features = max_features
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.prune = prune
        self.prune_by = prune_by
        self.prune_cost = prune_cost
        self.ccp_alpha = ccp_alpha
        self.n_folds = n_folds
        self.random_state = random_state

    def fit(
        self,
        X: Any,
        y: Any = None,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Grow the tree, and prune it if asked to.

        Parameters
        ----------
        X : (n, d) frame, array or sparse matrix, or Rankings
            Missing values and categories are welcome.
        y : (n,) array
            Numbers, larger is better, or an ordered categorical.
        groups : (n,) array, optional
            Group id of each row: pairs of different groups are not counted.
        sample_weight : (n,) array, optional
            Rows of weight zero are left out.

        Returns
        -------
        self
        """
        data = self._read_rows(X, y, groups, sample_weight)
        rng = check_random_state(self.random_state)
        seed = int(rng.randint(2**31))
        tree = grow_tree(data.bins, data.labels, self._growth(), weights=data.weights, seed=seed)
        if self.prune == "cv" and data.n_rows > 1:
            strength = self._strengths(tree)
            folds = self._grow_folds(data, seed, rng)
            self.pruning_ = choose_pruning(strength, self.prune_by, folds, self.label_values_)
            x = -self.pruning_.chosen if self.prune_by == "depth" else self.pruning_.chosen
            tree = prune(tree, strength, x)
        elif self.ccp_alpha > 0:
            tree = prune(tree, self._strengths(tree), self.ccp_alpha)
        self.tree_ = tree
        return self

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Each feature's share of the decrease of impurity."""
        check_is_fitted(self)
        return self.tree_.importances(self.n_features_in_)

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Return the leaf of each row, as a number of ``tree_.nodes``.

        Parameters
        ----------
        X : (n, d) frame or array

        Returns
        -------
        (n,) int32
        """
        return self.tree_.apply(check_features(self, X))

    def _grown(self) -> list[Tree]:
        return [self.tree_]

    def _label_codes(self, X: NDArray[np.float64]) -> NDArray[np.int64]:
        codes: NDArray[np.int64] = self.tree_.nodes["label"][self.tree_.apply(X)]
        return codes

    def _leaf_mean(
        self, X: NDArray[np.float64], of_nodes: Callable[[Tree], NDArray[np.float64]]
    ) -> NDArray[np.float64]:
        return of_nodes(self.tree_)[self.tree_.apply(X)]

    def _strengths(self, tree: Tree) -> NDArray[np.float64]:
        return strengths(tree, self.label_values_, by=self.prune_by, cost=self.prune_cost)

    def _grow_folds(
        self, data: TrainingRows, seed: int, rng: np.random.RandomState
    ) -> Iterator[tuple[Tree, NDArray[np.float64], NDArray[np.float64]]]:
        """Grow a tree without each fold and count the fold's labels in its leaves."""
        for kept, held_out in self._folds(data, rng):
            tree = grow_tree(
                data.bins,
                data.labels,
                self._growth(),
                rows=kept.astype(np.int32),
                weights=data.weights,
                seed=seed,
            )
            counts = np.zeros_like(tree.values)
            weights = 1.0 if data.weights is None else data.weights[held_out]
            leaves = tree.apply(data.X[held_out])
            np.add.at(counts, (leaves, data.labels.codes[held_out]), weights)
            yield tree, self._strengths(tree), counts

    def _folds(self, data: TrainingRows, rng: np.random.RandomState) -> Iterator[Any]:
        offsets = data.labels.offsets
        if offsets is None:
            folds = KFold(min(self.n_folds, data.n_rows), shuffle=True, random_state=rng)
            return iter(folds.split(data.X))
        groups = np.repeat(np.arange(offsets.size - 1), np.diff(offsets))
        return iter(GroupKFold(min(self.n_folds, offsets.size - 1)).split(data.X, groups=groups))
