import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestRegressor

from rankwright.base import rank_table, why_above
from rankwright.linear import ExpectedRankRegressor


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.standard_normal((40, 4)), columns=list("abcd"))
    return X, X["a"] * X["b"] + 2 * X["c"]


def test_for_a_linear_ranker_it_is_weight_times_difference(data):
    ranker = ExpectedRankRegressor().fit(*data)
    reasons = why_above(ranker, data[0].loc[3], data[0].loc[8])
    exact = ranker.regressor_.coef_ * (data[0].loc[3] - data[0].loc[8])
    assert reasons["contribution"].to_dict() == pytest.approx(exact.to_dict())


def test_contributions_add_up_for_any_ranker(data):
    ranker = ExpectedRankRegressor(RandomForestRegressor(10, random_state=0)).fit(*data)
    X, _ = data
    reasons = why_above(ranker, X.loc[0], X.loc[1], n_orders=5)
    scores = ranker.predict(X.iloc[:2])
    assert reasons["contribution"].sum() == pytest.approx(scores[0] - scores[1])
    assert reasons["contribution"].abs().is_monotonic_decreasing


def test_a_feature_that_is_equal_contributes_nothing(data):
    X, y = data
    X.loc[1, "c"] = X.loc[0, "c"]
    ranker = ExpectedRankRegressor(RandomForestRegressor(10, random_state=0)).fit(X, y)
    assert why_above(ranker, X.loc[0], X.loc[1]).loc["c", "contribution"] == 0


def test_a_ranking_lists_each_group_from_its_best(data):
    X, y = data
    groups = np.tile(["q", "p"], 20)
    table = rank_table(ExpectedRankRegressor().fit(X, y, groups), X, groups)
    assert table["group"].tolist() == ["q"] * 20 + ["p"] * 20
    assert table.groupby("group")["position"].apply(lambda p: p.is_monotonic_increasing).all()
    assert table.groupby("group")["score"].apply(lambda s: s.is_monotonic_decreasing).all()
