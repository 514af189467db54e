"""What ordinal trees and forests share: labels, categories, binning, and prediction from leaves."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import ClassifierTags, Tags
from sklearn.utils.validation import check_is_fitted

from rankwright.base import RankerMixin, check_array, check_grades
from rankwright.base.parameters import NONE, Rule, number, one_of, whole_number
from rankwright.data import Rankings, as_vector, check_target
from rankwright.metrics import rank_loss
from rankwright.trees.contributions import mean_contributions
from rankwright.trees.criteria import CRITERIA, PAIR_CRITERIA
from rankwright.trees.features import as_dense, check_features, count_features
from rankwright.trees.growth import Growth
from rankwright.trees.label_scale import LabelScale
from rankwright.trees.ordinal.growing import SPLITTERS
from rankwright.trees.ordinal.nodes import Tree
from rankwright.trees.ordinal.soundness import check_trees
from rankwright.trees.parameters import FEATURES_TRIED, TREE_RULES
from rankwright.trees.rows import Shared, TrainingRows, read_rows
from rankwright.trees.soundness import check_categories

__all__ = ["OrdinalRanker"]


class OrdinalRanker(RankerMixin, BaseEstimator):
    """What ordinal trees and forests share."""

    criterion: str
    splitter: str
    max_depth: int | None
    max_leaf_nodes: int | None
    max_features: float | str | None
    min_samples_leaf: int
    min_impurity_decrease: float
    max_bins: int
    categorical_features: Sequence[Any] | str | None

    _parameter_rules: ClassVar[dict[str, Rule]] = {
        "criterion": one_of(CRITERIA),
        "splitter": one_of(SPLITTERS),
        "max_depth": whole_number(1) | NONE,
        "max_leaf_nodes": whole_number(1) | NONE,
        "min_impurity_decrease": number(least=0),
        "max_features": FEATURES_TRIED,
        **TREE_RULES,
    }

    @property
    def classes_(self) -> NDArray[Any]:
        """The labels that occur, under the name by which scikit-learn asks for them."""
        check_is_fitted(self)
        classes: NDArray[Any] = self.labels_
        return classes

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the label of least expected rank loss: a median of the label distribution.

        Parameters
        ----------
        X : (n, d) frame or array

        Returns
        -------
        (n,) array
            Labels as they were given to ``fit``.
        """
        codes = self._label_codes(check_features(self, X))
        return self.labels_[codes]

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the expected label, by which ``rank`` and ``score`` order the rows.

        Parameters
        ----------
        X : (n, d) frame or array

        Returns
        -------
        (n,) float64
        """
        features = check_features(self, X)
        return self._leaf_mean(features, lambda tree: tree.distributions() @ self.label_values_)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the distribution of the labels ``labels_`` for each row.

        Parameters
        ----------
        X : (n, d) frame or array

        Returns
        -------
        (n, n_labels) float64
        """
        return self._leaf_mean(check_features(self, X), Tree.distributions)

    def rank_loss(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Return the mean distance between the predicted and the true label .

        Parameters
        ----------
        X : (n, d) frame or array
        y : (n,) array
            True labels.
        sample_weight : (n,) array, optional

        Returns
        -------
        float
        """
        predicted = self.label_values_[self._label_codes(check_features(self, X))]
        return rank_loss(self.label_scale_.to_values(y), predicted, sample_weight=sample_weight)

    def score(
        self,
        X: Any,
        y: ArrayLike,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> float:
        """Return the mean Kendall tau-b over groups between ``y`` and the expected labels.

        Parameters
        ----------
        X : (n, d) frame or array
        y : (n,) array
            Labels, larger is better.
        groups : (n,) array, optional
            Rows of different groups are not compared.
        sample_weight : (n,) array, optional
            Weights of the items.

        Returns
        -------
        float
        """
        check_is_fitted(self)
        return super().score(X, self.label_scale_.to_values(y), groups, sample_weight)

    def _contributions(self, rows: Any) -> NDArray[np.float64] | None:
        features = as_dense(check_features(self, rows))
        walks = (
            tree.walk(tree.distributions() @ self.label_values_, features) for tree in self._grown()
        )
        return mean_contributions(walks, self.n_features_in_)

    def _grown(self) -> list[Tree]:
        raise NotImplementedError

    def _label_codes(self, X: NDArray[np.float64]) -> NDArray[np.int64]:
        raise NotImplementedError

    def _leaf_mean(
        self, X: NDArray[np.float64], of_nodes: Callable[[Tree], NDArray[np.float64]]
    ) -> NDArray[np.float64]:
        """Return the mean over the trees of what a row's leaf holds."""
        raise NotImplementedError

    def _read_rows(
        self, X: Any, y: Any, groups: Any, sample_weight: Any, shared: Shared | None = None
    ) -> TrainingRows:
        """Check, encode and bin the training rows, and find their labels."""
        self._check_parameters()
        if isinstance(X, Rankings) and y is None and groups is None:
            X, y, groups = X.to_rows()
        y = as_vector(y)
        scale = LabelScale.of(y)
        data = read_rows(
            self,
            X,
            scale.to_values(y),
            groups,
            sample_weight=sample_weight,
            max_bins=None if self.splitter == "exact" else self.max_bins,
            shared=shared,
        )
        if data.labels.offsets is not None:
            self._check_grouped_parameters()
        check_grades(data.labels.values)
        self._forget_fit()
        self.label_scale_, self.label_values_ = scale, data.labels.values
        self.labels_ = scale.to_labels(self.label_values_, y)
        self.categories_, self.has_missing_ = data.categories, data.bins.has_missing
        return data

    def _part_labels(self, y: Any) -> NDArray[Any]:
        """Return the labels that occur in a part of the rows, ascending, as numbers."""
        y = as_vector(y)
        values = LabelScale.of(y).to_values(y)
        return np.unique(check_target(values, len(values)))

    def _check_grouped_parameters(self) -> None:
        if self.criterion not in PAIR_CRITERIA:
            raise ValueError(
                f"criterion={self.criterion!r} does not count pairs, so it can't leave out those "
                f"of different groups; choose from {sorted(PAIR_CRITERIA)}"
            )
        if self.splitter == "random":
            raise ValueError("splitter='random' can't count pairs inside groups; choose 'hist'")

    def _growth(self) -> Growth:
        return Growth(
            criterion=self.criterion,
            splitter=self.splitter,
            max_depth=self.max_depth,
            max_leaf_nodes=self.max_leaf_nodes,
            max_features=count_features(self.max_features, self.n_features_in_),
            min_samples_leaf=self.min_samples_leaf,
            min_impurity_decrease=self.min_impurity_decrease,
        )

    def _check_arrays(self) -> None:
        super()._check_arrays()
        trees = [self.tree_] if hasattr(self, "tree_") else getattr(self, "trees_", None)
        if trees is not None:
            check_array(self, "label_values_", (None,))
            check_array(self, "labels_", (self.label_values_.size,), None)
            check_array(self, "has_missing_", (self.n_features_in_,), np.bool_)
            check_categories(self)
            check_trees(self, trees)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags = ClassifierTags()  # predict_proba has a column for each label
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags
