"""The shapes of what scikit-learn's estimators learned.

Scores come from products and sums of these arrays, which NumPy lets grow to any size: an intercept
of a million rows makes a million scores of each row, and an axis beside one of no length costs a
file nothing. So they have the shapes that ``fit`` gives them.
"""

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from rankwright.base import is_array
from rankwright.persistence.errors import require

__all__ = ["CHECKS", "LENGTHS", "SHAPES", "check_shapes", "n_classes", "n_features"]

MOST_FEATURES = 2**31 - 1
# A letter is an axis: p of features, k of classes, b of the columns of a classifier, which are one
# for two classes; any other letter stands for one length, and 1 for itself. "" is a number.
Shapes = Mapping[str, tuple[str, ...]]
NUMBERS = "biuf"
TEXTS = {"classes_", "statistics_"}  # which may be more than numbers

ONE_TARGET: Shapes = {"coef_": ("p", "1p"), "intercept_": ("", "1")}
CLASSES: Shapes = {"classes_": ("k",)}
LINEAR_CLASSES: Shapes = {**CLASSES, "coef_": ("bp",), "intercept_": ("", "b")}
RIDGE_CLASSES: Shapes = {"coef_": ("bp", "p"), "intercept_": ("", "b")}
COUNTED: Shapes = {
    **CLASSES,
    "class_count_": ("k",),
    "class_log_prior_": ("k",),
    "feature_count_": ("kp",),
    "feature_log_prob_": ("kp",),
}
SCORED: Shapes = {"scores_": ("p",), "pvalues_": ("p",)}
CHOSEN: Shapes = {"ranking_": ("p",), "support_": ("p",)}
COMPONENTS: Shapes = {"components_": ("qp",), "mean_": ("p",)}

SHAPES: dict[str, Shapes] = {
    **dict.fromkeys(
        (
            *("ARDRegression", "BayesianRidge", "ElasticNet", "ElasticNetCV", "GammaRegressor"),
            *("HuberRegressor", "Lars", "LarsCV", "Lasso", "LassoCV", "LassoLars", "LassoLarsCV"),
            *("LassoLarsIC", "LinearRegression", "LinearSVR", "OrthogonalMatchingPursuit"),
            *("OrthogonalMatchingPursuitCV", "PassiveAggressiveRegressor", "PoissonRegressor"),
            *("QuantileRegressor", "Ridge", "RidgeCV", "SGDRegressor", "TheilSenRegressor"),
        ),
        ONE_TARGET,
    ),
    **dict.fromkeys(
        (
            *("LinearSVC", "LogisticRegression", "LogisticRegressionCV"),
            *("PassiveAggressiveClassifier", "Perceptron", "SGDClassifier"),
        ),
        LINEAR_CLASSES,
    ),
    **dict.fromkeys(("RidgeClassifier", "RidgeClassifierCV"), RIDGE_CLASSES),
    **dict.fromkeys(("BernoulliNB", "ComplementNB", "MultinomialNB"), COUNTED),
    **dict.fromkeys(
        (
            *("GenericUnivariateSelect", "SelectFdr", "SelectFpr", "SelectFwe", "SelectKBest"),
            "SelectPercentile",
        ),
        SCORED,
    ),
    **dict.fromkeys(("RFE", "RFECV", "SequentialFeatureSelector"), CHOSEN),
    **dict.fromkeys(
        (
            *("AdaBoostClassifier", "BaggingClassifier", "CalibratedClassifierCV"),
            *("DecisionTreeClassifier", "ExtraTreeClassifier", "ExtraTreesClassifier"),
            *("GradientBoostingClassifier", "HistGradientBoostingClassifier", "LabelBinarizer"),
            *("LabelEncoder", "MLPClassifier", "OneVsOneClassifier", "RandomForestClassifier"),
        ),
        CLASSES,
    ),
    "CategoricalNB": {
        **CLASSES,
        "class_count_": ("k",),
        "class_log_prior_": ("k",),
        "n_categories_": ("p",),
    },
    "DummyClassifier": {**CLASSES, "class_prior_": ("k",)},
    "DummyRegressor": {"constant_": ("", "1", "11")},
    "FactorAnalysis": {**COMPONENTS, "noise_variance_": ("p",)},
    "FastICA": {**COMPONENTS, "mixing_": ("pq",), "whitening_": ("qp",)},
    "GaussianNB": {
        **CLASSES,
        "class_count_": ("k",),
        "class_prior_": ("k",),
        "theta_": ("kp",),
        "var_": ("kp",),
    },
    "IsotonicRegression": {
        "X_max_": ("",),
        "X_min_": ("",),
        "X_thresholds_": ("q",),
        "y_thresholds_": ("q",),
    },
    "LinearDiscriminantAnalysis": {
        **LINEAR_CLASSES,
        "means_": ("kp",),
        "priors_": ("k",),
        "scalings_": ("pq",),
        "xbar_": ("p",),
    },
    "MaxAbsScaler": {"max_abs_": ("p",), "scale_": ("p",)},
    "MinMaxScaler": {
        "data_max_": ("p",),
        "data_min_": ("p",),
        "data_range_": ("p",),
        "min_": ("p",),
        "scale_": ("p",),
    },
    "PCA": {**COMPONENTS, "explained_variance_": ("q",)},
    "PowerTransformer": {"lambdas_": ("p",)},
    "QuadraticDiscriminantAnalysis": {**CLASSES, "means_": ("kp",), "priors_": ("k",)},
    "QuantileTransformer": {"quantiles_": ("qp",), "references_": ("q",)},
    "RobustScaler": {"center_": ("p",), "scale_": ("p",)},
    "SimpleImputer": {"statistics_": ("p",)},
    "StandardScaler": {"mean_": ("p",), "scale_": ("p",), "var_": ("p",)},
    "TargetEncoder": CLASSES,
    "TruncatedSVD": {"components_": ("qp",), "explained_variance_": ("q",)},
    "VarianceThreshold": {"variances_": ("p",)},
    "_SigmoidCalibration": {"a_": ("",), "b_": ("",)},
    "_TemperatureScaling": {"beta_": ("",)},
}


def check_shapes(name: str, estimator: Any) -> None:
    """Check the shapes of the arrays that an estimator of a name learned; it may be unfitted."""
    learned = vars(estimator)
    if "n_features_in_" in learned:
        n_features(estimator)
    axes: dict[str, int] = {"1": 1}
    for attribute, shapes in SHAPES.get(name, {}).items():
        value = learned.get(attribute)
        if value is not None:
            what = f"the shape of {attribute} of a {name}"
            require(_is_plain(value, TEXTS if attribute in TEXTS else ()), what)
            require(any(_fits(np.shape(value), s, estimator, axes) for s in shapes), what)


def n_features(estimator: Any) -> int:
    """Return how many features an estimator saw."""
    number = vars(estimator).get("n_features_in_")
    what = f"the number of features of a {type(estimator).__name__}"
    require(type(number) is int and 1 <= number <= MOST_FEATURES, what)
    return int(number)


def n_classes(estimator: Any) -> int:
    """Return how many classes a classifier knows."""
    classes = getattr(estimator, "classes_", None)
    what = f"the classes of a {type(estimator).__name__}"
    require(is_array(classes) and classes.ndim == 1 and classes.size >= 1, what)
    return int(classes.size)  # type: ignore[union-attr]


LENGTHS: dict[str, Callable[[Any], int]] = {
    "b": lambda estimator: 1 if n_classes(estimator) <= 2 else n_classes(estimator),
    "k": n_classes,
    "p": n_features,
}


def _is_plain(value: Any, texts: Any) -> bool:
    if is_array(value):
        return bool(texts) or value.dtype.kind in NUMBERS
    return isinstance(value, bool | int | float | np.number)


def _fits(given: tuple[int, ...], shape: str, estimator: Any, axes: dict[str, int]) -> bool:
    """Return whether an array has a shape; a letter without a meaning takes its first length."""
    if len(given) != len(shape):
        return False
    for letter, length in zip(shape, given, strict=True):
        if letter in LENGTHS:
            axes[letter] = LENGTHS[letter](estimator)
        if axes.setdefault(letter, length) != length:
            return False
    return True


def _is_list_of(values: Any, length: int) -> bool:
    """Return whether a value is a list of so many arrays of numbers."""
    return (
        type(values) is list
        and len(values) == length
        and all(is_array(one) and one.dtype.kind in NUMBERS for one in values)
    )


def _check_network(network: Any) -> None:
    """Check that the layers of a network follow each other, from its features to its output."""
    weights = vars(network).get("coefs_")
    if weights is None:
        return
    what = f"the layers of a {type(network).__name__}"
    require(type(weights) is list and len(weights) >= 1, what)
    offsets = network.intercepts_
    require(_is_list_of(weights, len(weights)) and _is_list_of(offsets, len(weights)), what)
    require(network.n_layers_ == len(weights) + 1 and type(network.n_layers_) is int, what)
    require(all(one.ndim == 2 and one.size for one in weights), what)
    require(weights[0].shape[0] == n_features(network), what)
    require(all(one.shape[1] == other.shape[0] for one, other in pairwise(weights)), what)
    layers = zip(weights, offsets, strict=True)
    require(all(offset.shape == (weight.shape[1],) for weight, offset in layers), what)
    n_outputs = 1
    if hasattr(network, "classes_"):
        n_outputs = LENGTHS["b"](network)
    require(network.n_outputs_ == weights[-1].shape[1] == n_outputs, what)


def _check_quadratic(model: Any) -> None:
    """Check that each class has a rotation of the features and as many scales."""
    if "rotations_" not in vars(model):
        return
    what = "the rotations of a QuadraticDiscriminantAnalysis"
    rotations, scales = model.rotations_, model.scalings_
    k, p = n_classes(model), n_features(model)
    require(_is_list_of(rotations, k) and _is_list_of(scales, k), what)
    for rotation, scale in zip(rotations, scales, strict=True):
        require(rotation.ndim == 2 and rotation.shape[0] == p >= rotation.shape[1], what)
        require(scale.shape == rotation.shape[1:], what)


def _check_categorical(model: Any) -> None:
    """Check that each feature has a table of classes by categories."""
    if "feature_log_prob_" not in vars(model):
        return
    what = "the tables of a CategoricalNB"
    tables = model.feature_log_prob_
    require(_is_list_of(tables, n_features(model)), what)
    k = n_classes(model)
    require(all(table.ndim == 2 and table.shape[0] == k for table in tables), what)


def _check_factors(model: Any) -> None:
    """Check that there are no more factors than features: a square of them is made to score."""
    components = vars(model).get("components_")
    if components is not None:
        few = components.shape[0] <= components.shape[1]
        require(few, "the factors of a FactorAnalysis")


def _check_constant(model: Any) -> None:
    """Check that a constant model has one output, and its classifier as many chances as classes."""
    learned = vars(model)
    if "n_outputs_" not in learned:
        return
    what = f"the outputs of a {type(model).__name__}"
    require(type(model.n_outputs_) is int and model.n_outputs_ == 1, what)
    require(np.size(learned.get("constant", 0)) == 1 and not learned.get("sparse_output_"), what)
    if "classes_" in learned:
        require(model.n_classes_ == n_classes(model), what)


CHECKS: dict[str, Callable[[Any], None]] = {
    "CategoricalNB": _check_categorical,
    "Dummy": _check_constant,
    "FactorAnalysis": _check_factors,
    "MLP": _check_network,
    "QuadraticDiscriminantAnalysis": _check_quadratic,
}
