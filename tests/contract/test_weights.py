"""What weights of rows promise, in every ranker that takes them."""

import inspect

import numpy as np
import pytest


def fit(ranker, X, y, groups, **weights):
    if "sample_weight" not in inspect.signature(ranker.make().fit).parameters:
        pytest.skip("takes no weights")
    return ranker.make().fit(X, y, *(() if groups is None else (groups,)), **weights)


def scores(model, X):
    return getattr(model, "decision_function", model.predict)(X)


@pytest.fixture
def data(problem):
    weights = np.random.default_rng(1).integers(0, 4, size=len(problem.y))
    groups = () if problem.groups is None else (problem.groups,)
    return problem.X, problem.y, *(groups or (None,)), weights


def rows_of(data, rows):
    X, y, groups, _ = data
    return X[rows], y[rows], None if groups is None else groups[rows]


@pytest.mark.parametrize("size", [1.0, 1e3, 1e6, 1e200])
def test_a_row_without_weight_is_no_row_whatever_its_features_are(ranker, data, size):
    X, y, groups, weights = data
    wild = np.where(weights[:, None] == 0, size * np.array([1.0, -3.0, 7.0]), X)
    counted = weights > 0
    found = fit(ranker, wild, y, groups, sample_weight=weights)
    expected = fit(ranker, *rows_of(data, counted), sample_weight=weights[counted])
    np.testing.assert_allclose(scores(found, X), scores(expected, X), rtol=1e-9, atol=1e-12)


def test_a_group_without_weight_is_no_group(ranker, data):
    X, y, groups, weights = data
    if groups is None:
        pytest.skip("takes no groups")
    counted = (groups != 1) & (weights > 0)
    weights = weights * counted
    found = fit(ranker, X, y, groups, sample_weight=weights)
    expected = fit(ranker, *rows_of(data, counted), sample_weight=weights[counted])
    np.testing.assert_allclose(scores(found, X), scores(expected, X), rtol=1e-9, atol=1e-12)


def test_whole_weights_are_repetitions(ranker, data):
    if ranker.expected_failures.keys() & {"check_sample_weight_equivalence_on_dense_data"}:
        pytest.skip(ranker.expected_failures["check_sample_weight_equivalence_on_dense_data"])
    X, y, groups, weights = data
    found = fit(ranker, X, y, groups, sample_weight=weights)
    often = np.repeat(np.arange(len(y)), weights)
    expected = fit(ranker, *rows_of(data, often))
    np.testing.assert_allclose(scores(found, X), scores(expected, X), rtol=1e-4, atol=1e-5)


def test_weights_of_one_are_no_weights(ranker, data):
    X, y, groups, _ = data
    found = fit(ranker, X, y, groups, sample_weight=np.ones(len(y)))
    expected = fit(ranker, X, y, groups)
    np.testing.assert_allclose(scores(found, X), scores(expected, X), rtol=1e-7, atol=1e-9)
