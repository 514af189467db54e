import numpy as np
import pytest
from scipy.stats import t

import rankwright as rw
from rankwright.linear import PairwiseRanker
from rankwright.linear.intervals import sandwich
from rankwright.linear.pairs import block_pairs, listed_pairs


def by_definition(X, better, worse, weights, coef, alpha, items):
    """The dyadic sandwich with longer gradients of items: see `sandwich`."""
    d = (X[better] - X[worse]) @ coef
    p = 1 / (1 + np.exp(d))
    difference = X[better] - X[worse]
    g = -(weights * p)[:, None] * difference
    hessian = (difference * (weights * p * (1 - p))[:, None]).T @ difference
    hessian += alpha * np.eye(X.shape[1])
    n_items = np.unique(items).size
    longer = n_items / (n_items - X.shape[1] - 1)
    omega = -g.T @ g
    for item in np.unique(items):
        u = longer * g[(items[better] == item) | (items[worse] == item)].sum(axis=0)
        omega += np.outer(u, u)
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
        np.testing.assert_allclose(ours.upper - ours.lower, 2 * t.ppf(0.975, 36) * expected)


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
        ({"method": "bootstrap"}, "1 with a pair are too few; it needs 8"),
        ({"items": [1, 2]}, r"items has shape \(2,\) but there are 60 rows"),
    ],
)
def test_bad_requests_are_named(make_problem, options, message):
    rows = make_problem(n_groups=1).rows
    ranker = PairwiseRanker().fit(rows.X, rows.y)
    with pytest.raises(ValueError, match=message):
        ranker.confidence_intervals(rows.X, rows.y, **options)


def test_one_resample_has_no_spread():
    X, groups = np.random.default_rng(0).normal(size=(20, 1)), np.repeat(np.arange(10), 2)
    ranker = PairwiseRanker().fit(X, X[:, 0], groups)
    with pytest.raises(ValueError, match="n_resamples=1; draw at least 2"):
        ranker.confidence_intervals(X, X[:, 0], groups, method="bootstrap", n_resamples=1)


def test_the_sandwich_needs_the_logistic_loss(make_problem):
    rows = make_problem().rows
    ranker = PairwiseRanker("squared_hinge").fit(rows.X, rows.y)
    with pytest.raises(ValueError, match="use method='bootstrap'"):
        ranker.confidence_intervals(rows.X, rows.y)


def test_too_few_items_are_refused_with_a_remedy():
    pairs = rw.PreferencePairs(better=[0, 1, 1, 2, 2, 0], worse=[1, 0, 2, 1, 0, 2])
    ranker = PairwiseRanker(alpha=0).fit(np.eye(3), pairs)
    with pytest.raises(ValueError, match=r"at least 8 compared items for 3 features.*bootstrap"):
        ranker.confidence_intervals(np.eye(3), pairs)


def test_items_without_a_pair_do_not_count():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 1))
    pairs = rw.PreferencePairs(better=[0, 2, 4], worse=[1, 3, 5])
    ranker = PairwiseRanker().fit(X, pairs)
    with pytest.raises(ValueError, match="and there are 6; use"):
        ranker.confidence_intervals(X, pairs)


def test_scores_that_order_every_pair_have_no_sandwich():
    X = np.arange(10.0)[:, None]
    ranker = PairwiseRanker().fit(X, X[:, 0])
    with pytest.raises(ValueError, match="order every pair correctly"):
        ranker.confidence_intervals(X, X[:, 0])


@pytest.fixture
def collinear():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(40, 2))
    return np.c_[x, x.sum(axis=1)], x[:, 0] + rng.gumbel(size=40)


def test_coefficients_that_the_pairs_leave_open_are_an_error_with_a_remedy(collinear):
    X, y = collinear
    ranker = PairwiseRanker(alpha=0).fit(X, y)
    with pytest.raises(ValueError, match="leave it out, or set alpha > 0"):
        ranker.confidence_intervals(X, y)


@pytest.mark.parametrize("feature", [lambda group: 0 * group + 0.1, lambda group: group / 3])
def test_nothing_is_known_of_a_feature_that_never_differs_in_a_pair(make_problem, feature):
    problem = make_problem(d=2)
    rows, groups = problem.rows, problem.group
    X = np.c_[rows.X, feature(groups)]
    ranker = PairwiseRanker(alpha=1e-3).fit(X, rows.y, groups)
    found = ranker.confidence_intervals(X, rows.y, groups)
    assert np.isfinite(found.standard_error).tolist() == [True, True, False]
    assert (found.lower[2], found.upper[2]) == (-np.inf, np.inf)


def test_without_a_penalty_a_feature_that_never_differs_is_named(make_problem):
    problem = make_problem(d=2)
    X = np.c_[problem.rows.X, problem.group / 3]
    ranker = PairwiseRanker(alpha=0).fit(X, problem.rows.y, problem.group)
    with pytest.raises(ValueError, match="feature 2 never differs in a pair"):
        ranker.confidence_intervals(X, problem.rows.y, problem.group)


@pytest.mark.parametrize("method", ["sandwich", "bootstrap"])
def test_a_cross_validated_ranker_has_the_intervals_of_its_penalty(method):
    rng = np.random.default_rng(0)
    X, groups = rng.normal(size=(120, 2)), np.repeat(np.arange(12), 10)
    y = X @ [1.0, 0.5] + rng.gumbel(size=120)
    chosen = rw.PairwiseRankerCV(alphas=[1e-3, 1e-1], cv=3).fit(X, y, groups)
    plain = PairwiseRanker(alpha=chosen.alpha_).fit(X, y, groups)
    options = {"method": method, "n_resamples": 10, "random_state": 0}
    expected = plain.confidence_intervals(X, y, groups, **options)
    found = chosen.confidence_intervals(X, y, groups, **options)
    np.testing.assert_allclose(found.lower, expected.lower, rtol=1e-4)
    np.testing.assert_allclose(found.upper, expected.upper, rtol=1e-4)


def coverage(n_groups, size, truth, n_studies, **options):
    """Return how often 95% intervals cover the true coefficients, in simulated studies.

    Gumbel noise on a linear utility gives logistic pairs with the utility's coefficients; all
    pairs of an item share its noise, so naive intervals would be far too short.
    """
    rng = np.random.default_rng(0)
    truth, covered = np.array(truth), []
    for _ in range(n_studies):
        X = rng.normal(size=(n_groups * size, truth.size))
        groups = np.repeat(np.arange(n_groups), size)
        y = X @ truth + rng.gumbel(size=len(X))
        ranker = PairwiseRanker(alpha=1e-6).fit(X, y, groups)
        if ranker.score(X, y, groups) == 1:
            continue  # there are no intervals to speak of
        found = ranker.confidence_intervals(X, y, groups, random_state=0, **options)
        covered.append((found.lower < truth) & (truth < found.upper))
    return np.mean(covered)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n_groups", "size", "truth"),
    [
        (1, 8, [1.0]),
        (1, 12, [1.0, -0.5]),
        (1, 20, [1.0, -0.5]),
        (1, 20, [1.0, -0.5, 0.0, 0.0, 0.0]),
        (10, 4, [1.0, -0.5]),
        (50, 2, [1.0, -0.5]),
        (40, 10, [1.0, -0.5]),
    ],
)
def test_the_sandwich_covers_with_few_items_and_with_many(n_groups, size, truth):
    assert 0.92 <= coverage(n_groups, size, truth, 300) <= 0.99


@pytest.mark.slow
@pytest.mark.parametrize("n_groups", [8, 15, 40])
def test_the_bootstrap_covers_with_few_groups_and_with_many(n_groups):
    found = coverage(n_groups, 10, [1.0, -0.5], 120, method="bootstrap", n_resamples=100)
    assert 0.90 <= found <= 0.98
