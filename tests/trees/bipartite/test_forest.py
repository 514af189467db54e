"""Ranking forests: aggregation, reproducibility, out-of-bag estimates, limits."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression

import rankwright as rw
from rankwright.trees import RankingForest, TreeRank


@pytest.fixture(scope="module")
def train():
    return rw.datasets.make_rf10(600, random_state=0)


@pytest.fixture(scope="module")
def test():
    return rw.datasets.make_rf10(1000, random_state=1)


@pytest.fixture(scope="module")
def forest(train):
    return RankingForest(40, oob_score=True, random_state=0).fit(train.X, train.y)


def tree_ranks(forest, X, X_train):
    """Rank rows among the training rows in each tree, by counting."""
    ranks = []
    for tree in forest.trees_:
        mine, theirs = tree.scores()[tree.apply(X)], tree.scores()[tree.apply(X_train)]
        below = (theirs[None, :] < mine[:, None]) + 0.5 * (theirs[None, :] == mine[:, None])
        ranks.append(below.mean(axis=1))
    return np.array(ranks)


@pytest.mark.parametrize(("aggregation", "combine"), [("mean", np.mean), ("median", np.median)])
def test_scores_aggregate_mid_ranks_among_the_training_rows(train, test, aggregation, combine):
    model = RankingForest(10, aggregation=aggregation, random_state=0).fit(train.X, train.y)
    ranks = tree_ranks(model, test.X.to_numpy()[:200], train.X.to_numpy())
    np.testing.assert_allclose(model.predict(test.X[:200]), combine(ranks, axis=0), rtol=1e-7)


def test_plugin_scores_are_mid_ranks_among_the_negatives(train, test):
    model = RankingForest(10, aggregation="plugin", random_state=0).fit(train.X, train.y)
    ranks = tree_ranks(model, test.X.to_numpy()[:200], train.X.to_numpy()[train.y == 0])
    np.testing.assert_allclose(model.predict(test.X[:200]), ranks.mean(axis=0), rtol=1e-7)


def test_aggregation_improves_on_the_single_tree_in_the_papers_setting(train, test):
    plain = {"max_depth": 10, "max_depth_leaf": 10, "min_samples_leaf": 10, "splitter": "hist"}
    bagging = {"max_features_leaf": None, "min_samples_split": 2, "aggregation": "median"}
    tree = TreeRank(**plain).fit(train.X, train.y)
    forest = RankingForest(20, **plain, **bagging, random_state=0).fit(train.X, train.y)
    single = rw.metrics.auc(test.y, tree.predict(test.X))
    assert rw.metrics.auc(test.y, forest.predict(test.X)) > single + 0.02


def test_the_default_forest_leads_random_trees(train, test):
    from sklearn.ensemble import RandomForestClassifier

    ours = np.mean(
        [
            rw.metrics.auc(
                test.y, RankingForest(50, random_state=s).fit(train.X, train.y).predict(test.X)
            )
            for s in range(3)
        ]
    )
    peers = RandomForestClassifier(50, min_samples_leaf=5, random_state=0).fit(train.X, train.y)
    assert ours > rw.metrics.auc(test.y, peers.predict_proba(test.X)[:, 1])


def test_the_result_does_not_depend_on_n_jobs(train, test, forest):
    parallel = clone(forest).set_params(n_jobs=2).fit(train.X, train.y)
    np.testing.assert_array_equal(parallel.predict(test.X), forest.predict(test.X))
    assert parallel.oob_.auc == forest.oob_.auc


def test_scores_do_not_depend_on_the_other_rows(forest, test):
    scores = forest.predict(test.X)
    np.testing.assert_array_equal(forest.predict(test.X[3:4]), scores[3:4])


def test_a_warm_start_adds_the_trees_of_a_larger_forest(train, test):
    grown = RankingForest(5, warm_start=True, oob_score=True, random_state=0).fit(train.X, train.y)
    first = grown.trees_[0]
    grown.set_params(n_estimators=12).fit(train.X, train.y)
    assert grown.trees_[0] is first
    whole = RankingForest(12, oob_score=True, random_state=0).fit(train.X, train.y)
    np.testing.assert_array_equal(grown.predict(test.X), whole.predict(test.X))
    assert grown.oob_.auc == whole.oob_.auc
    grown.set_params(aggregation="median").fit(train.X, train.y)
    median = RankingForest(12, aggregation="median", random_state=0).fit(train.X, train.y)
    np.testing.assert_array_equal(grown.predict(test.X), median.predict(test.X))
    with pytest.raises(ValueError, match="warm_start keeps 12 trees"):
        grown.set_params(n_estimators=3).fit(train.X, train.y)
    with pytest.raises(ValueError, match="same rows"):
        grown.set_params(n_estimators=20).fit(train.X[:100], train.y[:100])


def test_the_out_of_bag_auc_compares_pairs_by_the_trees_that_saw_neither(train):
    X, y = train.X.to_numpy()[:60], train.y[:60]
    for aggregation in ("mean", "median", "plugin"):
        model = RankingForest(8, aggregation=aggregation, oob_score=True, random_state=1).fit(X, y)
        values = np.array(
            [
                table[tree.apply(X)]
                for tree, table in zip(model.trees_, model.leaf_values_, strict=True)
            ]
        )
        unseen = np.array([model.bag_.counts(seed) == 0 for seed in model.seeds_])
        combine = np.median if aggregation == "median" else np.mean
        won, left_out = [], 0
        for i in np.flatnonzero(y == 1):
            for j in np.flatnonzero(y == 0):
                both = unseen[:, i] & unseen[:, j]
                if not both.any():
                    left_out += 1
                    continue
                lead = combine(values[both, i]) - combine(values[both, j])
                won.append(0.5 if abs(lead) < 1e-12 else float(lead > 0))
        assert left_out > 0
        assert (model.oob_.n_compared, model.oob_.n_left_out) == (len(won), left_out)
        assert model.oob_.auc == pytest.approx(np.mean(won), abs=1e-12)


def test_the_out_of_bag_auc_is_a_pessimistic_test_auc(forest, test):
    # Pessimistic: five trees decide on a pair, where forty score a new row.
    assert 0.57 < forest.oob_.auc < rw.metrics.auc(test.y, forest.predict(test.X)) + 0.02
    assert forest.oob_.n_left_out < 0.01 * forest.oob_.n_compared
    assert 0.1 * 40 < forest.oob_.trees_per_pair < 0.17 * 40


def test_many_rows_are_compared_by_a_sample(monkeypatch, train):
    monkeypatch.setattr("rankwright.trees.bipartite.out_of_bag.MOST_ROWS", 100)
    model = RankingForest(30, oob_score=True, random_state=0).fit(train.X, train.y)
    assert model.oob_.n_compared + model.oob_.n_left_out == 100 * 100
    assert np.isfinite(model.oob_.scores).sum() > 590


def test_out_of_bag_scores_come_back_in_the_callers_rows(train):
    weights = np.ones(len(train.y))
    weights[:50] = 0.0
    model = RankingForest(20, oob_score=True, random_state=0).fit(
        train.X, train.y, sample_weight=weights
    )
    assert np.isnan(model.oob_.scores[:50]).all()
    assert rw.metrics.auc(train.y[50:], np.nan_to_num(model.oob_.scores[50:])) > 0.6


def test_the_envelope_holds_the_roc_curve(forest):
    curve = forest.oob_.roc_curve()
    band = forest.oob_.roc_envelope(30, random_state=0)
    inside = np.interp(
        band.false_positive_rate, curve.false_positive_rate, curve.true_positive_rate
    )
    assert np.mean((band.lower <= inside + 1e-9) & (inside <= band.upper + 1e-9)) > 0.95
    assert 0.02 < band.area < 0.3


def test_importances_find_the_features_that_matter():
    data = rw.datasets.make_rf10_sparse(500, random_state=0)
    model = RankingForest(20, random_state=0).fit(data.X, data.y)
    drops = model.oob_importances(data.X, data.y, random_state=0)
    assert drops[:4].min() > drops[4:].max()
    assert model.feature_importances_[:4].min() > model.feature_importances_[4:].max()
    with pytest.raises(ValueError, match="fitted on 500"):
        model.oob_importances(data.X[:100], data.y[:100])


def test_instability_is_the_mean_distance_of_trees(forest, test):
    ranks = tree_ranks(forest, test.X.to_numpy()[:50], test.X.to_numpy()[:50])
    assert forest.instability(test.X[:50]) == pytest.approx(rw.metrics.instability(ranks))
    assert 0.2 < forest.instability(test.X[:50]) < 0.5


def test_the_subpartition_has_a_cell_for_each_tuple_of_leaves(train):
    model = RankingForest(3, max_depth=2, max_depth_leaf=2, random_state=0).fit(train.X, train.y)
    parts = model.subpartition(train.X)
    leaves = [tree.apply(train.X.to_numpy()) for tree in model.trees_]
    assert len(parts.cells) == len(set(zip(*leaves, strict=True)))
    assert parts.masses.sum() == pytest.approx(1.0)
    np.testing.assert_array_equal(parts.cells[parts.members], np.column_stack(leaves))


def test_a_million_rows_would_need_the_memory_of_a_block(forest, test):
    X = np.tile(test.X.to_numpy(), (30, 1))
    few, many = X[:10_000], X
    peaks = []
    for rows in (few, many):
        tracemalloc.start()
        forest.predict(pd.DataFrame(rows, columns=test.X.columns).to_numpy())
        peaks.append(tracemalloc.get_traced_memory()[1] - 2 * rows.nbytes)
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 16 * len(many)


def test_the_sample_size_of_the_bags_is_chosen(train):
    assert RankingForest(2, max_samples=0.5).fit(train.X, train.y).bag_.n_drawn == 300
    assert RankingForest(2, max_samples=70).fit(train.X, train.y).bag_.n_drawn == 70
    assert RankingForest(2, max_samples=1.0).fit(train.X, train.y).bag_.n_drawn == 600
    whole = RankingForest(2, bootstrap=False).fit(train.X, train.y)
    assert whole.trees_[0].cells["positives"][0] == 300


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_estimators": 0}, "n_estimators=0"),
        ({"aggregation": "borda"}, "aggregation='borda'"),
        ({"bootstrap": False, "oob_score": True}, "bootstrap=False"),
        ({"n_estimators": 1, "aggregation": "kemeny"}, "needs two trees"),
        ({"max_samples": -1}, "max_samples=-1"),
        ({"max_samples": 601}, "max_samples=601 but 600 rows have weight"),
    ],
)
def test_bad_parameters_are_named(train, parameters, message):
    with pytest.raises(ValueError, match=message):
        RankingForest(**parameters).fit(train.X, train.y)


def test_few_rows_and_heavy_imbalance_are_ranked():
    tiny = RankingForest(
        30, min_samples_split=2, min_samples_leaf=1, oob_score=True, random_state=0
    )
    tiny.fit([[1.0], [2.0]], [0, 1])
    assert np.diff(tiny.predict([[1.0], [2.0]])) > 0
    assert np.isnan(tiny.oob_.auc)
    assert tiny.oob_.n_left_out == 1
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(3003, 2)), np.zeros(3003)
    y[:3], X[:3] = 1.0, X[:3] + 4.0
    rare = RankingForest(20, random_state=0).fit(X, y)
    assert rw.metrics.auc(y, rare.predict(X)) > 0.95


def test_categories_missing_values_and_text_labels(table):
    X, y = table
    labels = np.where(y > 1, "good", "bad")
    model = RankingForest(20, random_state=0).fit(X, labels)
    assert model.classes_.tolist() == ["bad", "good"]
    assert rw.metrics.auc(y > 1, model.predict(X)) > 0.95


def test_a_forest_of_classifiers(train, test):
    model = RankingForest(5, leaf_rank=LogisticRegression(), max_depth=2, random_state=0, n_jobs=2)
    assert model.fit(train.X, train.y).predict(test.X).shape == (1000,)


@pytest.mark.parametrize("aggregation", ["plugin", "kemeny"])
def test_a_saved_forest_scores_alike(train, test, tmp_path, aggregation):
    if aggregation == "kemeny":
        pytest.importorskip("rankwright.aggregation")
    model = RankingForest(3, max_depth=2, max_depth_leaf=2, aggregation=aggregation, random_state=0)
    model.fit(train.X, train.y)
    rw.save(model, tmp_path / "forest.rw")
    loaded = rw.load(tmp_path / "forest.rw")
    np.testing.assert_array_equal(loaded.predict(test.X), model.predict(test.X))
