"""Ordinal rankers under scikit-learn's tools, with numbers and with ordered categoricals."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import cross_val_predict, cross_val_score

import rankwright as rw

GRADES = ["poor", "fair", "good", "best"]  # not in the order of the alphabet


@pytest.fixture(params=["OrdinalTree", "OrdinalForest"])
def model(request):
    makers = {
        "OrdinalTree": lambda: rw.OrdinalTree(max_depth=4),
        "OrdinalForest": lambda: rw.OrdinalForest(5, random_state=0),
    }
    return makers[request.param]()


@pytest.fixture(scope="module")
def rows():
    X = np.random.default_rng(0).random((120, 3))
    return X, np.digitize(X[:, 0], [0.25, 0.5, 0.75])


def test_distributions_are_cross_validated(model, rows):
    X, y = rows
    shares = cross_val_predict(model, X, y, cv=4, method="predict_proba")
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    assert (shares.argmax(axis=1) == y).mean() > 0.7


def test_classes_are_the_labels(model, rows):
    X, y = rows
    assert model.fit(X, y).classes_.tolist() == model.labels_.tolist() == [0, 1, 2, 3]


def test_an_unfitted_ranker_has_no_classes(model):
    assert not hasattr(model, "classes_")


@pytest.mark.parametrize("box", [lambda grades: grades, pd.Series])
def test_ordered_categoricals_are_labels_everywhere(model, rows, box):
    X, y = rows
    grades = box(pd.Categorical(np.array(GRADES)[y], GRADES, ordered=True))
    numbers = type(model)(**model.get_params()).fit(X, y)
    assert model.fit(X, grades).classes_.tolist() == GRADES
    assert model.predict(X).tolist() == [GRADES[code] for code in numbers.predict(X)]
    assert model.score(X, grades) == numbers.score(X, y)
    assert model.rank_loss(X, grades) == numbers.rank_loss(X, y)
    assert cross_val_score(model, X, grades, cv=3, error_score="raise").mean() > 0.7


def test_permutation_importances_take_an_ordered_categorical(rows):
    X, y = rows
    forest = rw.OrdinalForest(5, random_state=0)
    grades = pd.Series(pd.Categorical(np.array(GRADES)[y], GRADES, ordered=True))
    found = forest.fit(X, grades).permutation_importances(X, grades, random_state=0)
    assert found.importances_mean.argmax() == 0
