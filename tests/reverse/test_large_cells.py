"""Cells in numbers of any size: explored bit by bit, broken off anywhere, and exact."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from rankwright.kernels.rating.planes import NOTHING
from rankwright.reverse.bound import cells as cells_module
from rankwright.reverse.bound.cells import enlarge, explore_cell, first_cells
from rankwright.reverse.bound.large_cells import _Part, _primitive, _Space, explore_large
from rankwright.reverse.bound.proof import whole_space
from rankwright.reverse.clock import Clock
from rankwright.reverse.knowledge import parse_requirements
from rankwright.reverse.knowledge.cone import allowed_cone
from tiny_ratings import make_problem

GO = np.array([False])
NAMES = ["a", "b", "c"]


class Later:
    """A flag that is set after it was looked at so many times."""

    def __init__(self, looks):
        self.looks = looks

    def __getitem__(self, place):
        self.looks -= 1
        return self.looks < 0


def explore_all(problem, cells):
    best, cells, explored = NOTHING, list(cells), 0
    while cells:
        explored += 1
        assert explored < 1000
        found = explore_large(problem, cells.pop(), best, 10**6, GO)
        best = max(best, found.value)
        cells += found.left
    return best


def constrained(problem, *known):
    names = NAMES[: len(problem.directions)]
    cone = allowed_cone(parse_requirements(known, names), names, problem.factors)
    return replace(problem, cone=cone)


@pytest.mark.parametrize("free", [False, True])
def test_what_is_broken_off_anywhere_covers_the_cell(solved, free):
    problem, best = solved(free)[0]
    cells = [enlarge(cell) for cell in first_cells(problem, -NOTHING)]
    for looks in range(0, 30, 3):
        found = [explore_large(problem, cell, NOTHING, 10**6, Later(looks)) for cell in cells]
        left = [part for one in found for part in one.left]
        assert max([explore_all(problem, left), *(one.value for one in found)]) == best
        assert max([part.bound for part in left] + [one.value for one in found]) >= best


def test_a_part_that_was_being_cut_is_left_whole(solved):
    problem, _ = solved()[0]
    (cell,) = map(enlarge, first_cells(problem, -NOTHING))
    found = explore_large(problem, cell, NOTHING, 10**6, Later(3))
    assert [part.rays.tolist() for part in found.left] == [cell.rays.tolist()]


def test_a_cell_is_only_bounded_without_a_budget(solved):
    for problem, best in solved()[:3]:
        (cell,) = map(enlarge, first_cells(problem, -NOTHING))
        found = explore_large(problem, cell, NOTHING, 0, GO)
        (left,) = found.left
        assert left.rays.tolist() == cell.rays.tolist()
        assert left.bound == whole_space(problem, Clock(np.inf)) >= best
        assert (found.value, found.weights, found.decided) == (NOTHING, None, [])
        assert not explore_large(problem, cell, left.bound, 0, GO).left


def test_a_budget_is_spent_by_the_rays_of_new_parts(solved_statistics):
    problem, _ = solved_statistics[0]
    (cell,) = map(enlarge, first_cells(problem, -NOTHING))
    once = explore_large(problem, cell, NOTHING, 1, GO)
    assert len(once.left) > 1
    assert {part.rays.dtype for part in once.left} == {np.dtype(object)}
    assert {part.facets.dtype for part in once.left} == {np.dtype(object)}
    n_rays = sum(len(part.rays) for part in once.left)
    again = explore_large(problem, cell, NOTHING, n_rays, GO)
    assert [p.rays.tolist() for p in again.left] == [p.rays.tolist() for p in once.left]
    assert once.left[-1].bound == max(part.bound for part in once.left)
    more = explore_large(problem, cell, NOTHING, n_rays + 1, GO)
    walls = [[p.walls.tolist() for p in one.left] for one in (once, more)]
    assert walls[0] != walls[1]


def test_no_part_is_promised_more_than_the_cell(solved):
    problem, _ = solved()[0]
    (cell,) = map(enlarge, first_cells(problem, 5))
    found = explore_large(problem, cell, NOTHING, 1, GO)
    assert {part.bound for part in found.left} <= {5, *(p.bound for p in found.left if p.bound < 5)}
    assert max(part.bound for part in found.left) <= 5


def test_only_better_formulas_are_returned(solved):
    for problem, best in solved()[:3]:
        (cell,) = map(enlarge, first_cells(problem, -NOTHING))
        found = explore_large(problem, cell, best, 10**6, GO)
        assert (found.value, found.weights, found.left) == (best, None, [])
        found = explore_large(problem, cell, best - 1, 10**6, GO)
        assert problem.value(found.weights) == found.value == best


def test_all_cells_that_are_good_enough_are_collected(solved):
    for problem, best in solved()[:3]:
        (cell,) = first_cells(problem, -NOTHING)
        large = explore_large(problem, enlarge(cell), best - 1, 10**6, GO, collect=True)
        small = explore_cell(problem, cell, best - 1, 10**6, GO, collect=True)
        assert not large.left
        assert (large.value, large.weights) == (best - 1, None)
        found = [
            sorted(sorted(map(tuple, part.rays.tolist())) for part in one.decided)
            for one in (large, small)
        ]
        assert found[0] == found[1]
        for part in large.decided:
            assert problem.value(part.rays.sum(axis=0)) == best


@pytest.mark.parametrize("free", [False, True])
def test_the_whole_space_is_bounded_as_the_kernel_does_before_any_cut(solved, free):
    for problem, _ in solved(free):
        found = [
            explore_cell(problem, cell, NOTHING, 0, GO) for cell in first_cells(problem, -NOTHING)
        ]
        bounds = [max([one.value, *(cell.bound for cell in one.left)]) for one in found]
        assert whole_space(problem, Clock(np.inf)) == max(bounds)


def test_faces_of_any_size_are_bounded_like_others(solved, monkeypatch):
    for problem, _ in solved()[:3]:
        problem = constrained(problem, "a >= b")
        expected = whole_space(problem, Clock(np.inf))
        with monkeypatch.context() as patch:
            patch.setattr(cells_module, "EXACT", 0)
            assert {cell.rays.dtype for cell in first_cells(problem, 0)} == {np.dtype(object)}
            assert whole_space(problem, Clock(np.inf)) == expected


@pytest.mark.parametrize("known", ["a >= b", "a = b", "at most 1 factor"])
def test_faces_of_a_cone_are_bounded_as_the_kernel_does_before_any_cut(solved, known):
    for problem, _ in solved():
        problem = constrained(problem, known)
        found = [
            explore_cell(problem, cell, NOTHING, 0, GO) for cell in first_cells(problem, -NOTHING)
        ]
        bounds = [max([one.value, *(cell.bound for cell in one.left)]) for one in found]
        assert whole_space(problem, Clock(np.inf)) == max(bounds)


@pytest.mark.parametrize("known", ["a >= b", "a = b", "at most 1 factor", "a >= 20%"])
def test_faces_of_a_cone_have_the_best_of_the_formulas_that_are_allowed(solved, known):
    for problem, _ in solved()[:4]:
        problem = constrained(problem, known)
        cells = list(first_cells(problem, -NOTHING))
        large = [enlarge(c) if c.rays.dtype != object else c for c in cells]
        best = explore_all(problem, large)
        tried = [w for w in np.ndindex(*[7] * len(problem.directions)) if any(w)]
        allowed = [np.array(w, dtype=object) for w in tried if problem.cone.contains(w)]
        assert allowed
        assert best >= max(problem.value(w) for w in allowed)
        weights = [explore_large(problem, cell, best - 1, 10**6, GO).weights for cell in large]
        found = [w for w in weights if w is not None]
        assert found
        assert all(problem.cone.contains(w) and problem.value(w) == best for w in found)


@cache
def near_ties():
    """Return a rating of large numbers, and rays that nearly or exactly lie on its planes."""
    rng = np.random.default_rng(0)
    whole = rng.integers(0, 10**14, (6, 3))
    problem = make_problem(whole, range(6), [0] * 6, {0: 2})
    problem = replace(problem, factors=replace(problem.factors, whole=whole))
    rays = []
    for plane in range(4):
        i, k = problem.planes.first[plane], problem.planes.second[plane]
        a, b, c = (int(v) for v in whole[i] - whole[k])
        big = 10**200
        on = [b * big + c, -a * big, -a]  # exactly on the plane
        rays += [on, [on[0] + 1, *on[1:]], [on[0] - 1, *on[1:]]]
    return problem, [tuple(ray) for ray in rays]


def test_sides_of_planes_are_exact_for_numbers_of_any_size():
    problem, rays = near_ties()
    (cell,) = first_cells(problem, 0)
    space = _Space(problem, enlarge(cell))
    whole = problem.factors.whole.astype(object)
    normals = whole[problem.planes.first] - whole[problem.planes.second]
    exact = normals @ np.array(rays, dtype=object).T
    assert (exact == 0).any()
    found = space.signs(rays)
    assert found.tolist() == [[(v > 0) - (v < 0) for v in row] for row in exact.tolist()]


def test_a_cut_meets_edges_where_the_plane_is_exactly_zero():
    problem, _ = near_ties()
    (cell,) = first_cells(problem, -NOTHING)
    space = _Space(problem, enlarge(cell))
    part = _Part.of_cell(enlarge(cell))
    part = space.assess(part, space.signs(part.rays))
    parts = space.cut(part, GO)
    normal = space.exact_normal(part.plane)
    values = [[sum(a * b for a, b in zip(normal, r, strict=True)) for r in p.rays] for p in parts]
    assert min(values[0]) == 0 < max(values[0])
    assert max(values[1]) == 0 > min(values[1])
    bit = 1 << len(part.walls)
    for one, of_rays in zip(parts, values, strict=True):
        assert [bool(f & bit) for f in one.facets] == [value == 0 for value in of_rays]
        assert one.walls == [*part.walls, part.plane]


def test_rays_have_no_common_divisor():
    assert _primitive(4, (1, 0), -6, (0, 1)) == (2, 3)


def test_sides_of_planes_are_exact_where_scores_differ_by_one():
    problem = make_problem([[1, 0], [0, 1]], [0, 1], [0, 0], {0: 1})
    (cell,) = first_cells(problem, 0)
    big = 10**40
    (found,) = _Space(problem, enlarge(cell)).signs([(big + 1, big), (big, big + 1), (big, big)])
    assert sorted(found.tolist()) == [-1, 0, 1]
    assert found[2] == 0


def test_a_face_with_more_rays_than_factors_is_bounded_by_all_of_them(solved):
    problem = constrained(solved()[0][0], "a >= b", "c <= 40%")
    (cell,) = first_cells(problem, -NOTHING)
    assert len(cell.rays) > cell.rays.shape[1]
    found = explore_cell(problem, cell, NOTHING, 0, GO)
    expected = max([found.value, *(part.bound for part in found.left)])
    assert whole_space(problem, Clock(np.inf)) == expected


def facets_of(space, walls, ray):
    """Return the walls that a ray lies on, as bits."""
    normals = [space.exact_normal(w) if w >= 0 else np.eye(len(ray))[-1 - w] for w in walls]
    on = [sum(a * b for a, b in zip(normal, ray, strict=True)) == 0 for normal in normals]
    return sum(1 << number for number, is_on in enumerate(on) if is_on)


def test_parts_have_each_of_their_extreme_rays_once(solved):
    for problem, _ in solved()[:3]:
        (cell,) = map(enlarge, first_cells(problem, -NOTHING))
        space, d = _Space(problem, cell), len(problem.directions)
        parts = [_Part.of_cell(cell)]
        for part in parts:
            if len(parts) > 40:
                break
            part = space.assess(part, space.signs(part.rays))
            if part.plane < 0:
                continue
            new = space.cut(part, GO)
            assert len(new) <= (3 if problem.objective.by_position else 2)
            for one in new:
                assert len(set(one.rays)) == len(one.rays)
                assert all(facets.bit_count() >= d - 1 for facets in one.facets)
                assert one.facets == [facets_of(space, one.walls, ray) for ray in one.rays]
            parts += new
