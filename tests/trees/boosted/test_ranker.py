import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix

import rankwright as rw
from rankwright.trees.boosted.problem import _judge_groups

KINDS = pytest.mark.parametrize("tree", ["symmetric", "leafwise"])


@pytest.fixture(scope="module")
def data():
    """Forty lists of twenty-five rows: an interaction, a gap, a category, noise."""
    rng = np.random.default_rng(0)
    n = 1000
    X = pd.DataFrame(rng.normal(size=(n, 4)), columns=list("abcd"))
    X["kind"] = pd.Categorical(rng.choice(["x", "y", "z"], n))
    latent = X["a"] * X["b"] + X["c"] + X["kind"].map({"x": 0.0, "y": 2.0, "z": 0.5}).astype(float)
    X.loc[rng.random(n) < 0.2, "d"] = np.nan
    y = np.round(latent + X["d"].isna() + 0.3 * rng.normal(size=n)).to_numpy()
    return X, y, np.repeat(np.arange(40), 25)


def test_unseen_lists_are_ranked_well(data):
    X, y, groups = data
    train = groups < 30
    ranker = rw.BoostedRanker(100, random_state=0).fit(X[train], y[train], groups[train])
    assert ranker.score(X[~train], y[~train], groups[~train]) > 0.65
    linear = rw.PairwiseRanker().fit(X.loc[train, ["a", "b", "c"]], y[train], groups[train])
    assert linear.score(X.loc[~train, ["a", "b", "c"]], y[~train], groups[~train]) < 0.5


@KINDS
@pytest.mark.parametrize("loss", ["logistic", "top", "plackett_luce"])
def test_every_loss_learns_with_every_tree(data, tree, loss):
    X, y, groups = data
    ranker = rw.BoostedRanker(30, loss=loss, tree=tree, random_state=0).fit(X, y, groups)
    assert ranker.score(X, y, groups) > 0.7


@KINDS
def test_the_model_is_the_same_for_every_number_of_threads(tree):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(30_000, 20))
    y = np.round(X[:, 0] * X[:, 1])
    groups = np.repeat(np.arange(300), 100)
    alone, shared = (
        rw.BoostedRanker(4, tree=tree, n_jobs=n_jobs, random_state=0).fit(X, y, groups)
        for n_jobs in (1, 2)
    )
    assert alone.trees_.nodes.tobytes() == shared.trees_.nodes.tobytes()
    np.testing.assert_array_equal(alone.predict(X), shared.predict(X))


def test_only_the_order_inside_groups_counts(data):
    X, y, groups = data
    shifted = np.exp(y / 3) + 7 * groups
    first, second = (
        rw.BoostedRanker(10, random_state=0).fit(X, target, groups).predict(X)
        for target in (y, shifted)
    )
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize(("n_short", "sign"), [(2, 1), (3, -1)])
def test_a_group_counts_by_the_root_of_its_length(n_short, sign):
    # A list of 50 says that ones are better than zeros in half of its pairs, which weighs 3.6;
    # lists of two say the opposite, which weighs 1.4 each.
    X = np.concatenate([np.repeat([0.0, 1.0], 25), *n_short * [[0.0, 1.0]]])[:, None]
    y = np.concatenate([np.arange(50.0), *n_short * [[1.0, 0.0]]])
    groups = np.append(np.zeros(50), 1 + np.repeat(np.arange(n_short), 2))
    ranker = rw.BoostedRanker(20, row_fraction=1.0, max_depth=1, l2=0.1).fit(X, y, groups)
    low, high = ranker.predict([[0.0], [1.0]])
    assert np.sign(high - low) == sign


def test_rows_of_weight_zero_do_not_count(data):
    X, y, groups = data
    weights = (np.arange(len(y)) % 3 > 0).astype(float)
    kept = weights > 0
    whole = rw.BoostedRanker(10, random_state=0).fit(X, y, groups, sample_weight=weights)
    part = rw.BoostedRanker(10, random_state=0).fit(X[kept], y[kept], groups[kept])
    np.testing.assert_array_equal(whole.predict(X), part.predict(X))


def test_heavy_items_win():
    X, y = [[0.0], [0.0], [1.0], [1.0]], [1, 0, 0, 1]
    for weights, sign in (([9, 1, 9, 1], -1), ([1, 9, 1, 9], 1)):
        ranker = rw.BoostedRanker(5, row_fraction=1.0, l2=0.1, random_state=0)
        low, high = ranker.fit(X, y, sample_weight=weights).predict([[0.0], [1.0]])
        assert np.sign(high - low) == sign


def test_sparse_rows_are_ranked_as_dense_ones():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(200, 6)) * (rng.random((200, 6)) < 0.3)
    y = X[:, 0] - X[:, 1]
    dense = rw.BoostedRanker(10, random_state=0).fit(X, y)
    sparse = rw.BoostedRanker(10, random_state=0).fit(csr_matrix(X), y)
    np.testing.assert_array_equal(dense.predict(X), sparse.predict(csr_matrix(X)))


def test_rankings_are_learned_like_the_rows_they_stand_for():
    rng = np.random.default_rng(3)
    items = rng.normal(size=(30, 3))
    orders = []
    for _ in range(40):
        chosen = rng.choice(30, 6, replace=False)
        orders.append(chosen[np.argsort(-items[chosen, 0])].tolist())
    rankings = rw.Rankings(items, orders)
    from_rankings = rw.BoostedRanker(10, random_state=0).fit(rankings)
    from_rows = rw.BoostedRanker(10, random_state=0).fit(*rankings.to_rows())
    np.testing.assert_array_equal(from_rankings.predict(items), from_rows.predict(items))


def test_listed_pairs_are_learned():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(100, 3))
    first, second = rng.integers(0, 100, (2, 2000))
    first, second = first[first != second], second[first != second]
    better = np.where(X[first, 1] ** 2 > X[second, 1] ** 2, first, second)
    pairs = rw.PreferencePairs(better, first + second - better)
    for early_stopping in (False, True):
        ranker = rw.BoostedRanker(60, early_stopping=early_stopping, random_state=0).fit(X, pairs)
        assert ranker.score(X, X[:, 1] ** 2) > 0.8


def test_missing_values_learn_their_side():
    X = np.array([[np.nan], [1.0], [2.0], [3.0]] * 20)
    y = np.array([5, 0, 0, 0] * 20)
    ranker = rw.BoostedRanker(10, random_state=0).fit(X, y, np.repeat(np.arange(20), 4))
    missing, *others = ranker.predict([[np.nan], [1.0], [9.0]])
    assert missing > max(others)


def test_an_unknown_category_and_a_new_gap_are_scored(data):
    X, y, groups = data
    ranker = rw.BoostedRanker(10, random_state=0).fit(X, y, groups)
    row = X.head(1).astype({"kind": object})
    row["kind"], row["a"] = "new", np.nan
    assert np.isfinite(ranker.predict(row)).all()


def test_early_stopping_keeps_the_trees_that_rank_held_out_lists_best(data):
    X, y, groups = data
    noise = np.random.default_rng(5).permutation(y)
    ranker = rw.BoostedRanker(200, early_stopping=True, n_iter_no_change=5, random_state=0)
    ranker.fit(X, noise, groups)
    judged = ranker.validation_scores_
    assert ranker.n_iter_ == np.argmax(judged) + 1
    assert judged.size == ranker.n_iter_ + 5 < 200


def test_rows_are_held_out_where_lists_are_few(data):
    X, y, _ = data
    ranker = rw.BoostedRanker(100, early_stopping=True, random_state=0).fit(X, y)
    assert 0.5 < ranker.validation_scores_.max() < 0.95


def test_a_warm_start_continues_to_the_same_model(data):
    X, y, groups = data
    at_once = rw.BoostedRanker(12, random_state=0).fit(X, y, groups)
    grown = rw.BoostedRanker(5, warm_start=True, random_state=0).fit(X, y, groups)
    grown.set_params(n_estimators=12).fit(X, y, groups)
    np.testing.assert_allclose(at_once.predict(X), grown.predict(X), rtol=1e-6)
    with pytest.raises(ValueError, match="12 trees already"):
        grown.set_params(n_estimators=3).fit(X, y, groups)


@KINDS
def test_stages_end_in_the_prediction(data, tree):
    X, y, groups = data
    ranker = rw.BoostedRanker(6, tree=tree, random_state=0).fit(X, y, groups)
    stages = list(ranker.staged_predict(X))
    assert len(stages) == 6
    np.testing.assert_allclose(stages[-1], ranker.predict(X), atol=1e-12)
    part = rw.BoostedRanker(3, tree=tree, random_state=0).fit(X, y, groups)
    np.testing.assert_allclose(stages[2], part.predict(X), atol=1e-12)


@KINDS
def test_explanations_add_up_to_the_difference(data, tree):
    X, y, groups = data
    ranker = rw.BoostedRanker(20, tree=tree, random_state=0).fit(X, y, groups)
    explained = ranker.explain(X.iloc[0], X.iloc[1])
    high, low = ranker.predict(X.iloc[:2])
    assert sum(explained.contributions) == pytest.approx(high - low)
    assert explained.standard_errors is None


def test_importances_favour_what_matters(data):
    X, y, groups = data
    shares = rw.BoostedRanker(50, random_state=0).fit(X, y, groups).feature_importances_
    assert shares.sum() == pytest.approx(1.0)
    assert shares.argmax() == 2


def test_an_additive_score_is_a_sum_of_functions_of_one_feature_each(data):
    X, y, groups = data
    ranker = rw.BoostedRanker(60, interactions=0, random_state=0).fit(X, y, groups)
    base = X.iloc[[0]]
    first, second, both = base.copy(), base.copy(), base.copy()
    first["a"] = both["a"] = 1.5
    second["b"] = both["b"] = -1.5
    at = [float(ranker.predict(row)[0]) for row in (base, first, second, both)]
    assert at[3] - at[2] == pytest.approx(at[1] - at[0])


def test_the_best_pair_of_features_is_found(data):
    X, y, groups = data
    alone = rw.BoostedRanker(80, interactions=0, random_state=0).fit(X, y, groups)
    ranker = rw.BoostedRanker(80, interactions=1, random_state=0).fit(X, y, groups)
    assert ranker.pairs_ == [(0, 1)]
    assert ranker.score(X, y, groups) > alone.score(X, y, groups) + 0.1


@pytest.mark.parametrize("monotone", [{"c": 1, "a": -1}, [-1, 0, 1, 0, 0]])
def test_monotone_features_by_name_and_by_number(data, monotone):
    X, y, groups = data
    ranker = rw.BoostedRanker(30, monotone=monotone, random_state=0).fit(X, y, groups)
    rising = pd.concat([X.head(1)] * 50)
    for name, sign in (("c", 1), ("a", -1)):
        steps = np.diff(ranker.predict(rising.assign(**{name: np.linspace(-3, 3, 50)})))
        assert (sign * steps >= 0).all()


def test_a_file_brings_back_the_same_scores(data, tmp_path):
    X, y, groups = data
    for tree in ("symmetric", "leafwise"):
        ranker = rw.BoostedRanker(5, tree=tree, random_state=0).fit(X, y, groups)
        rw.save(ranker, tmp_path / "model")
        np.testing.assert_array_equal(rw.load(tmp_path / "model").predict(X), ranker.predict(X))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"loss": "hinge"}, "loss='hinge'; choose from"),
        ({"tree": "bushy"}, "tree='bushy'; choose from"),
        ({"max_depth": 11}, "max_depth=11 of symmetric trees"),
        ({"n_estimators": 0}, "n_estimators=0; give a whole number of at least 1"),
        ({"learning_rate": 0}, "learning_rate=0; give a number above 0 and at most 1"),
        ({"l2": -1}, "l2=-1; give a number of at least 0"),
        ({"random_strength": -1}, "random_strength=-1; give a number of at least 0"),
        ({"row_fraction": 1.5}, "row_fraction=1.5"),
        ({"max_features": -1}, "max_features=-1"),
        ({"interactions": -1}, "interactions=-1"),
        ({"interactions": 2, "warm_start": True}, "warm_start=True with interactions=2"),
        ({"early_stopping": "yes"}, "early_stopping='yes'"),
        ({"max_bins": 256}, "max_bins=256"),
        ({"monotone": [1]}, "give -1, 0 or 1 for each of the 5 features"),
        ({"monotone": {"q": 1}}, "monotone has 'q': 1"),
        ({"monotone": {"kind": 1}}, "categories without an order"),
    ],
)
def test_parameters_that_mean_nothing_are_refused(data, options, message):
    X, y, groups = data
    with pytest.raises(ValueError, match=message):
        rw.BoostedRanker(2).set_params(**options).fit(X, y, groups)


def test_lists_without_an_order_are_refused():
    with pytest.raises(ValueError, match="no pair to learn from"):
        rw.BoostedRanker(2).fit([[1.0], [2.0], [3.0]], [1, 1, 2], ["a", "a", "b"])


def test_pairs_need_the_logistic_loss():
    pairs = rw.PreferencePairs([0], [1])
    with pytest.raises(ValueError, match="PreferencePairs are compared by loss='logistic'"):
        rw.BoostedRanker(2, loss="top").fit([[1.0], [2.0]], pairs)


@KINDS
def test_shape_functions_add_up_to_the_score(data, tree):
    X, y, groups = data
    ranker = rw.BoostedRanker(20, tree=tree, interactions=2, random_state=0).fit(X, y, groups)
    codes = X.assign(kind=X["kind"].cat.codes.astype(float)).to_numpy(dtype=float)
    total = np.zeros(len(X))
    for function in ranker.shape_functions():
        columns = [X.columns.get_loc(name) for name in function.features]
        places = [
            codes[:, column].astype(int)
            if column == 4
            else np.searchsorted(points, codes[:, column])
            for column, points in zip(columns, function.points, strict=True)
        ]
        gap = np.isnan(codes[:, columns]).any(axis=1)
        places = [np.where(gap, 0, place) for place in places]
        total += np.where(gap, np.nan if function.missing is None else function.missing,
                          function.values[tuple(places)])  # fmt: skip
    known = np.isfinite(total)
    assert known.sum() > 700
    np.testing.assert_allclose(total[known], ranker.predict(X)[known], atol=1e-9)


def test_shapes_of_a_score_that_is_no_sum_are_refused(data):
    X, y, groups = data
    ranker = rw.BoostedRanker(2, random_state=0).fit(X, y, groups)
    with pytest.raises(ValueError, match="fit with interactions=0"):
        ranker.shape_functions()


def test_two_rows_are_enough():
    low, high = rw.BoostedRanker(5, random_state=0).fit([[1.0], [2.0]], [1, 2]).predict([[1], [2]])
    assert low < high


def test_lists_without_an_order_change_nothing(data):
    X, y, groups = data
    alone = rw.BoostedRanker(10, random_state=0).fit(X, y, groups)
    more = np.append(np.arange(len(X)), np.arange(30))
    singles = np.append(groups, 1000 + np.arange(30))
    padded = rw.BoostedRanker(10, random_state=0).fit(X.iloc[more], y[more], singles)
    assert abs(alone.predict(X) - padded.predict(X)).max() < 0.5
    few = rw.BoostedRanker(5, random_state=0).fit(
        X.iloc[:100][["c"]], X["c"][:100], np.r_[np.arange(90), np.full(10, 99)]
    )
    assert few.score(X.iloc[90:100][["c"]], X["c"][90:100]) > 0.5


@pytest.mark.parametrize("n_rows", [2, 6])
def test_too_few_rows_to_hold_any_out_are_all_learned_from(n_rows):
    X = np.arange(float(n_rows))[:, None]
    groups = np.arange(n_rows) // 2
    ranker = rw.BoostedRanker(5, early_stopping=True, random_state=0).fit(X, X[:, 0], groups)
    assert ranker.validation_scores_.size == 0


def test_a_warm_start_with_other_features_is_refused(data):
    X, y, groups = data
    ranker = rw.BoostedRanker(2, warm_start=True).fit(X, y, groups).set_params(n_estimators=3)
    for other in (X[["a", "b"]], X.assign(kind="x")):
        with pytest.raises(ValueError, match="the previous fit had 5 features"):
            ranker.fit(other, y, groups)


def test_steps_where_the_loss_is_straight_have_an_end(data):
    X, y, groups = data
    ranker = rw.BoostedRanker(60, learning_rate=1.0, l2=0.0, random_state=0).fit(X, y, groups)
    assert np.abs(ranker.trees_.nodes["value"]).max() <= 10.0


def test_long_lists_held_out_are_judged_in_parts_of_their_tau():
    rng = np.random.default_rng(0)
    y = np.sort(rng.integers(0, 9, 560)).astype(float)
    offsets = np.array([0, 30, 560])
    scores = y + 4 * rng.normal(size=560)
    judged = _judge_groups(y, offsets, np.array([True, True]))
    assert sorted(judged.rows) == list(range(560))
    assert np.diff(judged.offsets).max() <= 100
    tau = [rw.metrics.kendall_tau(y[a:b], scores[a:b]) for a, b in ((0, 30), (30, 560))]
    assert judged(scores) == pytest.approx(np.mean(tau), abs=0.03)


@pytest.mark.parametrize("size", [1e-99, 1e99])
def test_the_unit_of_the_weights_of_pairs_is_nothing(size):
    X = np.arange(20.0)[:, None]
    pairs = [rw.PreferencePairs(range(10, 20), range(10), np.full(10, w)) for w in (1.0, size)]
    one, other = (rw.BoostedRanker(5, random_state=0).fit(X, p).predict(X) for p in pairs)
    np.testing.assert_allclose(one, other)
    assert np.ptp(other) > 0
