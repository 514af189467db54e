import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.cluster import KMeans
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.svm import LinearSVC

import rankwright as rw

MANY = 40  # rows of each group


@pytest.fixture(scope="module")
def lists():
    """Return rows of twenty groups in random order, with grades from 0 to 4."""
    rng = np.random.default_rng(0)
    groups = rng.permutation(np.repeat([f"q{i:02}" for i in range(20)], MANY))
    X = rng.normal(size=(len(groups), 4))
    latent = X[:, 0] * X[:, 1] + X[:, 2] + 0.5 * rng.normal(size=len(groups))
    return X, np.digitize(latent, [-1.0, 0.0, 1.0, 2.0]).astype(float), groups


@pytest.fixture
def lightgbm():
    package = pytest.importorskip("lightgbm", reason="needs the peer LightGBM")
    return package.LGBMRanker(n_estimators=20, n_jobs=1, verbose=-1)


@pytest.fixture(params=["lightgbm", "xgboost", "catboost"])
def boosted(request):
    quiet = {"lightgbm": {"verbose": -1}, "catboost": {"allow_writing_files": False}}
    name = {"lightgbm": "LGBMRanker", "xgboost": "XGBRanker", "catboost": "CatBoostRanker"}
    package = pytest.importorskip(request.param, reason=f"needs the peer {request.param}")
    return getattr(package, name[request.param])(
        n_estimators=300, learning_rate=0.3, **quiet.get(request.param, {})
    )


def test_rows_in_any_order_give_the_model_of_sorted_groups(lists, lightgbm):
    X, y, groups = lists
    order = np.argsort(groups, kind="stable")
    direct = lightgbm.fit(X[order], y[order].astype(int), group=[MANY] * 20)
    adapted = rw.adapt(lightgbm).fit(X, y, groups)
    np.testing.assert_array_equal(adapted.predict(X), direct.predict(X))


def test_boosting_stops_by_groups_that_are_held_out(lists, boosted):
    X, y, groups = lists
    ranker = rw.adapt(boosted, early_stopping=3, validation_fraction=0.3, random_state=0)
    ranker.fit(X, y, groups)
    trees = {
        "LGBMRanker": lambda model: model.best_iteration_,
        "XGBRanker": lambda model: model.best_iteration,
        "CatBoostRanker": lambda model: model.tree_count_,
    }
    assert trees[type(boosted).__name__](ranker.model_) < 300
    assert ranker.score(X, y, groups) > 0.4


def test_nothing_is_written_where_it_runs(lists, tmp_path, monkeypatch):
    catboost = pytest.importorskip("catboost", reason="needs the peer CatBoost")
    monkeypatch.chdir(tmp_path)
    rw.adapt(catboost.CatBoostRanker(n_estimators=2)).fit(*lists)
    assert not list(tmp_path.iterdir())


def test_more_values_than_lightgbm_has_grades_are_ranked(lists, lightgbm):
    X, _, groups = lists
    y = X[:, 0] - 0.1 * X[:, 1]  # all different
    ranker = rw.adapt(lightgbm).fit(X, y, groups)
    assert ranker.model_.get_params()["label_gain"] == list(range(31))
    assert ranker.score(X, y, groups) > 0.6


def test_grades_keep_the_models_own_gains(lists, lightgbm):
    assert rw.adapt(lightgbm).fit(*lists).model_.get_params().get("label_gain") is None


def test_a_group_beyond_the_limit_of_lightgbm_is_refused(lightgbm):
    X = np.zeros((10_001, 1))
    with pytest.raises(ValueError, match="a group has 10,001 rows, and LightGBM takes at most"):
        rw.adapt(lightgbm).fit(X, np.arange(10_001))


def test_xgboost_is_given_weights_of_groups(lists):
    xgboost = pytest.importorskip("xgboost", reason="needs the peer XGBoost")
    X, y, groups = lists
    model = xgboost.XGBRanker(n_estimators=5, n_jobs=1)
    of_group = np.where(groups < "q10", 3.0, 1.0)
    uneven = of_group.copy()
    uneven[:2] += 0.5
    with pytest.warns(UserWarning, match="XGBoost weighs whole groups"):
        rw.adapt(model).fit(X, y, groups, sample_weight=uneven)
    weighted = rw.adapt(model).fit(X, y, groups, sample_weight=of_group).predict(X)
    assert not np.array_equal(weighted, rw.adapt(model).fit(X, y, groups).predict(X))


def test_a_frame_reaches_the_model_with_its_categories(lists, lightgbm):
    _, y, groups = lists
    frame = pd.DataFrame({"kind": pd.Categorical(np.array(list("abcde"))[y.astype(int)])})
    assert rw.adapt(lightgbm).fit(frame, y, groups).score(frame, y, groups) > 0.9


def test_a_sparse_matrix_gives_the_scores_of_its_dense_twin(lists):
    X, y, groups = lists
    sparse = rw.adapt(LinearRegression()).fit(csr_array(X), y, groups).predict(csr_array(X))
    dense = rw.adapt(LinearRegression()).fit(X, y, groups).predict(X)
    np.testing.assert_allclose(sparse, dense, atol=1e-8)


def test_a_regressor_learns_what_differs_inside_groups():
    X = np.array([[0.0], [1.0], [0.0], [1.0]])
    y, groups = [10.0, 11.0, -5.0, -4.0], list("aabb")
    coef = rw.adapt(LinearRegression()).fit(X, y, groups).model_.coef_
    np.testing.assert_allclose(coef, [1.0])


@pytest.mark.parametrize("model", [LogisticRegression(), LinearSVC(), DummyClassifier()])
def test_a_classifier_of_two_labels_ranks_by_the_larger(model):
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([3.5, 3.5, 7.0, 7.0])
    scores = rw.adapt(model).fit(X, y).predict(X)
    assert (np.diff(scores) >= 0).all()


def test_a_classifier_of_several_labels_ranks_by_the_expected_one(lists):
    X, y, _ = lists
    labels = 10 * y - 3
    model = RandomForestClassifier(10, random_state=0)
    scores = rw.adapt(model).fit(X, labels).predict(X)
    chances = model.fit(X, labels).predict_proba(X)
    np.testing.assert_allclose(scores, chances @ model.classes_)


def test_without_probabilities_several_labels_rank_by_the_predicted_one(lists):
    X, y, _ = lists
    scores = rw.adapt(LinearSVC(random_state=0)).fit(X, 10 * y).predict(X)
    assert set(np.unique(scores)) <= {0.0, 10.0, 20.0, 30.0, 40.0}


def test_the_models_parameters_can_be_searched():
    ranker = rw.adapt(LogisticRegression()).set_params(model__C=0.5)
    assert ranker.model.C == 0.5


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"model": object()}, "model=<object .*; give an estimator"),
        ({"model": KMeans()}, "KMeans is no ranker that is known here"),
        ({"early_stopping": 5}, "LinearRegression can't be told by held-out groups"),
        (
            {"early_stopping": 5, "validation_fraction": 2},
            r"validation_fraction=2; .* at most 0\.9",
        ),
    ],
)
def test_what_can_not_be_adapted_is_said(lists, settings, message):
    model = settings.pop("model", LinearRegression())
    with pytest.raises(ValueError, match=message):
        rw.adapt(model, **settings).fit(*lists)


def test_early_stopping_needs_two_groups(lists, lightgbm):
    X, y, _ = lists
    with pytest.raises(ValueError, match="early_stopping holds whole groups out"):
        rw.adapt(lightgbm, early_stopping=5).fit(X, y)


def test_foreign_rankers_are_compared_with_our_own(lists, lightgbm):
    rankers = {"LightGBM": rw.adapt(lightgbm), "linear": rw.PairwiseRanker()}
    result = rw.compare(rankers, *lists, n_folds=2, metric="ndcg@10")
    assert result.results[0].name == "LightGBM"  # the product of two features is not linear


@pytest.mark.parametrize("size", [1e38, 1e300, 1e-40, 1e-320])
def test_targets_that_catboost_can_not_hold_are_refused(lists, size):
    catboost = pytest.importorskip("catboost", reason="needs the peer CatBoost")
    X, y, groups = lists
    with pytest.raises(ValueError, match=r"y is as large as .*CatBoost holds it in 32 bits.*unit"):
        rw.adapt(catboost.CatBoostRanker(n_estimators=2)).fit(X, y * size, groups)


@pytest.mark.parametrize("dtype", [object, "category"])
def test_columns_that_catboost_can_not_read_are_refused_with_the_remedy(dtype):
    catboost = pytest.importorskip("catboost", reason="needs the peer CatBoost")
    X = pd.DataFrame({"town": pd.Series(["Rome", "Ulm"] * 10, dtype=dtype), "size": range(20)})
    with pytest.raises(ValueError, match=r"CatBoost can.t read the features .*cat_features"):
        rw.adapt(catboost.CatBoostRanker(n_estimators=2)).fit(X, range(20))
    named = catboost.CatBoostRanker(
        n_estimators=2, cat_features=("town",), allow_writing_files=False
    )
    assert np.isfinite(rw.adapt(named).fit(X, range(20)).predict(X)).all()
