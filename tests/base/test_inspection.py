"""Rankers in scikit-learn's inspection tools."""

import numpy as np
import pytest
from sklearn.inspection import PartialDependenceDisplay, partial_dependence

import rankwright as rw
from rankwright.base import ScoreRegressor
from rankwright.trees import RankingForest


@pytest.fixture(scope="module")
def forest():
    data = rw.datasets.make_rf10_sparse(300, random_state=0)
    return data, RankingForest(20, random_state=0).fit(data.X, data.y)


def test_partial_dependence_is_the_mean_score_with_a_feature_held(forest):
    data, model = forest
    found = partial_dependence(
        ScoreRegressor(model), data.X, features=["x1"], kind="average", grid_resolution=5
    )
    for value, average in zip(found["grid_values"][0], found["average"][0], strict=True):
        assert average == pytest.approx(model.predict(data.X.assign(x1=value)).mean())
    assert found["average"][0][-1] > found["average"][0][0]


def test_the_display_draws_a_ranker(forest):
    data, model = forest
    display = PartialDependenceDisplay.from_estimator(
        ScoreRegressor(model), data.X, ["x1", "x9"], grid_resolution=5
    )
    spans = [np.ptp(line.average[0]) for line in display.pd_results]
    assert spans[0] > 3 * spans[1]


def test_a_ranker_must_be_fitted():
    with pytest.raises(Exception, match="not fitted"):
        ScoreRegressor(RankingForest()).fit()
