"""Rankers of two classes as scikit-learn's tools for binary scorers see them."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.inspection import partial_dependence
from sklearn.metrics import RocCurveDisplay, accuracy_score, roc_auc_score
from sklearn.model_selection import KFold, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rankwright as rw
from rankwright.base import scores_of


@pytest.fixture(scope="module")
def sorted_rows():
    """Rows sorted by class, so that plain folds have one class only."""
    data = rw.datasets.make_rf10_sparse(200, random_state=0)
    order = np.argsort(data.y, kind="stable")
    return data.X.iloc[order], np.where(data.y[order] == 1, "yes", "no")


@pytest.fixture(params=["TreeRank", "RankingForest"])
def model(request):
    makers = {"TreeRank": rw.TreeRank, "RankingForest": lambda: rw.RankingForest(5, random_state=0)}
    return makers[request.param]()


def test_the_auc_of_scikit_learn_is_that_of_the_scores(model, sorted_rows):
    X, y = sorted_rows
    aucs = cross_val_score(model, X, y, scoring="roc_auc", cv=5)
    pooled = cross_val_predict(model, X, y, cv=5, method="decision_function")
    assert aucs.mean() > 0.6
    assert roc_auc_score(y, pooled) > 0.6


ALL_RIGHT = np.arange(60.0)[:, None], (np.arange(60) >= 30).astype(int)


@pytest.mark.parametrize(
    "make",
    [
        rw.TreeRank,
        lambda: rw.TreeRank(max_depth=50, min_samples_leaf=1),
        *(
            lambda rule=rule, n_trees=n_trees: rw.RankingForest(
                n_trees, max_depth=1, aggregation=rule, bootstrap=False, random_state=0
            )
            for rule, n_trees in (("plugin", 1), ("mean", 1), ("median", 1), ("kemeny", 2))
        ),
    ],
)
def test_no_score_can_be_taken_for_a_label(make):
    X, y = ALL_RIGHT
    model = make().fit(X, y)
    assert model.score(X, y) > 0.7
    for rows in (X[:10], X[-10:]):
        scores = model.predict(rows)
        assert (scores != np.floor(scores)).all()
        with pytest.raises(ValueError, match="mix of binary and continuous targets"):
            accuracy_score(y[:10], scores)


@pytest.mark.parametrize("scoring", ["accuracy", "balanced_accuracy", "f1"])
def test_measures_of_labels_fail(model, scoring):
    with pytest.raises(ValueError, match="continuous"):
        cross_val_score(model, *ALL_RIGHT, scoring=scoring, error_score="raise")


def test_folds_are_stratified_without_being_asked_to(model, sorted_rows):
    assert np.isfinite(cross_val_score(model, *sorted_rows, cv=5, error_score="raise")).all()


@pytest.mark.filterwarnings("ignore:.*failed")
def test_a_fold_of_one_class_is_nan_never_zero(model, sorted_rows):
    scores = cross_val_score(model, *sorted_rows, cv=KFold(5))
    assert np.isnan(scores[[0, -1]]).all()


def test_a_score_on_one_class_is_refused_with_the_reason(model, sorted_rows):
    X, y = sorted_rows
    with pytest.raises(ValueError, match="one class only, 'no'; a score needs rows of both"):
        model.fit(X, y).score(X[:20], y[:20])


def test_scores_can_be_calibrated(model, sorted_rows):
    X, y = sorted_rows
    calibrated = CalibratedClassifierCV(model, cv=3).fit(X, y)
    assert calibrated.classes_.tolist() == ["no", "yes"]
    assert roc_auc_score(y, calibrated.predict_proba(X)[:, 1]) > 0.7


def test_the_roc_curve_of_scikit_learn_is_that_of_the_scores(model, sorted_rows):
    X, y = sorted_rows
    shown = RocCurveDisplay.from_estimator(model.fit(X, y), X, y)
    assert shown.roc_auc == pytest.approx(rw.metrics.auc(y == "yes", model.predict(X)))


def test_partial_dependence_is_that_of_the_scores(model, sorted_rows):
    X, y = sorted_rows
    found = partial_dependence(model.fit(X, y), X, features=[0], grid_resolution=5)
    assert found["average"].shape == (1, 5)


def test_an_ordered_categorical_says_which_class_is_better(model, sorted_rows):
    X, y = sorted_rows
    worse = pd.Series(pd.Categorical(y, ["yes", "no"], ordered=True), index=X.index)
    assert model.fit(X, worse).classes_.tolist() == ["yes", "no"]
    assert model.score(X, worse) > 0.3
    assert rw.metrics.auc(y == "no", model.predict(X)) > 0.7
    assert cross_val_score(model, X, worse, cv=3, error_score="raise").mean() > 0.1
    auc = rw.metrics.scorer("auc")
    for ranker in (model, make_pipeline(StandardScaler(), model)):
        assert cross_val_score(ranker, X, worse, scoring=auc, cv=3).mean() > 0.6
        assert rw.metrics.auc(y == "no", scores_of(ranker.fit(X, worse), X)) > 0.7


def test_scorers_that_sort_labels_do_not_see_scores_in_another_order(model, sorted_rows):
    X, y = sorted_rows
    worse = pd.Series(pd.Categorical(y, ["yes", "no"], ordered=True), index=X.index)
    asked = {"scoring": "roc_auc", "cv": 3, "error_score": "raise"}
    with pytest.raises(AttributeError, match="decision_function"):
        cross_val_score(model, X, worse, **asked)
    with pytest.raises(AttributeError, match="decision_function"):
        CalibratedClassifierCV(model, cv=3).fit(X, worse)
    with pytest.raises(AttributeError) as refusal:
        _ = model.fit(X, worse).decision_function
    assert "y says that 'no' is better than 'yes'" in str(refusal.value.__cause__)
    expected = cross_val_score(model, X, worse.cat.codes, **asked)
    same = worse.cat.rename_categories({"yes": "a", "no": "b"})
    np.testing.assert_array_equal(cross_val_score(model, X, same, **asked), expected)
    assert expected.mean() > 0.6


def test_importances_out_of_bag_take_an_ordered_categorical(sorted_rows):
    X, y = sorted_rows
    worse = pd.Categorical(y, ["yes", "no"], ordered=True)
    forest = rw.RankingForest(5, random_state=0).fit(X, worse)
    assert np.isfinite(forest.oob_importances(X, worse, random_state=0)).all()


def test_dates_are_refused_as_classes_however_they_are_kept(model, sorted_rows):
    X, y = sorted_rows
    dates = pd.to_datetime(np.where(y == "yes", "2021", "2020"))
    for classes in (dates, list(dates), dates.tz_localize("UTC")):
        with pytest.raises(ValueError, match="give numbers, such as the days since a date"):
            model.fit(X, classes)


def test_a_categorical_without_an_order_is_refused(model, sorted_rows):
    X, y = sorted_rows
    for classes in (pd.Series(y, dtype="category"), pl.Series(y, dtype=pl.Categorical)):
        with pytest.raises(ValueError, match=r"categorical without an order .*'no', 'yes'"):
            model.fit(X, classes)


@pytest.mark.parametrize(
    "ordered",
    [
        lambda y: pd.Categorical(y, ["never", "yes", "maybe", "no"], ordered=True),
        lambda y: pl.Series(y, dtype=pl.Enum(["never", "yes", "maybe", "no"])),
    ],
)
def test_categories_that_do_not_occur_are_no_classes(model, sorted_rows, ordered):
    X, y = sorted_rows
    assert model.fit(X, ordered(y)).classes_.tolist() == ["yes", "no"]
    missing = np.array(y, dtype=object)
    missing[3] = None
    with pytest.raises(ValueError, match=r"NaN.* in row 3"):
        model.fit(X, ordered(missing))
