import warnings

import numpy as np
import pytest
from sklearn.model_selection import GroupKFold, KFold, LeaveOneGroupOut, PredefinedSplit

import rankwright as rw
from rankwright.linear import PairwiseRanker, PairwiseRankerCV


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X, groups = rng.normal(size=(120, 3)), np.repeat(np.arange(12), 10)
    return X, X @ [1.0, -1.0, 0.0] + rng.normal(size=120), groups


def test_scores_are_those_of_separate_fits(data):
    X, y, groups = data
    cv = PairwiseRankerCV(alphas=[1e-3, 10.0], cv=GroupKFold(3)).fit(X, y, groups)
    assert cv.alphas_.tolist() == [10.0, 1e-3]
    for fold, (train, test) in enumerate(GroupKFold(3).split(X, y, groups)):
        for row, alpha in enumerate(cv.alphas_):
            ranker = PairwiseRanker(alpha=alpha).fit(X[train], y[train], groups[train])
            expected = ranker.score(X[test], y[test], groups[test])
            assert cv.scores_[row, fold] == pytest.approx(expected, abs=1e-6)


def test_it_ends_with_a_fit_on_all_rows(data):
    cv = PairwiseRankerCV(alphas=[1e-4, 1e-1]).fit(*data)
    plain = PairwiseRanker(alpha=cv.alpha_).fit(*data)
    np.testing.assert_allclose(cv.coef_, plain.coef_, atol=1e-6)
    assert cv.n_pairs_ == plain.n_pairs_


def test_pure_noise_asks_for_the_largest_penalty_or_scores_nothing():
    rng = np.random.default_rng(1)
    X, groups = rng.normal(size=(60, 5)), np.repeat(np.arange(6), 10)
    signal, noise = X @ np.ones(5), rng.normal(size=60)
    cv = PairwiseRankerCV(alphas=[1e-4, 100.0], cv=3)
    with_signal = cv.fit(X, signal + 0.1 * noise, groups).scores_.mean(axis=1).max()
    assert with_signal > 0.7 > cv.fit(X, noise, groups).scores_.mean(axis=1).max()


def test_rows_of_a_single_group_are_split(data):
    X, y, _ = data
    assert PairwiseRankerCV(alphas=[1e-3], cv=4).fit(X, y).scores_.shape == (1, 4)


def test_n_jobs_changes_nothing(data):
    one = PairwiseRankerCV(alphas=[1e-3, 1e-1]).fit(*data)
    two = PairwiseRankerCV(alphas=[1e-3, 1e-1], n_jobs=2).fit(*data)
    np.testing.assert_array_equal(one.scores_, two.scores_)


def test_folds_without_an_order_are_left_out(data):
    X, y, groups = data
    tied = np.where(groups == 0, 1.0, y)
    cv = PairwiseRankerCV(alphas=[1e-3], cv=LeaveOneGroupOut()).fit(X, tied, groups)
    assert cv.scores_.shape == (1, 11)
    with pytest.raises(ValueError, match="no fold has a pair"):
        PairwiseRankerCV(cv=2).fit(X[:2], [0.0, 1.0])


def test_every_loss_and_rankings_work(data):
    rankings = rw.Rankings.from_rows(*data)
    for loss in ("hinge", "squared_hinge"):
        cv = PairwiseRankerCV(alphas=[1e-2], loss=loss, cv=2).fit(rankings)
        assert cv.score(*data) > 0.4
    assert hasattr(PairwiseRankerCV(loss="hinge", cv=2).fit(rankings), "gap_")


@pytest.mark.parametrize("kind", [np.int64, np.int8])
def test_whole_numbers_of_numpy_hold_out_whole_groups(data, kind):
    one, other = (PairwiseRankerCV([1e-3], cv=cv).fit(*data) for cv in (3, kind(3)))
    np.testing.assert_array_equal(one.scores_, other.scores_)


def test_folds_are_rows_as_they_were_given(data):
    X, y, groups = data
    folds = list(GroupKFold(3).split(X, y, groups))
    expected = PairwiseRankerCV([1e-3], cv=folds).fit(X, y, groups).scores_
    mixed = np.random.default_rng(2).permutation(len(y))
    place = np.argsort(mixed)
    moved = [(place[train], place[test]) for train, test in folds]
    found = PairwiseRankerCV([1e-3], cv=moved).fit(X[mixed], y[mixed], groups[mixed]).scores_
    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_a_splitter_that_tears_groups_is_a_warning(data):
    X, y, groups = data
    with pytest.warns(UserWarning, match=r"^cv, a KFold, tears groups in 2 folds: .*GroupKFold"):
        PairwiseRankerCV([1e-3], cv=KFold(2, shuffle=True, random_state=0)).fit(X, y, groups)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        PairwiseRankerCV([1e-3], cv=GroupKFold(3)).fit(X, y, groups)
        PairwiseRankerCV([1e-3], cv=KFold(3)).fit(X, y)


@pytest.mark.parametrize("grouped", [True, False])
def test_rows_without_weight_do_not_count_when_folds_are_made(data, grouped):
    X, y, groups = data
    weights = np.random.default_rng(3).integers(0, 3, size=120)
    rows, counted = (X, y, groups)[: 2 + grouped], weights > 0
    cv = PairwiseRankerCV([1e-3, 1e-1], cv=3)
    found = cv.fit(*rows, sample_weight=weights).scores_
    without = cv.fit(*(part[counted] for part in rows), sample_weight=weights[counted]).scores_
    np.testing.assert_allclose(found, without, atol=1e-9)


def test_folds_that_name_rows_name_those_without_weight_too(data):
    X, y, groups = data
    weights = np.random.default_rng(3).integers(0, 3, size=120)
    fold, counted = groups % 3, weights > 0
    cv = PairwiseRankerCV([1e-3], cv=PredefinedSplit(fold))
    found = cv.fit(X, y, groups, sample_weight=weights).scores_
    without = PairwiseRankerCV([1e-3], cv=PredefinedSplit(fold[counted]))
    without.fit(X[counted], y[counted], groups[counted], sample_weight=weights[counted])
    np.testing.assert_allclose(found, without.scores_, atol=1e-9)


@pytest.mark.parametrize("cv", [5, GroupKFold(5)])
def test_folds_do_not_depend_on_which_group_comes_first(data, cv):
    groups = data[2]
    order = np.concatenate([np.flatnonzero(groups == g) for g in np.r_[6:12, 5, 0:5]])
    one, two = (
        PairwiseRankerCV([1e-3, 1e-1], cv=cv).fit(*(part[rows] for part in data)).scores_
        for rows in (np.arange(120), order)
    )
    np.testing.assert_allclose(one, two, atol=1e-9)
