"""The estimators inside of scikit-learn's estimators, and the numbers by which they are used.

scikit-learn calls what it finds in its own attributes without a look: a private scaler that is
something else would be asked for anything. So each attribute holds what ``fit`` puts there;
parameters, which are the user's, hold any estimator that files may hold.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from rankwright.base import is_array
from rankwright.persistence.errors import require
from rankwright.persistence.shapes import n_classes, n_features

__all__ = ["CHECKS", "PARTS", "check_parts"]

ANY = frozenset({"any"})
LABELS = frozenset({"LabelBinarizer"})
BINNED = frozenset({"_BinMapper"})
CALIBRATORS = frozenset({"IsotonicRegression", "_SigmoidCalibration", "_TemperatureScaling"})
NUMBERED = frozenset({"LabelEncoder"})
MEMBERS = {"estimator_": ANY, "estimators_": ANY}
PICKED = {"estimator_": ANY}
BOOSTED = {
    "estimators_": frozenset({"DecisionTreeRegressor"}),
    "init_": frozenset({"DummyClassifier", "DummyRegressor"}),
}
LABELLED = {"_label_binarizer": LABELS}
FOUND = {"best_estimator_": ANY, "best_params_": ANY, "cv_results_": ANY}

# The attributes, besides parameters, that hold estimators, and of which classes.
PARTS: dict[str, Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(
        (
            f"{kind}{task}"
            for kind in ("AdaBoost", "Bagging")
            for task in ("Classifier", "Regressor")
        ),
        MEMBERS,
    ),
    **dict.fromkeys(
        ("FixedThresholdClassifier", "RANSACRegressor", "RFE", "RFECV", "SelectFromModel"), PICKED
    ),
    **dict.fromkeys(("GridSearchCV", "RandomizedSearchCV"), FOUND),
    **{
        f"{forest}{task}": dict.fromkeys(("estimator", *MEMBERS), frozenset({f"{tree}{task}"}))
        for forest, tree in (("ExtraTrees", "ExtraTree"), ("RandomForest", "DecisionTree"))
        for task in ("Classifier", "Regressor")
    },
    **dict.fromkeys(("GradientBoostingClassifier", "GradientBoostingRegressor"), BOOSTED),
    **dict.fromkeys(("MLPClassifier", "RidgeClassifier", "RidgeClassifierCV"), LABELLED),
    "ColumnTransformer": {
        "_name_to_fitted_passthrough": frozenset({"FunctionTransformer"}),
        "_remainder": ANY,
        "transformers_": ANY,
    },
    "HistGradientBoostingClassifier": {"_bin_mapper": BINNED, "_label_encoder": NUMBERED},
    "HistGradientBoostingRegressor": {"_bin_mapper": BINNED},
    "KBinsDiscretizer": {"_encoder": frozenset({"OneHotEncoder"})},
    "OneVsOneClassifier": {"estimators_": ANY},
    "OneVsRestClassifier": {"estimators_": ANY, "label_binarizer_": LABELS},
    "PowerTransformer": {"_scaler": frozenset({"StandardScaler"})},
    "SimpleImputer": {"indicator_": frozenset({"MissingIndicator"})},
    "TransformedTargetRegressor": {"regressor_": ANY, "transformer_": ANY},
    "_PassthroughScorer": {"_estimator": ANY},
    "_CalibratedClassifier": {
        "calibrators": CALIBRATORS,
        "estimator": ANY,
    },
}
# Of these, users have none.
PRIVATE = LABELS | NUMBERED
ONE_KIND = ("binary", "multiclass")


def check_parts(name: str, estimator: Any) -> None:
    """Check that no attribute of an estimator of a name holds an estimator of another kind."""
    known = PARTS.get(name, {})
    parameters = _parameters(type(estimator))
    for attribute, value in vars(estimator).items():
        allowed = known.get(attribute, ANY if attribute in parameters else frozenset())
        for part in _estimators_in(value):
            kind = type(part).__name__
            is_known = kind in allowed and type(part).__module__.startswith("sklearn.")
            require(
                is_known or (allowed is ANY and kind not in PRIVATE),
                f"the {kind} in {attribute} of a {name}",
            )


def _parameters(cls: Any) -> frozenset[str]:
    return frozenset(cls._get_param_names()) if issubclass(cls, BaseEstimator) else frozenset()


def _estimators_in(value: Any) -> Iterator[Any]:
    """Yield the estimators in an attribute, also inside of containers, but not inside of others."""
    waiting, seen = [value], set()
    while waiting:
        this = waiting.pop()
        if isinstance(this, BaseEstimator):
            yield this
        elif isinstance(this, dict | list | tuple | np.ndarray) and id(this) not in seen:
            seen.add(id(this))
            if isinstance(this, dict):
                waiting += this.values()
            elif not isinstance(this, np.ndarray):
                waiting += this
            elif this.dtype == object:
                waiting += this.ravel().tolist()


def _check_labels(binarizer: Any) -> None:
    """Check that labels are of one kind: several at once are followed in a sparse matrix."""
    learned = vars(binarizer)
    if "y_type_" in learned:
        is_dense = not learned.get("sparse_input_")
        require(binarizer.y_type_ in ONE_KIND and is_dense, "the labels of a LabelBinarizer")


def _check_labelled(classifier: Any) -> None:
    """Check that a classifier writes its scores as labels of its own classes."""
    binarizer = vars(classifier).get("_label_binarizer")
    if binarizer is not None:
        same = np.array_equal(binarizer.classes_, classifier.classes_)
        require(same, f"the labels of a {type(classifier).__name__}")


def _check_one_against_rest(model: Any) -> None:
    if "estimators_" in vars(model):
        k = n_classes(model)
        n_models = 1 if k <= 2 else k
        _check_models(model, model.estimators_, n_models)


def _check_one_against_one(model: Any) -> None:
    if "estimators_" in vars(model):
        k = n_classes(model)
        _check_models(model, model.estimators_, k * (k - 1) // 2)
        require(model.pairwise_indices_ is None, "the rows of a OneVsOneClassifier")


def _check_models(model: Any, models: Any, expected: int) -> None:
    is_right = isinstance(models, list | tuple) and len(models) == expected
    require(
        is_right and all(isinstance(one, BaseEstimator) for one in models),
        f"the models of a {type(model).__name__}",
    )


def _check_bagging(model: Any) -> None:
    """Check that each model of a committee sees features that there are."""
    if "estimators_" not in vars(model):
        return
    what = f"the features of the models of a {type(model).__name__}"
    seen, p = model.estimators_features_, n_features(model)
    require(type(seen) is list and len(seen) == len(model.estimators_), what)
    for features in seen:
        require(is_array(features) and features.dtype.kind == "i" and features.ndim == 1, what)
        require(bool(((features >= 0) & (features < p)).all()), what)
    _check_number_of_classes(model)


def _check_number_of_classes(model: Any) -> None:
    if "n_classes_" in vars(model):
        right = np.ndim(model.n_classes_) == 0 and model.n_classes_ == n_classes(model)
        require(bool(right), f"the number of classes of a {type(model).__name__}")


def _check_calibrated(model: Any) -> None:
    from sklearn.calibration import _CalibratedClassifier

    for one in vars(model).get("calibrated_classifiers_", ()):
        require(type(one) is _CalibratedClassifier, "the models of a CalibratedClassifierCV")
        same = np.array_equal(one.classes, model.classes_)
        require(same, "the classes of a CalibratedClassifierCV")


def _check_calibrators(model: Any) -> None:
    classes = model.classes
    what = "the calibrators of a CalibratedClassifierCV"
    require(is_array(classes) and classes.ndim == 1 and classes.size >= 2, what)
    calibrators = model.calibrators  # fewer where a fold had not all classes
    require(type(calibrators) is list and 1 <= len(calibrators) <= classes.size, what)


def _check_indicator(indicator: Any) -> None:
    """Check that what is missing is told of features that there are."""
    features = vars(indicator).get("features_")
    if features is not None:
        what = "the features of a MissingIndicator"
        require(is_array(features) and features.dtype.kind == "i" and features.ndim == 1, what)
        inside = (features >= 0) & (features < n_features(indicator))
        require(bool(inside.all()) and np.unique(features).size == features.size, what)


def _check_bins(discretizer: Any) -> None:
    """Check that bins are the categories of the encoder, one list of edges for each feature."""
    if "bin_edges_" not in vars(discretizer):
        return
    what = "the bins of a KBinsDiscretizer"
    edges, counts, p = discretizer.bin_edges_, discretizer.n_bins_, n_features(discretizer)
    require(is_array(edges) and edges.shape == (p,) and edges.dtype == object, what)
    require(is_array(counts) and counts.shape == (p,) and counts.dtype.kind in "iu", what)
    for one, count in zip(edges, counts, strict=True):
        require(is_array(one) and one.dtype.kind == "f" and one.shape == (count + 1,), what)
    encoder = vars(discretizer).get("_encoder")
    if encoder is not None:
        known = [categories.tolist() for categories in encoder.categories_]
        require(known == [list(range(count)) for count in counts], what)


def _check_bin_mapper(mapper: Any) -> None:
    kinds = vars(mapper).get("is_categorical_")
    if kinds is not None:
        is_flat = is_array(kinds) and kinds.ndim == 1 and not kinds.any()
        require(is_flat, "the categories of a HistGradientBoosting model")


CHECKS: dict[str, Callable[[Any], None]] = {
    "AdaBoost": _check_number_of_classes,
    "Bagging": _check_bagging,
    "CalibratedClassifierCV": _check_calibrated,
    "KBinsDiscretizer": _check_bins,
    "LabelBinarizer": _check_labels,
    "MLP": _check_labelled,
    "MissingIndicator": _check_indicator,
    "OneVsOne": _check_one_against_one,
    "OneVsRest": _check_one_against_rest,
    "Ridge": _check_labelled,
    "RidgeClassifierCV": _check_labelled,
    "_BinMapper": _check_bin_mapper,
    "_Calibrated": _check_calibrators,
}
