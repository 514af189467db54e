import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning

import rankwright as rw
from rankwright.linear import PushRanker


def objective(w, X, y, groups, categories, weights, p, pull, alpha):
    """Chang et al. (2012), section 6.2, written out, plus the penalty."""

    def norms(scores, g):
        s, grade = scores[groups == g], y[groups == g]
        losses = (grade[:, None] > grade) * np.exp(-(s[:, None] - s))
        low = (losses.sum(axis=0) ** p).sum() ** (1 / p)
        return low + pull * (losses.sum(axis=1) ** p).sum() ** (1 / p)

    total = 0.5 * alpha * (w @ w)
    for name, weight in weights.items():
        members = np.unique(groups[categories == name])
        scale = sum(norms(np.zeros(len(y)), g) for g in members)
        total += weight / scale * sum(norms(X @ w, g) for g in members)
    return total


@pytest.mark.parametrize(("p", "pull"), [(1, 0.0), (2, 0.5)])
def test_coefficients_minimise_the_papers_objective(p, pull):
    rng = np.random.default_rng(0)
    X, groups = rng.normal(size=(60, 2)), rng.integers(0, 4, size=60)
    categories = np.where(groups < 2, "A", "B")
    y = np.round(X @ [1.0, -1.0] + rng.normal(size=60))
    weights = {"A": 1.0, "B": 0.2}
    ranker = PushRanker(p, pull, category_weights={"B": 0.2}, alpha=1e-3)
    ranker.fit(X, y, groups, categories)
    arguments = (X, y, groups, categories, weights, p, pull, 1e-3)
    expected = minimize(objective, np.zeros(2), arguments, tol=1e-12)
    assert ranker.objective_ == pytest.approx(expected.fun, rel=1e-8)
    np.testing.assert_allclose(ranker.coef_, expected.x, atol=1e-4)


def test_a_large_p_keeps_bad_items_away_from_the_top():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 2))
    y = (X[:, 0] + rng.normal(size=200) > 0.5).astype(float)
    # One feature sends a few bad items to the top: the push avoids it, the mean hardly notices.
    X[:, 1] = np.where(y > 0, 0.5, 0.0) + np.where((y == 0) & (rng.random(200) < 0.05), 3.0, 0.0)
    share = [PushRanker(p).fit(X, y).coef_[1] for p in (1, 8)]
    assert share[1] < share[0]


def test_a_category_of_weight_zero_counts_for_nothing():
    rng = np.random.default_rng(2)
    X, groups = rng.normal(size=(40, 2)), np.repeat([0, 1], 20)
    y = X @ [1.0, 1.0] + rng.normal(size=40)
    weighted = PushRanker(category_weights={1: 0.0}).fit(X, y, groups, categories=groups)
    alone = PushRanker().fit(X[:20], y[:20])
    np.testing.assert_allclose(weighted.coef_, alone.coef_, atol=1e-4)


@pytest.mark.parametrize(
    ("parameters", "categories", "message"),
    [
        ({"p": 0.5}, None, "p=0.5; give a number of at least 1"),
        ({"pull": -1.0}, None, "pull=-1.0; give a number of at least 0"),
        ({"category_weights": {"C": 1.0}}, ["A"] * 4, "category_weights names 'C'"),
        ({"category_weights": {"A": 0.0}}, ["A"] * 4, "at least one above 0"),
        ({}, ["A", "B", "B", "B"], "has rows of several categories"),
        ({}, ["A"], "give the category of each row"),
    ],
)
def test_bad_parameters_are_named(parameters, categories, message):
    X, y = np.arange(8.0).reshape(4, 2), [0, 1, 2, 3]
    with pytest.raises(ValueError, match=message):
        PushRanker(**parameters).fit(X, y, categories=categories)


def test_rankings_are_training_data():
    X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 0.5]])
    assert PushRanker().fit(rw.Rankings(X, [[2, 1, 0]])).rank(X).tolist() == [3, 2, 1]


def test_perfect_order_without_penalty_warns_and_stays_finite():
    X = np.random.default_rng(3).standard_t(1.5, size=(300, 1))
    with pytest.warns(ConvergenceWarning, match="increase max_iter=1000 or alpha"):
        ranker = PushRanker(alpha=0).fit(X, X[:, 0])
    assert np.isfinite(ranker.coef_).all()
    assert ranker.score(X, X[:, 0]) == 1
