import numpy as np
import pandas as pd
import pytest

from rankwright.base import rank_table
from rankwright.linear import ExpectedRankRegressor


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.standard_normal((40, 4)), columns=list("abcd"))
    return X, X["a"] * X["b"] + 2 * X["c"]


def test_a_ranking_lists_each_group_from_its_best(data):
    X, y = data
    groups = np.tile(["q", "p"], 20)
    table = rank_table(ExpectedRankRegressor().fit(X, y, groups), X, groups)
    assert table["group"].tolist() == ["q"] * 20 + ["p"] * 20
    assert table.groupby("group")["position"].apply(lambda p: p.is_monotonic_increasing).all()
    assert table.groupby("group")["score"].apply(lambda s: s.is_monotonic_decreasing).all()
