"""One score for each row, whatever the model."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression

from rankwright.base import scores_of

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 2))
Y = X @ [1.0, 2.0] + RNG.normal(size=60)


def test_a_classifier_is_ranked_by_its_probability_not_by_its_labels():
    forest = RandomForestClassifier(20, random_state=0).fit(X, Y > 0)
    np.testing.assert_array_equal(scores_of(forest, X), forest.predict_proba(X)[:, 1])


def test_a_regressor_of_one_column_scores_rows():
    model = LinearRegression().fit(X, Y[:, None])
    assert model.predict(X).shape == (60, 1)
    np.testing.assert_array_equal(scores_of(model, X), model.predict(X)[:, 0])


def test_a_model_of_several_columns_is_refused_with_the_remedy():
    grades = np.digitize(Y, [-1.0, 1.0])
    for model in (LogisticRegression(), RandomForestClassifier(3)):
        with pytest.raises(
            ValueError, match=r"shape \(60, 3\).*a regressor, or a classifier of two"
        ):
            scores_of(model.fit(X, grades), X)


def test_labels_that_are_no_numbers_are_no_scores():
    class Words:
        def predict(self, X):
            return np.array(["good"] * len(X))

    with pytest.raises(ValueError, match=r"Words.predict returns .*type <U4"):
        scores_of(Words(), X)
