"""Parameters that name something: what scikit-learn documents passes, and nothing else."""

from types import SimpleNamespace

import numpy as np
import pytest

from rankwright.persistence import parameters
from rankwright.persistence.classes import SCIKIT_LEARN
from rankwright.persistence.errors import ModelFileError

LISTED = frozenset().union(*SCIKIT_LEARN.values())
INTERNAL = {"_Scorer", "AdamOptimizer", "SGDOptimizer", "MetadataRequest", "MethodMetadataRequest"}


def check(name, **attributes):
    parameters.CHECKS[name](SimpleNamespace(**attributes))


def test_a_version_is_letters_numbers_points_and_pluses():
    parameters.check_version("Ridge", {"_sklearn_version": "1.9.dev0+abc"})


@pytest.mark.parametrize("version", [1.9, "", "1.9\n", "1 9", "1" * 41])
def test_other_versions_are_refused(version):
    with pytest.raises(ModelFileError, match="the version of scikit-learn of a Ridge can't be"):
        parameters.check_version("Ridge", {"_sklearn_version": version})


def test_what_names_nothing_is_a_class_that_files_may_hold():
    parameters.check_version("Ridge", {})
    assert parameters.NAMES_NOTHING <= LISTED | INTERNAL


def test_what_is_checked_is_a_class_that_files_may_hold():
    parameters.check_version("Ridge", {})
    for name in parameters.CHECKS:
        assert {name, f"{name}Classifier"} & (LISTED | INTERNAL)


@pytest.mark.parametrize(
    "names",
    [
        True,
        False,
        "plain",
        "{feature_name}",
        "{transformer_name}__{feature_name}",
        "{{}}{feature_name}",
        "{feature_name}" * 10,
        "{feature_name}" * 10 + "end",
    ],
)
def test_columns_are_named_by_their_transformers_and_features(names):
    check("ColumnTransformer", verbose_feature_names_out=names)


@pytest.mark.parametrize(
    "names",
    [
        None,
        1,
        "{",
        "{}",
        "{name}",
        "{feature_name:99}",
        "{feature_name!r}",
        "{feature_name}{name}",
        "{name}{feature_name}",
        "{feature_name.x}",
        "{feature_name}" * 11,
    ],
)
def test_other_names_of_columns_are_refused(names):
    with pytest.raises(ModelFileError, match="verbose_feature_names_out of a ColumnTransformer"):
        check("ColumnTransformer", verbose_feature_names_out=names)


@pytest.mark.parametrize("name", ["RFE", "RFECV", "SelectFromModel"])
@pytest.mark.parametrize("getter", ["auto", "coef_", "best_estimator_.coef_", "a" + 9 * ".b"])
def test_importance_is_an_attribute_of_a_model(name, getter):
    check(name, importance_getter=getter)


@pytest.mark.parametrize("name", ["RFE", "RFECV", "SelectFromModel"])
@pytest.mark.parametrize("getter", [None, 1, len, "", "_private", "a._b", "a" + 10 * ".b"])
def test_other_importance_is_refused(name, getter):
    with pytest.raises(ModelFileError, match="importance_getter of a SimpleNamespace can't be"):
        check(name, importance_getter=getter)


@pytest.mark.parametrize("pattern", [None, "a|b"])
def test_columns_are_selected_by_a_pattern_or_without(pattern):
    check("make_column_selector", pattern=pattern)


@pytest.mark.parametrize("pattern", [1, b"a", ["a"]])
def test_a_pattern_is_text(pattern):
    with pytest.raises(ModelFileError, match="the pattern of a make_column_selector can't be"):
        check("make_column_selector", pattern=pattern)


METHODS = ["auto", "decision_function", "predict", "predict_log_proba", "predict_proba"]


@pytest.mark.parametrize("method", METHODS)
def test_a_threshold_is_of_scores_or_chances(method):
    check("FixedThreshold", response_method=method)


@pytest.mark.parametrize("method", [None, "fit", "__class__"])
def test_a_threshold_is_of_nothing_else(method):
    with pytest.raises(ModelFileError, match="response_method of a FixedThresholdClassifier"):
        check("FixedThreshold", response_method=method)


@pytest.mark.parametrize("methods", [*METHODS, METHODS, tuple(METHODS)])
def test_a_scorer_asks_for_predictions(methods):
    check("_Scorer", _response_method=methods, _kwargs={})


@pytest.mark.parametrize("methods", [None, "fit", ["fit"], ["predict", "fit"], {"predict": 1}])
def test_a_scorer_asks_for_nothing_else(methods):
    with pytest.raises(ModelFileError, match="the methods that a scorer asks for can't be right"):
        check("_Scorer", _response_method=methods, _kwargs={})


@pytest.mark.parametrize("option", ["micro", True, 2, 0.5, None, np.float64(1.5)])
def test_the_options_of_a_scorer_are_plain(option):
    check("_Scorer", _response_method="predict", _kwargs={"option": option})


@pytest.mark.parametrize("option", [len, [1], np.zeros(2)])
def test_other_options_of_a_scorer_are_refused(option):
    with pytest.raises(ModelFileError, match="the options of a scorer can't be right"):
        check("_Scorer", _response_method="predict", _kwargs={"first": 1, "option": option})
