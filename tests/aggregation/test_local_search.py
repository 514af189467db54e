import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.aggregation import aggregate
from rankwright.aggregation.budget import Budget
from rankwright.aggregation.local_search import shake
from rankwright.aggregation.pair_costs import PairCosts, pair_costs
from rankwright.aggregation.votes import read_votes
from rankwright.kernels import buckets


def neighbours(bucket):
    """Return every ranking that one move of an item, one merge or one cut apart leads to."""
    n, k = len(bucket), bucket.max() + 1
    for item in range(n):
        for place in np.arange(-0.5, k, 0.5):
            moved = bucket.astype(float)
            moved[item] = place
            yield np.unique(moved, return_inverse=True)[1]
    for b in range(k - 1):
        yield np.where(bucket > b, bucket - 1, bucket)


@pytest.mark.parametrize("compiled", [True, False])
def test_no_move_or_merge_improves_the_result(compiled, monkeypatch):
    if not compiled:
        for name in ("best_place", "move", "merge_neighbours", "split", "regroup"):
            monkeypatch.setattr(buckets, name, getattr(buckets, name).py_func)
    improve = buckets.improve if compiled else buckets.improve.py_func

    @settings(max_examples=25, deadline=None)
    @given(st.integers(0, 2**32), st.integers(2, 9))
    def check(seed, n):
        rng = np.random.default_rng(seed)
        costs = pair_costs(read_votes(rng.integers(0, n, (n, 4)).astype(float)), 0.5, ties=True)
        bucket = np.unique(rng.integers(0, n, n), return_inverse=True)[1].astype(np.int64)
        started = costs.cost_of(bucket)
        sweep = np.zeros(2, dtype=np.int64)
        while not improve(bucket, costs.before, costs.tied, 1e-9, sweep, 5):
            pass
        np.testing.assert_array_equal(np.unique(bucket), np.arange(bucket.max() + 1))
        assert costs.cost_of(bucket) <= started
        assert all(
            costs.cost_of(bucket) <= costs.cost_of(other) + 1e-9 for other in neighbours(bucket)
        )

    check()


def test_a_bucket_is_cut_where_no_single_item_would_leave_it():
    # Two blocks of two: a block before the other saves, one item alone between them does not.
    before, tied = np.full((4, 4), 9.0), np.full((4, 4), 1.0)
    before[:2, 2:] = 0.0
    tied[:2, :2] = tied[2:, 2:] = -3.0
    bucket = np.zeros(4, dtype=np.int64)
    PairCosts(before, tied).improve(bucket)
    np.testing.assert_array_equal(bucket, [0, 0, 1, 1])


def test_two_buckets_are_merged_where_no_single_item_would_move():
    before, tied = np.full((4, 4), 1.0), np.full((4, 4), 0.5)
    tied[:2, :2] = tied[2:, 2:] = -3.0
    bucket = np.array([0, 0, 1, 1])
    PairCosts(before, tied).improve(bucket)
    np.testing.assert_array_equal(bucket, [0, 0, 0, 0])


@pytest.mark.parametrize("seed", range(3))
def test_local_search_is_within_half_a_percent_of_the_optimum(seed, noisy_votes, random_votes):
    for votes in (noisy_votes(40, 20, 0.25, seed), random_votes(30, 20, 30, seed)):
        exact, found = aggregate(votes, "kemeny"), aggregate(votes, "local_search")
        assert exact.optimal
        assert exact.cost <= found.cost <= 1.005 * exact.cost
        assert found.bound <= exact.cost


def test_windows_come_close_to_the_whole_search(noisy_votes):
    votes = noisy_votes(300, 15, 0.1)
    whole = aggregate(votes, "local_search")
    windowed = aggregate(votes, "local_search", window=60)
    borda = aggregate(votes, "borda")
    assert windowed.cost < borda.cost
    assert windowed.cost <= 1.001 * whole.cost


def test_windows_build_no_matrix_of_all_pairs(noisy_votes, monkeypatch):
    sizes = []
    plain = pair_costs

    def recorded(votes, *options):
        sizes.append(len(votes.items))
        return plain(votes, *options)

    monkeypatch.setattr("rankwright.aggregation.local_search.pair_costs", recorded)
    monkeypatch.setattr("rankwright.aggregation.methods.pair_costs", recorded)
    aggregate(noisy_votes(200, 5, 0.1), "local_search", window=40)
    assert len(sizes) >= 10
    assert max(sizes) < 100


def test_more_items_than_the_matrix_holds_are_searched_in_windows(noisy_votes, monkeypatch):
    monkeypatch.setattr("rankwright.aggregation.methods.LARGEST_WHOLE", 50)
    consensus = aggregate(noisy_votes(60, 5, 0.1))
    assert (consensus.method, consensus.bound) == ("local_search", 0.0)


def test_shaking_never_loses_and_often_wins(random_votes):
    costs = pair_costs(read_votes(random_votes(60, 10, 60)), 0.5, ties=True)
    bucket = np.arange(60)
    costs.improve(bucket)
    shaken = shake(costs, bucket, np.random.default_rng(0), 30, Budget())
    assert costs.cost_of(shaken) < costs.cost_of(bucket)
    np.testing.assert_array_equal(np.unique(shaken), np.arange(shaken.max() + 1))
