import numpy as np
import pytest
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, StandardScaler
from sklearn.svm import LinearSVC

import rankwright as rw
from rankwright.data import sort_rows
from rankwright.preference import PreferenceRanker
from rankwright.preference.pair_sample import pair_sample


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X, groups = rng.normal(size=(120, 3)), np.repeat(np.arange(6), 20)
    return X, X @ [1.0, -1.0, 0.0] + 0.3 * rng.normal(size=120) + groups, groups


def test_a_score_is_the_mean_probability_to_win_against_the_references(data):
    X, y, groups = data
    ranker = PreferenceRanker(LogisticRegression(fit_intercept=False), n_references=7)
    ranker.fit(X, y, groups)
    against = X[3] - ranker.references_
    expected = ranker.classifier_.predict_proba(against)[:, 1].mean()
    assert ranker.predict(X[3:4])[0] == pytest.approx(expected)
    assert ranker.references_.shape == (7, 3)


@pytest.mark.parametrize(
    ("classifier", "features"),
    [
        (None, "difference"),
        (LinearSVC(fit_intercept=False), "difference"),
        (ExtraTreesClassifier(20, random_state=0), "concatenation"),
    ],
)
def test_any_classifier_ranks(data, classifier, features):
    X, y, groups = data
    ranker = PreferenceRanker(classifier, features, max_pairs=2000, random_state=0)
    assert ranker.fit(X, y, groups).score(X, y, groups) > 0.7


def test_concatenations_learn_what_no_linear_score_can():
    rng = np.random.default_rng(1)
    X = rng.uniform(-1, 1, size=(300, 2))
    y = -np.abs(X[:, 0])
    trees = ExtraTreesClassifier(50, min_samples_leaf=3, random_state=0)
    ranker = PreferenceRanker(trees, "concatenation", max_pairs=5000, random_state=0)
    held_out = rng.uniform(-1, 1, size=(200, 2))
    assert ranker.fit(X, y).score(held_out, -np.abs(held_out[:, 0])) > 0.6


def test_explicit_pairs_and_their_weights_are_used(data):
    X = data[0]
    contradicting = rw.PreferencePairs([0, 1], [1, 0], weights=[9.0, 1.0])
    ranker = PreferenceRanker(n_references=5).fit(X, contradicting)
    scores = ranker.predict(X[:2])
    assert scores[0] > scores[1]
    with pytest.raises(ValueError, match="leave groups out"):
        ranker.fit(X, contradicting, data[2])


def test_all_pairs_are_listed_when_they_are_few(data):
    X, y, groups = data
    better, worse = pair_sample(sort_rows(X, y, groups), 10_000, np.random.RandomState(0))
    expected = np.argwhere((y[:, None] > y) & (groups[:, None] == groups))
    listed = sorted(zip(better.tolist(), worse.tolist(), strict=True))
    assert listed == sorted(map(tuple, expected.tolist()))


def test_many_pairs_are_drawn_uniformly(data):
    X, y, groups = data
    better, worse = pair_sample(sort_rows(X, y, groups), 500, np.random.RandomState(0))
    assert len(better) == 500
    assert np.all(y[better] > y[worse])
    assert np.all(groups[better] == groups[worse])


def test_unknown_features_are_named(data):
    with pytest.raises(ValueError, match="features='ratio'; choose from"):
        PreferenceRanker(features="ratio").fit(*data)


def test_scores_do_not_depend_on_the_rows_scored_together(data):
    X, y, groups = data
    trees = ExtraTreesClassifier(10, random_state=0)
    ranker = PreferenceRanker(trees, "concatenation", max_pairs=500, random_state=0)
    ranker.fit(X, y, groups)
    np.testing.assert_array_equal(ranker.predict(X)[5:9], ranker.predict(X[5:9]))


def test_the_classifier_is_asked_once_for_all_rows(data):
    X, y, groups = data
    ranker = PreferenceRanker().fit(X, y, groups)
    asked = []
    ask = ranker.classifier_.predict_proba
    ranker.classifier_.predict_proba = lambda pairs: (asked.append(len(pairs)), ask(pairs))[1]
    ranker.predict(X)
    assert asked == [2 * 120 * 10]


def test_references_stand_at_all_places():
    X = np.arange(100.0)[:, None]
    ranker = PreferenceRanker(n_references=5).fit(X, X[:, 0])
    assert ranker.references_.ravel().tolist() == [90, 70, 50, 30, 10]


def test_ten_references_rank_as_a_hundred_do():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(400, 3))
    y = -np.abs(X[:, 0]) + X[:, 1] + 0.1 * rng.normal(size=400)
    trees = ExtraTreesClassifier(30, min_samples_leaf=3, random_state=0)
    taus = [
        PreferenceRanker(trees, "concatenation", max_pairs=4000, n_references=n, random_state=0)
        .fit(X[:200], y[:200])
        .score(X[200:], y[200:])
        for n in (10, 100)
    ]
    assert taus[0] > taus[1] - 0.02


def test_a_decision_function_counts_as_a_soft_vote(data):
    X, y, groups = data
    ranker = PreferenceRanker(LinearSVC(fit_intercept=False), n_references=1).fit(X, y, groups)
    assert np.unique(ranker.predict(X)).size == 120


def test_units_of_features_change_nothing_by_default(data):
    X, y, groups = data
    units = np.array([1e-9, 1.0, 1e9])
    plain = PreferenceRanker().fit(X, y, groups).predict(X)
    scaled = PreferenceRanker().fit(X * units, y, groups).predict(X * units)
    np.testing.assert_allclose(scaled, plain, rtol=1e-6)


SCALED = make_pipeline(StandardScaler(with_mean=False), LogisticRegression(tol=1e-10))
UNWEIGHTED_SCALE = make_pipeline(MaxAbsScaler(), LogisticRegression(tol=1e-10))


@pytest.mark.parametrize("classifier", [SCALED, UNWEIGHTED_SCALE], ids=["all", "last"])
def test_weights_reach_the_steps_of_a_pipeline_that_take_them(data, classifier):
    X, y, groups = data
    weights = 1 + np.arange(120) % 3
    ranker = PreferenceRanker(classifier)
    weighted = ranker.fit(X, y, groups, sample_weight=weights).predict(X)
    repeated = ranker.fit(*(np.repeat(a, weights, axis=0) for a in (X, y, groups))).predict(X)
    np.testing.assert_allclose(weighted, repeated, atol=1e-6)


@pytest.mark.parametrize("features", ["difference", "concatenation"])
def test_whole_weights_are_repetitions(data, features):
    X, y, groups = data
    weights = np.random.default_rng(1).integers(0, 3, size=120)
    ranker = PreferenceRanker(LogisticRegression(tol=1e-10), features)
    weighted = ranker.fit(X, y, groups, sample_weight=weights).predict(X)
    repeated = ranker.fit(*(np.repeat(a, weights, axis=0) for a in (X, y, groups))).predict(X)
    np.testing.assert_allclose(weighted, repeated, atol=1e-6)


def test_weights_of_rows_multiply_those_of_pairs(data):
    X = data[0]
    pairs = rw.PreferencePairs([0, 1, 2], [1, 2, 0], weights=[2.0, 1.0, 4.0])
    product = rw.PreferencePairs([0, 1, 2], [1, 2, 0], weights=[2.0, 3.0, 12.0])
    weights = np.ones(120)
    weights[2] = 3.0
    weighted = PreferenceRanker(n_references=3).fit(X, pairs, sample_weight=weights)
    np.testing.assert_allclose(
        weighted.classifier_[-1].coef_,
        PreferenceRanker().fit(X, product).classifier_[-1].coef_,
        rtol=1e-6,
    )


@pytest.mark.parametrize(
    "classifier", [KNeighborsClassifier(), make_pipeline(StandardScaler(), KNeighborsClassifier())]
)
def test_a_classifier_that_takes_no_weights_is_named(data, classifier):
    X, y, groups = data
    with pytest.raises(ValueError, match="KNeighborsClassifier takes no sample_weight"):
        PreferenceRanker(classifier).fit(X, y, groups, sample_weight=np.ones(120))


def test_weights_without_a_pair_are_refused(data):
    X, y, groups = data
    with pytest.raises(ValueError, match="there is no pair to learn from"):
        PreferenceRanker().fit(X, y, groups, sample_weight=np.eye(120)[0])
    pairs = rw.PreferencePairs([0], [1])
    with pytest.raises(ValueError, match="all weights are zero"):
        PreferenceRanker().fit(X, pairs, sample_weight=np.eye(120)[0])


def test_weights_of_more_rows_than_floats_tell_apart_are_refused(data):
    X, y, groups = data
    with pytest.raises(ValueError, match=r"the product of weights adds up to .*give smaller weig"):
        PreferenceRanker().fit(X, y, groups, sample_weight=np.full(120, 1e100))
