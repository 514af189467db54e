"""Trees of scikit-learn that point outside of their arrays."""

import copy

import numpy as np
import pytest
from sklearn.dummy import DummyRegressor
from sklearn.ensemble import (
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
)
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeClassifier, ExtraTreeRegressor

from rankwright.persistence import scikit_learn
from rankwright.persistence.classes import full_name
from rankwright.persistence.errors import ModelFileError
from rankwright.persistence.scikit_learn import check_estimator, restore_tree

X = np.random.default_rng(0).normal(size=(40, 3))
Y = (X[:, 0] + X[:, 1] > 0).astype(int)


def parts(y=Y, **options):
    """Return what a file holds of a tree: the arguments of its class, and its state."""
    tree = DecisionTreeClassifier(max_depth=2, random_state=0, **options).fit(X, y).tree_
    arguments = list(tree.__reduce__()[1])
    return [int(arguments[0]), arguments[1], int(arguments[2])], tree.__getstate__()


SIZE = len(parts()[1]["nodes"])


def test_a_tree_is_restored():
    arguments, state = parts()
    again = restore_tree(arguments, state)
    single = X.astype(np.float32)
    original = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, Y).tree_
    np.testing.assert_array_equal(again.predict(single), original.predict(single))


def test_a_tree_of_one_leaf_is_restored():
    assert restore_tree(*parts(np.zeros(40, dtype=int))).node_count == 1


def test_a_tree_of_outputs_with_different_classes_is_restored():
    outputs = np.column_stack([Y, np.arange(40) % 3])
    assert restore_tree(*parts(outputs)).n_outputs == 2


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (0, 3.0),
        (1, [2]),
        (1, np.array([2], dtype=np.int8)),
        (1, np.array([2, 2])),
        (1, np.array([0])),
        (2, 1.0),
    ],
)
def test_wrong_numbers_of_outputs_are_refused(place, value):
    arguments, state = parts()
    arguments[place] = value
    with pytest.raises(ModelFileError, match="a tree's outputs can't be right"):
        restore_tree(arguments, state)


def test_a_tree_without_outputs_is_refused():
    arguments, state = parts()
    with pytest.raises(ModelFileError, match="a tree's outputs"):
        restore_tree([arguments[0], np.empty(0, dtype=np.intp), 0], state)


def test_an_output_without_classes_is_refused():
    arguments, state = parts(np.column_stack([Y, Y]))
    with pytest.raises(ModelFileError, match="a tree's outputs"):
        restore_tree([arguments[0], np.array([2, 0]), 2], state)


@pytest.mark.parametrize(
    "change",
    [
        lambda state: {"nodes": state["nodes"][["left_child", "right_child", "feature"]]},
        lambda state: {"nodes": state["nodes"][:, None]},
        lambda state: {"nodes": state["nodes"][:0], "values": state["values"][:0], "node_count": 0},
        lambda state: {"node_count": float(len(state["nodes"]))},
        lambda state: {"node_count": len(state["nodes"]) + 1},
        lambda state: {"values": state["values"].astype(np.float32)},
        lambda state: {"values": state["values"][:-1]},
        lambda state: {"values": state["values"][..., :1]},
    ],
)
def test_wrong_nodes_are_refused(change):
    arguments, state = parts()
    with pytest.raises(ModelFileError, match="a tree's nodes can't be right"):
        restore_tree(arguments, {**state, **change(state)})


@pytest.mark.parametrize("name", ["nodes", "values"])
def test_masked_nodes_are_refused(name):
    arguments, state = parts()
    with pytest.raises(ModelFileError, match="a tree's nodes can't be right"):
        restore_tree(arguments, {**state, name: np.ma.MaskedArray(state[name])})


def test_masked_numbers_of_classes_are_refused():
    arguments, state = parts()
    arguments[1] = np.ma.MaskedArray(arguments[1])
    with pytest.raises(ModelFileError, match="a tree's outputs can't be right"):
        restore_tree(arguments, state)


def test_values_of_fewer_classes_than_the_largest_output_has_are_refused():
    arguments, state = parts(np.column_stack([Y, np.arange(40) % 3]))
    with pytest.raises(ModelFileError, match="a tree's nodes"):
        restore_tree(arguments, {**state, "values": state["values"][..., :2]})


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("right_child", -1, "a tree's leaves"),
        ("left_child", 0, "a tree's children"),
        ("left_child", SIZE, "a tree's children"),
        ("right_child", SIZE, "a tree's children"),
        ("right_child", -2, "a tree's children"),
        ("feature", -1, "a tree's features"),
        ("feature", 3, "a tree's features"),
    ],
)
def test_a_root_that_points_outside_is_refused(field, value, message):
    arguments, state = parts()
    nodes = state["nodes"].copy()
    nodes[field][0] = value
    with pytest.raises(ModelFileError, match=f"{message} can't be right"):
        restore_tree(arguments, {**state, "nodes": nodes})


@pytest.mark.parametrize("wrong", [np.nan, 1e308, -1e39])
@pytest.mark.parametrize("place", [0, -1])
def test_a_threshold_that_no_row_can_have_is_refused(place, wrong):
    arguments, state = parts()
    nodes = state["nodes"].copy()
    nodes["threshold"][place] = wrong
    with pytest.raises(ModelFileError, match="a tree's thresholds can't be right"):
        restore_tree(arguments, {**state, "nodes": nodes})


def test_the_largest_threshold_that_a_row_can_have_is_restored():
    arguments, state = parts()
    nodes = state["nodes"].copy()
    nodes["threshold"][0] = np.finfo(np.float32).max
    assert restore_tree(arguments, {**state, "nodes": nodes}).node_count == SIZE


def test_a_tree_that_tells_missing_values_from_others_is_restored():
    gaps = np.where(X > 1, np.nan, X)
    tree = DecisionTreeClassifier(random_state=0).fit(gaps, np.isnan(gaps[:, 0]))
    assert np.isinf(tree.tree_.threshold).any()
    arguments = tree.tree_.__reduce__()[1]
    restore_tree([int(arguments[0]), arguments[1], int(arguments[2])], tree.tree_.__getstate__())


@pytest.mark.parametrize("options", [{}, {"max_leaf_nodes": 5}, {"ccp_alpha": 0.05}])
def test_the_depth_of_a_tree_is_that_of_its_nodes(options):
    tree = DecisionTreeClassifier(random_state=0, **options).fit(X, np.arange(40) % 3).tree_
    arguments, state = tree.__reduce__()[1], tree.__getstate__()
    arguments = [int(arguments[0]), arguments[1], int(arguments[2])]
    assert restore_tree(arguments, state).max_depth == tree.max_depth > 1
    for wrong in (0, tree.max_depth - 1, tree.max_depth + 1, float(tree.max_depth)):
        with pytest.raises(ModelFileError, match="a tree's depth"):
            restore_tree(arguments, {**state, "max_depth": wrong})


@pytest.mark.parametrize("side", ["left_child", "right_child"])
def test_a_node_that_is_reached_on_two_ways_is_refused(side):
    arguments, state = parts()
    nodes = state["nodes"].copy()
    nodes[side][0] = nodes["right_child" if side == "left_child" else "left_child"][0]
    with pytest.raises(ModelFileError, match="a tree's children"):
        restore_tree(arguments, {**state, "nodes": nodes})


def check(estimator):
    check_estimator(full_name(type(estimator)), estimator)


def narrow(model):
    """Return a model of the same kind, of one feature less."""
    return copy.deepcopy(model).fit(X[:, :2], Y)


@pytest.fixture(scope="module")
def models():
    kinds = [
        DecisionTreeClassifier(max_depth=2),
        ExtraTreeRegressor(max_depth=2),
        ExtraTreesRegressor(n_estimators=2, max_depth=2),
        RandomForestClassifier(n_estimators=2, max_depth=2),
        GradientBoostingClassifier(n_estimators=2),
        GradientBoostingRegressor(n_estimators=2, init="zero"),
        HistGradientBoostingRegressor(max_iter=2, min_samples_leaf=2),
    ]
    return {type(kind).__name__: kind.set_params(random_state=0).fit(X, Y) for kind in kinds}


def test_fitted_and_unfitted_models_pass(models):
    for model in models.values():
        check(model)
        check(type(model)())


@pytest.mark.parametrize("name", ["DecisionTreeClassifier", "ExtraTreeRegressor"])
def test_a_tree_of_fewer_features_than_its_estimator_is_refused(models, name):
    model = copy.deepcopy(models[name])
    model.n_features_in_ = 2
    with pytest.raises(ModelFileError, match=f"the trees of a {name}"):
        check(model)


def test_other_classes_under_the_names_of_trees_are_not_looked_at(models):
    model = copy.deepcopy(models["DecisionTreeClassifier"])
    model.n_features_in_ = 2
    check_estimator("other.DecisionTreeClassifier", model)


@pytest.mark.parametrize("wrong", [2.0, None, np.int64(3)])
def test_a_number_of_features_that_is_none_is_refused(models, wrong):
    model = copy.deepcopy(models["DecisionTreeClassifier"])
    model.n_features_in_ = wrong
    with pytest.raises(ModelFileError, match="the number of features of a DecisionTreeClassifier"):
        check(model)


class Imposter(LinearRegression):
    """No tree, but with a tree's attribute."""


@pytest.mark.parametrize("name", ["RandomForestClassifier", "GradientBoostingClassifier"])
def test_an_ensemble_of_something_else_is_refused(models, name):
    model = copy.deepcopy(models[name])
    imposter = Imposter().fit(X, Y)
    imposter.tree_ = models["DecisionTreeClassifier"].tree_
    holder = np.array([[imposter]], dtype=object) if name.startswith("G") else [imposter]
    model.estimators_ = holder
    with pytest.raises(ModelFileError, match=f"the Imposter in estimators_ of a {name}"):
        check(model)


def test_a_tree_whose_tree_is_something_else_is_refused(models):
    model = copy.deepcopy(models["DecisionTreeClassifier"])
    model.tree_ = type("Tree", (), {"n_features": 3})()
    with pytest.raises(ModelFileError, match="the trees of a DecisionTreeClassifier"):
        check(model)


@pytest.mark.parametrize(
    "name", ["ExtraTreesRegressor", "RandomForestClassifier", "GradientBoostingClassifier"]
)
def test_an_ensemble_with_trees_of_other_features_is_refused(models, name):
    model = copy.deepcopy(models[name])
    model.estimators_ = narrow(models[name]).estimators_
    with pytest.raises(ModelFileError, match=f"the trees of a {name}"):
        check(model)


def test_a_forest_of_something_else_with_a_tree_is_refused(models):
    model = copy.deepcopy(models["RandomForestClassifier"])
    imposter = Imposter().fit(X, Y)
    imposter.tree_ = models["DecisionTreeClassifier"].tree_
    model.estimators_ = [imposter]
    with pytest.raises(ModelFileError, match="the trees of a RandomForestClassifier"):
        scikit_learn.TREES["RandomForest"](model)


OUTPUTS = [
    {"n_outputs_": 2},
    {"n_outputs_": 1.0},
    {"n_outputs_": True},
    {"n_outputs_": None},
    {"n_classes_": 3},
    {"n_classes_": None},
    {"n_classes_": [2]},
    {"n_classes_": np.array([2])},
]


@pytest.mark.parametrize("name", ["DecisionTreeClassifier", "RandomForestClassifier"])
@pytest.mark.parametrize("change", OUTPUTS)
def test_other_outputs_than_the_classes_are_refused(models, name, change):
    model = copy.deepcopy(models[name])
    vars(model).update(change)
    with pytest.raises(ModelFileError, match=f"the outputs of a {name} can't be right"):
        check(model)


@pytest.mark.parametrize("change", OUTPUTS)
def test_a_forest_that_tells_no_outputs_has_trees_of_one(models, change):
    model = copy.deepcopy(models["RandomForestClassifier"])
    del model.n_outputs_
    check(model)
    vars(model.estimators_[1]).update(change)
    with pytest.raises(ModelFileError, match="the outputs of a RandomForestClassifier can't be"):
        check(model)


@pytest.mark.parametrize("targets", [np.column_stack([Y, Y]), np.arange(40) % 3])
@pytest.mark.parametrize("name", ["DecisionTreeClassifier", "RandomForestClassifier"])
def test_a_tree_of_other_outputs_than_its_estimator_is_refused(models, name, targets):
    model = copy.deepcopy(models[name])
    tree = model if name.startswith("D") else model.estimators_[1]
    tree.tree_ = DecisionTreeClassifier(max_depth=2).fit(X, targets).tree_
    with pytest.raises(ModelFileError, match=f"the outputs of a {name} can't be right"):
        check(model)


@pytest.mark.parametrize(
    "change", [lambda trees: trees.tolist(), np.ravel, lambda t: t.repeat(2, 1)]
)
def test_boosted_trees_in_another_shape_are_refused(models, change):
    model = copy.deepcopy(models["GradientBoostingClassifier"])
    model.estimators_ = change(model.estimators_)
    with pytest.raises(ModelFileError, match="the classes of a GradientBoosting model"):
        check(model)


class Anything:
    """Equal to everything."""

    def __eq__(self, other):
        return True

    __hash__ = None


@pytest.mark.parametrize("first", [LinearRegression(), "one", None, Anything()])
def test_a_first_guess_of_another_kind_is_refused(models, first):
    model = copy.deepcopy(models["GradientBoostingClassifier"])
    model.init_ = first
    with pytest.raises(ModelFileError, match=r"the first guess|in init_ of"):
        check(model)


def test_a_first_guess_may_be_a_constant(models):
    model = copy.deepcopy(models["GradientBoostingRegressor"])
    model.init_ = DummyRegressor().fit(X, Y)
    check(model)


def test_first_guesses_without_a_column_are_refused(models):
    zero = copy.deepcopy(models["GradientBoostingRegressor"])
    zero.n_trees_per_iteration_ = 0
    empty = copy.deepcopy(models["GradientBoostingRegressor"])
    empty.init_ = DummyRegressor().fit(X, Y)
    empty.init_.constant_, empty.init_.n_outputs_ = np.zeros((1, 0)), 0
    for model in (zero, empty):
        with pytest.raises(ModelFileError, match="the columns of a GradientBoosting model"):
            check(model)


@pytest.mark.parametrize(
    "change",
    [
        {"_preprocessor": LinearRegression()},
        {"_preprocessor": 1},
        {"_in_fit": True},
        {"n_features_in_": 2},
    ],
)
def test_histogram_boosting_with_other_preprocessing_is_refused(models, change):
    model = copy.deepcopy(models["HistGradientBoostingRegressor"])
    vars(model).update(change)
    with pytest.raises(ModelFileError, match=r"the preprocessing of a Hist|in _preprocessor of"):
        check(model)


def boosted(models):
    model = copy.deepcopy(models["HistGradientBoostingRegressor"])
    return model, model._predictors[0][0]


@pytest.mark.parametrize(
    "change",
    [
        {"n_trees_per_iteration_": 2},
        {"n_trees_per_iteration_": 1.0},
        {"n_trees_per_iteration_": True},
        {"_baseline_prediction": 0.0},
        {"_baseline_prediction": [[0.0]]},
        {"_baseline_prediction": np.ma.zeros((1, 1))},
        {"_baseline_prediction": np.zeros(1)},
        {"_baseline_prediction": np.zeros((1, 2))},
        {"_baseline_prediction": np.zeros((2, 1))},
    ],
)
def test_histogram_boosting_of_other_columns_is_refused(models, change):
    model, _ = boosted(models)
    vars(model).update(change)
    with pytest.raises(ModelFileError, match="the columns of a HistGradientBoosting model can't"):
        check(model)


@pytest.mark.parametrize("stage", [lambda _: [], lambda one: [one, one], lambda one: (one,)])
def test_each_stage_of_histogram_boosting_is_a_list_of_a_tree_for_each_column(models, stage):
    model, predictor = boosted(models)
    model._predictors[-1] = stage(predictor)
    with pytest.raises(ModelFileError, match="the columns of a HistGradientBoosting model can't"):
        check(model)


@pytest.mark.parametrize("feature", [3, 100])
def test_histogram_boosting_on_a_feature_that_is_not_there_is_refused(models, feature):
    model, predictor = boosted(models)
    predictor.nodes["feature_idx"][0] = feature
    with pytest.raises(ModelFileError, match="the features of a HistGradientBoosting"):
        check(model)


def test_histogram_boosting_of_something_else_is_refused(models):
    model, predictor = boosted(models)
    model._predictors[0][0] = type("TreePredictor", (), {"nodes": predictor.nodes})()
    with pytest.raises(ModelFileError, match="the features of a HistGradientBoosting"):
        check(model)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda nodes: nodes[[n for n in nodes.dtype.names if n != "value"]],
            "the nodes of a boosted tree",
        ),
        (lambda nodes: nodes[:, None], "the nodes of a boosted tree"),
        (lambda nodes: nodes[:0], "the nodes of a boosted tree"),
        (np.ma.MaskedArray, "the nodes of a boosted tree"),
    ],
)
def test_nodes_of_a_boosted_tree_in_another_form_are_refused(models, change, message):
    _, predictor = boosted(models)
    predictor.nodes = change(predictor.nodes)
    with pytest.raises(ModelFileError, match=message):
        check(predictor)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("is_categorical", 1, "a boosted tree on categories"),
        ("left", 0, "a tree's children"),
        ("right", 10**6, "a tree's children"),
        ("feature_idx", -1, "a tree's features"),
    ],
)
def test_a_boosted_root_that_points_outside_is_refused(models, field, value, message):
    _, predictor = boosted(models)
    predictor.nodes[field][0] = value
    with pytest.raises(ModelFileError, match=message):
        check(predictor)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ([2, 1, 0, 0, 0], [3, 4, 0, 0, 0]),  # a node that is its own child
        ([1, 2, 0], [2, 2, 0]),  # a leaf of several parents
    ],
)
def test_a_boosted_tree_with_other_ways_than_one_to_each_node_is_refused(models, left, right):
    _, predictor = boosted(models)
    predictor.nodes = np.zeros(len(left), dtype=predictor.nodes.dtype)
    predictor.nodes["left"], predictor.nodes["right"] = left, right
    predictor.nodes["is_leaf"] = np.arange(len(left)) > 1
    with pytest.raises(ModelFileError, match="a tree's children can't be right"):
        check(predictor)


def test_a_boosted_tree_passes(models):
    check(boosted(models)[1])


def test_a_boosted_tree_of_one_leaf_passes(models):
    _, predictor = boosted(models)
    predictor.nodes = predictor.nodes[-1:]
    predictor.nodes["is_leaf"] = 1
    check(predictor)
