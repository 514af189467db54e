import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.reverse.questions.agreement import agreement, regression_scores, shares_below
from rankwright.reverse.questions.places import place_spans, places_moved

ROWS = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4), st.sampled_from("ab")), min_size=1, max_size=12
)


@given(ROWS)
@settings(max_examples=60, deadline=None)
def test_pairs_are_counted_as_by_listing_them(rows):
    y, scores, groups = map(np.array, zip(*rows, strict=True))
    pairs = [
        (i, k)
        for i in range(len(y))
        for k in range(len(y))
        if groups[i] == groups[k] and y[i] > y[k]
    ]
    found = agreement(y, scores, groups)
    assert found.pairs == len(pairs)
    assert found.right == sum(scores[i] > scores[k] for i, k in pairs)


@given(ROWS)
@settings(max_examples=60, deadline=None)
def test_a_product_has_moved_only_if_it_left_the_places_of_its_tie(rows):
    y, scores, groups = map(np.array, zip(*rows, strict=True))
    table = places_moved(y, scores, groups)
    for i in range(len(y)):
        mates = groups == groups[i]
        span = 1 + (y[mates] > y[i]).sum(), (y[mates] >= y[i]).sum()
        place = 1 + (scores[mates] > scores[i]).sum()
        inside = span[0] <= place <= span[1]
        assert (table["moved"][i] == 0) == inside
        if not inside:
            end = span[0] if place < span[0] else span[1]
            assert table["moved"][i] == end - place


def test_a_band_that_keeps_its_products_moves_none_of_them():
    y = np.array([5, 4, 3, 3, 3, 3, 1])
    scores = np.array([9.0, 8, 4, 7, 5, 6, 1])
    assert not places_moved(y, scores)["moved"].any()
    assert place_spans(y)[1].tolist() == [1, 2, 6, 6, 6, 6, 7]


def test_shares_below_are_the_middle_of_each_group():
    shares = shares_below(np.array([3.0, 1, 2, 9, 8]), np.array([0, 0, 0, 1, 1]))
    assert shares.tolist() == pytest.approx([5 / 6, 1 / 6, 1 / 2, 3 / 4, 1 / 4])


def test_a_plain_regression_finds_a_linear_order():
    rng = np.random.default_rng(0)
    X, groups = rng.random((60, 3)), np.repeat([0, 1], 30)
    y = X @ [3.0, -2.0, 1.0] + 100 * groups
    assert agreement(y, regression_scores(X, y, groups, X), groups).share > 0.95


def test_a_plain_regression_on_published_scores_recovers_a_sum():
    rng = np.random.default_rng(3)
    X = rng.lognormal(0, 1.5, (60, 3))
    y = X @ [3.0, 2.0, 1.0]  # skewed: least squares on places alone would not
    assert agreement(y, regression_scores(X, y, np.zeros(60), X)).lost == 0
