"""Every class of scikit-learn that files may hold comes back from one as it was."""

import warnings

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.feature_selection import (
    SelectKBest,
    mutual_info_classif,
    mutual_info_regression,
    r_regression,
)
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rankwright as rw
from model_files.listed import CLASSES, MODELS, SMALL, X, Y, ranker_of, rows_of, targets_of
from rankwright.persistence.classes import SCIKIT_LEARN


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", MODELS)
def test_a_listed_class_comes_back_from_a_file(name, tmp_path):
    for target in targets_of(name):
        ranker = ranker_of(name, target)
        rw.save(ranker, tmp_path / "model.rw")
        loaded = rw.load(tmp_path / "model.rw")
        np.testing.assert_array_equal(loaded.predict(rows_of(name)), ranker.predict(rows_of(name)))


@pytest.mark.parametrize("name", sorted(SMALL & SCIKIT_LEARN["sklearn.model_selection"]))
def test_a_listed_way_to_draw_folds_comes_back(name, tmp_path):
    arguments = {"LeavePGroupsOut": [1], "LeavePOut": [1], "PredefinedSplit": [[0, 1] * 30]}
    search = CLASSES["GridSearchCV"](Ridge(), {"alpha": [1, 2]}, cv=KFold(2))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ranker = rw.AdaptedRanker(search).fit(X, Y)
    ranker.model_.cv = CLASSES[name](*arguments.get(name, []))
    rw.save(ranker, tmp_path / "model.rw")
    assert type(rw.load(tmp_path / "model.rw").model_.cv) is CLASSES[name]


@pytest.mark.parametrize("names", [True, False, "{transformer_name}: {feature_name}"])
def test_columns_are_selected_and_named_as_before(names, tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=["a", "b", "c"])
    columns = ColumnTransformer(
        [("scaled", StandardScaler(), make_column_selector("a|b"))], verbose_feature_names_out=names
    ).set_output(transform="pandas")
    model = make_pipeline(columns, rw.LeastSquaresRanker()).fit(frame, Y)
    rw.save(model, tmp_path / "model.rw")
    loaded = rw.load(tmp_path / "model.rw")
    np.testing.assert_array_equal(loaded.predict(frame), model.predict(frame))


def test_columns_are_selected_by_kinds_of_numbers(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=["a", "b", "c"])
    selector = make_column_selector(dtype_include=np.number)
    columns = ColumnTransformer([("scaled", StandardScaler(), selector)])
    model = make_pipeline(columns, rw.LeastSquaresRanker()).fit(frame, Y)
    rw.save(model, tmp_path / "model.rw")
    np.testing.assert_array_equal(
        rw.load(tmp_path / "model.rw").predict(frame), model.predict(frame)
    )


@pytest.mark.parametrize(
    ("function", "last"),
    [
        (mutual_info_classif, LogisticRegression()),
        (mutual_info_regression, Ridge()),
        (r_regression, Ridge()),
    ],
)
def test_functions_that_choose_features_come_back(function, last, tmp_path):
    model = rw.AdaptedRanker(make_pipeline(SelectKBest(function, k=1), last))
    model.fit(X, np.digitize(Y, np.quantile(Y, [0.3, 0.6])))
    rw.save(model, tmp_path / "model.rw")
    np.testing.assert_array_equal(rw.load(tmp_path / "model.rw").predict(X), model.predict(X))


def test_temperatures_of_calibrated_classes_come_back(tmp_path):
    calibrated = CalibratedClassifierCV(LogisticRegression(), method="temperature", cv=2)
    model = rw.AdaptedRanker(calibrated).fit(X, np.digitize(Y, np.quantile(Y, [0.3, 0.6])))
    rw.save(model, tmp_path / "model.rw")
    np.testing.assert_array_equal(rw.load(tmp_path / "model.rw").predict(X), model.predict(X))
