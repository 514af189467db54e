"""Where cells are cut, and how the sides that rays lie on are marked for it."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from both_ways import both
from rankwright.kernels.rating.branching import CANDIDATES, choose_plane
from rankwright.kernels.rating.cells import unassessed
from rankwright.kernels.rating.cuts import has_near
from rankwright.kernels.rating.exploration import allocate_workspace, explore
from rankwright.kernels.rating.planes import NOTHING, Aims, Planes
from rankwright.kernels.rating.rivals import PLACE, REST, SIGN, allocate_halves
from rankwright.kernels.rating.sides import RAYS_PER_WORD, count_words, mark_sides
from rankwright.reverse.problem.planes import merge_pairs, orient_pairs

GO, STOPPED = np.array([False]), np.array([True])


def mark_all(signs):
    """Return the marks of the sides (planes by rays) in words."""
    sides = np.empty((count_words.py_func(signs.shape[1]), 2 * len(signs)), np.int64)
    with np.errstate(over="ignore"):
        for q, row in enumerate(signs.astype(np.float64)):
            mark_sides.py_func(row, 0.0 * row, 0.0, sides, 2 * q)
    return sides


def product_of_losses(signs, place, worth):
    """Return the product of what both parts lose: halves, by place and sign, that share no ray."""
    product = 1.0
    for sign in (1, -1):
        part = sign * signs[place] >= 0
        product *= 1 + sum(
            rest for (q, side), rest in worth.items() if not (part & (side * signs[q] > 0)).any()
        )
    return product


@both(mark_sides)
@pytest.mark.parametrize("n_rays", [1, RAYS_PER_WORD, 2 * RAYS_PER_WORD + 5])
def test_a_ray_is_marked_on_the_side_it_lies_on_unless_in_doubt(run, n_rays):
    depths = np.random.default_rng(n_rays).integers(-3, 4, size=n_rays).astype(np.float64)
    sides = np.full((count_words.py_func(n_rays), 6), 7, np.int64)
    with np.errstate(over="ignore"):
        counts = run(depths + 5, np.full(n_rays, 5.0), 1.0, sides, 2)
    assert counts == ((depths > 1).sum(), (depths < -1).sum())
    rays = range(RAYS_PER_WORD * len(sides))
    marked = [[(int(sides[r // 64, p]) >> r % 64) & 1 for r in rays] for p in (2, 3)]
    padding = [0] * (len(rays) - n_rays)
    assert marked == [[*(depths > 1), *padding], [*(depths < -1), *padding]]
    assert (sides[:, [0, 1, 4, 5]] == 7).all()


facets = st.integers(0, 2**62 - 1) | st.sampled_from([0, 1, 3, 2**61, 2**62 - 1])


@both(has_near)
@settings(deadline=None)
@given(facets, facets, st.lists(st.tuples(facets, facets), min_size=1, max_size=5))
def test_no_ray_on_all_facets_but_one_is_passed_over(run, low, high, others):
    near = [((low & ~a).bit_count(), (high & ~b).bit_count()) for a, b in others]
    lows, highs = np.array(others, np.int64).T
    words = np.int64(low), np.int64(high)
    found = run(*words, np.ascontiguousarray(lows), np.ascontiguousarray(highs))
    assert found == any(a <= 1 and b <= 1 for a, b in near)


@st.composite
def cut_cells(draw):
    """Signs of planes at rays, of which each has both, and what halves are worth."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_planes, n_rays = draw(st.integers(1, 6)), draw(st.integers(2, 150))
    signs = rng.choice(
        [-1, 0, 1], size=(n_planes, n_rays), p=draw(st.permutations([0.1, 0.2, 0.7]))
    )
    assume((signs.max(axis=1) > 0).all() and (signs.min(axis=1) < 0).all())
    keys = [(q, sign) for q in range(n_planes) for sign in (1, -1)]
    return signs, {key: int(rng.integers(0, 9)) for key in keys}


def choose(run, signs, worth, stop=GO):
    """Return the place of the plane chosen; the last one has the pair that earns most."""
    n = len(signs)
    worse, better = np.arange(2 * n).reshape(n, 2).T.copy()
    ones, starts = np.ones(n, np.int64), np.arange(n + 1)
    planes = Planes(better, worse, starts, better, worse, ones, ones)
    unit = np.repeat(10 ** np.arange(n), 2)
    aims = Aims(unit, 0 * unit, unit, ones, 2 * starts, 0 * unit, 0 * unit)
    halves = allocate_halves(n, 2 * n)
    for a, ((q, sign), rest) in enumerate(worth.items()):
        halves.facts[a, PLACE], halves.facts[a, SIGN], halves.facts[a, REST] = q, sign, rest
    halves.count[0] = len(worth)
    lost = np.zeros((n, 2), np.int64)
    undecided, reach = np.arange(n, dtype=np.int32), np.zeros(2 * n, np.int64)
    return run(
        undecided, n, planes, aims, reach, lost, signs.shape[1], mark_all(signs), halves, stop
    )


@both(choose_plane)
@settings(deadline=None, max_examples=50)
@given(cut_cells())
def test_the_plane_is_chosen_whose_parts_both_lose_most(run, cell):
    signs, worth = cell
    products = [product_of_losses(signs, q, worth) for q in range(len(signs))]
    # Of equals the one whose pair earns most, which is the last.
    best = max(range(len(signs)), key=lambda q: (products[q], q))
    assert choose(run, signs, worth) == best


@both(choose_plane)
@pytest.mark.parametrize(("worth", "stop"), [({}, GO), ({(0, 1): 5, (0, -1): 5}, STOPPED)])
def test_without_halves_or_time_the_pair_that_earns_most_is_cut(run, worth, stop):
    signs = np.array([[1, -1, 1], [1, 1, -1], [-1, 1, 1]])
    assert choose(run, signs, worth, stop) == 2


def test_an_assessment_weighs_planes_by_the_halves_it_found():
    rng = np.random.default_rng(3)
    factors = rng.integers(0, 9, size=(9, 4))
    ones = np.ones(9, np.int64)
    aims = Aims(ones, 9 * ones, 6 * ones, np.array([3]), np.array([0, 9]), 0 * ones, np.arange(9))
    planes = orient_pairs(merge_pairs(factors, aims.groups), np.arange(9))
    rays = 20 + 40 * np.eye(4, dtype=np.int64)
    space = allocate_workspace(9, 4, len(planes.first), False)
    first = rays, None, np.zeros((4, 2), np.int64), np.empty(0, np.int64), None
    products = factors.astype(np.float64)
    explore(space, products, planes, aims, first, unassessed(), 0, NOTHING, 0, False, GO)
    cells, halves, slot = space.cells, space.room.halves, -1  # the first cell takes the last slot
    undecided = cells.undecided[slot, : cells.n_undecided[slot]]
    assert 1 < len(undecided) <= CANDIDATES
    facts = halves.facts[: halves.count[0]]
    worth = {(f[PLACE], f[SIGN]): f[REST] for f in facts}
    assert any(worth.values())
    signs = np.sign((factors[planes.first] - factors[planes.second]) @ rays.T)[undecided]
    weighed = [product_of_losses(signs, q, worth) for q in range(len(undecided))]
    chosen = undecided.tolist().index(cells.plane[slot])
    assert weighed[chosen] == max(weighed) > min(weighed)
