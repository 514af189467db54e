"""What the design promises of every ranker."""

from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn
from sklearn.base import clone
from sklearn.exceptions import DataConversionWarning
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rankwright as rw


def fit(model, problem, rows=slice(None), y=None):
    groups = () if problem.groups is None else (problem.groups[rows],)
    return model.fit(problem.X[rows], (problem.y if y is None else y)[rows], *groups)


def scores(model, X):
    return getattr(model, "decision_function", model.predict)(X)


def test_larger_scores_are_better(ranker, problem):
    assert fit(ranker.make(), problem).score(problem.X, problem.y, problem.groups) > 0.4


def test_a_row_has_the_same_score_to_the_last_digit_wherever_it_stands(ranker, problem):
    if ranker.scores_by_blas:
        pytest.skip("scikit-learn multiplies matrices, and BLAS adds up the last rows otherwise")
    X = np.hstack([problem.X, np.random.default_rng(1).normal(size=(60, 9)).round(1)])
    model = fit(ranker.make(), replace(problem, X=X))
    expected = scores(model, X)
    for rows in ([7], [7, 7, 7], [*range(8), 7], np.r_[7, :59]):
        for batch in (X[rows], np.asfortranarray(X[rows])):
            np.testing.assert_array_equal(scores(model, batch), expected[rows])


def test_rank_gives_the_positions_of_the_scores(ranker, problem):
    model = fit(ranker.make(), problem)
    expected = rw.positions(scores(model, problem.X), problem.groups)
    np.testing.assert_array_equal(model.rank(problem.X, problem.groups), expected)


def test_score_is_the_mean_of_its_measure_over_groups(ranker, problem):
    model = fit(ranker.make(), problem)
    groups = np.zeros(len(problem.y)) if problem.groups is None else problem.groups
    values = [
        ranker.measure(problem.y[groups == g], scores(model, problem.X[groups == g]))
        for g in np.unique(groups)
    ]
    assert model.score(problem.X, problem.y, problem.groups) == pytest.approx(np.mean(values))


@pytest.mark.parametrize("as_column", [lambda y: y[:, None], lambda y: pd.DataFrame({"y": y})])
def test_a_column_of_labels_counts_as_its_vector_and_is_told(ranker, problem, as_column):
    column = as_column(problem.y)
    with pytest.warns(DataConversionWarning, match="A column-vector y was passed"):
        model = fit(ranker.make(), problem, y=column)
    expected = fit(ranker.make(), problem).score(problem.X, problem.y, problem.groups)
    with pytest.warns(DataConversionWarning, match="A column-vector y was passed"):
        assert model.score(problem.X, column, problem.groups) == expected


def test_scores_do_not_depend_on_the_order_of_the_rows(ranker, problem):
    if ranker.sees_row_order:
        pytest.skip("online, or draws rows by number: the order of the rows is part of its data")
    shuffled = np.random.default_rng(1).permutation(len(problem.y))
    np.testing.assert_allclose(
        scores(fit(ranker.make(), problem), problem.X),
        scores(fit(ranker.make(), problem, shuffled), problem.X),
        rtol=1e-4,
        atol=1e-6,
    )


def test_scores_do_not_depend_on_the_order_of_whole_groups(ranker, problem):
    if problem.groups is None or ranker.sees_row_order:
        pytest.skip("takes no groups, or draws rows by number")
    sizes = [3, 5, 6, 8, 10, 13, 15]  # folds of whole groups are balanced by their sizes
    groups = np.repeat(np.arange(7), sizes)
    other = np.concatenate([np.flatnonzero(groups == g) for g in (4, 0, 6, 2, 5, 1, 3)])
    one = fit(ranker.make(), replace(problem, groups=groups))
    two = fit(ranker.make(), replace(problem, groups=groups), other)
    np.testing.assert_allclose(scores(one, problem.X), scores(two, problem.X), rtol=1e-4, atol=1e-6)


def test_only_the_order_of_y_counts(ranker, problem):
    if ranker.sees_values:
        pytest.skip("documented to learn from the values of y")
    np.testing.assert_allclose(
        scores(fit(ranker.make(), problem), problem.X),
        scores(fit(ranker.make(), problem, y=np.exp(problem.y)), problem.X),
        rtol=1e-6,
        atol=1e-9,
    )


def test_groups_are_never_compared_with_each_other(ranker, problem):
    if problem.groups is None or ranker.sees_values:
        pytest.skip("takes no groups, or is documented to learn from the values of y")
    lifted = problem.y + 100 * (problem.groups == problem.groups[0])
    np.testing.assert_allclose(
        scores(fit(ranker.make(), problem), problem.X),
        scores(fit(ranker.make(), problem, y=lifted), problem.X),
        rtol=1e-6,
        atol=1e-9,
    )


def test_the_same_seed_gives_the_same_scores_for_every_n_jobs(ranker, problem):
    model = ranker.make()
    parameters = model.get_params()
    if "random_state" in parameters:
        model.set_params(random_state=3)
    first = scores(fit(clone(model), problem), problem.X)
    np.testing.assert_array_equal(scores(fit(clone(model), problem), problem.X), first)
    if "n_jobs" in parameters:
        parallel = clone(model).set_params(n_jobs=2)
        np.testing.assert_array_equal(scores(fit(parallel, problem), problem.X), first)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
def test_frames_give_the_same_scores_and_keep_their_names(ranker, problem, frame):
    names = ["size", "price", "age"]
    table = frame({name: problem.X[:, j] for j, name in enumerate(names)})
    groups = () if problem.groups is None else (problem.groups,)
    model = ranker.make().fit(table, problem.y, *groups)
    assert model.feature_names_in_.tolist() == names
    expected = scores(fit(ranker.make(), problem), problem.X)
    np.testing.assert_allclose(scores(model, table), expected, rtol=1e-12, atol=1e-12)


def test_a_search_over_a_pipeline_hands_groups_on(ranker, problem):
    pipeline = make_pipeline(StandardScaler(), ranker.make())
    groups = {} if problem.groups is None else {"groups": problem.groups}
    folds = KFold(2) if problem.groups is None else GroupKFold(3)
    with sklearn.config_context(enable_metadata_routing=True):
        search = GridSearchCV(pipeline, {"standardscaler__with_mean": [True, False]}, cv=folds)
        search.fit(problem.X, problem.y, **groups)
        assert np.isfinite(search.cv_results_["mean_test_score"]).all()
        expected = clone(pipeline).set_params(**search.best_params_)
        expected.fit(problem.X, problem.y, **groups)
    np.testing.assert_allclose(
        scores(search, problem.X), scores(expected, problem.X), rtol=1e-9, atol=1e-12
    )


def test_a_saved_model_gives_the_same_scores(ranker, problem, tmp_path):
    model = fit(ranker.make(), problem)
    rw.save(model, tmp_path / "model.rw")
    loaded = rw.load(tmp_path / "model.rw", trusted=ranker.trusted)
    np.testing.assert_array_equal(scores(loaded, problem.X), scores(model, problem.X))
    assert loaded.get_params().keys() == model.get_params().keys()


def test_rankings_are_training_data(ranker, problem):
    if not ranker.takes_groups:
        pytest.skip("takes no groups")
    rankings = rw.Rankings.from_rows(problem.X, problem.y, problem.groups)
    if ranker.sees_values or ranker.sees_row_order:
        assert ranker.make().fit(rankings).score(problem.X, problem.y, problem.groups) > 0.4
        return
    np.testing.assert_allclose(
        scores(ranker.make().fit(rankings), problem.X),
        scores(fit(ranker.make(), problem), problem.X),
        rtol=1e-4,
        atol=1e-6,
    )
