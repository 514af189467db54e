"""A row of weight w counts as w equal rows, in every linear ranker and with groups."""

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rankwright as rw

RANKERS = {
    "expected-rank": rw.ExpectedRankRegressor(),
    "pairwise": rw.PairwiseRanker(alpha=0.01, tol=1e-9),
    "plackett-luce": rw.PlackettLuceRanker(alpha=0.01, tol=1e-9),
    "push": rw.PushRanker(p=2, pull=0.5, alpha=0.01, tol=1e-9),
    "score": rw.LeastSquaresRanker("score"),
    "rank": rw.LeastSquaresRanker("rank"),
    "group-rank": rw.LeastSquaresRanker("group_rank"),
}


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X, groups = rng.normal(size=(40, 3)), rng.integers(0, 4, size=40)
    y = np.round(X @ [1.0, -1.0, 0.5] + rng.normal(size=40))
    weights = np.where(groups == 3, 0, rng.integers(0, 4, size=40))  # a group without weight, too
    return X, y, groups, weights


@pytest.mark.parametrize("name", RANKERS)
def test_whole_weights_are_repetitions(data, name):
    X, y, groups, weights = data
    weighted = RANKERS[name].fit(X, y, groups, sample_weight=weights).predict(X)
    repeated = RANKERS[name].fit(*(np.repeat(a, weights, axis=0) for a in (X, y, groups)))
    np.testing.assert_allclose(weighted, repeated.predict(X), atol=1e-5)


@pytest.mark.parametrize("name", RANKERS)
def test_equal_weights_change_an_order_only_where_documented(data, name):
    X, y, groups, _ = data
    plain = RANKERS[name].fit(X, y, groups).predict(X)
    ones = RANKERS[name].fit(X, y, groups, sample_weight=np.ones(40)).predict(X)
    np.testing.assert_allclose(plain, ones, atol=1e-7)


def test_categories_share_their_weight_among_weighted_rows(data):
    X, y, groups, weights = data
    kind = groups // 2
    options = {"category_weights": {1: 0.2}}
    for ranker in (rw.LeastSquaresRanker("rank", **options), rw.PushRanker(alpha=0.01, **options)):
        weighted = ranker.fit(X, y, groups, kind, sample_weight=weights).coef_
        repeated = ranker.fit(*(np.repeat(a, weights, axis=0) for a in (X, y, groups, kind)))
        np.testing.assert_allclose(weighted, repeated.coef_, atol=1e-4)


def test_a_perceptron_sees_a_row_as_often_as_it_weighs(data):
    X, y, _, weights = data
    once = rw.PRankPerceptron(n_epochs=1, random_state=0)
    weighted = once.fit(X, y, sample_weight=weights).coef_
    repeated = once.fit(np.repeat(X, weights, axis=0), np.repeat(y, weights)).coef_
    np.testing.assert_array_equal(weighted, repeated)


def test_a_half_weight_shows_a_row_to_a_perceptron_every_other_time():
    X, y = np.array([[1.0], [-1.0]] * 500), np.array([1, 0] * 500)
    shown = []
    ranker = rw.PRankPerceptron(n_epochs=1, random_state=0)
    ranker._show = lambda X, y, weights: shown.append(weights)
    ranker.fit(X, y, sample_weight=np.full(1000, 0.5))
    assert shown[0].sum() == 500


@pytest.mark.parametrize("name", ["plackett-luce", "perceptron"])
def test_more_rows_than_can_be_counted_are_refused(data, name):
    X, y, _, _ = data
    ranker = {**RANKERS, "perceptron": rw.PRankPerceptron()}[name]
    with pytest.raises(ValueError, match=r"sample_weight adds up to 4e\+10"):
        ranker.fit(X, y, sample_weight=np.full(40, 1e9))


@pytest.mark.parametrize("name", RANKERS)
def test_negative_weights_are_refused(data, name):
    X, y, groups, _ = data
    with pytest.raises(ValueError, match="Negative values in data passed to `sample_weight`"):
        RANKERS[name].fit(X, y, groups, sample_weight=np.full(40, -1.0))


@pytest.mark.parametrize("name", RANKERS)
def test_a_search_routes_weights_and_groups(data, name):
    X, y, groups, weights = data
    with sklearn.config_context(enable_metadata_routing=True):
        ranker = sklearn.base.clone(RANKERS[name])
        ranker.set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        pipeline = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), ranker)
        search = GridSearchCV(pipeline, {}, cv=GroupKFold(3))
        search.fit(X, y, groups=groups, sample_weight=weights + 1.0)
    assert search.best_score_ > 0.3


@pytest.mark.parametrize("size", [1e-99, 1e99])
@pytest.mark.parametrize("options", [{"p": 4}, {"p": 4, "pull": 1}])
def test_the_unit_of_weights_is_nothing_to_the_push(data, size, options):
    X, y, groups, weights = data
    expected = rw.PushRanker(**options).fit(X, y, groups, sample_weight=weights).predict(X)
    found = rw.PushRanker(**options).fit(X, y, groups, sample_weight=weights * size).predict(X)
    np.testing.assert_allclose(found, expected, atol=1e-6)
    assert np.ptp(found) > 1


@pytest.mark.parametrize(
    "ranker", [rw.ExpectedRankRegressor(), rw.PlackettLuceRanker(), rw.PreferenceRanker()]
)
def test_weights_that_count_next_to_no_row_are_refused(data, ranker):
    X, y, groups, weights = data
    with pytest.raises(ValueError, match=r"adds up to .*: a weight counts rows, and less than"):
        ranker.fit(X, y, groups, sample_weight=weights * 1e-99)


@pytest.mark.parametrize(
    ("ranker", "weight"),
    [(rw.PRankPerceptron(), 1e-4), (rw.BayesPointPerceptron(3), 1e-9)],
)
def test_a_perceptron_refuses_weights_by_which_it_is_shown_nothing(data, ranker, weight):
    X, y, _, _ = data
    with pytest.raises(ValueError, match=r"sample_weight adds up to .* rows to be shown"):
        ranker.fit(X, y, sample_weight=np.full(40, weight))


def test_groups_count_alike_however_different_their_weights_are():
    X, y, groups = np.array([[1.0, 0], [0, 0], [0, 1], [0, 0]]), [1, 0, 1, 0], [0, 0, 1, 1]
    ranker = rw.PairwiseRanker(alpha=0.1, pair_weighting="group").fit(X, y, groups)
    apart = clone(ranker).fit(X, y, groups, sample_weight=[1e12, 1e12, 1e-12, 1e-12])
    np.testing.assert_allclose(apart.coef_, ranker.coef_)
    light = clone(ranker).fit([[0.0], [1], [2]], [0, 1, 2], sample_weight=[1e-9, 1e9, 1e-9])
    assert light.n_pairs_ == pytest.approx(2.0, abs=1e-12)


def test_a_row_without_weight_does_not_stand_between_neighbours():
    X, y = [[1.0], [5.0], [2.0]], [1, 2, 3]
    with_it = rw.PairwiseRanker(pairs="adjacent").fit(X, y, sample_weight=[1, 0, 1])
    without = rw.PairwiseRanker(pairs="adjacent").fit([X[0], X[2]], [1, 3])
    np.testing.assert_allclose(with_it.coef_, without.coef_)
