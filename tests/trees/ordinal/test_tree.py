import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.tree import DecisionTreeClassifier

import rankwright as rw
from rankwright.trees import OrdinalTree
from rankwright.trees.criteria import CRITERIA


@pytest.mark.parametrize("criterion", sorted(CRITERIA))
def test_a_full_tree_knows_its_training_labels(squares, criterion):
    tree = OrdinalTree(criterion=criterion).fit(squares.X, squares.y)
    assert tree.rank_loss(squares.X, squares.y) == 0
    assert tree.score(squares.X, squares.y) == 1


def test_gini_finds_the_splits_of_scikit_learn(squares):
    ours = OrdinalTree(criterion="gini", splitter="exact", max_depth=3).fit(squares.X, squares.y)
    theirs = DecisionTreeClassifier(max_depth=3, random_state=0).fit(squares.X, squares.y)
    np.testing.assert_allclose(ours.predict_proba(squares.X), theirs.predict_proba(squares.X))


def test_predict_minimises_the_expected_rank_loss(squares):
    tree = OrdinalTree(max_depth=3).fit(squares.X, squares.y)
    shares = tree.predict_proba(squares.X)
    distances = np.abs(tree.label_values_[:, np.newaxis] - tree.label_values_)
    expected = tree.labels_[np.argmin(shares @ distances, axis=1)]
    np.testing.assert_array_equal(tree.predict(squares.X), expected)


def test_the_expected_label_is_the_score(squares):
    tree = OrdinalTree(max_depth=3).fit(squares.X, squares.y)
    expected = tree.predict_proba(squares.X) @ tree.label_values_
    np.testing.assert_allclose(tree.decision_function(squares.X), expected)
    np.testing.assert_array_equal(
        tree.rank(squares.X), rw.positions(tree.decision_function(squares.X))
    )


def test_the_order_of_labels_makes_shallow_trees_better():
    """Figure 2 of Xia et al.: lower loss than gini at small depth, noise features or not."""
    for n_noise_features in (0, 18):
        losses = {"ordinal_gini": [], "gini": []}
        for seed in range(5):
            train, test = (
                rw.datasets.make_ordinal_squares(
                    1000, n_noise_features=n_noise_features, random_state=state
                )
                for state in (seed, 100 + seed)
            )
            for criterion, found in losses.items():
                tree = OrdinalTree(criterion=criterion, max_depth=3).fit(train.X, train.y)
                found.append(tree.rank_loss(test.X, test.y))
        assert np.mean(losses["ordinal_gini"]) < np.mean(losses["gini"])


def test_label_gaps_count():
    X = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
    near, far = [0, 1, 2, 3], [0, 10, 1, 11]
    assert OrdinalTree(max_depth=1).fit(X, near).tree_.nodes["feature"][0] == 0
    assert OrdinalTree(max_depth=1).fit(X, far).tree_.nodes["feature"][0] == 1


def test_missing_values_and_categories_are_learnt(table):
    X, y = table
    tree = OrdinalTree().fit(X, y)
    assert tree.rank_loss(X, y) == 0
    assert tree.tree_.nodes.size < 25  # sets of categories, not one category after the other
    np.testing.assert_array_equal(tree.feature_names_in_, ["size", "colour", "noise"])
    assert tree.feature_importances_[2] < 0.01
    assert tree.feature_importances_.sum() == pytest.approx(1)


@pytest.mark.parametrize("splitter", ["hist", "exact", "random"])
def test_categories_may_be_listed_by_number_name_or_mask(table, splitter):
    X, y = table
    plain = X.assign(colour=X["colour"].astype(str))
    encoded = np.column_stack([X["size"], X["colour"].cat.codes, X["noise"]])
    options = {"splitter": splitter, "random_state": 0}
    expected = OrdinalTree(**options).fit(X, y).predict(X)
    for frame, columns in (
        (plain, ["colour"]),
        (plain, [1]),
        (encoded, [False, True, False]),
        (plain.to_numpy(dtype=object), [1]),
        (pl.DataFrame({name: plain[name].to_numpy() for name in plain}), ["colour"]),
    ):
        tree = OrdinalTree(categorical_features=columns, **options).fit(frame, y)
        np.testing.assert_array_equal(tree.predict(frame), expected)


def test_a_new_category_goes_with_the_larger_part(table):
    X, y = table
    tree = OrdinalTree(max_depth=1, max_features=1).fit(X[["colour"]], y)
    left, right = tree.tree_.nodes["weight"][1:3]
    new = pd.DataFrame({"colour": ["violet", None]})
    assert tree.apply(new).tolist() == [1 if left >= right else 2] * 2


def test_missing_categories_are_a_category_of_their_own(table):
    X, y = table
    X = X.assign(colour=X["colour"].where(y < 3))
    y = np.where(y < 3, y, 9)
    tree = OrdinalTree().fit(X[["colour"]], y)
    assert tree.predict(pd.DataFrame({"colour": [None]})).tolist() == [9]


def test_missing_values_unknown_to_the_training_go_with_the_larger_part():
    tree = OrdinalTree().fit([[1.0], [2.0], [3.0]], [0, 1, 1])
    assert tree.predict([[np.nan]]).tolist() == [1]


def test_ordered_categoricals_are_labels():
    y = pd.Series(
        pd.Categorical(["poor", "good", "fair", "good"], ["poor", "fair", "good"], ordered=True)
    )
    tree = OrdinalTree().fit([[1.0], [3.0], [2.0], [3.0]], y)
    assert tree.predict([[0.0], [2.0], [9.0]]).tolist() == ["poor", "fair", "good"]
    assert tree.labels_.tolist() == ["poor", "fair", "good"]
    assert tree.score([[1.0], [3.0], [2.0], [3.0]], y) == 1
    assert tree.rank_loss([[1.0], [1.0]], pd.Categorical(["poor", "good"], y.cat.categories)) == 1


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (["poor", "good"], "'poor', and strings have no order; give pd.Categorical"),
        (pd.Categorical(["poor", "good"]), "without an order .*set_categories"),
        (pd.Categorical(["poor", None], ["poor"], ordered=True), "y holds nan in row 1"),
    ],
)
def test_labels_without_an_order_are_refused_with_the_remedy(y, message):
    with pytest.raises(ValueError, match=message):
        OrdinalTree().fit([[1.0], [2.0]], y)


def test_integer_labels_stay_integers_and_floats_floats():
    X = [[1.0], [2.0]]
    assert OrdinalTree().fit(X, [1, 2]).predict(X).dtype.kind == "i"
    assert OrdinalTree().fit(X, [1.5, 2.0]).predict(X).tolist() == [1.5, 2.0]


@pytest.mark.parametrize("splitter", ["hist", "exact", "random"])
class TestDegenerateInput:
    def test_one_label(self, splitter):
        tree = OrdinalTree(splitter=splitter).fit(np.eye(3), [2, 2, 2])
        assert tree.tree_.nodes.size == 1
        assert tree.predict(np.eye(3)).tolist() == [2, 2, 2]
        assert tree.predict_proba(np.eye(3)).tolist() == [[1.0]] * 3
        assert tree.feature_importances_.tolist() == [0, 0, 0]

    def test_a_tree_of_one_row_predicts_its_label(self, splitter):
        assert OrdinalTree(splitter=splitter).fit([[1.0]], [4]).predict([[3.0]]).tolist() == [4]

    def test_two_labels_cut_by_a_feature_are_told_apart(self, splitter):
        X = np.arange(20.0)[:, np.newaxis]
        tree = OrdinalTree(splitter=splitter, random_state=0).fit(X, X[:, 0] > 7)
        assert tree.rank_loss(X, X[:, 0] > 7) == 0

    def test_a_full_ordering_of_300(self, splitter):
        X = np.random.default_rng(0).random((300, 2))
        y = np.argsort(np.argsort(X[:, 0]))
        tree = OrdinalTree(splitter=splitter, max_depth=5, random_state=0).fit(X, y)
        assert tree.labels_.size == 300
        assert tree.score(X, y) > 0.7

    def test_features_that_are_all_missing_or_constant_are_never_split(self, splitter):
        rng = np.random.default_rng(0)
        X = np.column_stack([np.full(50, np.nan), np.ones(50), rng.random(50)])
        tree = OrdinalTree(splitter=splitter, random_state=0).fit(X, X[:, 2] > 0.5)
        assert set(tree.tree_.nodes["feature"]) <= {-1, 2}
        assert tree.rank_loss(X, X[:, 2] > 0.5) == 0

    def test_only_useless_features(self, splitter):
        tree = OrdinalTree(splitter=splitter).fit(np.ones((4, 2)), [0, 1, 2, 3])
        assert tree.tree_.nodes.size == 1
        assert tree.predict(np.ones((1, 2))).tolist() == [1]

    def test_fewer_rows_than_a_leaf_needs(self, splitter):
        tree = OrdinalTree(splitter=splitter, min_samples_leaf=10).fit(np.eye(4), [0, 1, 2, 3])
        assert tree.tree_.nodes.size == 1

    def test_presence_alone_may_be_split(self, splitter):
        X = np.array([[np.nan], [1.0], [np.nan], [1.0]])
        tree = OrdinalTree(splitter=splitter, random_state=0).fit(X, [1, 0, 1, 0])
        assert tree.predict([[np.nan], [1.0]]).tolist() == [1, 0]


def test_rows_of_weight_zero_are_left_out(squares):
    X, y = squares.X.to_numpy(), squares.y
    weights = (np.arange(len(y)) % 3 > 0).astype(float)
    first = OrdinalTree(max_depth=4).fit(X, y, sample_weight=weights)
    second = OrdinalTree(max_depth=4).fit(X[weights > 0], y[weights > 0])
    np.testing.assert_array_equal(first.decision_function(X), second.decision_function(X))


def test_min_impurity_decrease_is_a_mean_over_all_rows(squares):
    for criterion in ("ordinal_gini", "ranking"):
        tree = OrdinalTree(criterion=criterion, min_impurity_decrease=0.01)
        small = tree.fit(squares.X, squares.y).tree_
        made = small.nodes["decrease"][small.nodes["left"] >= 0]
        scale = len(squares.y) ** (2 if criterion == "ranking" else 1)
        assert made.size > 0
        assert (made / scale > 0.01).all()


def test_groups_hide_what_only_differs_between_groups():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(20), 10)
    level = groups / 20.0  # explains most of y, none of it inside a group
    detail = rng.random(200)
    y = 10 * groups + 3 * (detail > 0.5)
    X = np.column_stack([level, detail])
    assert OrdinalTree(max_depth=1).fit(X, y).tree_.nodes["feature"][0] == 0
    for criterion in ("ranking", "ordinal_gini"):
        tree = OrdinalTree(criterion=criterion, max_depth=1).fit(X, y, groups)
        assert tree.tree_.nodes["feature"][0] == 1


def test_one_group_is_no_group(squares):
    alone = OrdinalTree(max_depth=3).fit(squares.X, squares.y)
    grouped = OrdinalTree(max_depth=3).fit(squares.X, squares.y, np.zeros(len(squares.y)))
    np.testing.assert_array_equal(alone.apply(squares.X), grouped.apply(squares.X))


def test_rankings_are_training_data():
    rankings = rw.Rankings(np.array([[1.0], [2.0], [3.0], [4.0]]), [[3, 1, 0], [2, 1]])
    assert OrdinalTree().fit(rankings).rank([[1.0], [4.0]]).tolist() == [2, 1]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"criterion": "mse"}, r"criterion='mse'; choose from \['absolute', 'entropy'"),
        ({"splitter": "best"}, r"splitter='best'; choose from \['exact'"),
        ({"max_bins": 256}, "max_bins=256; give a whole number from 2 to 255"),
        ({"max_depth": 0}, "max_depth=0; give a whole number of at least 1, or None"),
        ({"min_samples_leaf": 1.5}, "min_samples_leaf=1.5; give a whole number"),
        (
            {"max_features": "auto"},
            "max_features='auto'; give 'sqrt', or give a whole number of at least 1, or a share",
        ),
        ({"prune": "alpha"}, "prune='alpha'; give 'cv', or None"),
        ({"prune_by": "size"}, r"prune_by='size'; choose from \['alpha', 'depth'\]"),
        ({"prune_cost": "gini"}, r"prune_cost='gini'; choose from \['impurity', 'rank_loss'\]"),
        ({"n_folds": 1}, "n_folds=1; give a whole number of at least 2"),
        ({"ccp_alpha": -1.0}, "ccp_alpha=-1.0; give a number of at least 0"),
        (
            {"categorical_features": ["size"]},
            r"categorical_features has \['size'\]; the columns are",
        ),
        ({"categorical_features": [4]}, r"categorical_features=\[4\]; X has 2 columns"),
        ({"categorical_features": "all"}, "categorical_features='all'; give 'from_dtype'"),
    ],
)
def test_bad_parameters_are_named(parameters, message):
    frame = pd.DataFrame(np.eye(2), columns=["a", "b"])
    with pytest.raises(ValueError, match=message):
        OrdinalTree(**parameters).fit(frame, [0, 1])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"criterion": "gini"}, r"does not count pairs.*choose from \['ordinal_gini', 'ranking'\]"),
        ({"splitter": "random"}, "can't count pairs inside groups; choose 'hist'"),
    ],
)
def test_what_can_not_use_groups_says_so(parameters, message):
    with pytest.raises(ValueError, match=message):
        OrdinalTree(**parameters).fit(np.eye(4), [0, 1, 0, 1], [0, 0, 1, 1])


def test_too_many_categories_are_named():
    X = np.arange(300.0)[:, np.newaxis]
    with pytest.raises(ValueError, match=r"column .* has 300 categories; at most 255"):
        OrdinalTree(categorical_features=[0]).fit(X, X[:, 0])


@pytest.mark.parametrize("unit", [2.0**-40, 2.0**-300, 2.0**100])
@pytest.mark.parametrize(
    "parameters",
    [
        {"criterion": "ordinal_gini"},
        {"criterion": "ranking"},
        {"criterion": "absolute"},
        {"criterion": "ordinal_gini", "splitter": "exact"},
        {"criterion": "absolute", "splitter": "exact"},
        {"prune": "cv"},
        {"prune": "cv", "prune_cost": "impurity"},
    ],
)
def test_the_unit_of_the_labels_changes_no_split(unit, parameters):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = np.digitize(X[:, 0] + rng.normal(size=200), [-0.5, 0.5]).astype(float)
    tree, scaled = (
        OrdinalTree(**parameters, max_depth=4, random_state=0).fit(X, labels).tree_
        for labels in (y, unit * y)
    )
    assert len(tree.nodes) > 1
    for field in ("feature", "left", "threshold"):
        np.testing.assert_array_equal(scaled.nodes[field], tree.nodes[field])


@pytest.mark.parametrize("size", [1e-99, 1e-30, 1e99])
def test_the_unit_of_weights_is_nothing_to_a_sum_over_pairs(size):
    X = np.random.default_rng(0).normal(size=(60, 2))
    y, weights = np.round(X[:, 0]), np.arange(60) % 3 + 1.0
    tree = OrdinalTree(criterion="ranking", max_depth=3)
    expected = tree.fit(X, y, sample_weight=weights).decision_function(X)
    found = tree.fit(X, y, sample_weight=weights * size).decision_function(X)
    np.testing.assert_allclose(found, expected)
    assert np.ptp(found) > 1
