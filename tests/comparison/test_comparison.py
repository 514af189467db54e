import numpy as np
import pytest
from scipy.sparse import coo_array
from sklearn.base import BaseEstimator
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV, GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rankwright.base import RankerMixin
from rankwright.comparison import Comparison, RankerResult, compare
from rankwright.data import Rankings
from rankwright.linear import ExpectedRankRegressor
from rankwright.plots import plot_comparison


@pytest.fixture
def grouped():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 3))
    return X, X @ [3, 2, 1] + rng.standard_normal(60), np.repeat(list("abcdef"), 10)


RANKERS = {
    "constant": ExpectedRankRegressor(DummyRegressor()),
    "linear": ExpectedRankRegressor(),
}


class Refusing(RankerMixin, BaseEstimator):
    def fit(self, X, y=None, groups=None):
        raise ValueError("y has too many values")


class Stopping(RankerMixin, BaseEstimator):
    def fit(self, X, y=None, groups=None):
        raise KeyboardInterrupt


class FailingLater(RankerMixin, BaseEstimator):
    """Perfect in the first fold, where it is fitted at all."""

    def __init__(self, fits):
        self.fits = fits

    def __sklearn_clone__(self):
        return self

    def fit(self, X, y=None, groups=None):
        if self.fits:
            raise ValueError("no memory left")
        self.fits.append(1)
        self.fitted_ = True
        return self

    def predict(self, X):
        return X @ [3, 2, 1]


class Breaking(BaseEstimator):
    def fit(self, X, y):
        raise KeyError("no such column")


class Remembering(RankerMixin, BaseEstimator):
    def __init__(self, seen):
        self.seen = seen

    def __sklearn_clone__(self):
        return self

    def fit(self, X, y=None, groups=None):
        self.seen.append(set(groups))
        self.fitted_ = True
        return self

    def predict(self, X):
        return np.zeros(len(X))


def test_the_best_ranker_comes_first_with_its_standard_error(grouped):
    result = compare(RANKERS, *grouped)
    assert [ranker.name for ranker in result.results] == ["linear", "constant"]
    best = result.results[0]
    assert best.standard_error == pytest.approx(best.values.std(ddof=1) / np.sqrt(6))
    table = result.table()
    assert table.loc["linear", "to_best"] == 0
    assert table.loc["constant", "to_best"] == pytest.approx(-best.mean)


def test_every_group_is_held_out_once_and_never_trained_on(grouped):
    seen = []
    result = compare({"remembering": Remembering(seen)}, *grouped, n_folds=3)
    held_out = [set("abcdef") - trained for trained in seen]
    assert sorted(label for labels in held_out for label in labels) == list("abcdef")
    assert result.lists == tuple("abcdef")


def test_rows_without_groups_are_shuffled_into_folds(grouped):
    X, y, _ = grouped
    result = compare(RANKERS, X, y, n_folds=4)
    assert result.lists == ("1", "2", "3", "4")
    assert result.results[0].mean > 0.7


def test_a_ranker_that_fails_is_reported_and_the_others_go_on(grouped):
    result = compare({"refusing": Refusing(), **RANKERS}, *grouped)
    assert result.results[-1].failure == "y has too many values"
    assert np.isnan(result.results[-1].mean)
    assert result.results[0].name == "linear"


def test_a_ranker_that_fails_in_a_later_fold_is_not_the_best(grouped):
    result = compare({"late": FailingLater([]), **RANKERS}, *grouped, n_folds=3)
    assert [one.name for one in result.results] == ["linear", "constant", "late"]
    failed = result.results[-1]
    assert failed.failure == "no memory left"
    assert np.isnan(failed.values).all()
    assert result.table().loc["linear", "to_best"] == 0
    assert np.isfinite(result.table().loc["constant", "p_best"])
    assert {label.get_text() for label in plot_comparison(result).get_yticklabels()} == set(RANKERS)


@pytest.mark.parametrize(
    "wrap",
    [
        lambda ranker: make_pipeline(StandardScaler(), ranker),
        lambda ranker: GridSearchCV(ranker, {}, cv=GroupKFold(2)),
        lambda ranker: GridSearchCV(make_pipeline(StandardScaler(), ranker), {}, cv=2),
    ],
)
def test_pipelines_and_searches_hand_groups_on_to_their_ranker(grouped, wrap):
    seen = []
    result = compare({"wrapped": wrap(Remembering(seen))}, *grouped, n_folds=3)
    assert result.results[0].failure is None
    assert seen
    assert all(labels < set("abcdef") for labels in seen)


def test_models_without_groups_are_compared_with_rankers(grouped):
    rankers = {
        "least squares": LinearRegression(),
        "pipeline": make_pipeline(StandardScaler(), LinearRegression()),
        "search": GridSearchCV(LinearRegression(), {}, cv=GroupKFold(2)),
        **RANKERS,
    }
    result = compare(rankers, *grouped)
    assert [one.failure for one in result.results] == [None] * 5
    means = {one.name: one.mean for one in result.results}
    assert means["least squares"] == means["pipeline"] == means["search"] > 0.7


def test_any_exception_of_a_model_is_its_failure_alone(grouped):
    X, y, groups = grouped
    grades = np.digitize(y, [-1.0, 1.0])
    rankers = {"breaking": Breaking(), "classes": LogisticRegression(), **RANKERS}
    result = compare(rankers, X, grades, groups)
    failures = {one.name: one.failure for one in result.results}
    assert failures["breaking"] == "'no such column'"
    assert "shape (20, 3)" in failures["classes"]
    assert failures["linear"] is None


def test_a_sparse_matrix_compares_like_its_dense_twin(grouped):
    X, y, groups = grouped
    rankers = {"least squares": LinearRegression()}
    dense, sparse = (compare(rankers, form, y, groups) for form in (X, coo_array(X)))
    np.testing.assert_allclose(sparse.results[0].values, dense.results[0].values)


def test_an_interruption_keeps_what_was_found(grouped):
    result = compare({**RANKERS, "stopping": Stopping()}, *grouped, n_folds=3)
    assert result.interrupted
    assert np.isfinite(result.results[0].values).sum() == 2  # the groups of the first fold


def test_progress_counts_the_fits(grouped):
    calls = []
    compare(RANKERS, *grouped, n_folds=2, progress=lambda *call: calls.append(call))
    assert calls == [("constant", 0, 4), ("linear", 1, 4), ("constant", 2, 4), ("linear", 3, 4)]


def test_wrong_options_are_named(grouped):
    with pytest.raises(ValueError, match="n_folds=1"):
        compare(RANKERS, *grouped, n_folds=1)
    with pytest.raises(ValueError, match="metric='rank_loss'; choose from"):
        compare(RANKERS, *grouped, metric="rank_loss")
    with pytest.raises(ValueError, match="rankers is a list; give a mapping of names"):
        compare(list(RANKERS.values()), *grouped)
    with pytest.raises(ValueError, match="rankers is empty"):
        compare({}, *grouped)
    with pytest.raises(ValueError, match="5 rows are too few for 5 folds"):
        compare(RANKERS, grouped[0][:5], grouped[1][:5])
    with pytest.raises(ValueError, match=r"y is None; give y .* or a Rankings object"):
        compare(RANKERS, grouped[0])
    with pytest.raises(ValueError, match=r"X has shape \(\); give one row of features"):
        compare(RANKERS, iter(grouped[0]), grouped[1])
    with pytest.raises(ValueError, match="Rankings carry their own y and groups"):
        compare(RANKERS, Rankings.from_rows(*grouped), grouped[1])


def test_rankings_are_compared_as_the_rows_they_stand_for(grouped):
    of_rankings = compare(RANKERS, Rankings.from_rows(*grouped))
    of_rows = compare(RANKERS, *grouped)
    for one, other in zip(of_rankings.results, of_rows.results, strict=True):
        np.testing.assert_allclose(one.values, other.values)


def test_every_pair_is_tested_on_the_lists_that_both_have():
    values = {"a": [0.9, 0.8, np.nan, 0.7], "b": [0.5, 0.6, 0.4, 0.2], "c": [0.1, 0.2, 0.1, 0.0]}
    results = tuple(RankerResult(name, np.array(v), 1.0) for name, v in values.items())
    failed = RankerResult("d", np.full(4, np.nan), np.nan, "no")
    comparison = Comparison("kendall_tau", tuple("1234"), (*results, failed), False)
    tests = comparison.tests()
    assert list(tests.index) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert tests["lists"].tolist() == [3, 3, 4]
    assert tests["p"].tolist() == [0.25, 0.25, 0.125]
    assert tests["p_holm"].tolist() == [0.5, 0.5, 0.375]
    p_best = comparison.table()["p_best"]
    assert p_best[["b", "c"]].tolist() == [0.5, 0.5]
    assert p_best[["a", "d"]].isna().all()


def test_the_metric_says_its_gains(grouped):
    X, y, groups = grouped
    result = compare(RANKERS, X, y - y.min(), groups, metric="ndcg@5")
    assert result.metric == "ndcg(gains=linear)@5"


def test_lists_are_known_by_tuples(grouped):
    X, y, groups = grouped
    tuples = [("Rome", name) for name in groups.tolist()]
    plain, found = (
        compare({"one": ExpectedRankRegressor()}, X, y, labels) for labels in (groups, tuples)
    )
    assert found.lists[0] == "('Rome', 'a')"
    assert found.results[0].values.tolist() == plain.results[0].values.tolist()
