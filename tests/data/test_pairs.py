import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

import rankwright as rw

rows = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(-9, 9)), min_size=1, max_size=15
)


def brute_force(X, y, groups, pairs):
    """Every (better - worse) difference, from a double loop over rows."""
    differences = []
    for i in range(len(y)):
        for k in range(len(y)):
            between = {v for v, g in zip(y, groups, strict=True) if g == groups[i]}
            adjacent = not any(y[k] < v < y[i] for v in between)
            if groups[i] == groups[k] and y[i] > y[k] and (pairs == "all" or adjacent):
                differences.append(float(X[i] - X[k]))
    return sorted(differences)


@given(rows, st.sampled_from(["all", "adjacent"]))
def test_pairs_are_those_of_a_double_loop(rows, pairs):
    groups, y, x = zip(*rows, strict=True)
    X = np.array(x, dtype=float)
    differences, signs = rw.pairwise_transform(X[:, None], y, groups, pairs=pairs)
    better_minus_worse = differences[:, 0] * signs
    assert sorted(better_minus_worse.tolist()) == brute_force(X, y, groups, pairs)


@given(rows)
def test_both_signs_are_equally_frequent(rows):
    groups, y, x = zip(*rows, strict=True)
    _, signs = rw.pairwise_transform(np.array(x, dtype=float)[:, None], y, groups)
    assert signs.sum() in (0, 1)


def test_all_ties_give_no_pairs():
    differences, signs = rw.pairwise_transform([[1.0], [2.0]], [1, 1])
    assert differences.shape == (0, 1)
    assert signs.shape == (0,)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"X": [1.0, 2.0], "y": [1, 2]}, "X has shape"),
        ({"X": [[1.0], [2.0]], "y": [1]}, "y has 1 values but X has 2 rows"),
        ({"X": [[1.0], [2.0]], "y": [1, np.nan]}, "NaN or infinite, the first .* in row 1"),
        ({"X": [[1.0]], "y": ["good"]}, "y holds .*good.*not a number"),
        ({"X": np.empty((0, 2)), "y": []}, "there are no rows"),
        ({"X": [[1.0]], "y": [1], "pairs": "some"}, "pairs='some'; choose from"),
        ({"X": [["red"]], "y": [1]}, "X holds 'red', .* not a number; encode its text"),
        ({"X": [[1.0, 2.0], [3.0, np.nan]], "y": [1, 2]}, "X is nan in row 1, column 1; remove"),
        ({"X": [[1.0], [-np.inf]], "y": [1, 2]}, "X is -inf in row 1, column 0; remove"),
        ({"X": csr_array(np.eye(2)), "y": [1, 2]}, r"X is sparse; give X\.toarray\(\)"),
        (
            {"X": np.array([["NaT"], [1]], dtype="timedelta64[s]"), "y": [1, 2]},
            "X has type timedelta64.*seconds",
        ),
        (
            {"X": pd.DataFrame({"when": pd.to_datetime(["2020", "2021"])}), "y": [1, 2]},
            "column 'when' of X has type datetime64",
        ),
    ],
)
def test_bad_rows_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        rw.pairwise_transform(**arguments)


def test_pairs_find_their_rows_by_name():
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0]}, index=["a", "b", "c"])
    better, worse = rw.PreferencePairs(["c", "a"], ["a", "b"]).rows_of(frame)
    assert better.tolist() == [2, 0]
    assert worse.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0, 1], [1]), "give two lists of row numbers"),
        (([[0]], [[1]]), r"better has shape \(1, 1\) and worse \(1, 1\); give two lists"),
        (([[0], [1, 2]], [1, 2]), "better holds lists; give one row number"),
        (([1, 2], [[0], [1, 2]]), "worse holds lists; give one row number"),
        (([], []), "there are no pairs"),
        (([0, 2], [1, 2]), "pair 1 compares item 2 with itself; remove it"),
        (([0, np.nan], [1, 2]), "better has a missing value in pair 1; leave the pair out"),
        ((["a", "b"], [None, "a"]), "worse has a missing value in pair 0; leave the pair out"),
        (([0], [1], [-1.0]), "pair 0 has weight -1.0"),
        (([0], [1], [np.nan]), "pair 0 has weight nan"),
        (([0], [1], [1.0, 2.0]), "weights have shape .*give one for each pair"),
    ],
)
def test_bad_pairs_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        rw.PreferencePairs(*arguments)


@pytest.mark.parametrize(
    ("better", "message"),
    [([5], "names row 5, but there are only rows 0 to 1"), (["a"], "holds names such as 'a'")],
)
def test_pairs_outside_the_table_are_named(better, message):
    worse = [0] if better == [5] else [1]
    with pytest.raises(ValueError, match=f"better {message}"):
        rw.PreferencePairs(better, worse).rows_of(np.zeros((2, 1)))
    with pytest.raises(ValueError, match=f"worse {message}"):
        rw.PreferencePairs(worse, better).rows_of(np.zeros((2, 1)))


def test_rankers_refuse_tied_pairs():
    pairs = rw.PreferencePairs([0, 1], [1, 2], tied=[False, True])
    with pytest.raises(ValueError, match="pair 1 is tied"):
        pairs.rows_of(np.eye(3))


@pytest.mark.parametrize("tied", [[True], [0, 1]])
def test_ties_are_one_truth_value_for_each_pair(tied):
    with pytest.raises(ValueError, match="give True or False for each pair"):
        rw.PreferencePairs([0, 1], [1, 2], tied=tied)


def test_pairs_hold_what_they_were_given():
    pairs = rw.PreferencePairs([0, 1, 2], [1, 2, 0], [0.5, 0, 2], [False, False, False])
    assert pairs.weights.tolist() == [0.5, 0, 2]
    assert pairs.tied.tolist() == [False] * 3
    assert len(pairs) == 3
    better, worse = pairs.rows_of(np.eye(3))
    assert (better.tolist(), worse.tolist()) == ([0, 1, 2], [1, 2, 0])
    plain = rw.PreferencePairs([0], [1])
    assert plain.weights is plain.tied is None


@pytest.mark.parametrize("size", [1e308, 1e-320])
def test_weights_whose_products_are_no_numbers_are_refused(size):
    with pytest.raises(ValueError, match=r"weights is .* in pair 1; give weights between"):
        rw.PreferencePairs([0, 1], [1, 0], [1.0, size])
