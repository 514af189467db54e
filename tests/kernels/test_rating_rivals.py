"""Pairs that exclude each other: exact, and never more lost than a formula loses."""

from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from both_ways import both
from rankwright.kernels.rating.bound import allocate_prospects, top_bound
from rankwright.kernels.rating.cells import unassessed
from rankwright.kernels.rating.exploration import allocate_workspace, explore
from rankwright.kernels.rating.planes import NOTHING, Aims
from rankwright.kernels.rating.rivals import exceeds, meet
from rankwright.kernels.rating.statistic import objective_value
from rankwright.reverse.problem.planes import merge_pairs, orient_pairs

whole = st.integers(-(2**53), 2**53)


@both(exceeds)
@settings(deadline=None)
@given(whole, whole, whole, st.integers(-3, 3), st.integers(-3, 3))
def test_products_are_compared_exactly(run, a, b, c, more, much):
    d = Fraction(a * b, c) if c else Fraction(b)
    d = int(d) + more + much * 2**40  # nearly equal products, and others
    assume(abs(d) <= 2**53)
    with np.errstate(over="ignore"):
        assert run(float(a), float(b), float(c), float(d)) == (a * b > c * d)


def pair_spans_both(one, other):
    """Tell whether one + t * other is positive in both entries for some t >= 0."""
    low, high = Fraction(0), None
    for a, b in zip(one, other, strict=True):
        if b == 0 and a <= 0:
            return False
        if b > 0:
            low = max(low, Fraction(-a, b))
        if b < 0:
            high = Fraction(-a, b) if high is None else min(high, Fraction(-a, b))
    return high is None or low < high


depths = st.integers(-4, 4) | st.integers(-(2**51), 2**51)
# Quotients that are equal when rounded: only the larger one, which the last ray allows, will do.
NEARLY_EQUAL = [(-(2**51), 2**51 - 1), (-(2**51) - 1, 2**51), (2**51 + 1, -(2**51))]


@both(meet)
@settings(deadline=None, max_examples=50)
@example(NEARLY_EQUAL)
@given(st.lists(st.tuples(depths, depths), min_size=1, max_size=70))
def test_halves_meet_just_where_two_rays_span_weights_in_both(run, rays):
    assume(any(a > 0 for a, _ in rays) and any(b > 0 for _, b in rays))
    expected = any(pair_spans_both(one, other) for one, other in product(rays, rays))
    a, b = np.array(rays, dtype=np.float64).T
    zeros, inside = np.zeros(len(rays)), np.flatnonzero(b > 0)
    with np.errstate(over="ignore"):
        a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
        assert run(a, zeros, b, zeros, inside, b[inside]) == expected


@st.composite
def cones(draw, n_factors=st.integers(2, 5)):  # noqa: B008
    """Products in one or two groups, and a cone of weights by its rays."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, d = draw(st.integers(4, 24)), draw(n_factors)
    factors = rng.integers(0, draw(st.integers(2, 9)), size=(n, d))
    offsets = np.array([0, n] if draw(st.booleans()) else [0, n // 2, n])
    sizes = np.diff(offsets)
    levels = np.concatenate([np.sort(rng.integers(0, size, size)) for size in sizes])
    top = np.maximum(sizes // 3, 1)
    unit = np.repeat(rng.integers(1, 4, len(sizes)), sizes)
    aims = Aims(unit, 9 * unit, np.repeat(sizes - top, sizes), top, offsets, 0 * unit, levels)
    middle = rng.integers(0, 40, d)
    rays = np.abs(middle + rng.integers(-6, 7, size=(draw(st.integers(2, 40)), d)))
    rays[:, 0] += 1
    planes = orient_pairs(merge_pairs(factors, offsets), levels)
    return factors.astype(np.float64), planes, aims, rays


def bounds(factors, planes, aims, rays, incumbent):
    """Return what a cone can reach by single pairs, and with pairs that exclude each other."""
    facets = np.zeros((len(rays), 2), np.int64)
    space = allocate_workspace(len(factors), rays.shape[1], len(planes.first), False)
    first = rays, None, facets, np.empty(0, np.int64), None
    go = np.array([False])
    explore(space, factors, planes, aims, first, unassessed(), incumbent, NOTHING, 0, False, go)
    cells, slot = space.cells, -1  # the first cell takes the last slot
    undecided, n_undecided = cells.undecided[slot], cells.n_undecided[slot]
    prospects = allocate_prospects(len(factors))
    below, wins = cells.below[slot], cells.wins[slot]
    single = top_bound(undecided, n_undecided, planes, aims, below, wins, prospects)
    return single, cells.bound[slot]


@settings(deadline=None)
@given(cones())
def test_no_formula_of_a_cone_exceeds_its_bound(cone):
    factors, _, aims, rays = cone
    shares = np.random.default_rng(0).dirichlet(np.full(len(rays), 0.2), size=200)
    shares = np.floor(1_000 * shares)  # whole weights: products may tie in all of the cone
    best = max(
        objective_value(factors @ weights, aims, False)
        for weights in np.vstack([shares @ rays, rays])
    )
    single, together = bounds(*cone, best - 1)
    assert best <= together <= single


def formulas_between(factors, planes, rays):
    """Return whole weights inside each cell of a cone of two rays."""
    normals = (factors[planes.first] - factors[planes.second]).astype(int)
    ends = [(a, b) for a, b in (normals @ rays.T).tolist() if a * b < 0]
    crossings = sorted({Fraction(0), Fraction(1), *(Fraction(a, a - b) for a, b in ends)})
    middles = [(one + other) / 2 for one, other in pairwise(crossings)]
    return [(s.denominator - s.numerator) * rays[0] + s.numerator * rays[1] for s in middles]


@settings(deadline=None)
@given(cones(n_factors=st.just(2)), st.data())
def test_no_cell_of_two_factors_exceeds_the_bound(cone, data):
    factors, planes, aims, rays = cone
    rays = rays[np.argsort(rays[:, 1] / rays[:, 0], kind="stable")][[0, -1]]
    inside = formulas_between(factors, planes, rays)
    best = max(objective_value(factors @ weights, aims, False) for weights in inside)
    incumbent = best - data.draw(st.integers(1, 40))  # how long rivals are looked for
    single, together = bounds(factors, planes, aims, rays, incumbent)
    assert best <= together <= single


def test_a_half_worth_much_loses_to_every_rival_worth_little():
    # A pair worth 5, won where the second factor counts for less than 0.2, and three pairs worth
    # 1, won where it counts for more than 0.3, 0.5 and 0.7: the best formula wins the first.
    factors = np.array([[0, 4], [1, 0], [3, 0], [0, 7], [1, 0], [0, 1], [7, 0], [0, 3]])
    offsets, ones = np.arange(0, 9, 2), np.ones(8, np.int64)
    unit, levels = np.repeat([5, 1, 1, 1], 2), np.tile([0, 1], 4)
    aims = Aims(unit, 0 * ones, ones, np.ones(4, np.int64), offsets, 0 * ones, levels)
    planes = orient_pairs(merge_pairs(factors, offsets), levels)
    single, together = bounds(
        factors.astype(np.float64), planes, aims, np.eye(2, dtype=np.int64), 0
    )
    assert (single, together) == (8, 5)


@pytest.mark.parametrize("bonus", [9, 0])
def test_pairs_that_exclude_each_other_lower_the_bound(bonus):
    rng = np.random.default_rng(0)
    factors = rng.integers(0, 9, size=(40, 4))
    ones = np.ones(40, np.int64)
    aims = Aims(
        ones, bonus * ones, 30 * ones, np.array([10]), np.array([0, 40]), 0 * ones, np.arange(40)
    )
    planes = orient_pairs(merge_pairs(factors, aims.groups), np.arange(40))
    rays = 20 + 40 * np.eye(4, dtype=np.int64)
    single, together = bounds(factors.astype(np.float64), planes, aims, rays, 0)
    assert together < single
