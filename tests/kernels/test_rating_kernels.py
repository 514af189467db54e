"""The kernels of rating formulas, compiled and as plain Python."""

import numpy as np
import pytest

from both_ways import both
from rankwright.kernels.rating.bound import (
    allocate_prospects,
    keep_largest,
    position_bound,
    top_bound,
)
from rankwright.kernels.rating.cells import unassessed
from rankwright.kernels.rating.climb import climb
from rankwright.kernels.rating.cuts import greatest_divisor
from rankwright.kernels.rating.exploration import allocate_workspace, explore
from rankwright.kernels.rating.facets import MAX_FACETS, count_bits, pack_facets
from rankwright.kernels.rating.planes import NOTHING, Aims, Pairs
from rankwright.kernels.rating.statistic import objective_value
from rankwright.reverse.problem.planes import list_pairs, merge_pairs, orient_pairs

GO, STOPPED = np.array([False]), np.array([True])
NO_PAIRS = Pairs(*np.empty((3, 0), dtype=np.int64))


@pytest.fixture
def rating():
    rng = np.random.default_rng(0)
    whole = rng.integers(0, 5, size=(9, 3))
    levels = np.sort(rng.permutation(9))
    offsets = np.array([0, 9])
    ones = np.ones(9, dtype=np.int64)
    aims = Aims(ones, 9 * ones, 6 * ones, np.array([3]), offsets, 0 * ones, levels)
    return whole.astype(np.float64), orient_pairs(merge_pairs(whole, offsets), levels), aims


@both(count_bits)
def test_bits_are_counted(run):
    for bits in (0, 1, 0b1011, 2**61, 2**62 - 1):
        assert run(bits) == bits.bit_count()


@both(greatest_divisor)
def test_greatest_divisors_match_numpy(run):
    for a, b in [(12, -18), (0, 5), (7, 0), (1, 1), (-35, -21)]:
        assert run(a, b) == np.gcd(a, b)


@both(keep_largest)
def test_the_largest_values_are_kept_in_order(run):
    values = np.random.default_rng(0).integers(0, 50, size=30)
    largest, taken = np.empty(30, dtype=np.int64), 0
    for value in values:
        taken = run(largest, taken, 7, value)
    assert largest[:taken].tolist() == sorted(values.tolist(), reverse=True)[:7]
    assert run(largest, 0, 0, 5) == 0


@both(pack_facets)
def test_facets_that_bound_nothing_are_dropped(run):
    # A square cone: four true facets, the same one again, a corner, one that holds all rays (and
    # stays: it says how many dimensions there are) and one that holds none.
    on = [{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 1}, {2}, {0, 1, 2, 3}, set()]
    on += [set()] * 60 + [{0, 2}]  # the last one in the second word
    masks = [sum(1 << f for f, rays in enumerate(on) if r in rays) for r in range(4)]
    facets = np.array([[mask % 2**62, mask >> 62] for mask in masks])
    walls = 100 + np.arange(MAX_FACETS)
    assert run(facets, 4, walls, len(on), np.empty(MAX_FACETS, dtype=np.int64)) == 6
    assert [int(mask).bit_count() for mask in facets[:, 0]] == [4, 3, 4, 3]
    assert not facets[:, 1].any()
    assert walls[:6].tolist() == [100, 101, 102, 103, 106, 168]


@both(top_bound)
def test_the_bound_with_everything_undecided_holds_for_every_formula(run, rating):
    factors, planes, aims = rating
    zeros = np.zeros(9, dtype=np.int64)
    undecided = np.arange(len(planes.first), dtype=np.int32)
    prospects = allocate_prospects(9)
    bound = run(undecided, len(undecided), planes, aims, zeros, zeros, prospects)
    for weights in np.random.default_rng(1).dirichlet(np.ones(3), size=50):
        assert objective_value(factors @ weights, aims, False) <= bound


@both(position_bound)
def test_the_position_bound_of_decided_pairs_is_the_error(run, rating):
    _, planes, aims = rating
    above = np.arange(9)[::-1].copy()
    wanted = aims._replace(position=np.array([0, 0, 0, 0, 0, 0, 3, 1, 2]))
    nothing = np.empty(0, dtype=np.int32)
    assert run(nothing, 0, planes, wanted, above, np.empty(9, dtype=np.int64)) == -(0 + 1 + 1)


@both(objective_value)
def test_the_objective_counts_pairs_as_printed(run, rating):
    factors, _, aims = rating
    scores = factors @ np.array([0.5, 0.3, 0.2])
    total = 0
    for i in range(9):
        wins = sum(scores[i] > scores[k] for k in range(i))  # products come worst first
        total += wins * (1 + 9 * (sum(scores[i] > scores) >= 6))
    assert run(scores, aims, False) == total


@both(climb)
@pytest.mark.parametrize("is_swept", [True, False])
def test_climbing_never_loses_and_reports_its_value(run, rating, is_swept):
    factors, _, aims = rating
    pairs = list_pairs(aims.level, aims.groups) if is_swept else NO_PAIRS
    directions = np.vstack([np.eye(3), np.random.default_rng(0).normal(size=(4, 3))])
    start, free = np.ones(3), np.array([False, False, True])
    sample = None if is_swept else np.array([[0, 8], [1, 7], [4, 4]])
    weights, value, searches = run(factors, start, directions, pairs, sample, aims, False, free, GO)
    assert value >= objective_value(factors @ start, aims, False)
    assert value == objective_value(factors @ weights, aims, False)
    assert (weights[~free] >= 0).all()
    assert searches >= len(directions)


@both(climb)
def test_a_climb_that_is_stopped_returns_its_start(run, rating):
    factors, _, aims = rating
    pairs = list_pairs(aims.level, aims.groups)
    start, free = np.ones(3), np.zeros(3, dtype=bool)
    weights, value, searches = run(
        factors, start, np.eye(3), pairs, None, aims, False, free, STOPPED
    )
    assert weights.tolist() == start.tolist()
    assert (value, searches) == (objective_value(factors @ start, aims, False), 0)


@both(explore)
def test_exploration_finds_the_optimum_whatever_its_budget(run, rating):
    factors, planes, aims = rating
    orthant = (
        np.eye(3, dtype=np.int64),
        None,
        np.array([[6, 0], [5, 0], [3, 0]]),
        np.array([-1, -2, -3]),
        None,
    )
    space = allocate_workspace(9, 3, len(planes.first), False)
    rating = space, factors, planes, aims
    best, *_ = run(*rating, orthant, unassessed(), -1, NOTHING, 10**6, False, GO)
    assert objective_value(factors @ space.weights[:, 0], aims, False) == best
    waiting, value = [(orthant, unassessed())], -1
    while waiting:
        found = run(*rating, *waiting.pop(), value, NOTHING, 2, False, GO)
        value, n_left, n_stuck = found
        assert n_stuck == 0
        cells = space.cells
        for slot in space.stock.left[:n_left]:
            m = cells.n_rays[slot]
            walls = cells.walls[slot, : cells.n_facets[slot]].copy()
            rays, facets = cells.rays[slot, :m].copy(), cells.facets[slot, :m].copy()
            waiting.append(((rays, None, facets, walls, None), unassessed()))
    assert value == best
