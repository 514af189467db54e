import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

from rankwright.aggregation.votes import read_votes
from rankwright.data import Rankings, VoterOrders


def test_orders_become_positions_with_ties_at_the_mean_and_gaps():
    votes = read_votes([["b", ["a", "c"]], ["c", "d"]])
    assert votes.items == ("a", "b", "c", "d")
    np.testing.assert_array_equal(votes.positions, [[2.5, 1, 2.5, np.nan], [np.nan, np.nan, 1, 2]])
    assert not votes.is_complete


def test_a_matrix_has_items_in_rows_and_its_numbers_need_not_be_ranks():
    votes = read_votes(np.array([[10.0, 3], [20, 3], [5, 1]]))
    np.testing.assert_array_equal(votes.positions, [[2, 3, 1], [2.5, 2.5, 1]])
    assert votes.items == (0, 1, 2)
    assert votes.is_complete


def test_scores_are_positions_from_the_largest():
    matrix = np.array([[0.1, 0.9], [0.7, np.nan]])
    np.testing.assert_array_equal(read_votes(matrix, scores=True).positions, [[2, 1], [1, np.nan]])


def test_a_frame_names_its_items_by_the_index():
    frame = pd.DataFrame({"ann": [1, 2], "bob": [2, 1]}, index=["tea", "milk"])
    assert read_votes(frame).items == ("tea", "milk")
    np.testing.assert_array_equal(read_votes(frame).positions, [[1, 2], [2, 1]])
    np.testing.assert_array_equal(
        read_votes(pl.from_pandas(frame)).positions, read_votes(frame).positions
    )


@pytest.mark.parametrize(
    "dtype", ["Int64", "Float64", "int64[pyarrow]", "double[pyarrow]", "boolean", "bool[pyarrow]"]
)
def test_gaps_of_nullable_columns_are_items_not_ranked(dtype):
    frame = pd.DataFrame({"ann": [1.0, 0.0, np.nan], "bob": [0.0, np.nan, 1.0]})
    nullable = frame.astype("Float64").astype(dtype)
    expected = read_votes(frame).positions
    np.testing.assert_array_equal(read_votes(nullable).positions, expected)
    np.testing.assert_array_equal(read_votes(nullable.assign(bob=frame["bob"])).positions, expected)


def test_an_item_that_the_index_names_twice_is_refused():
    frame = pd.DataFrame({"ann": [1, 2], "bob": [2, 1]}, index=["tea", "tea"])
    for rankings in (frame, Rankings(frame, [[0, 1], [1, 0]])):
        with pytest.raises(ValueError, match="the index names item 'tea' twice; keep one"):
            read_votes(rankings)


def test_rankings_give_their_orders():
    items = pd.DataFrame({"x": [1.0, 2, 3]}, index=["a", "b", "c"])
    votes = read_votes(Rankings(items, [["c", ["a", "b"]], ["b", "a"]]))
    assert votes.items == ("a", "b", "c")
    np.testing.assert_array_equal(votes.positions, [[2.5, 2.5, 1], [2, 1, np.nan]])


def test_orders_of_a_preflib_file_weigh_as_many_voters_as_gave_them():
    orders = VoterOrders(("tea", "milk", "water"), ((0, (1, 2)), (2,)), np.array([4, 1]))
    votes = read_votes(orders, voter_weights=[1, 10])
    assert votes.items == ("tea", "milk", "water")
    np.testing.assert_array_equal(votes.positions, [[1, 2.5, 2.5], [np.nan, np.nan, 1]])
    np.testing.assert_array_equal(votes.voter_weights, [4, 10])


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 2**32), st.integers(1, 8), st.integers(2, 6))
def test_positions_among_gaps_are_those_of_scipy(seed, n, m):
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, 4, (n, m)).astype(float)
    matrix[rng.random(matrix.shape) < 0.3] = np.nan
    matrix[np.isnan(matrix).all(axis=1), 0] = 1
    expected = rankdata(matrix.T, axis=1, nan_policy="omit")
    np.testing.assert_array_equal(read_votes(matrix).positions, expected)


def test_missing_last_ties_the_items_left_out_behind_the_others():
    votes = read_votes([["a", "b"], ["c"]], missing="last")
    np.testing.assert_array_equal(votes.positions, [[1, 2, 3], [2.5, 2.5, 1]])


def test_names_without_an_order_are_listed_as_they_come():
    assert read_votes([["b", 1], [1, "b"]]).items == ("b", 1)


def test_the_canonical_order_does_not_depend_on_the_listing():
    rng = np.random.default_rng(0)
    matrix = rng.integers(0, 9, (12, 7)).astype(float)
    matrix[rng.random(matrix.shape) < 0.2] = np.nan
    weights = rng.integers(1, 4, 7).astype(float)
    items, voters = rng.permutation(12), rng.permutation(7)
    listed = read_votes(matrix, voter_weights=weights)
    shuffled = read_votes(matrix[items][:, voters], voter_weights=weights[voters])
    first, second = (votes.take(*votes.canonical_order()) for votes in (listed, shuffled))
    np.testing.assert_array_equal(first.positions, second.positions)
    np.testing.assert_array_equal(first.voter_weights, second.voter_weights)


@pytest.mark.parametrize(
    ("rankings", "options", "message"),
    [
        ([], {}, "there are no rankings"),
        (np.empty((3, 0)), {}, "there are no rankings"),
        ([["a", "b"]], {}, "one ranking is its own consensus"),
        (np.empty((0, 3)), {}, "there are no items"),
        (np.array([[1, 2], [np.nan, np.nan]]), {}, "no voter ranks item 1"),
        ([["a", "b"], ["b", "a", "b"]], {}, "ranking 1 lists item 'b' twice"),
        ([["a", ["b", "a"]], ["b"]], {}, "ranking 0 lists item 'a' twice"),
        ([["a"], []], {}, "ranking 1 is empty"),
        (["ab", "ba"], {}, "ranking 0 is 'ab'; give a list"),
        (np.ones(3), {}, r"rankings have shape \(3,\)"),
        (np.array([[1, np.inf], [2, 1]]), {}, "infinite"),
        ([["a"], ["a"]], {"voter_weights": [1, -1]}, "voter \\d has weight .* in voter_weights"),
        ([["a"], ["a"]], {"voter_weights": [0, 0]}, "voter_weights are all zero"),
        ([["a"], ["a"]], {"voter_weights": [1]}, "give one for each .*, 2 in all"),
        ([["a"], ["a"]], {"item_weights": [np.nan]}, "item 0 has weight nan in item_weights"),
        (
            [["a"], ["a"]],
            {"missing": "first"},
            r"missing='first'; choose from \['ignore', 'last'\]",
        ),
        ([["a"], ["a"]], {"scores": True}, "scores=True goes with a matrix"),
        ([["a"], [{}]], {}, r"ranking 1 lists \{\}; name items by text or numbers"),
        ([["a"], [np.nan]], {}, "ranking 1 lists nan"),
        ([["a"], 3], {}, "ranking 1 is 3; give a list of items"),
        ("ab", {}, "rankings holds .*, which is not a number; give a matrix"),
        (
            np.array([["a", "b"], ["b", "a"]]),
            {},
            "rankings holds .*, which is not a number; give a matrix",
        ),
        (np.full((2, 2), np.nan), {}, "no voter ranks any item"),
    ],
)
def test_bad_votes_are_refused(rankings, options, message):
    with pytest.raises(ValueError, match=message):
        read_votes(rankings, **options)


def test_an_item_that_nobody_ranks_can_be_tied_last():
    votes = read_votes(np.array([[1, 1], [np.nan, np.nan]]), missing="last")
    np.testing.assert_array_equal(votes.positions, [[1, 2], [1, 2]])
