"""A frame of polars and an Arrow table are taken where a frame of pandas is."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

import rankwright as rw
from rankwright.base import rank_table
from rankwright.leaderboards.features import read_features

TOWNS = np.array(["Bonn", "Ulm", "Rome"])[np.arange(60) % 3]
SIZE = np.random.default_rng(0).normal(size=60)
Y = SIZE + 2.0 * (TOWNS == "Ulm")
GROUPS = np.repeat(np.arange(6), 10)
PANDAS = pd.DataFrame({"size": SIZE, "town": pd.Categorical(TOWNS)})
FRAMES = {
    "polars": pl.DataFrame({"size": SIZE, "town": pl.Series(TOWNS, dtype=pl.Categorical)}),
    "polars enum": pl.DataFrame(
        {"size": SIZE, "town": pl.Series(TOWNS, dtype=pl.Enum(["Bonn", "Rome", "Ulm"]))}
    ),
    "arrow": pa.table({"size": SIZE, "town": pa.array(TOWNS).dictionary_encode()}),
}
TAKES_CATEGORIES = {
    "adapted": rw.adapt(HistGradientBoostingRegressor(categorical_features="from_dtype")),
    "boosted": rw.BoostedRanker(10, random_state=0),
    "by column": make_pipeline(
        make_column_transformer((OneHotEncoder(), ["town"]), remainder="passthrough"),
        rw.PairwiseRanker(),
    ),
    "tree": rw.OrdinalTree(max_depth=5),
}


@pytest.fixture(params=FRAMES)
def frame(request):
    return FRAMES[request.param]


@pytest.fixture(params=["adapted", "boosted", "tree"])
def with_categories(request):
    return TAKES_CATEGORIES[request.param]


def test_categories_reach_the_ranker(with_categories, frame):
    expected = with_categories.fit(PANDAS, Y).rank(PANDAS)
    np.testing.assert_array_equal(with_categories.fit(frame, Y).rank(frame), expected)
    np.testing.assert_array_equal(with_categories.rank(PANDAS), expected)


def test_categories_reach_the_ranker_by_way_of_rankings(with_categories, frame):
    expected = with_categories.fit(rw.Rankings.from_rows(PANDAS, Y, GROUPS)).rank(PANDAS)
    found = with_categories.fit(rw.Rankings.from_rows(frame, Y, GROUPS)).rank(frame)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.filterwarnings("ignore:The number of unique classes")
def test_a_comparison_sees_the_columns(frame):
    expected = rw.compare(TAKES_CATEGORIES, PANDAS, Y, GROUPS, n_folds=2)
    found = rw.compare(TAKES_CATEGORIES, frame, Y, GROUPS, n_folds=2)
    assert [one.failure for one in found.results] == [None] * 4
    assert [one.name for one in found.results] == [one.name for one in expected.results]
    for one, other in zip(found.results, expected.results, strict=True):
        np.testing.assert_array_equal(one.values, other.values)


def test_two_rows_are_explained(frame):
    model = rw.OrdinalTree().fit(PANDAS, Y)
    expected = rw.why_above(model, PANDAS[4:5], PANDAS[:1])
    found = rw.why_above(model, frame[4:5], frame[:1])
    np.testing.assert_array_equal(found.contributions, expected.contributions)


def test_a_ranking_is_told_as_a_table(frame):
    model = rw.OrdinalTree().fit(PANDAS, Y)
    pd.testing.assert_frame_equal(rank_table(model, frame), rank_table(model, PANDAS))


@pytest.mark.parametrize("make", [pl.DataFrame, pa.table])
def test_a_table_is_read(make):
    columns = {"name": [f"item {i}" for i in range(60)], "size": SIZE, "town": TOWNS, "y": Y}
    found, expected = (
        rw.read_table(made(columns), item="name", target="y", target_is="score", group="town")
        for made in (make, pd.DataFrame)
    )
    pd.testing.assert_frame_equal(found.X, expected.X)
    np.testing.assert_array_equal(found.y, expected.y)
    np.testing.assert_array_equal(found.groups, expected.groups)


def test_features_of_items_of_a_leaderboard_are_read():
    frame = pl.DataFrame({"size": [1.0, 2.0, 4.0]})
    features = read_features(frame, [0, 1, 2])
    assert features.names == ["size"]
