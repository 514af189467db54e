import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankwright as rw

FRAME = pd.DataFrame({"x": [1.0, 2.0, 3.0]}, index=["a", "b", "c"])
rows = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=20)


def test_row_numbers_and_names_mean_the_same():
    by_number = rw.Rankings(FRAME, [[2, [0, 1]], [1, 0]]).to_rows()
    by_name = rw.Rankings(FRAME, [["c", ["a", "b"]], ["b", "a"]]).to_rows()
    pd.testing.assert_frame_equal(by_number[0], by_name[0])
    np.testing.assert_array_equal(by_number[1:], by_name[1:])


def test_better_places_get_larger_y_and_ties_equal_y():
    _, y, groups = rw.Rankings(FRAME, [["c", ["a", "b"]], ["b", "a"]]).to_rows()
    assert y.tolist() == [1, 0, 0, 1, 0]
    assert groups.tolist() == [0, 0, 0, 1, 1]


def test_polars_items_are_taken_by_row_number():
    X, _, _ = rw.Rankings(pl.DataFrame({"x": [1.0, 2.0, 3.0]}), [[2, 0]]).to_rows()
    assert X["x"].to_list() == [3.0, 1.0]


@given(rows)
def test_rows_become_rankings_and_back(rows):
    groups, y = map(np.array, zip(*rows, strict=True))
    X = np.arange(len(y), dtype=float)[:, None]
    X_back, y_back, groups_back = rw.Rankings.from_rows(X, y, groups).to_rows()
    back = X_back[:, 0].astype(int)
    for i in range(len(back)):
        for k in range(len(back)):
            same_group = groups[back[i]] == groups[back[k]]
            assert (groups_back[i] == groups_back[k]) == same_group
            if same_group:
                assert (y_back[i] < y_back[k]) == (y[back[i]] < y[back[k]])


@pytest.mark.parametrize(
    ("items", "orders", "message"),
    [
        (FRAME, [], "there are no orders"),
        (FRAME, [["a"], []], "order 1 is empty"),
        (FRAME, [["a", ["b", "a"]]], "order 0 lists item 'a' twice"),
        (FRAME, [["c", "a", "b", "b"]], "order 0 lists item 'b' twice"),
        (FRAME, [["a", "z"]], "names 'z', which the index"),
        (FRAME, [[0, 3]], "names row 3, but there are only rows 0 to 2"),
        (FRAME.to_numpy(), [["a", "b"]], "holds names such as 'a'"),
        (pd.concat([FRAME, FRAME]), [["a", "b"]], "has 'a' twice"),
        ([1.0, 2.0], [[0, 1]], "items has shape"),
    ],
)
def test_bad_rankings_are_named(items, orders, message):
    with pytest.raises(ValueError, match=message):
        rw.Rankings(items, orders)


@pytest.mark.parametrize(
    ("items", "orders", "message"),
    [
        (np.eye(3), [[None]], "orders holds names such as None; give the items as a pandas frame"),
        (FRAME, [[None]], "orders names None, which the index of the items does not have"),
        (FRAME, [["a", 1]], "orders names 1, which the index"),
        (FRAME, [["a", None]], "orders names None"),
        (np.eye(3), [[10**20]], f"orders holds names such as {10**20}|names row"),
        (np.eye(3), [[pd.Timestamp("2020-01-01")]], "names such as Timestamp"),
        (np.eye(3), [[{}]], r"order 0 holds \{\}; name items by row numbers"),
        (np.eye(3), [[0, 1, {}]], r"order 0 holds \{\}; name items by row numbers"),
        (np.eye(3), [[0], [[[1]]]], r"order 1 holds \[1\]; name items by row numbers"),
        (np.eye(3), [3], "order 0 is 3; give a list of items, best first"),
        (FRAME, ["ab"], "order 0 is 'ab'; give a list"),
        (np.eye(3), None, "orders is None; give a list of orders"),
        (FRAME, "ab", "orders is 'ab'; give a list of orders"),
    ],
)
def test_what_names_no_item_is_refused_in_words(items, orders, message):
    with pytest.raises(ValueError, match=message):
        rw.Rankings(items, orders)


def test_names_of_several_kinds_and_tuples_are_looked_up_as_they_are():
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0]}, index=["1", 1, "b"])
    assert rw.Rankings(frame, [["b", 1], ["1", "b"]]).rows.tolist() == [2, 1, 0, 2]
    pairs = pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)])
    nested = pd.DataFrame({"x": [1.0, 2.0, 3.0]}, index=pairs)
    assert rw.Rankings(nested, [[[("b", 1)], [("a", 2)]]]).rows.tolist() == [2, 1]


def test_numbers_are_rows_of_a_frame_whatever_its_index():
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0]}, index=[7, 8, 9])
    assert rw.Rankings(frame, [[2, 0]]).to_rows()[0]["x"].tolist() == [3, 1]


@pytest.mark.parametrize("tied", [[0, 1], (0, 1), {0, 1}, np.array([0, 1])])
def test_tied_items_are_any_inner_collection(tied):
    rankings = rw.Rankings([[1.0], [2.0], [3.0]], iter([[2, tied]]))
    assert rankings.rows.tolist() == [2, 0, 1]
    assert rankings.grades.tolist() == [1, 0, 0]
    assert rankings.offsets.tolist() == [0, 3]
    assert len(rankings) == len(rankings.orders) == 1


def test_many_tied_rows_keep_their_order():
    orders = rw.Rankings.from_rows(np.zeros((1000, 3)), np.tile([1, 2], 500)).orders
    assert orders == ([[*range(1, 1000, 2)], [*range(0, 1000, 2)]],)


def test_rows_need_a_table():
    with pytest.raises(ValueError, match=r"X has shape \(2,\); give one row of features per item"):
        rw.Rankings.from_rows([1.0, 2.0], [1, 2])


def test_rankings_are_shown_by_their_items_and_orders():
    shown = repr(rw.Rankings(FRAME, [["c", "a"]]))
    assert shown.endswith("orders=(['c', 'a'],))")


def test_rankings_of_a_frame_keep_the_frame():
    rankings = rw.Rankings.from_rows(FRAME, [1, 3, 2])
    assert rankings.items is FRAME
    assert rankings.to_rows()[0].index.tolist() == ["b", "c", "a"]
