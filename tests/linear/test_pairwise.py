import warnings

import numpy as np
import pytest
import sklearn
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, GroupKFold, StratifiedShuffleSplit
from sklearn.svm import LinearSVC

import rankwright as rw
from rankwright.linear import PairwiseRanker, PairwiseRankerCV


@pytest.fixture
def data(make_problem):
    problem = make_problem(n=150, d=4, n_groups=3, decimals=1)
    return problem.rows.X, problem.rows.y, problem.group


@pytest.mark.parametrize("pairs", ["all", "adjacent"])
@pytest.mark.parametrize("alpha", [1e-1, 1e-4])
def test_logistic_has_the_optimum_of_scikit_learn_on_the_pairs(data, pairs, alpha):
    differences, signs = rw.pairwise_transform(*data, pairs=pairs)
    ranker = PairwiseRanker(pairs=pairs, alpha=alpha).fit(*data)
    C = 1 / (alpha * ranker.n_pairs_)
    peer = LogisticRegression(C=C, fit_intercept=False, tol=1e-12).fit(differences, signs)
    np.testing.assert_allclose(ranker.coef_, peer.coef_[0], atol=1e-5)


@pytest.mark.parametrize("pairs", ["all", "adjacent"])
@pytest.mark.parametrize("alpha", [1e-1, 1e-4])
def test_squared_hinge_has_the_optimum_of_scikit_learn_on_the_pairs(data, pairs, alpha):
    differences, signs = rw.pairwise_transform(*data, pairs=pairs)
    ranker = PairwiseRanker("squared_hinge", pairs=pairs, alpha=alpha).fit(*data)
    C = 1 / (alpha * ranker.n_pairs_)
    peer = LinearSVC(C=C, fit_intercept=False, dual=False, tol=1e-12, max_iter=10_000)
    peer.fit(differences, signs)
    np.testing.assert_allclose(ranker.coef_, peer.coef_[0], atol=1e-5)


@pytest.mark.parametrize("nonnegative", [False, True])
def test_the_hinge_gap_bounds_the_distance_from_the_minimum(data, nonnegative):
    options = {"loss": "hinge", "alpha": 1e-2, "nonnegative": nonnegative}
    rough = PairwiseRanker(**options, gap_share=1e-2).fit(*data)
    fine = PairwiseRanker(**options, gap_share=1e-6).fit(*data)
    assert 0 <= rough.objective_ - fine.objective_ <= rough.gap_ <= 1e-2 * rough.objective_
    assert fine.gap_ <= 1e-6 * fine.objective_


@pytest.mark.parametrize("nonnegative", [False, True])
def test_no_unit_of_a_feature_keeps_the_hinge_from_its_gap(data, nonnegative):
    X, y, groups = data
    ranker = PairwiseRanker("hinge", alpha=1e-2, nonnegative=nonnegative)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ranker.fit(X * [1e8, 1.0, 1e5, 1e-3], y, groups)
    assert ranker.coef_.any()
    assert ranker.gap_ <= 1e-3 * ranker.objective_


def test_a_hinge_of_few_ratings_reaches_its_gap():
    x = np.array([1.0, 5, 2, 3, 3, 2, 4, 5, 4, 4, 2, 2, 1, 5, 4, 3, 5])[:, None]
    y = [3, 5, 2, 3, 3, 2, 4, 3, 4, 1, 2, 1, 2, 4, 4, 1, 4]
    groups = [1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 0, 0, 0, 0, 1, 0, 1]
    ranker = PairwiseRanker("hinge", nonnegative=True).fit(x, y, groups)
    differences, signs = rw.pairwise_transform(x, y, groups)
    w = np.linspace(0, 2, 2001)
    values = (
        np.maximum(0, 1 - np.outer(w, differences * signs[:, None])).mean(axis=1) + 0.5e-4 * w**2
    )
    assert values.min() * (1 - 1e-9) <= ranker.objective_ <= values.min() * (1 + 1e-3)


def test_the_former_name_of_gap_share_still_counts_and_warns(data):
    options = {"loss": "hinge", "alpha": 1e-2}
    with pytest.warns(FutureWarning, match=r"gap=0\.1 is now called gap_share=0\.1"):
        former = PairwiseRanker(**options, gap=0.1).fit(*data)
    named = PairwiseRanker(**options, gap_share=0.1).fit(*data)
    np.testing.assert_array_equal(former.coef_, named.coef_)
    with pytest.warns(FutureWarning, match="gap_share"):
        chosen = PairwiseRankerCV([1e-2], loss="hinge", gap=0.1).fit(*data)
    np.testing.assert_array_equal(chosen.coef_, named.coef_)


def test_hinge_has_the_minimum_of_scikit_learn_on_the_pairs(data):
    differences, signs = rw.pairwise_transform(*data)
    ranker = PairwiseRanker("hinge", alpha=1e-2, gap_share=1e-6).fit(*data)
    C = 1 / (1e-2 * ranker.n_pairs_)
    peer = LinearSVC(loss="hinge", C=C, fit_intercept=False, tol=1e-8, max_iter=100_000)
    w = peer.fit(differences, signs).coef_[0]
    theirs = np.maximum(0, 1 - signs * (differences @ w)).mean() + 0.5e-2 * (w @ w)
    assert ranker.objective_ == pytest.approx(theirs, rel=2e-5)


def test_explicit_pairs_give_the_same_coefficients(data):
    X, y, groups = data
    better, worse = np.argwhere((y[:, None] > y) & (groups[:, None] == groups)).T
    for loss in ("logistic", "squared_hinge"):
        by_rows = PairwiseRanker(loss, alpha=1e-3).fit(X, y, groups)
        by_pairs = PairwiseRanker(loss, alpha=1e-3).fit(X, rw.PreferencePairs(better, worse))
        np.testing.assert_allclose(by_rows.coef_, by_pairs.coef_, atol=1e-5)


def test_pair_weights_count_like_repeated_pairs(data):
    X = data[0]
    weighted = rw.PreferencePairs([0, 1, 5], [2, 2, 3], weights=[3, 1, 2])
    repeated = rw.PreferencePairs([0, 0, 0, 1, 5, 5], [2, 2, 2, 2, 3, 3])
    ours = PairwiseRanker(alpha=0.1).fit(X, weighted).coef_
    np.testing.assert_allclose(ours, PairwiseRanker(alpha=0.1).fit(X, repeated).coef_, atol=1e-6)


def test_rankings_give_the_same_coefficients(data):
    by_rows = PairwiseRanker(alpha=1e-3).fit(*data)
    by_rankings = PairwiseRanker(alpha=1e-3).fit(rw.Rankings.from_rows(*data))
    np.testing.assert_allclose(by_rows.coef_, by_rankings.coef_, atol=1e-5)


@pytest.mark.parametrize("loss", ["logistic", "squared_hinge", "hinge"])
def test_sparse_rows_give_the_same_coefficients(data, loss):
    X, y, groups = data
    X = np.where(np.abs(X) > 0.7, X, 0.0)
    dense = PairwiseRanker(loss, alpha=1e-2).fit(X, y, groups)
    sparse = PairwiseRanker(loss, alpha=1e-2).fit(csr_array(X), y, groups)
    np.testing.assert_allclose(dense.coef_, sparse.coef_, atol=1e-6)
    np.testing.assert_allclose(dense.predict(X), sparse.predict(csr_array(X)), atol=1e-5)


@pytest.mark.parametrize("loss", ["logistic", "squared_hinge"])
def test_nonnegative_coefficients_satisfy_the_optimality_conditions(data, loss):
    X, y, groups = data
    ranker = PairwiseRanker(loss, alpha=1e-2, nonnegative=True, tol=1e-8).fit(*data)
    assert np.all(ranker.coef_ >= 0)
    assert np.any(ranker.coef_ == 0)
    differences, signs = rw.pairwise_transform(X, y, groups)
    d = signs * (differences @ ranker.coef_)
    slope = -1 / (1 + np.exp(d)) if loss == "logistic" else -2 * np.maximum(0, 1 - d)
    gradient = (slope * signs) @ differences / len(d) + 1e-2 * ranker.coef_
    assert np.all(gradient > -1e-6)
    np.testing.assert_allclose(gradient[ranker.coef_ > 0], 0, atol=1e-6)


def test_the_penalised_optimum_ignores_how_features_are_scaled_inside(data):
    """Scales that differ by 1e8 with no penalty: the scores are those of scaled features."""
    X, y, groups = data
    scales = np.array([1e-4, 1.0, 1e2, 1e4])
    plain = PairwiseRanker(alpha=0).fit(X, y, groups)
    scaled = PairwiseRanker(alpha=0).fit(X * scales, y, groups)
    np.testing.assert_allclose(scaled.coef_ * scales, plain.coef_, rtol=1e-4)
    assert scaled.n_iter_ < 30


def test_constant_features_get_no_weight(data):
    X, y, groups = data
    X = np.column_stack([X, np.full(len(y), 7.0)])
    for alpha in (0.0, 1e-4):
        assert PairwiseRanker(alpha=alpha).fit(X, y, groups).coef_[-1] == pytest.approx(0, abs=1e-9)


def test_tied_groups_change_nothing(data):
    X, y, groups = data
    extra = np.random.default_rng(9).normal(size=(20, 4))
    with_ties = PairwiseRanker(alpha=1e-3, pair_weighting="group").fit(
        np.vstack([X, extra]), np.r_[y, np.ones(20)], np.r_[groups, np.full(20, 99)]
    )
    without = PairwiseRanker(alpha=1e-3, pair_weighting="group").fit(X, y, groups)
    np.testing.assert_allclose(with_ties.coef_, without.coef_, atol=1e-5)


def test_separable_data_without_penalty_warn_and_stay_finite():
    X = np.arange(10.0)[:, None]
    with pytest.warns(UserWarning, match="set alpha > 0"):
        ranker = PairwiseRanker(alpha=0).fit(X, X[:, 0])
    assert np.isfinite(ranker.coef_).all()
    assert ranker.score(X, X[:, 0]) == 1


def test_one_giant_group_drowns_small_ones_only_when_every_pair_counts():
    rng = np.random.default_rng(0)
    giant, small = rng.normal(size=(1000, 2)), rng.normal(size=(3000, 2))
    y = np.r_[giant @ [1.0, 0.0], small @ [0.0, 1.0]]
    groups = np.r_[np.zeros(1000), 1 + np.repeat(np.arange(1000), 3)]
    X = np.vstack([giant, small])
    by_pair = PairwiseRanker(alpha=1e-2).fit(X, y, groups).coef_
    by_group = PairwiseRanker(alpha=1e-2, pair_weighting="group").fit(X, y, groups).coef_
    assert by_pair[0] > 10 * by_pair[1]
    assert by_group[1] > 10 * by_group[0]


def test_warm_start_begins_at_the_previous_coefficients(data):
    ranker = PairwiseRanker(alpha=1e-3, warm_start=True).fit(*data)
    assert ranker.n_iter_ > 0
    assert ranker.fit(*data).n_iter_ == 0


def test_too_few_iterations_warn(data):
    with pytest.warns(ConvergenceWarning, match="max_iter=1"):
        PairwiseRanker(max_iter=1).fit(*data)


def test_progress_says_iteration_objective_and_gradient(data, capsys):
    PairwiseRanker(verbose=1).fit(*data)
    first, *_, last = capsys.readouterr().out.splitlines()
    assert first.startswith("iteration 1: objective 0.")
    assert "gradient norm" in last
    PairwiseRanker("hinge", verbose=1).fit(*data)
    assert "gap" in capsys.readouterr().out


def test_probabilities_of_a_pair_are_those_of_bradley_terry(data):
    X = data[0]
    ranker = PairwiseRanker().fit(*data)
    p = ranker.predict_proba_pair(X[:5], X[5:10])
    s = ranker.predict(X)
    np.testing.assert_allclose(p, np.exp(s[:5]) / (np.exp(s[:5]) + np.exp(s[5:10])))
    assert not hasattr(PairwiseRanker("hinge"), "predict_proba_pair")


@pytest.mark.parametrize("n", [1, 4])
def test_probabilities_of_pairs_need_as_many_rows_on_both_sides(data, n):
    X = data[0]
    with pytest.raises(ValueError, match=f"X has 5 rows and other {n}; row i of one is compared"):
        PairwiseRanker().fit(*data).predict_proba_pair(X[:5], X[:n])


def test_an_explanation_adds_up_to_the_difference(data):
    X = data[0]
    ranker = PairwiseRanker().fit(*data)
    why = ranker.explain(X[3], X[8])
    scores = ranker.predict(X)
    assert why.difference == pytest.approx(scores[3] - scores[8])
    assert why.contributions.sum() == pytest.approx(why.difference)
    assert np.all(np.diff(np.abs(why.contributions)) <= 0)
    with pytest.raises(ValueError, match="the item has 2 features"):
        ranker.explain([1.0, 2.0], X[0])


@pytest.mark.slow
def test_averages_on_the_blocks_of_pedregosa_2012():
    """Over 200 splits ridge has taus 0.768 and 0.823, RankSVM 0.837 and 0.837."""
    data = rw.datasets.make_blocks()
    X, y, groups = np.asarray(data.X), np.asarray(data.y), np.asarray(data.groups)
    taus = {"ridge": [], "ranksvm": []}
    for train, test in StratifiedShuffleSplit(200, test_size=0.5, random_state=0).split(X, y):
        n_pairs = len(rw.pairwise_transform(X[train], y[train], groups[train])[1])
        ranksvm = PairwiseRanker("hinge", alpha=1 / (0.1 * n_pairs), gap_share=1e-3)
        ranksvm.fit(X[train], y[train], groups[train])
        ridge = Ridge(1.0).fit(X[train], y[train])
        for name, model in (("ridge", ridge), ("ranksvm", ranksvm)):
            taus[name].append(
                [
                    rw.metrics.kendall_tau(y[test][g], model.predict(X[test][g]))
                    for g in (groups[test] == 0, groups[test] == 1)
                ]
            )
    np.testing.assert_allclose(np.mean(taus["ridge"], axis=0), [0.768, 0.823], atol=0.015)
    np.testing.assert_allclose(np.mean(taus["ranksvm"], axis=0), [0.837, 0.837], atol=0.01)


def test_a_search_over_alpha_routes_groups(data):
    X, y, groups = data
    groups = groups * 100 + np.arange(len(y)) // 15
    with sklearn.config_context(enable_metadata_routing=True):
        search = GridSearchCV(PairwiseRanker(), {"alpha": [1e-4, 1e2]}, cv=GroupKFold(3))
        search.fit(X, y, groups=groups)
    expected = PairwiseRanker(**search.best_params_).fit(X, y, groups)
    np.testing.assert_allclose(search.best_estimator_.coef_, expected.coef_)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"loss": "exponential"}, "loss='exponential'; choose from"),
        ({"pairs": "most"}, "pairs='most'; choose from"),
        ({"alpha": -1.0}, "alpha=-1.0; give a number of at least 0"),
        ({"loss": "hinge", "alpha": 0.0}, "loss='hinge' needs alpha > 0"),
        ({"pair_weighting": "list"}, "pair_weighting='list'; choose from"),
    ],
)
def test_bad_parameters_are_named(data, parameters, message):
    with pytest.raises(ValueError, match=message):
        PairwiseRanker(**parameters).fit(*data)


def test_pairs_with_groups_or_pair_rules_are_refused(data):
    pairs = rw.PreferencePairs([0], [1])
    with pytest.raises(ValueError, match="leave groups out"):
        PairwiseRanker().fit(data[0], pairs, data[2])
    with pytest.raises(ValueError, match="use pairs='all'"):
        PairwiseRanker(pairs="adjacent").fit(data[0], pairs)


@pytest.mark.parametrize("kind", [PairwiseRanker, rw.PairwiseRankerCV])
def test_the_gap_of_the_hinge_does_not_outlive_it(data, kind):
    X, y, groups = data
    ranker = kind(loss="hinge").fit(X, y, groups)
    assert ranker.gap_ >= 0
    assert not hasattr(ranker.set_params(loss="logistic").fit(X, y, groups), "gap_")


@pytest.mark.parametrize("loss", ["logistic", "squared_hinge", "hinge"])
def test_a_penalty_in_single_precision_is_the_same_number(loss):
    rng = np.random.default_rng(0)
    X = 10 * rng.normal(size=(60, 3))
    y = np.digitize(X @ [1, 0.5, -0.5] + 3 * rng.normal(size=60), [-5, 5])
    single, double = (
        PairwiseRanker(loss, alpha=kind(0.125)).fit(X, y) for kind in (np.float32, float)
    )
    np.testing.assert_allclose(single.coef_, double.coef_, rtol=0)
