"""What TreeRank and ranking forests share: two classes, one group."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import ClassifierTags, Tags, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from rankwright.base import RankerMixin, check_array
from rankwright.base.parameters import ESTIMATOR, NONE, Rule, one_of, whole_number
from rankwright.data import Rankings, as_vector
from rankwright.metrics import UndefinedMetricError
from rankwright.trees.bipartite.growing import SPLITTERS, RankingGrowth
from rankwright.trees.bipartite.labels import TwoClasses, number_classes
from rankwright.trees.bipartite.soundness import check_leaf_values, check_median, check_trees
from rankwright.trees.features import count_features
from rankwright.trees.growth import Growth
from rankwright.trees.parameters import FEATURES_TRIED, TREE_RULES
from rankwright.trees.rows import Shared, TrainingRows, read_rows
from rankwright.trees.soundness import check_categories

__all__ = ["BipartiteRanker", "OF_ROWS"]

# Deeper, the scores 2^D - 2^(D-d)·k - 1/2 no longer differ in double precision.
DEEPEST = 50

OF_ROWS = ("categories_", "classes_", "has_missing_")  # known before any tree is grown


def _sorts_classes(ranker: "BipartiteRanker") -> bool:
    """Let scikit-learn have scores only if it takes the same class for the better one."""
    worse, better = getattr(ranker, "classes_", np.arange(2)).tolist()
    if better < worse:
        raise AttributeError(
            f"y says that {better!r} is better than {worse!r}, but scikit-learn takes labels in "
            "sorted order; for its scorers give y.cat.codes, for scores call predict"
        )
    return True


class BipartiteRanker(RankerMixin, BaseEstimator):
    """A ranker of rows of two classes by trees that raise the AUC."""

    __metadata_request__fit = {"groups": False}  # noqa: RUF012

    splitter: str
    max_depth: int
    max_depth_leaf: int
    min_samples_split: int
    min_samples_leaf: int
    max_features_master: float | str | None
    max_features_leaf: float | str | None
    leaf_rank: BaseEstimator | None
    max_bins: int
    categorical_features: Sequence[Any] | str | None

    _parameter_rules: ClassVar[dict[str, Rule]] = {
        "splitter": one_of(SPLITTERS),
        "max_depth": whole_number(1, DEEPEST),
        "max_depth_leaf": whole_number(1, DEEPEST),
        "min_samples_split": whole_number(1),
        "max_features_master": FEATURES_TRIED,
        "max_features_leaf": FEATURES_TRIED,
        "leaf_rank": ESTIMATOR | NONE,
        **TREE_RULES,
    }

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the scores of ``predict``, as scikit-learn asks binary scorers for them.

        Not there after a fit to an ordered categorical whose better label sorts first: scikit-learn
        would take the other one for the better.

        Parameters
        ----------
        X : (n, d) frame, array or sparse matrix

        Returns
        -------
        (n,) float64
        """
        scores: NDArray[np.float64] = self.predict(X)
        return scores

    decision_function = available_if(_sorts_classes)(decision_function)

    def score(
        self,
        X: Any,
        y: ArrayLike,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> float:
        """Return the mean Kendall tau-b over groups between the classes and the scores.

        Parameters
        ----------
        X : (n, d) frame or array
        y : (n,) array
            Labels of the two classes.
        groups : (n,) array, optional
            Rows of different groups are not compared.
        sample_weight : (n,) array, optional
            Weights of the items.

        Returns
        -------
        float
        """
        check_is_fitted(self)
        numbers = TwoClasses(self.classes_).numbers(y)
        if np.ptp(numbers) == 0:
            only = self.classes_.tolist()[int(numbers[0])]
            raise UndefinedMetricError(
                f"y holds one class only, {only!r}; a score needs rows of both: with cv, stratify "
                "the folds"
            )
        return super().score(X, numbers, groups, sample_weight)

    def _read_rows(
        self, X: Any, y: Any, groups: Any, sample_weight: Any, shared: Shared | None = None
    ) -> TrainingRows:
        """Check, encode and bin the training rows, and find their two classes."""
        self._check_parameters()
        if groups is not None or isinstance(X, Rankings):
            raise ValueError(
                f"{type(self).__name__} takes no groups: it ranks the rows of two classes in one "
                "group; OrdinalForest, PairwiseRanker and PlackettLuceRanker take groups"
            )
        y = as_vector(y)
        if shared is not None:
            return self._read_part(X, y, sample_weight, shared)
        numbers, labels = number_classes(y)
        data = read_rows(self, X, numbers, sample_weight=sample_weight, max_bins=self.max_bins)
        found: NDArray[Any] = data.labels.values
        if labels is not None:
            found = labels[found.astype(np.int64)]
        elif np.asarray(y).dtype.kind in "biuf":
            found = found.astype(np.asarray(y).dtype)
        self.classes_ = TwoClasses.of(found, type(self).__name__).labels
        self.categories_, self.has_missing_ = data.categories, data.bins.has_missing
        return data

    def _read_part(self, X: Any, y: Any, sample_weight: Any, shared: Shared) -> TrainingRows:
        """Read some of the rows, in which one of the two classes may be missing."""
        classes = TwoClasses.of(shared.labels, type(self).__name__)
        data = read_rows(
            self,
            X,
            classes.numbers(y),
            sample_weight=sample_weight,
            max_bins=self.max_bins,
            shared=replace(shared, labels=np.array([0.0, 1.0])),
        )
        self.classes_ = classes.labels
        self.categories_, self.has_missing_ = data.categories, data.bins.has_missing
        return data

    def _part_labels(self, y: Any) -> NDArray[Any]:
        """Return the labels that occur in a part of the rows, ascending."""
        y = as_vector(y)
        _, labels = number_classes(y)
        return np.unique(np.asarray(y)) if labels is None else labels

    def _growth(self) -> RankingGrowth:
        n_features = self.n_features_in_
        drawn = count_features(self.max_features_master, n_features)
        leaf = Growth(
            criterion="gini",
            splitter=self.splitter,
            max_depth=self.max_depth_leaf,
            max_features=count_features(self.max_features_leaf, n_features),
            min_samples_leaf=self.min_samples_leaf,
        )
        return RankingGrowth(
            self.max_depth, self.min_samples_split, drawn or n_features, leaf, self.leaf_rank
        )

    def _check_arrays(self) -> None:
        super()._check_arrays()
        trees = [self.tree_] if hasattr(self, "tree_") else getattr(self, "trees_", None)
        if trees is not None:
            check_array(self, "classes_", (2,), None)
            check_array(self, "has_missing_", (self.n_features_in_,), np.bool_)
            check_categories(self)
            check_trees(self, trees)
        if hasattr(self, "leaf_values_"):
            check_leaf_values(self, self.leaf_values_, self.trees_)
        if hasattr(self, "median_"):
            check_median(self, self.median_)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.estimator_type = "classifier"
        tags.classifier_tags = ClassifierTags(multi_class=False)
        inside = None if self.leaf_rank is None else get_tags(self.leaf_rank).input_tags
        tags.input_tags.allow_nan = inside is None or inside.allow_nan
        tags.input_tags.sparse = inside is None or inside.sparse
        return tags
