"""Every class of scikit-learn that files may hold comes back from one as it was."""

import warnings

import numpy as np
import pytest
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.linear_model import Ridge
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
