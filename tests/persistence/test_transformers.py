"""Transformers of scikit-learn whose derived attributes anyone may have written."""

import copy

import numpy as np
import pandas as pd
import pytest
from sklearn.preprocessing import (
    FunctionTransformer,
    KBinsDiscretizer,
    OneHotEncoder,
    PolynomialFeatures,
    SplineTransformer,
    TargetEncoder,
)

from rankwright.persistence import transformers
from rankwright.persistence.classes import full_name
from rankwright.persistence.errors import ModelFileError
from rankwright.persistence.scikit_learn import check_estimator

rng = np.random.default_rng(0)
NUMBERS = rng.integers(0, 4, size=(60, 3)).astype(float)
TEXTS = rng.choice(["x", "y", "z"], size=(60, 2), p=[0.8, 0.1, 0.1]).astype(object)
GAPS = np.where(rng.random(TEXTS.shape) < 0.2, None, TEXTS)
LABELS = rng.integers(0, 3, size=60)
MIXED = np.column_stack([NUMBERS[:, 0] > 1, np.repeat([0, 1, 2], [10, 25, 25])])

FITTED = {
    "bins": KBinsDiscretizer(3, encode="onehot", quantile_method="linear").fit(NUMBERS)._encoder,
    "dropped": OneHotEncoder(drop="first").fit(TEXTS),
    "dropped by value": OneHotEncoder(drop=["y", "x"]).fit(TEXTS),
    "dropped if binary": OneHotEncoder(drop="if_binary").fit(MIXED),
    "encoder": OneHotEncoder().fit(NUMBERS),
    "gaps": OneHotEncoder().fit(GAPS),
    "gaps beside texts": OneHotEncoder().fit(pd.DataFrame(GAPS).fillna(np.nan).astype(object)),
    "gaps in numbers": OneHotEncoder().fit(np.where(NUMBERS == 2, np.nan, NUMBERS)),
    "interactions": PolynomialFeatures(2, interaction_only=True, include_bias=False).fit(NUMBERS),
    "mixed": OneHotEncoder().fit(
        pd.DataFrame({"a": [1, 2, None], "b": [0.5, 1.5, 2.5]}, dtype=object)
    ),
    "of an order": OneHotEncoder(categories=[["z", "x", "y"]] * 2).fit(TEXTS),
    "one feature": OneHotEncoder().fit(NUMBERS[:, :1]),
    "one rare": OneHotEncoder(min_frequency=20).fit(MIXED),
    "periodic splines": SplineTransformer(n_knots=4, extrapolation="periodic").fit(NUMBERS),
    "polynomial": PolynomialFeatures((2, 3)).fit(NUMBERS),
    "polynomial of no least degree": PolynomialFeatures(2).fit(NUMBERS),
    "polynomial of one degree": PolynomialFeatures((2, 2)).fit(NUMBERS),
    "polynomial of the highest degree": PolynomialFeatures(1000).fit(NUMBERS[:, :1]),
    "rare": OneHotEncoder(min_frequency=20, handle_unknown="infrequent_if_exist").fit(TEXTS),
    "rare and dropped": OneHotEncoder(max_categories=2, drop="first").fit(TEXTS),
    "splines": SplineTransformer(n_knots=4).fit(NUMBERS),
    "splines without bias": SplineTransformer(n_knots=4, include_bias=False).fit(NUMBERS),
    "target": TargetEncoder().fit(TEXTS, LABELS == 1),
    "target of classes": TargetEncoder().fit(TEXTS, LABELS),
    "unfitted": OneHotEncoder(),
}


def check(estimator):
    assert type(estimator).__name__ in transformers.CHECKS
    check_estimator(full_name(type(estimator)), estimator)


@pytest.mark.parametrize("name", FITTED)
def test_what_was_fitted_passes(name):
    check(FITTED[name])
    check(type(FITTED[name]).__new__(type(FITTED[name])))


def places(*values):
    return np.array(values, dtype=object)


GROUPS = "_default_to_infrequent_mappings"
WRONG = [
    ("bins", "_n_features_outs", [10**9, 3, 3 - 10**9], "the numbers of columns"),
    ("bins", "_n_features_outs", [3.0, 3.0, 3.0], "the numbers of columns"),
    ("bins", "_n_features_outs", [3, 3.0, 3], "the numbers of columns"),
    ("bins", "_n_features_outs", np.array([3, 3, 3]), "the numbers of columns"),
    ("dropped", "_drop_idx_after_grouping", places(-5, 0), "the dropped categories"),
    ("dropped", "_drop_idx_after_grouping", places(-1, 0), "the dropped categories"),
    ("dropped", "_drop_idx_after_grouping", places(3, 0), "the dropped categories"),
    ("dropped", "_drop_idx_after_grouping", places(0, 0.5), "the dropped categories"),
    ("dropped", "_drop_idx_after_grouping", places(0), "the dropped categories"),
    ("dropped", "_drop_idx_after_grouping", np.array([0, 0]), "the dropped categories"),
    ("dropped", "_drop_idx_after_grouping", np.ma.array(places(0, 0)), "the dropped categories"),
    ("dropped", "_drop_idx_after_grouping", None, "the numbers of columns"),
    ("encoder", "categories_", [np.array([3.0, 1.0])] * 3, "the categories"),
    ("encoder", "categories_", [places(3.0, 1.0, None)] * 3, "the categories"),
    ("encoder", "categories_", [np.array(["3.0", "1.0"])] * 3, "the categories"),
    ("encoder", "categories_", [np.zeros((2, 2))] * 3, "the categories"),
    ("encoder", "categories_", [[0.0, 1.0]] * 3, "the categories"),
    ("encoder", "categories_", [np.arange(4.0)] * 2, "the categories"),
    ("encoder", "categories_", (np.arange(4.0),) * 3, "the categories"),
    ("encoder", "categories_", [np.arange(4.0)] * 2 + [np.zeros(4)], "the categories"),
    ("encoder", "categories_", [np.array([0.0, 1.0, 3.0, 2.0])] * 3, "the categories"),
    ("one feature", "_n_features_outs", places(4), "the numbers of columns"),
    ("one rare", GROUPS, [None, np.zeros(3)], "the rare categories"),
    ("rare", "_infrequent_indices", [np.array([1, 1]), np.array([1, 2])], "the rare categories"),
    ("rare", "_infrequent_indices", [np.array([1, 7]), np.array([1, 2])], "the rare categories"),
    ("rare", "_infrequent_indices", [None, None], "the rare categories"),
    ("rare", "_infrequent_indices", [[1, 2]] * 2, "the rare categories"),
    ("rare", "_infrequent_indices", [np.ma.array([1, 2])] * 2, "the rare categories"),
    ("rare", "_infrequent_indices", [np.array([1.0, 2.0])] * 2, "the rare categories"),
    ("rare", "_infrequent_indices", [np.array([[1], [2]])] * 2, "the rare categories"),
    ("rare", "_infrequent_indices", (np.array([1, 2]),) * 2, "the rare categories"),
    ("rare", GROUPS, [np.array([0, 9, 9])] * 2, "the rare categories"),
    ("rare", GROUPS, [np.ma.array([0, 1, 1])] * 2, "the rare categories"),
    ("rare", GROUPS, [np.array([0, 1, 1])], "the rare categories"),
    ("rare", GROUPS, (np.array([0, 1, 1]),) * 2, "the rare categories"),
    ("rare and dropped", "_drop_idx_after_grouping", places(2, 0), "the dropped categories"),
    ("polynomial", "_n_out_full", 50, "the numbers of columns of a Poly"),
    ("polynomial", "n_output_features_", 50, "the numbers of columns of a Poly"),
    ("polynomial", "_max_degree", 2, "the numbers of columns of a Poly"),
    ("polynomial", "_min_degree", 0, "the numbers of columns of a Poly"),
    ("polynomial", "degree", 10**9, "the numbers of columns of a Poly"),
    ("polynomial", "degree", (2, 3.0), "the numbers of columns of a Poly"),
    ("polynomial", "interaction_only", True, "the numbers of columns of a Poly"),
    ("splines", "n_features_out_", 10**9, "the splines"),
    ("splines", "n_features_out_", 18.0, "the splines"),
    ("splines", "bsplines_", FITTED["splines"].bsplines_[:2], "the splines"),
    ("splines", "bsplines_", tuple(FITTED["splines"].bsplines_), "the splines"),
    ("target", "encodings_", FITTED["target"].encodings_[:1], "the encodings"),
    ("target", "encodings_", tuple(FITTED["target"].encodings_), "the encodings"),
    ("target of classes", "encodings_", FITTED["target"].encodings_, "the encodings"),
]


@pytest.mark.parametrize(("name", "attribute", "wrong", "message"), WRONG)
def test_what_does_not_follow_from_the_rest_is_refused(name, attribute, wrong, message):
    estimator = copy.copy(FITTED[name])
    setattr(estimator, attribute, wrong)
    with pytest.raises(ModelFileError, match=f"{message}.* can't be right"):
        check(estimator)


SPLINES = FITTED["splines"].bsplines_
PERIODIC = FITTED["periodic splines"].bsplines_
CONSISTENT = [
    (
        "rare",
        {
            "_infrequent_indices": [np.array([1, 1]), np.array([1, 2])],
            GROUPS: [np.array([0, 2, 1]), np.array([0, 1, 1])],
            "_n_features_outs": [2, 2],
        },
    ),
    (
        "rare",
        {
            "_infrequent_indices": [np.array([], dtype=int), np.array([1, 2])],
            GROUPS: [np.arange(3), np.array([0, 1, 1])],
            "_n_features_outs": [4, 2],
        },
    ),
    ("polynomial of no least degree", {"degree": (-1, 2), "_min_degree": -1}),
    ("splines", {"bsplines_": [], "n_features_in_": 0, "n_features_out_": 0}),
    ("splines", {"bsplines_": SPLINES[:2], "n_features_out_": 12}),
    ("splines", {"bsplines_": [*SPLINES, SPLINES[0]], "n_features_out_": 24}),
    ("splines", {"bsplines_": [*SPLINES[:2], PERIODIC[0]], "n_features_out_": 18}),
    ("splines", {"bsplines_": [*SPLINES[:2], PERIODIC[0]], "n_features_out_": 9}),
]


@pytest.mark.parametrize(("name", "changes"), CONSISTENT)
def test_wrong_attributes_that_agree_with_each_other_are_refused(name, changes):
    estimator = copy.copy(FITTED[name])
    vars(estimator).update(changes)
    with pytest.raises(ModelFileError, match="can't be right"):
        check(estimator)


def test_the_last_column_may_be_dropped_though_it_is_that_of_rare_categories():
    encoder = copy.copy(FITTED["rare and dropped"])
    encoder._drop_idx_after_grouping = places(1, 1)
    check(encoder)


def test_degrees_above_the_highest_are_refused():
    with pytest.raises(ModelFileError, match="the numbers of columns of a PolynomialFeatures"):
        check(PolynomialFeatures(1001).fit(NUMBERS[:, :1]))


def test_categories_that_have_no_order_are_refused():
    encoder = copy.copy(FITTED["one feature"])
    encoder.categories_ = [places(3.0, "10", 2.0, 1.0)]
    with pytest.raises(TypeError, match="not supported between"):
        check(encoder)


@pytest.mark.parametrize("name", ["kw_args", "inv_kw_args"])
def test_a_function_has_no_arguments(name):
    check(FunctionTransformer(np.log1p))
    with pytest.raises(ModelFileError, match="its FunctionTransformer has kw_args"):
        check(FunctionTransformer(np.log1p, **{name: {"where": False}}))
