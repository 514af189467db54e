"""Which columns are categories, and how text in them is read."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone

import rankwright as rw
from rankwright.trees.categories import find_categories

TOWNS = ["Rome", "Ulm", None, "Bonn", "Ulm", "Rome"]


@pytest.mark.parametrize(
    "column",
    [
        pd.Series(TOWNS, dtype=object),
        pd.Series(TOWNS, dtype="string"),
        pd.Series(TOWNS, dtype="category"),
    ],
)
def test_text_is_categories_as_a_categorical_is(column):
    found = find_categories(pd.DataFrame({"size": range(6), "town": column}), "from_dtype")
    assert found == {1: ["Bonn", "Rome", "Ulm", None]}


@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical, pl.Enum(["Bonn", "Rome", "Ulm"])])
def test_text_in_polars_is_categories_as_well(dtype):
    frame = pl.DataFrame({"size": range(6), "town": pl.Series(TOWNS).cast(dtype)})
    assert find_categories(frame, "from_dtype") == {1: ["Bonn", "Rome", "Ulm", None]}


@pytest.mark.parametrize("dtype", ["boolean", "bool[pyarrow]", "Int64", "Float64", "float64"])
@pytest.mark.parametrize(
    "model",
    [
        rw.OrdinalTree(),
        rw.OrdinalForest(3, random_state=0),
        rw.TreeRank(),
        rw.RankingForest(3, random_state=0),
        rw.BoostedRanker(5, random_state=0),
        rw.BoostedOrdinal(5, random_state=0),
    ],
)
def test_gaps_of_every_type_stay_gaps_beside_text(model, dtype):
    gaps = pd.Series([1, 0, None] * 20, dtype="Float64")
    X = pd.DataFrame({"town": ["Rome", "Ulm"] * 30, "new": gaps.astype(dtype)})
    y = (X["new"].astype("Float64") == 1).fillna(False).to_numpy().astype(int)
    plain = X.assign(new=X["new"].astype("Float64").to_numpy(dtype=float, na_value=np.nan))
    expected = model.fit(plain, y).predict(plain)
    np.testing.assert_array_equal(model.fit(X, y).predict(X), expected)
    assert len(set(expected)) > 1


def test_text_that_is_numbers_stays_numbers():
    X = pd.DataFrame({"size": ["1", "2.5", "nan", "-3e4"]})
    assert find_categories(X, "from_dtype") == {}
    assert rw.OrdinalTree().fit(X, [1, 2, 3, 4]).tree_.nodes["category_set"].max() == -1


def test_numbers_mixed_with_text_are_refused_with_the_remedy():
    X = pd.DataFrame({"price": ["3.5", "n/a", "4"]})
    with pytest.raises(ValueError, match=r"'price' mixes numbers and text, as '3.5' and 'n/a'"):
        find_categories(X, "from_dtype")


def test_a_column_of_names_is_refused_with_the_remedy():
    X = pd.DataFrame({"id": [f"item {i}" for i in range(300)]})
    with pytest.raises(ValueError, match=r"'id' has 300 categories.*leave the column out"):
        rw.RankingForest(2).fit(X, np.arange(300) % 2)


@pytest.mark.parametrize(
    "model",
    [rw.OrdinalTree(), rw.OrdinalForest(3), rw.TreeRank(), rw.RankingForest(20, random_state=0)],
)
def test_every_tree_learns_from_text(model):
    X = pd.DataFrame({"town": np.array(["Rome", "Ulm", "Bonn"])[np.arange(60) % 3]})
    y = (X["town"] == "Ulm").to_numpy().astype(int)
    assert model.fit(X, y).score(X, y) > 0.7
    assert model.rank(pd.DataFrame({"town": ["Rome", "Ulm", "nowhere"]}))[1] == 1.0


@pytest.mark.parametrize("dtype", [object, str])
@pytest.mark.parametrize("model", [rw.OrdinalTree(), rw.TreeRank(), rw.BoostedRanker(2)])
def test_text_of_an_array_is_refused_with_the_remedy(model, dtype):
    X = np.array([[1, "Rome"], [2, "Ulm"]] * 10, dtype=dtype)
    message = r"column 1 of the array holds text, as 'Rome'; .*categorical_features=\[1\].* frame"
    with pytest.raises(ValueError, match=message):
        model.fit(X, np.arange(20) % 2)
    listed = clone(model).set_params(categorical_features=[1])
    assert listed.fit(X, np.arange(20) % 2).score(X, np.arange(20) % 2) == 1.0
