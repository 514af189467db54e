import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import rankwright as rw
from rankwright.base.magnitude import feature_sizes

RANKERS = {
    "bayes-point": rw.BayesPointPerceptron(3, random_state=0),
    "expected-rank": rw.ExpectedRankRegressor(),
    "least-squares": rw.LeastSquaresRanker("rank"),
    "pairwise": rw.PairwiseRanker(),
    "plackett-luce": rw.PlackettLuceRanker(),
    "prank": rw.PRankPerceptron(random_state=0),
    "preference": rw.PreferenceRanker(random_state=0),
    "push": rw.PushRanker(),
}


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(30, 2)), columns=["zoom", "price"])
    return X, np.digitize(X["zoom"] - X["price"] + 0.5 * rng.normal(size=30), [-1.0, 0.0, 1.0])


@pytest.fixture(autouse=True)
def no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        yield


@pytest.mark.parametrize("unit", [1e160, 1e307, 1e-160])
@pytest.mark.parametrize("name", RANKERS)
def test_a_feature_that_floats_cannot_square_is_named(data, name, unit):
    X, y = data
    with pytest.raises(ValueError, match=r"feature 'price' is as large as .* change its unit"):
        RANKERS[name].fit(X.assign(price=unit * X["price"] / X["price"].abs().max()), y)


def test_sparse_features_are_looked_at(data):
    X, y = data
    with pytest.raises(ValueError, match="feature 1 is as large as 1e\\+160"):
        rw.PairwiseRanker().fit(sparse.csr_array(X.to_numpy() * 0 + [0.0, 1e160]), y)


@pytest.mark.parametrize("unit", [1e90, 1e-90])
def test_units_change_no_order_while_squares_are_numbers(data, unit):
    X, y = data
    plain = rw.PairwiseRanker(alpha=0).fit(X, y).predict(X)
    scaled = rw.PairwiseRanker(alpha=0).fit(X * unit, y).predict(X * unit)
    np.testing.assert_allclose(plain, scaled, rtol=1e-4)


@pytest.mark.parametrize("name", ["expected-rank", "pairwise", "prank"])
def test_a_row_that_is_too_large_to_be_scored_is_named(data, name):
    X, y = data
    ranker = RANKERS[name].fit(X, y)
    linear = ranker.regressor_ if name == "expected-rank" else ranker
    linear.coef_ = np.array([1e10, -1e10])
    huge = X.copy()
    huge.iloc[3] = [1e308, 1.0]
    with pytest.raises(ValueError, match=r"row 3 is not finite: feature 'zoom' is 1e\+308"):
        ranker.rank(huge)


@pytest.mark.parametrize("weight", [1e308, 1e-200])
@pytest.mark.parametrize("name", RANKERS)
def test_a_weight_whose_products_are_no_numbers_is_named(data, name, weight):
    X, y = data
    weights = np.ones(30)
    weights[4] = weight
    with pytest.raises(ValueError, match=r"sample_weight is .* in row 4; give weights between"):
        RANKERS[name].fit(X, y, sample_weight=weights)


def test_a_weight_of_a_category_is_finite(data):
    X, y = data
    kind = np.repeat("A", 30)
    with pytest.raises(ValueError, match=r"category_weights=.* map names to weights of at least 0"):
        rw.PushRanker(category_weights={"A": np.inf}).fit(X, y, categories=kind)


OF_VALUES = {
    "forest": rw.OrdinalForest(3, random_state=0),
    "least-squares": rw.LeastSquaresRanker("score"),
    "tree": rw.OrdinalTree(max_depth=3),
}


@pytest.mark.parametrize("unit", [1e200, 5e306, 5e307, 1e-200, 5e-324])
@pytest.mark.parametrize("name", OF_VALUES)
def test_values_that_are_added_up_must_have_squares(data, name, unit):
    X, y = data
    with pytest.raises(ValueError, match=r"y is as large as .* change its unit"):
        OF_VALUES[name].fit(X, y * unit)


@pytest.mark.parametrize("unit", [1e90, 1e-90])
@pytest.mark.parametrize("name", OF_VALUES)
def test_units_of_y_change_no_order_while_squares_are_numbers(data, name, unit):
    X, y = data
    plain, scaled = (OF_VALUES[name].fit(X, grades).rank(X) for grades in (y, y * unit))
    assert rw.metrics.kendall_tau(plain, scaled) > 0.99


@pytest.mark.parametrize("shape", [(0, 3), (1, 3), (700, 3), (5, 900)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_sizes_are_the_largest_absolute_values(shape, order):
    X = np.asarray(np.random.default_rng(0).normal(size=shape), order=order)
    np.testing.assert_array_equal(feature_sizes(X), np.abs(X).max(axis=0, initial=0.0))
