from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.metrics import rank_biased_overlap

orders = st.integers(2, 7).flatmap(lambda n: st.tuples(*[st.permutations(range(n))] * 2))
tied = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=2, max_size=7)


def brute(first, second, p, depth=400):
    """Sum Webber's (4) over depths: lists of the same items agree fully beyond their end."""
    tops = [sorted(range(len(r)), key=lambda i: -r[i]) for r in (first, second)]
    return sum(
        (1 - p) * p ** (d - 1) * len(set(tops[0][:d]) & set(tops[1][:d])) / min(d, len(first))
        for d in range(1, depth)
    )


def chances_by_order(scores):
    """Return each item's chance to be among the first 1, 2, ..., by all orders of the ties."""
    items = range(len(scores))
    orders = [
        order
        for order in permutations(items)
        if all(scores[one] >= scores[other] for one, other in pairwise(order))
    ]
    tops = [[[item in order[: d + 1] for item in items] for d in items] for order in orders]
    return np.mean(tops, axis=0)


@given(orders, st.sampled_from([0.3, 0.9]))
@settings(max_examples=60, deadline=None)
def test_without_ties_it_is_webbers_sum(pair, p):
    assert rank_biased_overlap(*pair, persistence=p) == pytest.approx(brute(*pair, p))


@given(tied)
@settings(max_examples=60, deadline=None)
def test_it_is_symmetric_and_a_ranking_agrees_with_itself(rows):
    first, second = zip(*rows, strict=True)
    assert rank_biased_overlap(first, first) == pytest.approx(1)
    found = rank_biased_overlap(first, second)
    assert 0 <= found <= 1 + 1e-12
    assert found == pytest.approx(rank_biased_overlap(second, first))


@given(tied, st.sampled_from([0.3, 0.9]))
@settings(max_examples=30, deadline=None)
def test_an_item_of_a_tie_counts_by_its_chance_to_be_among_the_first(rows, p):
    first, second = (chances_by_order(ranking) for ranking in zip(*rows, strict=True))
    norms = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    agreement = (first * second).sum(axis=1) / norms
    weights = (1 - p) * p ** np.arange(len(rows))
    expected = weights @ agreement + p ** len(rows)
    assert rank_biased_overlap(*zip(*rows, strict=True), persistence=p) == pytest.approx(expected)


def test_the_top_weighs_more_than_the_bottom():
    ranking = np.arange(20, 0, -1)
    top, bottom = ranking.copy(), ranking.copy()
    top[[0, 1]], bottom[[18, 19]] = top[[1, 0]], bottom[[19, 18]]
    assert rank_biased_overlap(ranking, top) < rank_biased_overlap(ranking, bottom) < 1


def test_with_next_to_no_persistence_the_first_place_counts_alone():
    assert rank_biased_overlap([3, 2, 1], [1, 2, 3], persistence=1e-20) < 1e-15
    assert rank_biased_overlap([3, 2, 1], [3, 1, 2], persistence=1e-20) == pytest.approx(1)


@pytest.mark.parametrize("p", [0, 1, 1.5])
def test_a_persistence_out_of_range_is_named(p):
    with pytest.raises(ValueError, match=f"persistence={p}; give a number between 0 and 1"):
        rank_biased_overlap([1, 2], [1, 2], persistence=p)
