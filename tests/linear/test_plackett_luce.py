import numpy as np
import pytest
from scipy.optimize import minimize

import rankwright as rw
from rankwright.linear import PlackettLuceRanker


def test_coefficients_maximise_the_likelihood():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    order = rng.permutation(40)  # best first
    alpha = 0.05

    def objective(w):
        scores = (X @ w)[order]
        rest = [np.logaddexp.reduce(scores[i:]) for i in range(40)]
        return (np.sum(rest) - scores.sum()) / 39 + 0.5 * alpha * (w @ w)

    expected = minimize(objective, np.zeros(2), tol=1e-12)
    ranker = PlackettLuceRanker(alpha=alpha).fit(rw.Rankings(X, [order.tolist()]))
    np.testing.assert_allclose(ranker.coef_, expected.x, atol=1e-4)
    assert ranker.objective_ == pytest.approx(expected.fun)


def test_for_pairs_it_is_the_logistic_model():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(30, 2))
    orders = rng.permutation(30).reshape(15, 2).tolist()
    listwise = PlackettLuceRanker(alpha=0.1).fit(rw.Rankings(X, orders))
    from rankwright.linear import PairwiseRanker

    pairwise = PairwiseRanker(alpha=0.1).fit(rw.Rankings(X, orders))
    np.testing.assert_allclose(listwise.coef_, pairwise.coef_, atol=1e-5)


def test_coefficients_of_gumbel_utilities_are_recovered():
    rng = np.random.default_rng(2)
    X, groups = rng.normal(size=(6000, 2)), np.repeat(np.arange(600), 10)
    y = X @ [1.0, -0.5] + rng.gumbel(size=6000)
    ranker = PlackettLuceRanker(alpha=0).fit(X, y, groups)
    np.testing.assert_allclose(ranker.coef_, [1.0, -0.5], atol=0.05)


def test_ties_pull_scores_together():
    X = np.array([[0.0], [1.0], [2.0], [3.0]])
    free = PlackettLuceRanker(alpha=0.01).fit(rw.Rankings(X, [[1, 0]]))
    tied = PlackettLuceRanker(alpha=0.01).fit(rw.Rankings(X, [[1, 0], [[2, 3]]]))
    assert 0 < tied.coef_[0] < free.coef_[0]


def test_nonnegative_coefficients():
    X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 0.5]])
    ranker = PlackettLuceRanker(nonnegative=True, alpha=0.01).fit(rw.Rankings(X, [[0, 1, 2]]))
    assert np.all(ranker.coef_ >= 0)
