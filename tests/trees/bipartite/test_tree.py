"""TreeRank: orientation, gains, scores, input and its errors."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import check_estimator

import rankwright as rw
from rankwright.trees import TreeRank
from rankwright.trees.bipartite.nodes import cell_masses


@pytest.fixture(scope="module")
def sample():
    return rw.datasets.make_rf10_sparse(400, random_state=0)


def brute_auc(y, scores):
    differences = scores[y == 1][:, None] - scores[y == 0][None, :]
    return float(np.mean((differences > 0) + 0.5 * (differences == 0)))


@st.composite
def problems(draw):
    n = draw(st.integers(4, 40))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    X = rng.integers(0, draw(st.integers(2, 8)), size=(n, draw(st.integers(1, 3)))).astype(float)
    X[rng.random(X.shape) < draw(st.sampled_from([0.0, 0.3]))] = np.nan
    y = (rng.random(n) < 0.5).astype(float)
    y[:2] = 0.0, 1.0
    parameters = {
        "max_depth": draw(st.integers(1, 5)),
        "max_depth_leaf": draw(st.integers(1, 3)),
        "min_samples_leaf": draw(st.integers(1, 4)),
        "splitter": draw(st.sampled_from(["hist", "random"])),
        "random_state": draw(st.integers(0, 100)),
    }
    return X, y, parameters


@given(problems())
@settings(max_examples=60, deadline=None)
def test_each_split_raises_the_auc_by_the_formula(problem):
    X, y, parameters = problem
    model = TreeRank(**parameters).fit(X, y)
    tree = model.tree_
    ends = tree.apply(X)
    gains, scores = tree.gains(), tree.scores()
    assert (gains[~tree.is_leaf] > 0).all()
    before = brute_auc(y, np.zeros(len(y)))
    # Split the cells one after the other, and measure the AUC of each tree on the way.
    at = np.zeros(len(y), dtype=int)
    ancestors = {cell: [cell] for cell in range(tree.cells.size)}
    parents = {int(left) + side: cell for cell, left in enumerate(tree.cells["left"]) if left >= 0
               for side in (0, 1)}  # fmt: skip
    for cell in range(1, tree.cells.size):
        ancestors[cell] = [*ancestors[parents[cell]], cell]
    for cell in np.flatnonzero(~tree.is_leaf):
        here = at == cell
        at[here] = [ancestors[end][tree.cells["depth"][cell] + 1] for end in ends[here]]
        after = brute_auc(y, scores[at])
        assert after - before == pytest.approx(gains[cell], abs=1e-12)
        before = after
    assert before == pytest.approx(0.5 + gains.sum(), abs=1e-12)


@given(problems())
@settings(max_examples=60, deadline=None)
def test_the_left_child_has_the_larger_share_of_positives(problem):
    X, y, parameters = problem
    tree = TreeRank(**parameters).fit(X, y).tree_
    shares = tree.shares()
    inner = np.flatnonzero(~tree.is_leaf)
    left = tree.cells["left"][inner]
    assert (shares[left] > shares[inner]).all()
    assert (shares[left + 1] < shares[inner]).all()


@given(problems())
@settings(max_examples=60, deadline=None)
def test_cells_hold_the_rows_that_reach_them_and_keep_the_limits(problem):
    X, y, parameters = problem
    tree = TreeRank(**parameters).fit(X, y).tree_
    ends = tree.apply(X)
    np.testing.assert_array_equal(cell_masses(tree.cells, ends, y), tree.cells["positives"])
    np.testing.assert_array_equal(cell_masses(tree.cells, ends, 1 - y), tree.cells["negatives"])
    assert tree.cells["depth"].max() <= parameters["max_depth"]
    if tree.cells.size > 1:
        assert cell_masses(tree.cells, ends).min() >= parameters["min_samples_leaf"]


def test_scores_follow_the_papers_formula_less_one_half():
    X = np.arange(8.0)[:, None]
    model = TreeRank(min_samples_leaf=1, max_depth_leaf=1).fit(X, [0, 0, 0, 1, 0, 1, 1, 1])
    cells = model.tree_.cells
    depth = cells["depth"].max()
    leaves = model.tree_.is_leaf
    d, k = cells["depth"][leaves], cells["position"][leaves]
    expected = 2.0**depth - 2.0 ** (depth - d) * k - 0.5
    np.testing.assert_array_equal(model.tree_.scores()[leaves], expected)
    assert set(model.predict(X)) == set(model.tree_.scores()[leaves])


def test_a_stump_puts_the_better_side_left():
    rng = np.random.default_rng(0)
    for _ in range(20):
        X = rng.normal(size=(30, 1))
        y = rng.permutation(np.arange(30) % 2)
        model = TreeRank(min_samples_leaf=1, max_depth=1, max_depth_leaf=1).fit(X, y)
        # Rows in balance: the gini index need not find the cut of largest AUC, but its better side.
        assert brute_auc(y, model.predict(X)) > 0.5


def test_a_split_of_pure_values_is_perfect():
    X = np.array([[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]])
    y = [0, 1, 1, 0, 0, 1]
    model = TreeRank(min_samples_leaf=1, max_depth=1, max_depth_leaf=3).fit(X, y)
    assert rw.metrics.auc(y, model.predict(X)) == 1.0


def test_missing_values_and_categories_decide(table):
    X, y = table
    model = TreeRank(max_depth=4).fit(X, y > 1)
    assert rw.metrics.auc(y > 1, model.predict(X)) > 0.99
    assert model.feature_importances_[2] < 0.1
    unknown = X.head(3).assign(colour=pd.Categorical(["pink", "red", None]))
    assert np.isfinite(model.predict(unknown)).all()


def test_categories_survive_larger_memory():
    rng = np.random.default_rng(0)
    colour = rng.integers(0, 40, size=1500)
    X = pd.DataFrame({"colour": pd.Categorical(colour), "x": rng.normal(size=1500)})
    y = rng.random(1500) < (0.2 + 0.6 * (colour % 3 == 0))
    model = TreeRank(max_depth_leaf=6, splitter="random", random_state=0).fit(X, y)
    tree = model.tree_
    encoded = np.column_stack([colour, X["x"]]).astype(float)
    ends = tree.apply(encoded)
    np.testing.assert_array_equal(
        cell_masses(tree.cells, ends, y.astype(float)), tree.cells["positives"]
    )


def test_labels_of_any_kind_give_the_same_ranking(sample):
    expected = TreeRank(max_depth=3).fit(sample.X, sample.y).predict(sample.X)
    for labels in (
        np.where(sample.y == 1, "yes", "no"),
        sample.y == 1,
        np.where(sample.y == 1, 7, -3),
        pd.Categorical(
            np.where(sample.y == 1, "accept", "reject"), ["reject", "accept"], ordered=True
        ),
        pd.Series(np.where(sample.y == 1, "yes", "no"), dtype=object),
    ):
        model = TreeRank(max_depth=3).fit(sample.X, labels)
        np.testing.assert_array_equal(model.predict(sample.X), expected)
        assert model.score(sample.X, labels) > 0.5


def test_an_unknown_label_is_named(sample):
    model = TreeRank(max_depth=1).fit(sample.X, sample.y)
    with pytest.raises(ValueError, match=r"y holds 2.0; the classes are \[0.0, 1.0\]"):
        model.score(sample.X, sample.y * 2)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([1, 1, 1], "one class only"),
        ([0, 1, 2], "3 classes.*OrdinalForest"),
        (["a", "b", "c"], "3 classes.*OrdinalForest"),
        (["a", None, "b"], "row 1"),
        (["a", 1, "b"], r"types \['int', 'str'\]"),
    ],
)
def test_targets_other_than_two_classes_are_refused(y, message):
    target = np.array(y, dtype=object) if isinstance(y[0], str) else y
    with pytest.raises(ValueError, match=message):
        TreeRank().fit([[1.0], [2.0], [3.0]], target)


def test_groups_are_refused_with_the_rankers_that_take_them(sample):
    with pytest.raises(ValueError, match=r"one group.*PairwiseRanker"):
        TreeRank().fit(sample.X, sample.y, np.zeros(len(sample.y)))
    with pytest.raises(ValueError, match="takes no groups"):
        TreeRank().fit(rw.Rankings([[1.0], [2.0]], [[0, 1]]))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"splitter": "exact"}, "splitter='exact'"),
        ({"max_depth": 51}, "max_depth=51"),
        ({"max_depth_leaf": 0}, "max_depth_leaf=0"),
        ({"min_samples_leaf": 0}, "min_samples_leaf=0"),
        ({"max_bins": 300}, "max_bins=300"),
        ({"max_features_leaf": "all"}, "max_features_leaf='all'"),
        ({"max_features_master": -1}, "max_features_master=-1"),
        ({"prune": "yes"}, "prune='yes'"),
    ],
)
def test_bad_parameters_are_named(sample, parameters, message):
    with pytest.raises(ValueError, match=message):
        TreeRank(**parameters).fit(sample.X, sample.y)


def test_two_rows_suffice():
    model = TreeRank(min_samples_leaf=1).fit([[1.0], [2.0]], [1, 0])
    assert model.predict([[1.0], [2.0]]).tolist() == [1.5, 0.5]


@pytest.mark.parametrize("X", [np.ones((6, 2)), np.full((6, 1), np.nan)])
def test_without_anything_to_split_all_scores_are_equal(X):
    model = TreeRank().fit(X, [0, 1, 0, 1, 0, 1])
    assert model.tree_.cells.size == 1
    assert np.ptp(model.predict(X)) == 0.0
    assert model.feature_importances_.sum() == 0.0


def test_contradictory_duplicates_stay_together():
    X = np.repeat([[1.0], [2.0]], 4, axis=0)
    model = TreeRank(min_samples_leaf=1).fit(X, [0, 0, 0, 1, 1, 1, 1, 0])
    assert model.tree_.cells.size == 3
    assert model.predict([[2.0]]) > model.predict([[1.0]])


def test_heavy_imbalance_is_ranked():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2002, 2))
    y = np.zeros(2002)
    y[:2] = 1.0
    X[:2] += 4.0
    model = TreeRank(min_samples_leaf=1, max_depth=2, max_depth_leaf=2).fit(X, y)
    assert rw.metrics.auc(y, model.predict(X)) > 0.99


def test_weights_are_repetitions_and_zero_leaves_out(sample):
    X, y = sample.X.to_numpy(), sample.y
    times = np.random.default_rng(0).integers(0, 3, size=len(y))
    model = TreeRank(max_depth=3, max_depth_leaf=2, min_samples_leaf=1)
    weighted = clone(model).fit(X, y, sample_weight=times)
    repeated = clone(model).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_array_equal(weighted.predict(X), repeated.predict(X))


def test_the_master_draws_its_features(sample):
    model = TreeRank(max_depth=1, max_features_master=1, random_state=3).fit(sample.X, sample.y)
    assert np.unique(model.tree_.splits.cuts["feature"]).size == 1
    whole = TreeRank(max_depth=1).fit(sample.X, sample.y)
    assert np.unique(whole.tree_.splits.cuts["feature"]).size > 1


def test_importances_add_up_to_the_auc_gained(sample):
    model = TreeRank(max_depth=3, max_depth_leaf=3).fit(sample.X, sample.y)
    gained = model.tree_.importances(10).sum()
    assert gained == pytest.approx(rw.metrics.auc(sample.y, model.predict(sample.X)) - 0.5)
    assert model.feature_importances_[:4].sum() > 0.8


@pytest.mark.parametrize("classifier", [SVC(kernel="linear"), LogisticRegression(), GaussianNB()])
def test_any_classifier_may_split_cells(sample, classifier):
    model = TreeRank(max_depth=3, min_samples_leaf=5, leaf_rank=classifier).fit(sample.X, sample.y)
    tree = model.tree_
    assert (tree.gains()[~tree.is_leaf] > 0).all()
    auc = rw.metrics.auc(sample.y, model.predict(sample.X))
    assert auc == pytest.approx(0.5 + tree.gains().sum())
    assert auc > 0.8
    assert model.feature_importances_.sum() == pytest.approx(1.0)


def test_a_classifiers_trees_can_be_pruned(sample):
    model = TreeRank(
        max_depth=4, leaf_rank=LogisticRegression(), prune="cv", n_folds=3, random_state=0
    )
    model.fit(sample.X, sample.y)
    whole = clone(model).set_params(prune=None).fit(sample.X, sample.y)
    assert model.tree_.cells.size < whole.tree_.cells.size
    assert rw.metrics.auc(sample.y, model.predict(sample.X)) > 0.85


def test_a_search_tunes_the_depth(sample):
    search = GridSearchCV(
        TreeRank(max_depth_leaf=3), {"max_depth": [1, 4]}, scoring=rw.metrics.scorer("auc"), cv=3
    )
    assert search.fit(sample.X, sample.y).best_score_ > 0.7


def test_random_cuts_pass_scikit_learns_checks():
    labels = ["check_classifiers_classes", "check_classifiers_train"]
    kinds = ("dense", "sparse")
    expected = {
        **dict.fromkeys(labels, "predict returns scores"),
        **{f"check_sample_weight_equivalence_on_{kind}_data": "it turns classes" for kind in kinds},
    }
    check_estimator(TreeRank(splitter="random", random_state=0), expected_failed_checks=expected)
