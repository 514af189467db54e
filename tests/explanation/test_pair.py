from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from rankwright.explanation.pair import read_pair

NAMED = SimpleNamespace(feature_names_in_=np.array(["zoom", "price"], dtype=object))
NUMBERED = SimpleNamespace(n_features_in_=2)
FRAME = pd.DataFrame(
    {"price": [9.0, 1.0], "zoom": [3.0, 8.0], "colour": ["red", "blue"]}, index=["A1", "B2"]
)


@pytest.mark.parametrize(
    "item",
    [
        FRAME.loc["A1"],
        FRAME.loc[["A1"]],
        pl.DataFrame({"price": [9.0], "zoom": [3.0]}),
        {"price": 9.0, "zoom": 3.0},
        [3.0, 9.0],
        (3, 9),
        np.array([[3.0, 9.0]]),
        pd.Series([3.0, 9.0]),
        sparse.csr_array([[3.0, 9.0]]),
        pl.Series([3.0, 9.0]),
    ],
    ids=lambda item: type(item).__module__ + "." + type(item).__name__,
)
def test_every_form_of_an_item_is_read_alike(item):
    pair = read_pair(NAMED, item, item)
    assert pair.features.tolist() == ["zoom", "price"]
    assert pair.values.tolist() == [[3.0, 9.0], [3.0, 9.0]]
    assert pair.differing().size == 0


def test_items_are_called_as_in_the_index_of_their_frame():
    pair = read_pair(NAMED, FRAME.loc["A1"], FRAME.loc[["B2"]])
    assert pair.names == ("A1", "B2")
    assert read_pair(NUMBERED, [1, 2], [3, 4]).names == ("the item", "the other")


def test_a_model_without_names_gets_arrays():
    pair = read_pair(NUMBERED, [1, 2], pd.Series([1, 4]))
    assert pair.features.tolist() == ["x0", "x1"]
    assert pair.rows.dtype == np.float64
    assert pair.differing().tolist() == [1]


def test_a_model_that_knows_nothing_gets_what_the_items_are():
    assert list(read_pair(object(), FRAME.loc["A1"], FRAME.loc["B2"]).rows) == list(FRAME)
    assert isinstance(read_pair(object(), [1, "red"], [2, "blue"]).rows, np.ndarray)


def test_two_missing_values_do_not_differ():
    pair = read_pair(object(), [np.nan, 1.0, None, pd.NA], [np.nan, np.nan, "red", pd.NA])
    assert pair.differing().tolist() == [1, 2]


def test_columns_of_hybrids_keep_their_types():
    frame = FRAME.assign(kind=pd.Categorical(["p", "q"]), whole=[1, 2], seen=[True, False])
    pair = read_pair(object(), frame.loc[["A1"]], frame.loc[["B2"]])
    features = pair.differing()
    hybrids = pair.hybrids(features, np.eye(features.size, dtype=bool))
    assert hybrids.dtypes.tolist() == frame.dtypes.tolist()
    for j, name in enumerate(frame):
        expected = [frame.loc["A1" if i == j else "B2", name] for i in range(features.size)]
        assert hybrids[name].tolist() == expected


def test_a_row_of_a_mixed_frame_keeps_numbers_as_numbers():
    pair = read_pair(object(), FRAME.loc["A1"], FRAME.loc["B2"])
    assert [kind.kind for kind in pair.rows.dtypes[:2]] == ["f", "f"]
    assert pair.values[0].tolist() == [9.0, 3.0, "red"]


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (FRAME, "the item is a frame of 2 rows; give one row"),
        ([1.0, 2.0, 3.0], "the item has 3 features, but the model was fitted with 2"),
        (np.eye(2), r"the item has shape \(2, 2\); give one row of features"),
        (7, r"the item has shape \(\); give one row"),
        ({"zoom": 1.0}, "the item has no 'price'; the model was fitted with 'zoom', 'price'"),
    ],
)
def test_what_is_no_row_of_features_is_refused(item, message):
    with pytest.raises(ValueError, match=message):
        read_pair(NAMED, item, FRAME.loc["A1"])
