import numpy as np
import pytest

import rankwright as rw
from rankwright.trees import OrdinalForest, OrdinalTree


def test_the_out_of_bag_loss_foretells_the_test_loss(squares):
    test = rw.datasets.make_ordinal_squares(3000, random_state=1)
    forest = OrdinalForest(100, oob_score=True, random_state=0).fit(squares.X, squares.y)
    assert forest.oob_rank_loss_ == pytest.approx(forest.rank_loss(test.X, test.y), abs=0.05)
    assert forest.oob_rank_loss_ > forest.rank_loss(squares.X, squares.y)
    assert rw.metrics.kendall_tau(squares.y, forest.oob_decision_function_) > 0.7


def test_out_of_bag_scores_follow_the_caller_s_rows():
    data = rw.datasets.make_ordinal_squares(300, random_state=0)
    groups = np.random.default_rng(0).integers(0, 3, size=300)
    weights = np.ones(300)
    weights[5] = 0.0
    forest = OrdinalForest(30, oob_score=True, random_state=0)
    forest.fit(data.X, data.y, groups, sample_weight=weights)
    assert np.isnan(forest.oob_decision_function_[5])
    others = np.delete(np.arange(300), 5)
    tau = rw.metrics.kendall_tau(data.y[others], forest.oob_decision_function_[others])
    assert tau > 0.5


def test_a_forest_is_more_stable_than_a_tree():
    """The closing remark of Xia et al.: bagging should cure the instability of the ranking tree."""
    test = rw.datasets.make_ordinal_squares(400, random_state=99)
    scores = {"tree": [], "forest": []}
    for seed in range(6):
        data = rw.datasets.make_ordinal_squares(300, random_state=seed)
        tree = OrdinalTree(max_depth=6).fit(data.X, data.y)
        forest = OrdinalForest(40, max_depth=6, random_state=0).fit(data.X, data.y)
        scores["tree"].append(tree.decision_function(test.X))
        scores["forest"].append(forest.decision_function(test.X))
    tree, forest = (rw.metrics.instability(scores[name]) for name in ("tree", "forest"))
    assert forest < 0.8 * tree


def test_a_forest_beats_a_tree_on_new_rows(squares):
    test = rw.datasets.make_ordinal_squares(3000, random_state=1)
    tree = OrdinalTree().fit(squares.X, squares.y)
    forest = OrdinalForest(100, random_state=0).fit(squares.X, squares.y)
    assert forest.rank_loss(test.X, test.y) < tree.rank_loss(test.X, test.y)


def test_both_importances_find_the_features_that_matter():
    data = rw.datasets.make_ordinal_squares(500, n_noise_features=3, random_state=0)
    forest = OrdinalForest(50, random_state=0).fit(data.X, data.y)
    impurity = forest.feature_importances_
    shuffled = forest.permutation_importances(data.X, data.y, random_state=0).importances_mean
    assert impurity.sum() == pytest.approx(1)
    for importances in (impurity, shuffled):
        assert importances[:2].min() > 2 * importances[2:].max()


def test_threads_do_not_change_anything(squares):
    one, two = (
        OrdinalForest(20, oob_score=True, n_jobs=n_jobs, random_state=0).fit(squares.X, squares.y)
        for n_jobs in (1, 2)
    )
    assert one.oob_rank_loss_ == two.oob_rank_loss_
    many = np.tile(squares.X.to_numpy(), (5, 1))
    two.feature_names_in_ = one.feature_names_in_
    frame = type(squares.X)(many, columns=squares.X.columns)
    np.testing.assert_array_equal(one.predict_proba(frame), two.predict_proba(frame))


def test_without_bootstrap_and_with_all_features_every_tree_is_the_tree(squares):
    forest = OrdinalForest(3, bootstrap=False, max_features=None, max_depth=4, random_state=0)
    tree = OrdinalTree(max_depth=4).fit(squares.X, squares.y)
    np.testing.assert_allclose(
        forest.fit(squares.X, squares.y).decision_function(squares.X),
        tree.decision_function(squares.X),
    )


def test_categories_and_missing_values_are_welcome(table):
    X, y = table
    forest = OrdinalForest(30, random_state=0).fit(X, y)
    assert forest.rank_loss(X, y) < 0.1


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_estimators": 0}, "n_estimators=0; give a whole number of at least 1"),
        (
            {"oob_score": True, "bootstrap": False},
            "bootstrap=False leaves no row out of the bag; set bootstrap=True",
        ),
    ],
)
def test_bad_parameters_are_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        OrdinalForest(**parameters).fit([[0.0], [1.0]], [0, 1])
