"""What follows from the fields of a rating problem, against brute force."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from rankwright.kernels.rating.facets import MAX_FACETS
from rankwright.reverse.problem import RatingObjective, RatingProblem, whole_problem
from rankwright.reverse.whole_numbers import read_whole
from tiny_ratings import a_rating, constrained

TOPS = (1, 9, 2)


def make(seed, *, by_position=False, freed=None):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(0, 2, (9, 2)), np.full(9, 5.0)])
    return RatingProblem(
        read_whole(X.astype(float)),
        np.array([1, -1, 1]),
        np.zeros(3, dtype=bool),
        np.array([0, 4, 7, 9]),
        rng.integers(0, 3, 9),
        RatingObjective(by_position, TOPS, Fraction(9)),
        ("a", "b", "a"),
        {"a": 1.0, "b": 0.5},
        freed,
    )


@pytest.mark.parametrize("seed", range(3))
def test_positions_count_the_larger_values_of_the_group(seed):
    problem = make(seed)
    values = np.random.default_rng(seed).integers(0, 3, 9) / 2
    expected = [
        1 + sum(values[k] > values[i] for k in range(begin, end))
        for begin, end in problem.bounds
        for i in range(begin, end)
    ]
    assert problem.positions_of(values).tolist() == expected


def test_factors_are_turned_so_that_more_is_better():
    problem = make(0)
    np.testing.assert_array_equal(problem.oriented, problem.factors.whole * [1.0, -1.0, 1.0])
    assert problem.oriented.flags.c_contiguous


def test_spans_are_ranges_and_one_for_a_constant_factor():
    X = np.column_stack([np.arange(9.0), np.r_[np.zeros(8), 1.0], np.full(9, 5.0)])
    assert replace(make(0), factors=read_whole(X)).spans.tolist() == [8.0, 1.0, 1.0]


def test_planes_take_a_number_for_each_factor_and_ten_lists_of_each_pair():
    problem = make(0)
    assert problem.plane_entries == (6 + 3 + 1) * (3 + 10)
    assert problem.plane_seconds == pytest.approx(130e-7)


def test_planes_of_too_many_pairs_are_not_built(monkeypatch):
    problem = make(0)
    monkeypatch.setattr(whole_problem, "MOST_ENTRIES", 130)
    assert problem.has_planes
    monkeypatch.setattr(whole_problem, "MOST_ENTRIES", 129)
    assert not problem.has_planes


@pytest.mark.parametrize(("n", "has_planes"), [(1_500, True), (2_000, False)])
def test_planes_of_three_factors_are_built_for_fifteen_hundred_products(n, has_planes):
    assert replace(make(0), offsets=np.array([0, n])).has_planes is has_planes


def test_shares_are_weights_times_ranges_in_percent():
    problem = make(0)
    np.testing.assert_allclose(problem.shares_of(np.array([1, -3, 8])), [25.0, 75.0, 0.0])


def test_the_aims_of_the_statistic_are_rates_thresholds_and_slots():
    problem = make(0)
    aims = problem.aims
    assert aims.threshold.tolist() == [3] * 4 + [0] * 3 + [0] * 2
    assert aims.slots.tolist() == [1, 3, 2]
    assert aims.unit.tolist() == problem.rates.unit.tolist()
    assert aims.bonus.tolist() == problem.rates.bonus.tolist()
    assert not aims.position.any()
    assert aims.level.tolist() == problem.levels.tolist()


def test_a_freed_product_has_no_level():
    problem = make(0, freed=2)
    assert problem.aims.level.tolist() == [*problem.levels[:2], -1, *problem.levels[3:]]
    assert problem.levels[2] >= 0


def test_there_is_an_order_unless_all_pairs_are_twins_or_ties():
    problem = make(0)
    same = replace(problem, factors=read_whole(np.zeros((9, 3))))
    assert problem.has_order
    assert not same.has_order
    assert not replace(problem, levels=np.zeros(9, dtype=np.int64)).has_order


@pytest.mark.parametrize("freed", [None, 4])
@pytest.mark.parametrize("seed", range(3))
def test_the_aims_of_positions_are_the_published_places_at_the_top(seed, freed):
    problem = make(seed, by_position=True, freed=freed)
    place, tops = problem.positions_of(problem.levels), np.repeat(TOPS, [4, 3, 2])
    expected = [p if p <= top else 0 for p, top in zip(place, tops, strict=True)]
    if freed is not None:
        expected[freed] = 0
    assert problem.aims.position.tolist() == expected
    assert problem.aims.unit.tolist() == [int(p > 0) for p in expected]
    assert not problem.aims.bonus.any()


def test_objectives_are_reported_as_the_statistic_or_as_an_error():
    statistic, positions = make(0), make(0, by_position=True)
    assert statistic.normalised(int(statistic.rates.scale)) == 1.0
    assert positions.normalised(-3) == 3.0


def test_selected_rows_are_a_rating_of_their_own():
    problem = make(1)
    chosen = problem.select(np.array([8, 1, 0, 0, 7]))
    assert chosen.offsets.tolist() == [0, 3, 5]
    np.testing.assert_array_equal(chosen.levels, problem.levels[[1, 0, 0, 8, 7]])
    np.testing.assert_array_equal(chosen.factors.whole, problem.factors.whole[[1, 0, 0, 8, 7]])
    assert chosen.objective.top == (1, 2)
    assert chosen.categories == ("a", "a")


def test_selected_rows_keep_their_order_inside_a_group():
    problem = make(1)
    rows = np.tile([8, 3, 1, 2], 10)
    chosen = problem.select(rows)
    expected = np.r_[rows[rows < 4], rows[rows > 4]]
    np.testing.assert_array_equal(chosen.factors.whole, problem.factors.whole[expected])


def test_values_are_centred_in_their_groups():
    problem = make(2)
    values = np.arange(18.0).reshape(9, 2) ** 2
    expected = np.concatenate([values[b:e] - values[b:e].mean(axis=0) for b, e in problem.bounds])
    np.testing.assert_allclose(problem.centred(values), expected)


def test_a_factor_differs_if_products_of_some_group_do():
    X = np.column_stack([np.repeat([1.0, 2, 3], [4, 3, 2]), np.r_[np.zeros(8), 1.0], np.full(9, 5)])
    assert replace(make(0), factors=read_whole(X)).differs.tolist() == [False, True, False]


def test_all_products_count_for_the_statistic_and_those_of_the_top_for_positions():
    positions = make(0, by_position=True)
    is_top = positions.positions_of(positions.levels) <= np.repeat(TOPS, [4, 3, 2])
    assert make(0).matters is None
    assert positions.matters.tolist() == is_top.tolist()


@pytest.mark.parametrize(("n_factors", "has_planes"), [(MAX_FACETS, True), (MAX_FACETS + 1, False)])
def test_planes_have_room_for_a_facet_of_each_factor(n_factors, has_planes):
    problem = replace(make(0), directions=np.ones(n_factors, dtype=np.int64))
    assert problem.has_planes is has_planes


@pytest.mark.parametrize("freed", [None, 4])
def test_no_order_is_worth_more_than_the_published_one(freed):
    levels = np.array([2, 3, 1, 0, 2, 0, 1, 1, 0])  # no ties
    problem = replace(make(0, freed=freed), levels=levels)
    assert problem.largest_value == problem.value_of(levels.astype(float))
    assert make(0, by_position=True).largest_value == 0


def test_objectives_compare_as_shares_of_every_pair_or_as_errors():
    problem = make(0)
    assert problem.comparable(problem.largest_value // 2) == Fraction(
        problem.largest_value // 2, problem.largest_value
    )
    assert replace(problem, levels=np.zeros(9, dtype=np.int64)).comparable(0) == 0
    assert make(0, by_position=True).comparable(-3) == -3


def test_weights_of_another_sign_than_the_known_one_are_no_formula():
    problem = replace(make(0), free=np.array([False, True, False]))
    assert problem.admit(np.array([2, -1, 0])).tolist() == [2, -1, 0]
    assert problem.admit(np.array([2, -1, 0])).dtype == object
    assert problem.admit(np.array([-1, 1, 2])) is None
    assert problem.admit(np.zeros(3)) is None


def test_constraints_say_which_weights_are_allowed():
    problem = constrained(a_rating(), "a >= b")
    assert problem.admit(np.array([3, 2, 1])).tolist() == [3, 2, 1]
    assert problem.admit(np.array([1, 2, 0])) is None
    (found,) = problem.generators
    assert (found[:, 0] >= found[:, 1]).all()
    assert np.linalg.matrix_rank(found) == 3


def test_allowed_weights_are_sums_of_shares_of_a_range_both_ways_where_a_factor_is_free():
    X = np.column_stack([np.arange(9.0), np.r_[np.zeros(7), 1.0, 4.0], np.full(9, 5.0)])
    problem = replace(make(0), factors=read_whole(X), free=np.array([False, True, False]))
    (found,) = problem.generators
    assert found.tolist() == [[1 / 8, 0, 0], [0, 1 / 4, 0], [0, 0, 1], [0, -1 / 4, 0]]


def test_directions_and_free_factors_have_their_types_and_change_nothing_else():
    problem = make(0)
    oriented = problem.oriented
    assert problem.turned([1.0, -1.0, 1.0]) is problem
    assert problem.turned([1.0, 1.0, -1.0]).directions.dtype == np.int64
    changed = problem.with_free([0, 1, 0])
    assert changed.free.dtype == bool
    assert changed.oriented is oriented


def test_pairs_that_were_listed_are_kept_where_another_order_has_the_same():
    problem, positions = make(0), make(0, by_position=True)
    assert "pairs" not in vars(problem.freeing(1))
    for one in (problem, positions):
        pairs = one.pairs
        assert one.freeing(1).pairs is pairs
    turned_round = problem.levels[::-1].copy()
    assert problem.reordered(turned_round).pairs is problem.pairs
    assert positions.reordered(turned_round).pairs is not positions.pairs
