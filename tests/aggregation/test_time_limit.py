"""A time limit holds for all of a call, and what comes back then is a ranking all the same."""

import os
import signal
import threading
import time

import numpy as np
import pytest

from rankwright.aggregation import aggregate, budget
from rankwright.aggregation.budget import Budget, OutOfTimeError
from rankwright.aggregation.footrule import footrule_order
from rankwright.aggregation.kwiksort import kwiksort
from rankwright.aggregation.local_search import windowed_search
from rankwright.aggregation.methods import METHODS, ONLY_KENDALL
from rankwright.aggregation.pair_costs import pair_costs
from rankwright.aggregation.triangle_program import TriangleProgram
from rankwright.aggregation.votes import read_votes

NAMED = {"footrule": "median", "kendall": "borda", "squared": "mean"}


@pytest.fixture
def small_pieces(monkeypatch):
    """Let the clock be looked at after a few hundred pairs, as after millions of large votes."""
    monkeypatch.setattr(budget, "PIECE", 300)


class Looks(Budget):
    """Seconds that are over at the given look at the clock."""

    def __init__(self, looks):
        super().__init__()
        self.left = looks

    @property
    def seconds(self):
        self.left -= 1
        return float(self.left > 0)


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize(
    ("method", "distance"),
    [
        (method, distance)
        for method in sorted([*METHODS, "auto"])
        for distance in sorted(NAMED)
        if distance == "kendall" or method not in ONLY_KENDALL
    ],
)
@pytest.mark.parametrize("ties", [True, False])
def test_a_method_without_a_ranking_in_time_gives_way_to_one_that_sorts(
    method, distance, ties, noisy_votes
):
    votes = noisy_votes(80, 5, 0.2)
    found = aggregate(votes, method, distance=distance, ties=ties, time_limit=0)
    sorts = method in ("borda", "mean", "median") or (method, distance) == ("auto", "squared")
    assert found.method == (NAMED[distance] if not sorts or method == "auto" else method)
    assert found.bound <= found.cost
    assert len(set(found.positions)) == 80 or ties
    assert found.cost <= aggregate(votes, found.method, distance=distance, ties=ties).cost


@pytest.mark.usefixtures("small_pieces")
def test_pair_costs_are_the_same_in_pieces_and_end_between_two(random_votes, monkeypatch):
    votes = read_votes(random_votes(40, 6, 20), item_weights=np.arange(1.0, 41))
    pieces = pair_costs(votes, 0.5, True, Looks(1000))
    with pytest.raises(OutOfTimeError):
        pair_costs(votes, 0.5, True, Looks(3))
    monkeypatch.setattr(budget, "PIECE", 10**9)
    whole = pair_costs(votes, 0.5, True)
    np.testing.assert_array_equal(pieces.before, whole.before)
    np.testing.assert_array_equal(pieces.tied, whole.tied)


@pytest.mark.usefixtures("small_pieces")
def test_a_local_search_is_the_same_in_pieces_and_may_end_after_any(random_votes, monkeypatch):
    costs = pair_costs(read_votes(random_votes(40, 6, 20)), 0.5, True)
    rankings = []
    for looks in (1, 5, 10**6):
        bucket = np.arange(40)
        costs.improve(bucket, Looks(looks))
        np.testing.assert_array_equal(np.unique(bucket), np.arange(bucket.max() + 1))
        rankings.append(bucket)
    first, later, pieces = map(costs.cost_of, rankings)
    assert costs.cost_of(np.arange(40)) > first > later > pieces
    monkeypatch.setattr(budget, "PIECE", 10**9)
    whole = np.arange(40)
    costs.improve(whole)
    np.testing.assert_array_equal(whole, rankings[-1])


@pytest.mark.usefixtures("small_pieces")
def test_violated_triangles_are_the_same_in_pieces_and_end_between_two(monkeypatch):
    x = np.random.default_rng(0).random((20, 20))
    program = TriangleProgram(np.zeros((20, 20)), ties=True)
    pieces = program.violations(x, 50, Looks(1000))
    with pytest.raises(OutOfTimeError):
        program.violations(x, 50, Looks(3))
    monkeypatch.setattr(budget, "PIECE", 10**9)
    np.testing.assert_array_equal(program.violations(x, 50), pieces)


@pytest.mark.usefixtures("small_pieces")
def test_kwiksort_and_windows_look_at_the_clock(random_votes):
    votes = read_votes(random_votes(60, 5, 60))
    rng = np.random.default_rng(0)
    with pytest.raises(OutOfTimeError):
        kwiksort(votes, 0.5, True, rng, Looks(4))
    # The first window's pairs can't all be priced: the order of Borda stays.
    bucket = windowed_search(votes, 0.5, True, 30, Looks(4), np.random.default_rng(1))
    np.testing.assert_array_equal(np.sort(bucket), np.arange(60))


@pytest.mark.parametrize("looks", [1, 2, 8, 30])
def test_an_assignment_that_ends_early_has_a_bound_below_the_best_and_beats_the_medians(looks):
    rng = np.random.default_rng(3)
    votes = read_votes(rng.permuted(np.tile(np.arange(40.0), (5, 1)), axis=1).T)
    best, least = footrule_order(votes, Budget())
    place, bound = footrule_order(votes, Looks(looks))
    by_median = np.argsort(np.argsort(np.median(votes.positions, axis=0), kind="stable"))

    def footrule(order):
        return np.abs(votes.positions - (order + 1)).sum()

    np.testing.assert_array_equal(np.sort(place), np.arange(40))
    assert bound <= least == footrule(best)
    assert least <= footrule(place) <= footrule(by_median)
    assert (bound > 0) == (looks > 1)


def test_an_unfinished_footrule_is_not_called_optimal(random_votes, monkeypatch):
    votes = np.random.default_rng(0).permuted(np.tile(np.arange(30.0), (5, 1)), axis=1).T
    proved = aggregate(votes, "footrule", distance="footrule", ties=False)
    assert proved.optimal
    monkeypatch.setattr("rankwright.aggregation.footrule.assign", lambda *_: time.sleep(0.02))
    found = aggregate(votes, "footrule", distance="footrule", ties=False, time_limit=0.05)
    assert (found.method, found.optimal) == ("footrule", False)
    assert found.bound <= proved.cost <= found.cost


def test_compiling_takes_nothing_from_the_limit():
    compiled = [0.0]
    late = Budget(0.05, compiling=lambda: compiled[0])
    time.sleep(0.06)
    assert late.is_late
    compiled[0] = 10.0
    assert 9.0 < late.seconds < 10.0


def test_components_that_nobody_has_time_for_keep_their_ranking(random_votes):
    hard = [random_votes(14, 9, 14, seed=seed) + 100 * seed for seed in range(4)]
    found = aggregate(np.vstack(hard), "kemeny", time_limit=0)
    assert (found.method, found.optimal) == ("kemeny", False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "options"),
    [
        ("footrule", {"distance": "footrule", "n": 2500}),
        ("kemeny", {"n": 1900}),
        ("local_search", {"n": 4000, "window": 2000}),
        ("copeland", {"n": 5000}),
    ],
)
def test_the_limit_holds_by_the_clock(method, options):
    votes = np.random.default_rng(0).random((options.pop("n"), 9))
    aggregate(votes[:30], method, **options)  # compiles
    for limit in (0.1, 1.0):
        begun = time.monotonic()
        aggregate(votes, method, time_limit=limit, **options)
        assert time.monotonic() - begun < limit + 1.5  # half a second where nothing else runs


@pytest.fixture
def interruptible():
    """Let SIGINT raise KeyboardInterrupt, also where the parent process ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.slow
@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(
    ("method", "n"), [("footrule", 2500), ("local_search", 1900), ("copeland", 5000)]
)
def test_ctrl_c_ends_a_method_within_a_second(method, n):
    votes = np.random.default_rng(0).random((n, 60))
    aggregate(votes[:30], method)  # compiles
    timer = threading.Timer(0.7, os.kill, (os.getpid(), signal.SIGINT))
    begun = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        aggregate(votes, method)
    assert time.monotonic() - begun < 0.7 + 1.5
