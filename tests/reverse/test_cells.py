"""Cells outside the kernel: where proofs begin, what is left to explore, and numbers that grow."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from explored_cells import GO
from rankwright.kernels.rating.digits import BITS
from rankwright.kernels.rating.facets import FACETS_PER_WORD
from rankwright.kernels.rating.planes import NOTHING, UNFIXED
from rankwright.reverse.bound import cells as cells_module
from rankwright.reverse.bound.cells import (
    Cell,
    Turn,
    _from_digits,
    _to_digits,
    allocate,
    enlarge,
    explore_cell,
    first_cells,
    widen,
)
from rankwright.reverse.clock import Clock
from tiny_ratings import a_rating, constrained, make_problem


def with_whole(whole):
    """Return a rating of such whole factors, however large."""
    whole = np.array(whole, dtype=np.int64)
    problem = make_problem(whole, range(len(whole)), [0] * len(whole), {0: 1})
    return replace(problem, factors=replace(problem.factors, whole=whole))


def test_a_proof_begins_with_all_mirror_images_of_the_orthant():
    problem = replace(a_rating(), free=np.array([True, False, True]))
    found = [np.diag(cell.rays).tolist() for cell in first_cells(problem, 7)]
    assert sorted(found) == sorted([a, 1, c] for a, c in product((1, -1), repeat=2))
    for cell in first_cells(problem, 7):
        assert (cell.bound, cell.rays.dtype, cell.facets.dtype) == (7, np.int64, np.int64)
        assert np.count_nonzero(cell.rays) == 3


def test_a_ray_of_an_orthant_lies_on_all_facets_but_its_own():
    (cell,) = first_cells(with_whole(np.eye(2, 70)), 0)
    assert cell.facets.shape == (70, 2)
    assert cell.facets.max() < 1 << FACETS_PER_WORD
    assert enlarge(cell).facets.tolist() == [((1 << 70) - 1) ^ (1 << ray) for ray in range(70)]
    assert cell.walls.tolist() == [-1 - ray for ray in range(70)]


def test_planes_are_fixed_for_position_errors_only():
    (cell,) = first_cells(a_rating(), 0)
    assert cell.fixed is None
    problem = a_rating(by_position=True)
    (cell,) = first_cells(problem, 0)
    assert cell.fixed.dtype == np.int8
    assert cell.fixed.tolist() == [UNFIXED] * len(problem.planes.first)


KNOWN = [["a >= b"], ["a = b"], ["a >= 20%", "b >= c"], ["at most 2 factors"]]


def test_faces_that_time_is_too_short_for_are_one_cell_that_has_them_all():
    problem = constrained(a_rating(d=3), "at most 2 factors")
    hours = iter([0.0, 0.0, 5.0])
    clock = Clock(3.0, now=lambda: next(hours))
    first, rest = first_cells(problem, 7, clock)
    assert first.weights.tolist() == problem.cone.faces[0].rays.tolist()
    assert rest.weights.tolist() == np.eye(3).tolist()
    assert rest.bound == 7


@pytest.mark.parametrize("known", KNOWN, ids=str)
def test_faces_of_a_cone_are_cells_with_its_rays_and_facets(known):
    problem = constrained(a_rating(), *known)
    found = list(first_cells(problem, 4))
    assert len(found) == len(problem.cone.faces)
    for cell, face in zip(found, problem.cone.faces, strict=True):
        assert (cell.rays.dtype, cell.facets.dtype, cell.bound) == (np.int64, np.int64, 4)
        assert cell.facets.shape == (len(face.rays), 2)
        assert enlarge(cell).facets.tolist() == face.facets
        assert cell.walls.tolist() == [-1 - row for row in range(problem.cone.n_facets)]
        for ray, expected in zip(cell.weights, face.rays, strict=True):
            assert [a * sum(expected) for a in ray] == [b * sum(ray) for b in expected]
        scores = cell.factors(problem) @ cell.rays.astype(object).T
        exact = problem.factors.whole.astype(object) @ cell.weights.T
        assert scores.tolist() == exact.tolist()


def first_of(problem):
    return next(iter(first_cells(problem, 0)))


def largest_score(problem, size=None):
    """Return what scores of a face can not exceed."""
    face = problem.cone.faces[0]
    if size is None:
        size = max(abs(int(v)) for v in first_of(problem).factors(problem).ravel())
    return max(abs(int(v)) for v in face.coordinates.ravel()) * len(face.basis) * size


def is_large(problem):
    return first_of(problem).rays.dtype == object


@pytest.mark.parametrize("largest", [1, 2, 9])
def test_faces_whose_scores_may_not_be_exact_have_numbers_of_any_size(monkeypatch, largest):
    problem = constrained(a_rating(largest=largest + 1), "a >= b", "c <= 40%")
    limit = 2 * largest_score(problem)
    monkeypatch.setattr(cells_module, "EXACT", limit + 1)
    assert not is_large(problem)
    monkeypatch.setattr(cells_module, "EXACT", limit)
    assert is_large(problem)
    cell, face = first_of(problem), problem.cone.faces[0]
    assert cell.facets.tolist() == face.facets
    assert cell.facets.dtype == object


def test_faces_of_products_that_are_all_alike_have_numbers_of_any_size_too(monkeypatch):
    problem = constrained(with_whole([[0, 0], [0, 0]]), "a >= b")
    limit = 2 * largest_score(problem, size=1)
    monkeypatch.setattr(cells_module, "EXACT", limit)
    assert is_large(problem)


def test_faces_with_small_numbers_do_not_need_any_size(monkeypatch):
    problem = constrained(with_whole([[0, 1], [1, 0]]), "a >= b")
    monkeypatch.setattr(cells_module, "EXACT", 2 * largest_score(problem) + 1)
    assert not is_large(problem)


def test_faces_with_many_facets_or_rays_have_numbers_of_any_size(monkeypatch):
    problem = constrained(a_rating(), "a >= b", "c <= 40%")
    n_facets, n_rays = problem.cone.n_facets, len(problem.cone.faces[0].rays)
    for name, most in [("MAX_FACETS", 2 * n_facets), ("MAX_RAYS", 4 * n_rays)]:
        with monkeypatch.context() as patch:
            patch.setattr(cells_module, name, most)
            assert not is_large(problem)
            patch.setattr(cells_module, name, most - 1)
            assert is_large(problem)


def test_facets_beyond_a_word_are_kept():
    many = [f"a >= {k} b" for k in range(1, 61)]
    problem = constrained(with_whole([[0, 3], [4, 0]]), *many)
    cell, face = first_of(problem), problem.cone.faces[0]
    assert max(face.facets) >> FACETS_PER_WORD == 0 < problem.cone.n_facets
    assert enlarge(cell).facets.tolist() == face.facets


@pytest.mark.parametrize(("largest", "n_bytes"), [(2**31 - 1, 4), (-(2**31) + 1, 4), (2**31, 8)])
def test_cells_that_wait_take_half_the_memory_where_numbers_allow_it(largest, n_bytes):
    (cell,) = first_cells(a_rating(), 7)
    rays = cell.rays.copy()
    rays[0, 0] = largest
    packed = replace(cell, rays=rays).packed()
    assert packed.rays.itemsize == n_bytes
    assert packed.unpacked().rays.dtype == np.int64
    np.testing.assert_array_equal(packed.unpacked().rays, rays)


def test_rays_of_any_size_are_not_packed():
    (cell,) = first_cells(a_rating(), 7)
    large = enlarge(cell)
    assert large.packed() is large
    assert large.unpacked() is large


def test_weights_of_large_combinations_are_exact():
    basis = np.array([[10**6, 1], [0, 10**6]], dtype=object)
    rays = np.array([[2**62, 1]], dtype=np.int64)
    cell = Cell(rays, np.zeros((1, 2)), np.empty(0), None, 0, basis)
    expected = [2**62 * 10**6, 2**62 + 10**6]
    assert cell.weights_of(rays[0]).tolist() == cell.weights.tolist()[0] == expected
    plain = replace(cell, basis=None)
    assert plain.weights_of(rays[0]) is not None
    assert plain.weights.tolist() == rays.tolist()


def test_factors_of_a_basis_are_exact():
    problem = with_whole([[10**15 - 1, 3], [7, 10**15 - 3], [0, 0]])
    problem = replace(problem, directions=np.array([1, -1]))
    basis = np.array([[10**9 + 7, 10**9 + 9]], dtype=object)
    cell = Cell(np.array([[1]]), np.zeros((1, 2)), np.empty(0), None, 0, basis)
    expected = [[a * (10**9 + 7) - b * (10**9 + 9)] for a, b in problem.factors.whole.tolist()]
    assert cell.factors(problem).tolist() == expected


def test_room_is_for_as_many_coordinates_and_digits_as_cells_have():
    problem = constrained(a_rating(), "a >= b", "c <= 40%")
    cell = first_of(problem)
    assert len(cell.rays) > 3
    assert allocate(problem, cell).weights.shape == (3, 1)
    plain = a_rating()
    (cell,) = first_cells(plain, 0)
    assert allocate(plain, widen(plain, cell)).weights.shape == (3, 3)


def test_a_workspace_that_is_given_is_used():
    problem = a_rating()
    (cell,) = first_cells(problem, -NOTHING)
    space = allocate(problem, cell)
    space.weights[:] = -1
    found = explore_cell(problem, cell, NOTHING, 10**6, GO, turn=Turn(space))
    assert found.weights.tolist() == space.weights[:, 0].tolist()
    again = explore_cell(problem, cell, found.value, 10**6, GO, turn=Turn(space))
    assert (again.weights, again.left, again.decided) == (None, [], [])
    assert min(found.weights) >= 0 < max(found.weights)  # the workspace has changed, they have not


def test_what_is_left_of_a_cell_is_cut_from_it_once():
    problem = a_rating(9)
    (cell,) = first_cells(problem, 12)
    found = explore_cell(problem, cell, NOTHING, 1, GO)
    assert len(found.left) == 2
    for part in found.left:
        assert len(part.walls) == 4
        assert part.walls[:3].tolist() == [-1, -2, -3]
        assert len(part.rays) == len(part.facets)
        assert part.rays.any(axis=1).all()
        assert part.rays.min() >= 0
        assert part.bound <= 12
        assert (part.digits, part.basis, part.fixed) == (None, None, None)
    one, other = ({tuple(ray) for ray in part.rays.tolist()} for part in found.left)
    assert {(1, 0, 0), (0, 1, 0), (0, 0, 1)} <= one | other
    assert len(one & other) == 2  # the new facet that both have


def test_what_is_left_keeps_its_basis_and_its_digits():
    problem = constrained(a_rating(9), "a >= b", "c <= 40%")
    found = explore_cell(problem, first_of(problem), NOTHING, 1, GO)
    assert all(part.basis is problem.cone.faces[0].basis for part in found.left)
    plain = a_rating(9)
    (cell,) = first_cells(plain, -NOTHING)
    found = explore_cell(plain, widen(plain, cell), NOTHING, 1, GO)
    assert len(found.left) == 2
    for part in found.left:
        assert part.digits.shape[:2] == part.rays.shape
        assert part.weights.any(axis=1).all()


def test_of_parts_that_are_collected_those_that_outgrow_the_numbers_are_not_decided():
    rng = np.random.default_rng(3)
    problem = with_whole(rng.integers(0, 10**14, (5, 3)))
    (cell,) = first_cells(problem, -NOTHING)
    found = explore_cell(problem, cell, NOTHING, 10**6, GO, collect=True)
    assert (found.value, found.weights) == (NOTHING, None)
    assert any(part.digits is not None for part in found.left)
    assert all(problem.value(part.weights.sum(axis=0)) == part.bound for part in found.decided)
    small = a_rating(5)
    (cell,) = first_cells(small, -NOTHING)
    found = explore_cell(small, cell, NOTHING, 10**6, GO, collect=True)
    assert not found.left
    assert len(found.decided) > 2
    assert all(small.value(part.weights.sum(axis=0)) == part.bound for part in found.decided)


def test_a_cell_has_digits_at_first_and_then_numbers_of_any_size(monkeypatch):
    problem = a_rating()
    (cell,) = first_cells(problem, 0)
    once = widen(problem, cell)
    twice = widen(problem, once)
    assert once.digits is not None
    assert (twice.digits, twice.rays.dtype) == (None, object)
    assert once.weights.tolist() == twice.weights.tolist() == cell.rays.tolist()
    assert twice.facets.tolist() == enlarge(cell).facets.tolist()
    face = first_of(constrained(problem, "a >= b"))
    assert widen(problem, face).digits is None
    assert widen(problem, face).rays.dtype == object


@pytest.mark.parametrize(("name", "most"), [("MOST_MINORS", 2**3), ("MOST_LARGE_RAYS", 12)])
def test_what_the_kernel_would_not_cut_has_numbers_of_any_size(monkeypatch, name, most):
    problem = a_rating()
    (cell,) = first_cells(problem, 0)
    monkeypatch.setattr(cells_module, name, most)
    assert widen(problem, cell).digits is not None
    monkeypatch.setattr(cells_module, name, most - 1)
    assert (widen(problem, cell).digits, widen(problem, cell).rays.dtype) == (None, object)


@pytest.mark.parametrize(
    ("ranges", "expected"),
    # An entry is at most twice their product; it has a sign and two bits to spare.
    [
        ([1, 1], 3),
        ([2**24, 2**24], 3),
        ([2**24, 2**25], 4),
        ([2**37, 2**37], 4),
        ([2**37, 2**38], 5),
        ([2**48, 0], 3),
        ([2**49, 0], 4),
    ],
)
def test_so_many_digits_are_kept_as_the_largest_entry_needs(ranges, expected):
    problem = with_whole([ranges, [0, 0], [ranges[0], 0]])
    (cell,) = first_cells(problem, 0)
    assert widen(problem, cell).digits.shape == (2, 2, expected)


def test_rays_with_digits_are_rounded_to_the_precision_of_floating_point():
    problem = a_rating()
    (cell,) = first_cells(problem, 0)
    rays = np.array([[5, 0, 1], [-(2**40), 3, 9], [0, 0, 1]])
    wide = widen(problem, replace(cell, rays=rays))
    sizes = [max(abs(v) for v in ray).bit_length() for ray in wide.rays.tolist()]
    assert sizes == [53, 53, 53]
    assert [a // b for a, b in zip(wide.rays[:, 2].tolist(), [1, 9, 1], strict=True)] == [
        2**50,
        2**12,
        2**52,
    ]
    assert wide.weights.tolist() == rays.tolist()


@pytest.mark.parametrize("n_digits", [3, 4])
def test_digits_stand_for_the_numbers_they_were_made_of(n_digits):
    half = 1 << BITS - 1
    numbers = [0, 1, -1, half - 1, half, -half, -half - 1, 2**53, -(2**53) + 1, 2**51 + half]
    digits = _to_digits(np.array([numbers]), n_digits)
    assert (digits.dtype, digits.shape) == (np.int64, (1, len(numbers), n_digits))
    assert (digits >= -half).all()
    assert (digits < half).all()
    assert _from_digits(digits).tolist() == [numbers]


@pytest.mark.parametrize("n_digits", [2, 3])
def test_digits_may_exceed_what_a_digit_holds(n_digits):
    digits = np.full((1, n_digits), 2**61)
    expected = sum(2**61 << BITS * k for k in range(n_digits))
    assert _from_digits(digits).tolist() == [expected]
