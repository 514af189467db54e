import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.datasets import sample_rankings
from rankwright.datasets.ranking_samples import SCENARIOS, _walk


@pytest.mark.parametrize("scenario", SCENARIOS)
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_samples_reach_their_length_without_repetition_and_keep_the_order(scenario, data):
    n = data.draw(st.integers(2, 80))
    spread = data.draw(st.integers(0, (n - 2) // 2))
    length = data.draw(st.integers(2 + spread, n - spread))
    y = np.random.default_rng(n).permutation(n)
    for order in sample_rankings(
        y, 3, length, spread=spread, scenario=scenario, random_state=data.draw(st.integers(0, 99))
    ):
        assert length - spread <= len(order) <= length + spread
        assert len(set(order.tolist())) == len(order)
        assert (np.diff(y[order]) < 0).all()


@given(st.integers(2, 40), st.integers(1, 3), st.integers(0, 99), st.data())
@settings(max_examples=60, deadline=None)
def test_walk_takes_a_neighbour_while_one_is_free_and_else_a_nearest(n, reach, seed, data):
    start = data.draw(st.integers(0, n - 1))
    taken = _walk(start, n, n, reach, np.random.RandomState(seed))
    assert sorted(taken) == list(range(n))
    for step in range(1, n):
        nearest = min(abs(p - taken[step - 1]) for p in set(range(n)) - set(taken[:step]))
        assert abs(taken[step] - taken[step - 1]) <= max(reach, nearest)


def test_uniform_samples_take_every_position_equally_often():
    orders = sample_rankings(-np.arange(20), 4000, 5, random_state=0)
    counts = np.bincount(np.concatenate(orders), minlength=20)
    assert abs(counts - 1000).max() < 5 * np.sqrt(1000)


def test_top_hotels_start_among_the_first_fifty_and_stay_near():
    orders = sample_rankings(-np.arange(363), 500, 5, scenario="top_hotels", random_state=0)
    taken = np.concatenate(orders)
    assert taken.max() <= 49 + 4 * 3
    assert max(order.max() - order.min() for order in orders) <= 4 * 3


def test_two_groups_start_at_either_end_equally_often():
    orders = sample_rankings(-np.arange(363), 1000, 2, scenario="two_groups", random_state=0)
    top = np.mean([order[0] < 181 for order in orders])
    assert abs(top - 0.5) < 0.06
    assert all(order.max() <= 51 or order.min() >= 363 - 52 for order in orders)


def test_lengths_cover_the_spread():
    orders = sample_rankings(np.arange(30), 300, 5, spread=3, random_state=0)
    assert {len(order) for order in orders} == set(range(2, 9))


def test_an_unknown_scenario_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"scenario='best'; choose from .*'top_hotels'"):
        sample_rankings([1, 2, 3], 1, 2, scenario="best")


@pytest.mark.parametrize(("length", "spread"), [(2, 1), (10, 1), (11, 0)])
def test_impossible_lengths_are_refused(length, spread):
    with pytest.raises(ValueError, match=r"must lie in 2\.\.10"):
        sample_rankings(np.arange(10), 1, length, spread=spread)


def test_a_missing_rank_is_refused():
    with pytest.raises(ValueError, match="finite"):
        sample_rankings([1.0, np.nan, 2.0], 1, 2)
