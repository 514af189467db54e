"""The boosted ranker: trees on the exact derivatives of all pairs."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_random_state

from rankwright.base.parameters import Rule, number, one_of
from rankwright.data import PreferencePairs, Rankings, as_array
from rankwright.trees.boosted.booster import Booster
from rankwright.trees.boosted.losses import LOSSES
from rankwright.trees.boosted.problem import Problem, read_graded, read_pairs
from rankwright.trees.features import check_features

__all__ = ["BoostedRanker"]

Floats = NDArray[np.float64]


class BoostedRanker(Booster):
    """Rank by a sum of trees, each a Newton step on the loss of all pairs.

    Gradient and curvature of the loss are those of all pairs of rows with different y inside a
    group, in near-linear time and without drawing or cutting off pairs. A group counts by the
    square root of its length. By default trees are symmetric: all nodes of a level have the same
    test, which is a strong regulariser and makes scoring fast.

    Parameters
    ----------
    loss : {"logistic", "plackett_luce", "top"}
        ``"logistic"``: log(1 + exp(-d)) of the score difference d of each pair.
        ``"plackett_luce"``: the likelihood of each group's order, as a sequence of choices.
        ``"top"``: logistic, each pair weighted by the difference of its gains 2**y - 1; for NDCG.
    tree : {"symmetric", "leafwise"}
        One test for all nodes of a level, or the most promising leaf first.
    n_estimators : int
        Number of trees; at most so many with early stopping.
    learning_rate : float
        What part of a Newton step a tree makes.
    max_depth : int, optional
        Levels of tests: 6 by default for symmetric trees (at most 10), no limit for leaf-wise ones.
    max_leaf_nodes : int
        Leaves of a leaf-wise tree.
    l2 : float
        Added to the curvature of a leaf; it pulls the values of small leaves to zero. The loss is
        scaled so that all groups together weigh as much as there are rows.
    min_samples_leaf : int
        Rows that a leaf of a leaf-wise tree has at least. In a symmetric tree a leaf with fewer has
        the value of the nearest node above it that has enough.
    random_strength : float
        How far chance chooses among cuts that gain about the same. Cuts are compared by the root of
        the gain of all nodes after the cut, plus normal noise: so many times what the root of one
        leaf's gain is where features say nothing. 0: the best cut is taken.
    max_features : "auto", "sqrt", int, float or None
        Features that a tree sees, drawn at random. ``"auto"``: half of them, but at least six.
    row_fraction : float
        Part of the rows that a tree sees, drawn at random. The derivatives of a row are those of
        all its pairs, whether the other rows are drawn or not.
    max_bins : int
        From 2 to 255; missing values have a bin of their own.
    monotone : dict or list, optional
        1 where the score must not fall as a feature rises, -1 where it must not rise: by name or
        number, or one entry for each feature.
    interactions : int, optional
        0: an additive score, one function of each feature. k: the functions of the k best pairs of
        features as well, grown in up to ``n_estimators`` further trees. None: no limit.
    categorical_features : "from_dtype", None or list
        As in :class:`OrdinalTree`.
    early_stopping : "auto", True or False
        Hold out groups (rows of each, with fewer than 10 groups), and keep the trees that rank them
        best by Kendall's tau. ``"auto"``: with more than 10,000 rows.
    validation_fraction : float
        The part that is held out.
    n_iter_no_change : int
        Trees without progress on what is held out before boosting stops.
    warm_start : bool
        Keep the trees of the previous ``fit`` and add the missing ones. Not with ``interactions``
        above 0.
    n_jobs : int, optional
        Threads. The result does not depend on it.
    random_state : int, RandomState or None
        For drawing rows and features, what is held out, and for rounding.

    Attributes
    ----------
    trees_ : TreeSum
        The nodes of all trees, in one structured array.
    n_iter_ : int
        Number of trees.
    validation_scores_ : (n_grown,) float64
        Kendall's tau on what was held out, after each tree; empty if nothing was. Of lists longer
        than 100 rows, the mean over parts of at most 100.
    pairs_ : list of (int, int)
        With ``interactions`` above 0: the pairs of features.
    feature_importances_ : (n_features_in_,) float64
        Each feature's share of what all splits gained.
    categories_ : dict
        Categories of the categorical columns, by column number.
    has_missing_ : (n_features_in_,) bool
        Whether a feature had missing values.
    n_features_in_ : int
    feature_names_in_ : (n_features_in_,) array of str
        Only when ``X`` has column names.

    Examples
    --------
    >>> import numpy as np
    >>> import rankwright as rw
    >>> X = np.random.default_rng(0).normal(size=(300, 4))
    >>> y = np.round(X[:, 0] * X[:, 1] + X[:, 2])
    >>> groups = np.repeat(np.arange(30), 10)
    >>> ranker = rw.BoostedRanker(50, random_state=0).fit(X, y, groups)
    >>> bool(ranker.score(X, y, groups) > 0.8)
    True
    >>> ranker.rank(X[:4])
    array([1., 2., 3., 4.])
    """

    _parameter_rules: ClassVar[dict[str, Rule]] = {
        "loss": one_of(LOSSES),
        "random_strength": number(least=0),
        "row_fraction": number(above=0, most=1),
        **Booster._parameter_rules,
    }

    def __init__(
        self,
        n_estimators: int = 300,
        *,
        loss: str = "logistic",
        tree: str = "symmetric",
        learning_rate: float = 0.1,
        max_depth: int | None = None,
        max_leaf_nodes: int = 31,
        l2: float = 3.0,
        min_samples_leaf: int = 1,
        random_strength: float = 0.5,
        max_features: float | str | None = "auto",
        row_fraction: float = 0.7,
        max_bins: int = 255,
        monotone: Mapping[Any, int] | Sequence[int] | None = None,
        interactions: int | None = None,
        categorical_features: Sequence[Any] | str | None = "from_dtype",
        early_stopping: bool | str = "auto",
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 30,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.loss = loss
        self.tree = tree
        self.learning_rate = learning_rate
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.l2 = l2
        self.min_samples_leaf = min_samples_leaf
        self.random_strength = random_strength
        self.max_features = max_features
        self.row_fraction = row_fraction
        self.max_bins = max_bins
        self.monotone = monotone
        self.interactions = interactions
        self.categorical_features = categorical_features
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(
        self,
        X: Any,
        y: Any = None,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Learn from rows with grades, from rankings, or from explicit pairs.

        Parameters
        ----------
        X : (n, d) frame, array or sparse matrix, or Rankings
            Missing values and categories are welcome.
        y : (n,) array, or PreferencePairs
            Larger is better; only the order inside a group matters (with ``loss="top"`` the values
            as well).
        groups : (n,) array, optional
            Group id of each row; rows of different groups are never compared.
        sample_weight : (n,) array, optional
            Weights of the items: a pair counts the product of its two weights, and a group the
            square root of their sum.

        Returns
        -------
        self
        """
        self._check_parameters()
        random = check_random_state(self.random_state)
        self._boost(self._read(X, y, groups, sample_weight, random), self.row_fraction, random)
        return self

    def predict(self, X: Any) -> Floats:
        """Return the score of each row, larger is better.

        Parameters
        ----------
        X : (n, d) frame, array or sparse matrix

        Returns
        -------
        (n,) float64
        """
        features = check_features(self, X)
        return self._tree_scores(features, self.trees_)

    def staged_predict(self, X: Any) -> Iterator[Floats]:
        """Yield the scores after each tree.

        Parameters
        ----------
        X : (n, d) frame, array or sparse matrix

        Yields
        ------
        (n,) float64
        """
        return self._staged_scores(X)

    def _read(
        self, X: Any, y: Any, groups: Any, sample_weight: Any, random: np.random.RandomState
    ) -> Problem:
        if isinstance(X, Rankings) and y is None and groups is None:
            X, y, groups = X.to_rows()
        if isinstance(y, PreferencePairs):
            if groups is not None:
                raise ValueError("PreferencePairs say which rows are compared; leave groups out")
            if self.loss != "logistic":
                raise ValueError(
                    f"loss={self.loss!r} needs graded lists; PreferencePairs are compared by "
                    "loss='logistic'"
                )
            return read_pairs(self, X, y, sample_weight, self._hold_out(len(y), random))
        hold_out = self._hold_out(as_array("y", y).size, random)
        return read_graded(self, X, y, groups, sample_weight, LOSSES[self.loss], hold_out)
