"""Estimators inside of others: what ``fit`` puts there passes, and nothing else."""

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.calibration import _CalibratedClassifier, _SigmoidCalibration
from sklearn.dummy import DummyClassifier
from sklearn.ensemble._hist_gradient_boosting.binning import _BinMapper
from sklearn.feature_selection import RFE
from sklearn.impute import MissingIndicator
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import Ridge
from sklearn.preprocessing import (
    FunctionTransformer,
    LabelBinarizer,
    LabelEncoder,
    OneHotEncoder,
    StandardScaler,
)
from sklearn.tree import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreeClassifier,
    ExtraTreeRegressor,
)

from rankwright.persistence import parts
from rankwright.persistence.classes import INTERNAL, SCIKIT_LEARN
from rankwright.persistence.errors import ModelFileError

LISTED = frozenset().union(*SCIKIT_LEARN.values()) | {n.rpartition(".")[2] for n in INTERNAL}


def holder(**attributes):
    return SimpleNamespace(**attributes)


def check(name, **attributes):
    parts.CHECKS[name](holder(**attributes))


# Name of the holder, attribute, a part that belongs there.
RIGHT = [
    ("AdaBoostClassifier", "estimator_", Ridge()),
    ("AdaBoostClassifier", "estimators_", [Ridge()]),
    ("AdaBoostRegressor", "estimators_", [Ridge()]),
    ("BaggingClassifier", "estimator_", Ridge()),
    ("BaggingRegressor", "estimators_", [Ridge()]),
    ("ColumnTransformer", "_name_to_fitted_passthrough", {"a": FunctionTransformer()}),
    ("ColumnTransformer", "_remainder", ("remainder", Ridge(), [0])),
    ("ColumnTransformer", "transformers_", [("a", Ridge(), [0])]),
    ("ExtraTreesClassifier", "estimator", ExtraTreeClassifier()),
    ("ExtraTreesRegressor", "estimators_", [ExtraTreeRegressor()]),
    ("FixedThresholdClassifier", "estimator_", Ridge()),
    ("GradientBoostingClassifier", "estimators_", np.array([[DecisionTreeRegressor()]])),
    ("GradientBoostingClassifier", "init_", DummyClassifier()),
    ("GridSearchCV", "best_estimator_", Ridge()),
    ("GridSearchCV", "best_params_", {"model": Ridge()}),
    ("GridSearchCV", "cv_results_", {"param_model": np.array([Ridge()], dtype=object)}),
    ("HistGradientBoostingClassifier", "_bin_mapper", _BinMapper()),
    ("HistGradientBoostingClassifier", "_label_encoder", LabelEncoder()),
    ("HistGradientBoostingRegressor", "_bin_mapper", _BinMapper()),
    ("KBinsDiscretizer", "_encoder", OneHotEncoder()),
    ("MLPClassifier", "_label_binarizer", LabelBinarizer()),
    ("OneVsOneClassifier", "estimators_", [Ridge()]),
    ("OneVsRestClassifier", "estimators_", [Ridge()]),
    ("OneVsRestClassifier", "label_binarizer_", LabelBinarizer()),
    ("PowerTransformer", "_scaler", StandardScaler()),
    ("RANSACRegressor", "estimator_", Ridge()),
    ("RFE", "estimator_", Ridge()),
    ("RFECV", "estimator_", Ridge()),
    ("RandomForestClassifier", "estimators_", [DecisionTreeClassifier()]),
    ("RandomForestRegressor", "estimator_", DecisionTreeRegressor()),
    ("RandomizedSearchCV", "best_estimator_", Ridge()),
    ("RidgeClassifier", "_label_binarizer", LabelBinarizer()),
    ("RidgeClassifierCV", "_label_binarizer", LabelBinarizer()),
    ("SelectFromModel", "estimator_", Ridge()),
    ("SimpleImputer", "indicator_", MissingIndicator()),
    ("TransformedTargetRegressor", "regressor_", Ridge()),
    ("TransformedTargetRegressor", "transformer_", StandardScaler()),
    ("_CalibratedClassifier", "calibrators", [IsotonicRegression(), _SigmoidCalibration()]),
    ("_CalibratedClassifier", "estimator", Ridge()),
    ("_PassthroughScorer", "_estimator", Ridge()),
]


@pytest.mark.parametrize(("name", "attribute", "part"), RIGHT)
def test_an_estimator_holds_what_fit_puts_there(name, attribute, part):
    parts.check_parts(name, holder(**{attribute: part}))


@pytest.mark.parametrize(("name", "attribute"), [right[:2] for right in RIGHT])
@pytest.mark.parametrize("wrap", [lambda p: p, lambda p: [{"a": (p,)}], lambda p: np.array([p, 1])])
def test_a_private_label_encoder_is_where_fit_puts_it_alone(name, attribute, wrap):
    if (name, attribute) == ("HistGradientBoostingClassifier", "_label_encoder"):
        return
    with pytest.raises(ModelFileError, match=f"the LabelEncoder in {attribute} of a {name} can't"):
        parts.check_parts(name, holder(**{attribute: wrap(LabelEncoder())}))


def test_a_part_of_another_home_is_refused():
    other = type("StandardScaler", (StandardScaler,), {"__module__": "elsewhere"})
    with pytest.raises(ModelFileError, match="the StandardScaler in _scaler of a PowerTransformer"):
        parts.check_parts("PowerTransformer", holder(_scaler=other()))


def test_parameters_hold_any_estimator():
    parts.check_parts("RFE", RFE(Ridge()))


def test_what_holds_itself_is_looked_into_once():
    circle = {}
    circle["again"] = [circle]
    parts.check_parts("Ridge", holder(circle=circle))


def test_what_has_parts_or_is_checked_is_a_class_that_files_may_hold():
    parts.check_parts("Ridge", Ridge())
    assert parts.PARTS.keys() <= LISTED
    for name in parts.CHECKS:
        assert {name, f"{name}Classifier"} & LISTED


def refuse(name, attributes, message):
    with pytest.raises(ModelFileError, match=f"{message} can't be right"):
        check(name, **attributes)


@pytest.mark.parametrize("kind", ["binary", "multiclass"])
def test_labels_of_one_kind_pass(kind):
    check("LabelBinarizer")
    check("LabelBinarizer", y_type_=kind, sparse_input_=False)
    check("LabelBinarizer", y_type_=kind)


@pytest.mark.parametrize(
    "learned",
    [
        {"y_type_": "multilabel-indicator", "sparse_input_": False},
        {"y_type_": None},
        {"y_type_": "binary", "sparse_input_": True},
    ],
)
def test_labels_of_several_kinds_are_refused(learned):
    refuse("LabelBinarizer", learned, "the labels of a LabelBinarizer")


@pytest.mark.parametrize("name", ["MLP", "Ridge", "RidgeClassifierCV"])
def test_labels_are_those_of_the_classifier(name):
    labels = LabelBinarizer().fit([1, 2, 3])
    check(name)
    check(name, _label_binarizer=None)
    check(name, _label_binarizer=labels, classes_=np.array([1, 2, 3]))
    wrong = {"_label_binarizer": labels, "classes_": np.array([1, 2, 4])}
    refuse(name, wrong, "the labels of a SimpleNamespace")


@pytest.mark.parametrize(("k", "n_models"), [(1, 1), (2, 1), (3, 3), (4, 4)])
def test_each_class_has_a_model_against_the_rest(k, n_models):
    classes = np.arange(k)
    check("OneVsRest", classes_=classes)
    check("OneVsRest", classes_=classes, estimators_=[Ridge()] * n_models)
    for wrong in (n_models - 1, n_models + 1):
        learned = {"classes_": classes, "estimators_": [Ridge()] * wrong}
        refuse("OneVsRest", learned, "the models of a SimpleNamespace")


@pytest.mark.parametrize(("k", "n_models"), [(2, 1), (3, 3), (4, 6)])
def test_each_pair_of_classes_has_a_model(k, n_models):
    learned = {"classes_": np.arange(k), "pairwise_indices_": None}
    check("OneVsOne", **learned)
    check("OneVsOne", **learned, estimators_=(Ridge(),) * n_models)
    for wrong in (n_models - 1, n_models + 1):
        one_against_one = {**learned, "estimators_": [Ridge()] * wrong}
        refuse("OneVsOne", one_against_one, "the models of a SimpleNamespace")


def test_models_of_pairs_see_all_rows():
    learned = {"classes_": np.arange(2), "estimators_": [Ridge()], "pairwise_indices_": [[0]]}
    refuse("OneVsOne", learned, "the rows of a OneVsOneClassifier")


@pytest.mark.parametrize("models", [None, 1, [1], [Ridge(), 1, Ridge()], (1, 2, 3)])
def test_models_are_a_list_of_estimators(models):
    k = len(models) if isinstance(models, list | tuple) else 1
    learned = {"classes_": np.arange(k), "estimators_": models}
    refuse("OneVsRest", learned, "the models of a SimpleNamespace")


def test_a_set_of_models_is_no_list():
    learned = {"classes_": np.arange(2), "estimators_": {Ridge()}}
    refuse("OneVsRest", learned, "the models of a SimpleNamespace")


BAGGED = {
    "classes_": np.array([1, 2]),
    "n_classes_": 2,
    "n_features_in_": 3,
    "estimators_": [Ridge(), Ridge()],
    "estimators_features_": [np.array([0, 2]), np.array([1])],
}


def test_committees_whose_models_see_features_pass():
    check("Bagging")
    check("Bagging", **BAGGED)


@pytest.mark.parametrize(
    "features",
    [
        None,
        [np.array([0])],
        (np.array([0]), np.array([1])),
        [np.array([0]), np.array([1]), np.array([2])],
        [np.array([0]), [1]],
        [np.array([0]), holder(dtype=np.dtype(int), ndim=1)],
        [np.array([0]), np.array([1.0])],
        [np.array([0]), np.array([True])],
        [np.array([0]), np.array([[1]])],
        [np.array([0]), np.array([0, 3])],
        [np.array([0]), np.array([-1, 0])],
        [np.array([5]), np.array([0])],
    ],
)
def test_models_that_see_other_features_are_refused(features):
    learned = {**BAGGED, "estimators_features_": features}
    refuse("Bagging", learned, "the features of the models of a SimpleNamespace")


@pytest.mark.parametrize("name", ["AdaBoost", "Bagging"])
@pytest.mark.parametrize("number", [3, None, np.array([2]), [2]])
def test_another_number_of_classes_is_refused(name, number):
    learned = {**BAGGED, "n_classes_": number}
    refuse(name, learned, "the number of classes of a SimpleNamespace")


def test_a_number_of_classes_is_that_of_the_classes_or_none():
    check("AdaBoost")
    check("AdaBoost", **BAGGED)


def calibrated(**attributes):
    one = _CalibratedClassifier(None, [IsotonicRegression()], classes=np.array([1, 2]))
    vars(one).update(attributes)
    return one


def test_calibrated_models_have_the_classes_of_all():
    check("CalibratedClassifierCV")
    learned = {"classes_": np.array([1, 2])}
    check("CalibratedClassifierCV", **learned, calibrated_classifiers_=[calibrated()] * 2)
    other = {**learned, "calibrated_classifiers_": [calibrated(classes=np.array([1, 3]))]}
    refuse("CalibratedClassifierCV", other, "the classes of a CalibratedClassifierCV")
    other = {**learned, "calibrated_classifiers_": [holder(classes=np.array([1, 2]))]}
    refuse("CalibratedClassifierCV", other, "the models of a CalibratedClassifierCV")


@pytest.mark.parametrize("number", [1, 2])
def test_there_is_a_calibrator_for_each_class_or_fewer(number):
    check("_Calibrated", classes=np.arange(2), calibrators=[None] * number)


@pytest.mark.parametrize(
    "learned",
    [
        {"classes": [0, 1]},
        {"classes": None},
        {"classes": holder(ndim=1, size=2)},
        {"classes": np.zeros((2, 2))},
        {"classes": np.zeros(1)},
        {"calibrators": (None,)},
        {"calibrators": None},
        {"calibrators": []},
        {"calibrators": [None] * 3},
    ],
)
def test_other_calibrators_are_refused(learned):
    learned = {"classes": np.arange(2), "calibrators": [None], **learned}
    refuse("_Calibrated", learned, "the calibrators of a CalibratedClassifierCV")


def test_what_is_missing_is_told_of_features():
    check("MissingIndicator")
    check("MissingIndicator", features_=np.array([], dtype=int), n_features_in_=3)
    check("MissingIndicator", features_=np.array([0, 2]), n_features_in_=3)


@pytest.mark.parametrize(
    "features",
    [
        [0],
        holder(dtype=np.dtype(int), ndim=1),
        np.array([0.0]),
        np.array([True]),
        np.array([[0, 1]]),
        np.array([-1, 0]),
        np.array([0, 3]),
        np.array([-1, 3]),
        np.array([1, 1]),
        np.array([5, 5]),
    ],
)
def test_what_is_missing_is_told_of_no_other_features(features):
    learned = {"features_": features, "n_features_in_": 3}
    refuse("MissingIndicator", learned, "the features of a MissingIndicator")


def edges(*lists):
    array = np.empty(len(lists), dtype=object)
    array[:] = lists
    return array


def encoder(*lists):
    return holder(categories_=[np.array(one) for one in lists])


BINNED = {
    "bin_edges_": edges(np.array([0.0, 1, 2]), np.array([0.0, 1, 2, 3])),
    "n_bins_": np.array([2, 3]),
    "n_features_in_": 2,
    "_encoder": encoder([0, 1], [0, 1, 2]),
}


def test_bins_pass_with_their_encoder_and_without():
    check("KBinsDiscretizer")
    check("KBinsDiscretizer", **BINNED)
    check("KBinsDiscretizer", **{**BINNED, "_encoder": None})
    check("KBinsDiscretizer", **{**BINNED, "n_bins_": np.array([2, 3], dtype=np.uint8)})


FIRST = BINNED["bin_edges_"][0]


@pytest.mark.parametrize(
    "learned",
    [
        {"bin_edges_": BINNED["bin_edges_"].tolist()},
        {"bin_edges_": holder(shape=(2,), dtype=np.dtype(object))},
        {"bin_edges_": edges(*BINNED["bin_edges_"], FIRST)},
        {"bin_edges_": BINNED["bin_edges_"][:1]},
        {"bin_edges_": np.zeros(2)},
        {"bin_edges_": edges(FIRST, [0.0, 1.0, 2.0, 3.0])},
        {"bin_edges_": edges(FIRST, holder(shape=(4,), dtype=np.dtype(float)))},
        {"bin_edges_": edges(FIRST, np.arange(4))},
        {"bin_edges_": edges(FIRST, np.arange(5.0))},
        {"bin_edges_": edges(FIRST, np.zeros((4, 1)))},
        {"n_bins_": [2, 3]},
        {"n_bins_": holder(shape=(2,), dtype=np.dtype(int))},
        {"n_bins_": np.array([2, 3, 3])},
        {"n_bins_": np.array([2])},
        {"n_bins_": np.array([2.0, 3.0])},
        {"n_bins_": np.array([2, 4])},
        {"n_bins_": np.array([True, True])},
        {"_encoder": encoder([0, 1])},
        {"_encoder": encoder([0, 1], [0, 1])},
        {"_encoder": encoder([0, 1], [0, 1, 3])},
    ],
)
def test_other_bins_are_refused(learned):
    refuse("KBinsDiscretizer", {**BINNED, **learned}, "the bins of a KBinsDiscretizer")


def test_boosted_trees_are_of_numbers():
    check("_BinMapper")
    check("_BinMapper", is_categorical_=None)
    check("_BinMapper", is_categorical_=np.zeros(3, dtype=bool))


@pytest.mark.parametrize(
    "kinds",
    [
        [False],
        holder(ndim=1, any=lambda: False),
        np.zeros((1, 3), dtype=bool),
        np.array([False, True]),
        np.array([True, True]),
    ],
)
def test_boosted_trees_on_categories_are_refused(kinds):
    message = "the categories of a HistGradientBoosting model"
    refuse("_BinMapper", {"is_categorical_": kinds}, message)
