import numpy as np
import pytest

import rankwright as rw
from rankwright.linear import PairwiseRanker
from rankwright.linear.intervals import sandwich
from rankwright.linear.pairs import block_pairs, listed_pairs


def by_definition(X, better, worse, weights, coef, alpha, items):
    """The dyadic sandwich: all products of gradients of pairs that share an item."""
    d = (X[better] - X[worse]) @ coef
    p = 1 / (1 + np.exp(d))
    difference = X[better] - X[worse]
    g = -(weights * p)[:, None] * difference
    hessian = (difference * (weights * p * (1 - p))[:, None]).T @ difference
    hessian += alpha * np.eye(X.shape[1])
    omega = np.zeros_like(hessian)
    ends = np.stack([items[better], items[worse]], axis=1)
    for a in range(len(d)):
        share = (ends == ends[a, 0]).any(axis=1) | (ends == ends[a, 1]).any(axis=1)
        omega += np.outer(g[a], g[share].sum(axis=0))
    inverse = np.linalg.inv(hessian)
    return np.sqrt(np.diag(inverse @ omega @ inverse))


def test_the_sandwich_equals_its_definition(make_problem):
    problem = make_problem(n=40, decimals=0)
    rows = problem.rows
    coef = np.array([0.5, 0.1, -0.4])
    better, worse = problem.pairs().T
    weights = np.full(len(better), 1 / len(better))
    expected = by_definition(rows.X, better, worse, weights, coef, 1e-3, np.arange(40))
    listed = listed_pairs(better, worse, None, None, 40)
    for pairs in (block_pairs(rows), listed):
        ours = sandwich(rows.X, pairs, coef, 1e-3, np.arange(40), 0.95)
        np.testing.assert_allclose(ours.standard_error, expected, rtol=1e-8)
        np.testing.assert_allclose(ours.upper - ours.lower, 2 * 1.959964 * expected, rtol=1e-6)


def test_rankings_cluster_on_their_items():
    rng = np.random.default_rng(0)
    items = rng.normal(size=(30, 2))
    latent = items @ [1.0, -1.0] + rng.normal(size=30)
    orders = [sorted(rng.choice(30, 6, replace=False), key=lambda i: -latent[i]) for _ in range(40)]
    rankings = rw.Rankings(items, orders)
    ranker = PairwiseRanker().fit(rankings)
    by_item = ranker.confidence_intervals(rankings)
    X, y, groups = rankings.to_rows()
    given = ranker.confidence_intervals(X, y, groups, items=rankings.rows)
    by_row = ranker.confidence_intervals(X, y, groups)
    np.testing.assert_allclose(by_item.standard_error, given.standard_error)
    # The same 30 judgements, repeated: rows pretend to know more than the items do.
    assert np.all(by_item.standard_error > 1.2 * by_row.standard_error)


def test_the_bootstrap_is_near_the_sandwich_for_many_independent_groups():
    rng = np.random.default_rng(0)
    X, groups = rng.normal(size=(600, 2)), np.repeat(np.arange(100), 6)
    y = X @ [1.0, 0.5] + rng.logistic(size=600)
    ranker = PairwiseRanker().fit(X, y, groups)
    robust = ranker.confidence_intervals(X, y, groups).standard_error
    drawn = ranker.confidence_intervals(
        X, y, groups, method="bootstrap", n_resamples=100, random_state=0
    )
    np.testing.assert_allclose(drawn.standard_error, robust, rtol=0.3)
    assert np.all((drawn.lower < ranker.coef_) & (ranker.coef_ < drawn.upper))


def test_listed_pairs_are_drawn_one_by_one():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 2))
    better, worse = rng.permutation(50).reshape(2, 25)
    pairs = rw.PreferencePairs(better, worse)
    ranker = PairwiseRanker("squared_hinge", alpha=0.1).fit(X, pairs)
    drawn = ranker.confidence_intervals(X, pairs, method="bootstrap", random_state=0)
    assert np.all(drawn.standard_error > 0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": 95}, "level=95; choose a number between 0 and 1"),
        ({"method": "jackknife"}, "method='jackknife'; choose from"),
        ({"method": "bootstrap"}, "only one group has pairs"),
    ],
)
def test_bad_requests_are_named(make_problem, options, message):
    rows = make_problem(n_groups=1).rows
    ranker = PairwiseRanker().fit(rows.X, rows.y)
    with pytest.raises(ValueError, match=message):
        ranker.confidence_intervals(rows.X, rows.y, **options)


def test_the_sandwich_needs_the_logistic_loss(make_problem):
    rows = make_problem().rows
    ranker = PairwiseRanker("squared_hinge").fit(rows.X, rows.y)
    with pytest.raises(ValueError, match="use method='bootstrap'"):
        ranker.confidence_intervals(rows.X, rows.y)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["sandwich", "bootstrap"])
def test_95_percent_intervals_cover_the_true_coefficients(method):
    """Gumbel noise on a linear utility gives logistic pairs with the utility's coefficients.

    All pairs of an item share its noise, so naive intervals would be far too short.
    """
    rng = np.random.default_rng(0)
    truth, covered = np.array([1.0, -0.5]), []
    for _ in range(200):
        X, groups = rng.normal(size=(400, 2)), np.repeat(np.arange(40), 10)
        y = X @ truth + rng.gumbel(size=400)
        ranker = PairwiseRanker(alpha=1e-6).fit(X, y, groups)
        intervals = ranker.confidence_intervals(
            X, y, groups, method=method, n_resamples=100, random_state=0
        )
        covered.append((intervals.lower < truth) & (truth < intervals.upper))
    assert 0.90 <= np.mean(covered) <= 0.98
