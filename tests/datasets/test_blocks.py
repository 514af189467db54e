import numpy as np
import pytest
from scipy.stats import kendalltau
from sklearn.linear_model import Ridge
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.svm import LinearSVC

from rankwright.datasets import make_blocks


def pair_differences(X, y, groups):
    i, k = np.nonzero((groups[:, None] == groups[None, :]) & (y[:, None] > y[None, :]))
    return X[i] - X[k]


def test_default_is_the_study_data_drawn_in_its_order():
    rng = np.random.RandomState(0)
    w = np.array([np.sin(np.pi / 3), np.cos(np.pi / 3)])
    X = np.vstack([rng.randn(20, 2) + grade * 4 * w for grade in range(3)])
    X[::2] += [-3, -7]
    blocks = make_blocks()
    np.testing.assert_allclose(blocks.X, X, rtol=0, atol=1e-13)
    np.testing.assert_array_equal(blocks.y, np.repeat([0, 1, 2], 20))
    np.testing.assert_array_equal(blocks.groups, [0, 1] * 30)


def test_optimal_scores_rank_within_blocks_as_the_direction_does():
    blocks = make_blocks(random_state=3)
    for block in (0, 1):
        rows = blocks.groups == block
        along = blocks.X.to_numpy()[rows] @ blocks.direction
        assert kendalltau(along, blocks.optimal_scores[rows]).statistic == pytest.approx(1)


def test_ridge_and_ranksvm_reach_the_averages_over_splits():
    """Pedregosa (2012): over 200 splits ridge 0.768 and 0.823, RankSVM 0.837 and 0.837."""
    blocks = make_blocks()
    X, y, groups = blocks.X.to_numpy(), blocks.y, blocks.groups
    taus = []
    for train, test in StratifiedShuffleSplit(200, test_size=0.5, random_state=0).split(X, y):
        ridge = Ridge(alpha=1.0).fit(X[train], y[train]).coef_
        pairs = pair_differences(X[train], y[train], groups[train])
        signs = np.where(np.arange(len(pairs)) % 2, 1, -1)
        svm = LinearSVC(C=0.1, loss="hinge", fit_intercept=False, max_iter=100_000)
        ranksvm = svm.fit(pairs * signs[:, None], signs).coef_[0]
        taus.append(
            [
                kendalltau(X[rows] @ w, y[rows]).statistic
                for w in (ridge, ranksvm)
                for rows in (test[groups[test] == 0], test[groups[test] == 1])
            ]
        )
    np.testing.assert_allclose(np.mean(taus, axis=0), [0.768, 0.823, 0.837, 0.837], atol=0.01)


def test_points_must_divide_into_grades_and_blocks():
    with pytest.raises(ValueError, match="n_items=64; give at least 6, a multiple of 6"):
        make_blocks(64)
