"""Features that are far from zero beside how they differ."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

import rankwright as rw
from rankwright.linear.origins import near_zero

OFFSETS = np.arange(0, 201, 10)
RANKERS = {
    "logistic": rw.PairwiseRanker(),
    "squared hinge": rw.PairwiseRanker("squared_hinge"),
    "hinge": rw.PairwiseRanker("hinge"),
    "over folds": rw.PairwiseRankerCV([1e-3, 1e-1], cv=2),
    "Plackett-Luce": rw.PlackettLuceRanker(),
    "push": rw.PushRanker(),
}


@pytest.fixture(scope="module")
def lists():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    return X, X @ [1.0, -2.0, 0.5] + 0.3 * rng.normal(size=200), np.repeat(np.arange(20), 10)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", RANKERS)
@pytest.mark.parametrize("of_group", [np.full(20, 1e15), 1.7e12 + 1e9 * np.arange(20)])
def test_a_feature_that_never_differs_in_a_group_has_the_coefficient_zero(lists, name, of_group):
    X, y, groups = lists
    alone = RANKERS[name].fit(X, y, groups).coef_
    beside = RANKERS[name].fit(np.column_stack([X, of_group[groups]]), y, groups).coef_
    assert beside[-1] == 0
    np.testing.assert_allclose(beside[:-1], alone, rtol=1e-6)


def test_an_origin_far_away_changes_no_coefficient(lists):
    X, y, groups = lists
    moved = X.round(3) + np.array([0.0, 2.0**30, 0.0])
    expected = rw.PairwiseRanker().fit(X.round(3), y, groups).coef_
    np.testing.assert_allclose(rw.PairwiseRanker().fit(moved, y, groups).coef_, expected, rtol=1e-5)


def test_pairs_do_not_mind_an_origin_far_away(lists):
    X, y, _ = lists
    better, worse = np.argsort(-y)[:100], np.argsort(-y)[100:]
    far = np.column_stack([X, np.full(200, 1e15)])
    coef = rw.PairwiseRanker().fit(far, rw.PreferencePairs(better, worse)).coef_
    assert coef[-1] == 0
    assert coef[1] < 0 < coef[0]


def test_features_near_zero_and_sparse_ones_stay_what_they_are(lists):
    X = lists[0]
    assert near_zero(X, OFFSETS) is X
    rare = np.column_stack([X, np.arange(200) == 199])  # no difference among most rows
    assert near_zero(rare, OFFSETS) is rare
    sparse = csr_matrix(X)
    assert near_zero(sparse, OFFSETS) is sparse


def test_a_feature_that_only_seldom_differs_is_looked_at_in_all_rows():
    X = np.full((5000, 1), 5e3)
    X[4321] = 4e3
    assert near_zero(X, np.array([0, 5000])) is X
    X[4321] = np.nextafter(5e3, 0)
    assert near_zero(X, np.array([0, 5000])).max() == 0
