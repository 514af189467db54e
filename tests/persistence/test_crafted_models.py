"""Models of scikit-learn whose parts somebody exchanged: each in a file with a right checksum.

What ended the interpreter once, or took all memory, is loaded in a process of its own.
"""

import copy
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.decomposition import FactorAnalysis
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MultiLabelBinarizer,
    PolynomialFeatures,
    PowerTransformer,
)
from sklearn.tree import DecisionTreeRegressor

import rankwright as rw
from model_files.crafted import parts_of, unchecked, value
from model_files.listed import CLASSES, MODELS, TARGETS, X, Y, ranker_of, targets_of
from rankwright.persistence.classes import full_name
from rankwright.persistence.errors import ModelFileError
from rankwright.persistence.parts import ANY, PARTS
from rankwright.persistence.scikit_learn import check_estimator
from rankwright.persistence.shapes import SHAPES

ROOT = Path(__file__).parents[2]
LOAD = """
import resource, sys, time
import numpy as np, pandas as pd
import rankwright as rw
resource.setrlimit(resource.RLIMIT_AS, (6 * 2**30,) * 2)
start = time.monotonic()
try:
    model = rw.load(sys.argv[1])
except rw.ModelFileError as error:
    assert time.monotonic() - start < 20
    assert not isinstance(error.__cause__, MemoryError)
    print("refused", error)
else:
    rows = np.zeros((2, model.n_features_in_))
    names = getattr(model, "feature_names_in_", None)
    model.predict(rows if names is None else pd.DataFrame(rows, columns=names))
    getattr(getattr(model, "model_", None), "decision_path", lambda rows: None)(rows)
"""


def outcome(path):
    """Return what a process says that loads a file and uses the model."""
    run = subprocess.run(
        [sys.executable, "-c", LOAD, path], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 0, f"{run.returncode} {run.stderr[-2000:]}"
    return run.stdout


def adapted(model, rows=X, target=Y):
    """Return a ranker around a fitted model."""
    ranker = rw.AdaptedRanker(LinearRegression()).fit(rows, target)
    ranker.model_ = model
    return ranker


def with_labels_as_places():
    frame = pd.DataFrame(X[:, :2], columns=["a", "b"])  # not tried on load
    labels = MultiLabelBinarizer().fit([[1.0], [2.0]])
    labels._cached_dict = {0.0: 10**8, 1.0: 0}
    power = PowerTransformer().fit(X[:, :2])
    power.lambdas_, power._scaler = np.ones(2), labels
    ranker = rw.AdaptedRanker(make_pipeline(PowerTransformer(), LinearRegression())).fit(frame, Y)
    ranker.model_.steps[0] = ("powertransformer", power)
    return ranker


def with_labels_of_several_kinds():
    labels = np.column_stack([Y > 2, Y < 5, Y > 1]).astype(int)
    several = OneVsRestClassifier(LogisticRegression()).fit(X, labels)
    for one in several.estimators_:
        one.intercept_ = np.full((2_000_000, 1, 1), 1e9)
    ranker = rw.AdaptedRanker(OneVsRestClassifier(LogisticRegression()))
    ranker.fit(X, TARGETS["two classes"]).model_ = several
    return ranker


def with_many_rows():
    """Return one of two classes, whose scores are as many as an intercept is long."""
    ranker = rw.AdaptedRanker(OneVsRestClassifier(LogisticRegression()))
    ranker.fit(X, TARGETS["two classes"])
    ranker.model_.estimators_[0].intercept_ = np.full((2_000_000, 1), 1e9)
    return ranker


def with_short_paths():
    tree = DecisionTreeRegressor().fit(X, Y)
    state = tree.tree_.__getstate__()
    tree.tree_.__setstate__({**state, "max_depth": 0})
    return adapted(tree)


def with_an_empty_layer():
    network = MLPRegressor(hidden_layer_sizes=(4,), max_iter=2).fit(X, Y)
    network.coefs_ = [np.zeros((3, 0)), np.zeros((0, 900_000_000))]
    network.intercepts_ = [np.zeros(0), np.zeros(1)]
    return adapted(network)


def with_many_factors():
    factors = FactorAnalysis(2).fit(X)
    factors.components_, factors.noise_variance_ = np.zeros((20_000, 0)), np.zeros(0)
    pipeline = make_pipeline(FactorAnalysis(2), LinearRegression()).fit(X, Y)
    pipeline.steps[0] = ("factoranalysis", factors)
    return adapted(pipeline)


def polynomial(n_features, degree, interaction_only):
    pipeline = make_pipeline(PolynomialFeatures(), LinearRegression()).fit(X, Y)
    made = pipeline.steps[0][1]
    made.n_features_in_, made.degree, made.interaction_only = n_features, degree, interaction_only
    return adapted(pipeline)


CRAFTED = {
    "labels as places": (with_labels_as_places, "MultiLabelBinarizer"),
    "labels of several kinds": (with_labels_of_several_kinds, "the labels of a LabelBinarizer"),
    "many rows": (with_many_rows, "the shape of intercept_ of a LogisticRegression"),
    "short paths": (with_short_paths, "a tree's depth"),
    "an empty layer": (with_an_empty_layer, "larger than the file"),
    "many factors": (with_many_factors, "the shape of components_ of a FactorAnalysis"),
    "a long number": (lambda: polynomial(10**4000, 1000, False), "more than 1024 bits"),
    "many columns": (lambda: polynomial(2**30, 1000, False), "columns of a PolynomialFeatures"),
    "many interactions": (lambda: polynomial(2**30, 1000, True), "columns of a Polynomial"),
}


@pytest.mark.skipif(sys.platform != "linux", reason="limits memory by its address space")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CRAFTED)
def test_a_model_that_ended_the_interpreter_or_took_all_of_it_is_refused(name, tmp_path):
    make, words = CRAFTED[name]
    (tmp_path / "crafted.rw").write_bytes(unchecked(make()))
    said = outcome(tmp_path / "crafted.rw")
    assert said.startswith("refused")
    assert words in said


@pytest.mark.skipif(sys.platform != "linux", reason="limits memory by its address space")
@pytest.mark.filterwarnings("ignore")
def test_a_layer_that_a_network_has_thousands_of_times_is_refused(tmp_path):
    n_neurons, n_layers = 1400, 20_000
    network = MLPRegressor(hidden_layer_sizes=(4,), max_iter=2).fit(X, Y)
    weights, offset = np.full((n_neurons, n_neurons), 1e-9), np.zeros(n_neurons)
    network.coefs_ = [np.zeros((3, n_neurons)), weights, np.zeros((n_neurons, 1))]
    network.intercepts_ = [offset, offset, np.zeros(1)]
    network.n_layers_ = 4
    parts = parts_of(adapted(network))
    network_state = parts.attributes("MLPRegressor")
    network_state["n_layers_"] = value(n_layers + 3)
    for name in ("coefs_", "intercepts_"):
        layers = network_state[name]["content"]
        layers[1:2] = [layers[1]] * n_layers
    (tmp_path / "crafted.rw").write_bytes(parts.pack())
    assert "hold the same arrays again" in outcome(tmp_path / "crafted.rw")


def learned(name, target):
    """Return the fitted model of a class, out of a ranker or of a pipeline."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ranker = ranker_of(name, target)
    return ranker.model_ if hasattr(ranker, "model_") else ranker.steps[0][1]


def check(model):
    check_estimator(full_name(type(model)), model)


SHAPED = [(name, attribute) for name in MODELS for attribute in SHAPES.get(name, {})]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "attribute"), SHAPED)
def test_an_array_of_another_shape_is_refused(name, attribute):
    for target in targets_of(name):
        model = learned(name, target)
        check(model)
        value = getattr(model, attribute, None)
        if value is None or attribute not in vars(model):
            continue
        for wrong in (np.zeros((1000, 1, 1)), np.zeros((1000, *np.shape(value))), "x"):
            changed = copy.copy(model)
            setattr(changed, attribute, wrong)
            with pytest.raises(ModelFileError, match="can't be right"):
                check(changed)


HELD = [(name, attribute) for name in PARTS.keys() & CLASSES for attribute in PARTS[name]]


@pytest.mark.parametrize(("name", "attribute"), sorted(HELD))
def test_an_attribute_holds_what_scikit_learn_puts_there(name, attribute):
    if PARTS[name][attribute] is ANY:
        wrongs = [CLASSES["LabelBinarizer"]()]  # which is private to classifiers
    else:
        wrongs = [
            LinearRegression(),
            MultiLabelBinarizer(),
            type("StandardScaler", (LinearRegression,), {})(),
        ]
    model = CLASSES[name].__new__(CLASSES[name])
    for wrong in wrongs:
        for held in (
            wrong,
            [wrong],
            (None, wrong),
            {"a": [wrong]},
            np.array([wrong], dtype=object),
        ):
            setattr(model, attribute, held)
            with pytest.raises(ModelFileError, match=f"in {attribute} of a {name} can't be right"):
                check(model)


@pytest.mark.parametrize("name", ["StandardScaler", "Ridge", "OneHotEncoder", "LogisticRegression"])
def test_no_other_attribute_holds_an_estimator(name):
    model = CLASSES[name]()
    model.junk_ = [LinearRegression()]
    with pytest.raises(ModelFileError, match=f"the LinearRegression in junk_ of a {name}"):
        check(model)


NAMED = [
    ("ColumnTransformer", "verbose_feature_names_out", "{feature_name:>100000000}"),
    ("ColumnTransformer", "verbose_feature_names_out", "{feature_name.__class__}"),
    ("ColumnTransformer", "verbose_feature_names_out", "{feature_name!r}"),
    ("ColumnTransformer", "verbose_feature_names_out", "{0}"),
    ("ColumnTransformer", "verbose_feature_names_out", "{feature_name"),
    ("ColumnTransformer", "verbose_feature_names_out", "{feature_name}" * 11),
    ("ColumnTransformer", "verbose_feature_names_out", 10**9),
    ("FixedThresholdClassifier", "response_method", "fit"),
    ("FunctionTransformer", "func", np.frexp),
    ("FunctionTransformer", "inverse_func", np.add),
    ("RFE", "importance_getter", "__class__.__mro__"),
    ("RFECV", "importance_getter", "coef_."),
    ("SelectFromModel", "importance_getter", "_repr_html_"),
]


@pytest.mark.parametrize(("name", "parameter", "wrong"), NAMED)
def test_a_parameter_names_what_is_documented(name, parameter, wrong):
    model = learned(name, "two classes")
    check(model)
    setattr(model, parameter, wrong)
    with pytest.raises(ModelFileError, match="can't be right"):
        check(model)


def test_a_function_of_a_transformer_makes_one_number_of_each():
    for function in (np.log1p, np.abs, None):
        check(FunctionTransformer(function))


@pytest.mark.parametrize("wrong", ["0.1\x1b]0;PWNED\x07", "1.0\nfake line", 3, "9" * 41, None])
def test_a_version_that_a_warning_would_print_is_one(tmp_path, wrong):
    parts = parts_of(rw.adapt(LinearRegression()).fit(X, Y))
    for node in parts.nodes("ObjectNode", "LinearRegression"):
        node["content"]["content"]["_sklearn_version"] = value(wrong)
    (tmp_path / "crafted.rw").write_bytes(parts.pack())
    with pytest.raises(
        rw.ModelFileError, match="the version of scikit-learn of a LinearRegression"
    ):
        rw.load(tmp_path / "crafted.rw")


def test_a_classifier_of_pairs_is_tried_on_one_of_them(tmp_path, monkeypatch):
    rw.save(rw.PreferenceRanker(n_references=20).fit(X, Y), tmp_path / "model.rw")
    tried = []
    preferred = rw.PreferenceRanker._preferred
    monkeypatch.setattr(
        rw.PreferenceRanker,
        "_preferred",
        lambda self, pairs: tried.append(len(pairs)) or preferred(self, pairs),
    )
    rw.load(tmp_path / "model.rw")
    assert tried == [1]
