import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

import rankwright as rw
from rankwright.data import group_rows, mean_places, places_as_shares, sort_rows

rows = st.lists(st.tuples(st.integers(0, 3), st.integers(-3, 3)), min_size=1, max_size=40)


@given(rows)
def test_positions_are_mean_ranks_inside_each_group(rows):
    groups, scores = map(np.array, zip(*rows, strict=True))
    expected = np.empty(len(rows))
    for group in set(groups):
        expected[groups == group] = rankdata(-scores[groups == group])
    np.testing.assert_array_equal(rw.positions(scores, groups), expected)


@given(rows, st.data())
def test_a_weight_counts_as_repetition(rows, data):
    groups, scores = map(np.array, zip(*rows, strict=True))
    counts = np.array(
        data.draw(st.lists(st.integers(1, 3), min_size=len(rows), max_size=len(rows)))
    )
    weighted = mean_places(
        scores.astype(float), group_rows(groups, len(rows)), counts.astype(float)
    )
    repeated = rw.positions(np.repeat(scores, counts), np.repeat(groups, counts))
    np.testing.assert_array_equal(np.repeat(weighted, counts), repeated)


def test_best_score_has_position_one():
    assert rw.positions([1.0, 3.0, 2.0]).tolist() == [3, 1, 2]


def test_infinite_scores_have_positions():
    assert rw.positions([np.inf, -np.inf, 0.0, np.inf]).tolist() == [1.5, 4, 3, 1.5]


def test_no_rows_have_no_positions():
    assert rw.positions([]).tolist() == []


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([1.0, np.nan], "NaN in row 1"),
        ([[1.0], [2.0]], r"scores have shape \(2, 1\); give one for each row$"),
    ],
)
def test_bad_scores_are_named(scores, message):
    with pytest.raises(ValueError, match=message):
        rw.positions(scores)


def test_places_as_shares_are_those_of_repeated_rows():
    y, groups = np.array([3.0, 1.0, 3.0, 2.0]), list("aaab")
    weights = np.array([1, 2, 1, 1])
    assert places_as_shares(sort_rows(y, y, groups)).tolist() == [3 / 8, 3 / 4, 3 / 8, 1 / 2]
    found = places_as_shares(sort_rows(y, y, groups, weights.astype(float)))
    often = np.repeat(np.arange(4), weights)
    repeated = places_as_shares(sort_rows(y[often], y[often], np.take(groups, often)))
    np.testing.assert_allclose(found[often], repeated)
