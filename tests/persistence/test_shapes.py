"""Shapes of what estimators learned: those of ``fit`` pass, and nothing else."""

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.calibration import _SigmoidCalibration
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.preprocessing import PowerTransformer

from rankwright.persistence import shapes
from rankwright.persistence.classes import INTERNAL, SCIKIT_LEARN
from rankwright.persistence.errors import ModelFileError

LISTED = frozenset().union(*SCIKIT_LEARN.values()) | {n.rpartition(".")[2] for n in INTERNAL}


def holder(**attributes):
    return SimpleNamespace(**attributes)


def check(name, **attributes):
    shapes.CHECKS[name](holder(**attributes))


def refuse(name, attributes, message):
    with pytest.raises(ModelFileError, match=f"{message} can't be right"):
        check(name, **attributes)


def test_what_has_shapes_or_is_checked_is_a_class_that_files_may_hold():
    shapes.check_shapes("Ridge", holder())
    assert shapes.SHAPES.keys() <= LISTED
    for name in shapes.CHECKS:
        assert {name, f"{name}Classifier"} & LISTED


TWO = {"n_features_in_": 3, "classes_": np.array([1, 2])}
FOUR = {"n_features_in_": 3, "classes_": np.array(list("abcd"))}

# Name, what else it learned, attribute, what is right.
RIGHT = [
    ("Ridge", TWO, "coef_", np.zeros(3)),
    ("Ridge", TWO, "coef_", np.zeros((1, 3))),
    ("Ridge", TWO, "coef_", np.zeros(3, dtype=int)),
    ("Ridge", TWO, "coef_", np.zeros(3, dtype=np.uint8)),
    ("Ridge", TWO, "coef_", np.zeros(3, dtype=bool)),
    ("Ridge", TWO, "coef_", None),
    ("Ridge", TWO, "intercept_", 1.5),
    ("Ridge", TWO, "intercept_", 1),
    ("Ridge", TWO, "intercept_", True),
    ("Ridge", TWO, "intercept_", np.float64(1.5)),
    ("Ridge", TWO, "intercept_", np.array(1.5)),
    ("Ridge", TWO, "intercept_", np.zeros(1)),
    ("SGDClassifier", TWO, "classes_", np.array(["a", "b"])),
    ("SGDClassifier", TWO, "coef_", np.zeros((1, 3))),
    ("SGDClassifier", FOUR, "coef_", np.zeros((4, 3))),
    ("SGDClassifier", TWO, "intercept_", np.zeros(1)),
    ("SGDClassifier", FOUR, "intercept_", np.zeros(4)),
    ("SGDClassifier", TWO, "intercept_", 0.0),
    ("RidgeClassifier", TWO, "coef_", np.zeros((1, 3))),
    ("RidgeClassifier", TWO, "coef_", np.zeros(3)),
    ("RidgeClassifier", FOUR, "intercept_", np.zeros(4)),
    ("RidgeClassifier", TWO, "intercept_", 0.0),
    ("DummyRegressor", TWO, "constant_", 1.5),
    ("DummyRegressor", TWO, "constant_", np.zeros(1)),
    ("DummyRegressor", TWO, "constant_", np.zeros((1, 1))),
    ("PowerTransformer", TWO, "lambdas_", np.zeros(3)),
    ("SimpleImputer", TWO, "statistics_", np.array(["a", "b", "c"], dtype=object)),
    ("_SigmoidCalibration", TWO, "a_", -1.5),
    ("_SigmoidCalibration", TWO, "b_", np.float64(0.5)),
    ("PCA", TWO, "components_", np.zeros((2, 3))),
]


@pytest.mark.parametrize(("name", "learned", "attribute", "value"), RIGHT)
def test_the_shapes_of_fit_pass(name, learned, attribute, value):
    shapes.check_shapes(name, holder(**{**learned, attribute: value}))


WRONG = [
    ("Ridge", TWO, "coef_", np.zeros(4)),
    ("Ridge", TWO, "coef_", np.zeros((2, 3))),
    ("Ridge", TWO, "coef_", np.zeros((1, 3, 1))),
    ("Ridge", TWO, "coef_", np.array(list("abc"))),
    ("Ridge", TWO, "coef_", np.zeros(3, dtype=object)),
    ("Ridge", TWO, "coef_", np.zeros(3, dtype=complex)),
    ("Ridge", TWO, "coef_", [0.0, 0.0, 0.0]),
    ("Ridge", TWO, "intercept_", np.zeros(2)),
    ("Ridge", TWO, "intercept_", np.zeros((1, 1))),
    ("Ridge", TWO, "intercept_", "1"),
    ("SGDClassifier", TWO, "coef_", np.zeros((2, 3))),
    ("SGDClassifier", TWO, "coef_", np.zeros(3)),
    ("SGDClassifier", FOUR, "coef_", np.zeros((1, 3))),
    ("SGDClassifier", TWO, "intercept_", np.zeros(2)),
    ("RidgeClassifier", FOUR, "intercept_", np.zeros(1)),
    ("GaussianNB", FOUR, "class_count_", np.zeros(3)),
    ("DummyRegressor", TWO, "constant_", np.zeros(2)),
    ("DummyRegressor", TWO, "constant_", np.zeros((1, 2))),
    ("PowerTransformer", TWO, "lambdas_", np.zeros(4)),
    ("SimpleImputer", TWO, "statistics_", np.zeros(2)),
    ("SimpleImputer", TWO, "statistics_", "abc"),
    ("_SigmoidCalibration", TWO, "a_", np.zeros(1)),
    ("_SigmoidCalibration", TWO, "b_", np.zeros(1)),
    ("PCA", TWO, "components_", np.zeros((3, 2))),
]


@pytest.mark.parametrize(("name", "learned", "attribute", "value"), WRONG)
def test_other_shapes_are_refused(name, learned, attribute, value):
    with pytest.raises(ModelFileError, match=f"the shape of {attribute} of a {name} can't be"):
        shapes.check_shapes(name, holder(**{**learned, attribute: value}))


def test_axes_of_one_letter_have_one_length():
    right = {**TWO, "components_": np.zeros((2, 3)), "explained_variance_": np.zeros(2)}
    shapes.check_shapes("PCA", holder(**right))
    with pytest.raises(ModelFileError, match="the shape of explained_variance_ of a PCA"):
        shapes.check_shapes("PCA", holder(**{**right, "explained_variance_": np.zeros(3)}))


def test_an_axis_of_classes_needs_classes():
    with pytest.raises(ModelFileError, match="the classes of a SimpleNamespace can't be right"):
        shapes.check_shapes("GaussianNB", holder(n_features_in_=3, class_count_=np.zeros(3)))


@pytest.mark.parametrize(
    ("model", "attributes"),
    [
        (PowerTransformer(), ["lambdas_"]),
        (_SigmoidCalibration(), ["a_", "b_"]),
        (DummyRegressor(), ["constant_"]),
    ],
)
def test_what_fit_learns_has_the_names_of_the_shapes(model, attributes):
    X, y = np.arange(8.0).reshape(-1, 1), np.arange(8) % 2
    name = type(model).__name__
    fitted = model.fit(X[:, 0], y) if name == "_SigmoidCalibration" else model.fit(X, y)
    shapes.check_shapes(name, fitted)
    assert set(attributes) == shapes.SHAPES[name].keys() <= vars(fitted).keys()


MOST = 2**31 - 1  # of the integers that number features in compiled code


@pytest.mark.parametrize("number", [1, 5, MOST])
def test_a_number_of_features_passes(number):
    assert shapes.n_features(holder(n_features_in_=number)) == number
    shapes.check_shapes("anything", holder(n_features_in_=number))


@pytest.mark.parametrize("number", [None, 0, -1, True, 2.0, np.int64(2), MOST + 1, "1"])
def test_another_number_of_features_is_refused(number):
    message = "the number of features of a SimpleNamespace can't be right"
    with pytest.raises(ModelFileError, match=message):
        shapes.check_shapes("anything", holder(n_features_in_=number))
    with pytest.raises(ModelFileError, match=message):
        shapes.n_features(holder(n_features_in_=number))


def test_what_is_not_fitted_passes():
    shapes.check_shapes("Ridge", holder())
    with pytest.raises(ModelFileError, match="the number of features of a SimpleNamespace"):
        shapes.n_features(holder())


@pytest.mark.parametrize("k", [1, 2, 5])
def test_classes_are_counted(k):
    assert shapes.n_classes(holder(classes_=np.arange(k))) == k


@pytest.mark.parametrize(
    "classes", [None, [1, 2], np.zeros(0), np.zeros((2, 2)), holder(ndim=1, size=2)]
)
def test_classes_are_a_row_of_at_least_one(classes):
    with pytest.raises(ModelFileError, match="the classes of a SimpleNamespace can't be right"):
        shapes.n_classes(holder(classes_=classes))


def test_what_has_no_classes_has_no_number_of_them():
    with pytest.raises(ModelFileError, match="the classes of a SimpleNamespace can't be right"):
        shapes.n_classes(holder())


NETWORK = {
    "n_features_in_": 3,
    "coefs_": [np.zeros((3, 4)), np.zeros((4, 2)), np.zeros((2, 1))],
    "intercepts_": [np.zeros(4), np.zeros(2), np.zeros(1)],
    "n_layers_": 4,
    "n_outputs_": 1,
}
ONE_LAYER = {
    **NETWORK,
    "coefs_": [np.zeros((3, 1))],
    "intercepts_": [np.zeros(1)],
    "n_layers_": 2,
}
FOUR_OUTPUTS = {
    **FOUR,
    "coefs_": [np.zeros((3, 4))],
    "intercepts_": [np.zeros(4)],
    "n_layers_": 2,
    "n_outputs_": 4,
}


@pytest.mark.parametrize(
    "network",
    [{}, {"coefs_": None}, NETWORK, ONE_LAYER, {**TWO, **ONE_LAYER}, FOUR_OUTPUTS],
)
def test_layers_that_follow_each_other_pass(network):
    check("MLP", **network)


def replaced(values, place, value):
    return [*values[:place], value, *values[place + 1 :]]


COEFS, OFFSETS = NETWORK["coefs_"], NETWORK["intercepts_"]
OBJECTS = np.zeros((4, 2), dtype=object)
FAKE = holder(ndim=2, size=8, shape=(4, 2), dtype=np.dtype(float))
FAKE_OFFSET = holder(shape=(2,), dtype=np.dtype(float))


@pytest.mark.parametrize(
    "change",
    [
        {"coefs_": ()},
        {"coefs_": tuple(COEFS)},
        {"coefs_": [], "intercepts_": [], "n_layers_": 1},
        {"coefs_": 3},
        {"coefs_": replaced(COEFS, 1, OBJECTS)},
        {"coefs_": replaced(COEFS, 1, FAKE)},
        {"coefs_": replaced(COEFS, 1, COEFS[1].tolist())},
        {"intercepts_": tuple(OFFSETS)},
        {"intercepts_": OFFSETS[:2]},
        {"intercepts_": [*OFFSETS, np.zeros(1)]},
        {"intercepts_": replaced(OFFSETS, 1, [0.0, 0.0])},
        {"intercepts_": replaced(OFFSETS, 1, FAKE_OFFSET)},
        {"intercepts_": replaced(OFFSETS, 1, np.zeros(2, dtype=object))},
        {"intercepts_": replaced(OFFSETS, 1, np.zeros(3))},
        {"intercepts_": replaced(OFFSETS, 1, np.zeros((2, 1)))},
        {"n_layers_": 3},
        {"n_layers_": 5},
        {"n_layers_": 4.0},
        {"coefs_": replaced(COEFS, 1, np.zeros((4, 2, 1)))},
        {"coefs_": replaced(COEFS, 0, np.zeros((2, 4)))},
        {"coefs_": replaced(COEFS, 1, np.zeros((3, 2)))},
        {"coefs_": replaced(COEFS, 2, np.zeros((3, 1)))},
        {
            "coefs_": [np.zeros((3, 4)), np.zeros((4, 0)), np.zeros((0, 1))],
            "intercepts_": replaced(OFFSETS, 1, np.zeros(0)),
        },
        {"n_outputs_": 2},
        {"n_outputs_": None},
        {
            "coefs_": replaced(COEFS, 2, np.zeros((2, 2))),
            "intercepts_": replaced(OFFSETS, 2, np.zeros(2)),
            "n_outputs_": 2,
        },
        {
            "coefs_": replaced(COEFS, 2, np.zeros((2, 2))),
            "intercepts_": replaced(OFFSETS, 2, np.zeros(2)),
        },
        {"classes_": np.arange(3)},
    ],
)
def test_other_layers_are_refused(change):
    refuse("MLP", {**NETWORK, **change}, "the layers of a SimpleNamespace")


@pytest.mark.parametrize("number", ["2", 2.0, True])
def test_the_number_of_layers_is_a_whole_number(number):
    refuse("MLP", {**ONE_LAYER, "n_layers_": number}, "the layers of a SimpleNamespace")


QUADRATIC = {
    **TWO,
    "rotations_": [np.zeros((3, 2)), np.zeros((3, 3))],
    "scalings_": [np.zeros(2), np.zeros(3)],
}
ROTATIONS, SCALES = QUADRATIC["rotations_"], QUADRATIC["scalings_"]


def test_a_rotation_and_scales_for_each_class_pass():
    check("QuadraticDiscriminantAnalysis")
    check("QuadraticDiscriminantAnalysis", **QUADRATIC)


@pytest.mark.parametrize(
    "change",
    [
        {"rotations_": tuple(ROTATIONS)},
        {"rotations_": ROTATIONS[:1]},
        {"rotations_": [*ROTATIONS, ROTATIONS[0]]},
        {"rotations_": [ROTATIONS[0], np.zeros((3, 3), dtype=object)]},
        {
            "rotations_": [np.zeros((3, 2)), np.zeros((3, 3, 3))],
            "scalings_": [np.zeros(2), np.zeros((3, 3))],
        },
        {"rotations_": [np.zeros(3), np.zeros((3, 3))], "scalings_": [np.zeros(()), np.zeros(3)]},
        {"rotations_": [np.zeros((2, 2)), np.zeros((3, 3))]},
        {"rotations_": [np.zeros((4, 2)), np.zeros((3, 3))]},
        {
            "rotations_": [np.zeros((3, 4)), np.zeros((3, 3))],
            "scalings_": [np.zeros(4), np.zeros(3)],
        },
        {"scalings_": tuple(SCALES)},
        {"scalings_": SCALES[:1]},
        {"scalings_": [*SCALES, SCALES[0]]},
        {"scalings_": [np.zeros(2), [0.0, 0.0, 0.0]]},
        {"scalings_": [np.zeros(2), np.zeros(3, dtype=object)]},
        {"scalings_": [np.zeros(3), np.zeros(3)]},
        {"scalings_": [np.zeros((2, 1)), np.zeros(3)]},
    ],
)
def test_other_rotations_are_refused(change):
    message = "the rotations of a QuadraticDiscriminantAnalysis"
    refuse("QuadraticDiscriminantAnalysis", {**QUADRATIC, **change}, message)


TABLES = [np.zeros((2, 4)), np.zeros((2, 1)), np.zeros((2, 7))]


def test_a_table_for_each_feature_passes():
    check("CategoricalNB")
    check("CategoricalNB", **TWO, feature_log_prob_=TABLES)


@pytest.mark.parametrize(
    "tables",
    [
        tuple(TABLES),
        TABLES[:2],
        [*TABLES, TABLES[0]],
        [*TABLES[:2], TABLES[2].tolist()],
        [*TABLES[:2], np.zeros((2, 7), dtype=object)],
        [*TABLES[:2], np.zeros((3, 7))],
        [*TABLES[:2], np.zeros(2)],
        [*TABLES[:2], np.zeros((2, 7, 1))],
    ],
)
def test_other_tables_are_refused(tables):
    learned = {**TWO, "feature_log_prob_": tables}
    refuse("CategoricalNB", learned, "the tables of a CategoricalNB")


@pytest.mark.parametrize("learned", [{}, *({"components_": np.zeros((q, 3))} for q in (1, 2, 3))])
def test_as_many_factors_as_features_pass(learned):
    check("FactorAnalysis", **learned)


def test_more_factors_than_features_are_refused():
    refuse("FactorAnalysis", {"components_": np.zeros((4, 3))}, "the factors of a FactorAnalysis")


CONSTANT = {**TWO, "n_outputs_": 1, "n_classes_": 2, "constant": None, "sparse_output_": False}


@pytest.mark.parametrize(
    "learned",
    [
        {},
        {"n_outputs_": 1},
        CONSTANT,
        {**CONSTANT, "constant": 3},
        {**CONSTANT, "constant": np.zeros((1, 1))},
    ],
)
def test_a_constant_of_one_output_passes(learned):
    check("Dummy", **learned)


def test_fitted_constants_pass():
    X, y = np.zeros((4, 1)), np.array([0, 1, 1, 2])
    for model in (DummyClassifier(), DummyRegressor()):
        shapes.CHECKS["Dummy"](model.fit(X, y))


@pytest.mark.parametrize(
    "change",
    [
        {"n_outputs_": 2},
        {"n_outputs_": 1.0},
        {"n_outputs_": True},
        {"n_outputs_": None},
        {"constant": [1, 2]},
        {"constant": np.zeros(0)},
        {"sparse_output_": True},
        {"n_classes_": 3},
        {"n_classes_": None},
    ],
)
def test_other_constants_are_refused(change):
    refuse("Dummy", {**CONSTANT, **change}, "the outputs of a SimpleNamespace")
