"""The objective, the order of scores and the twins, by sorting and by looking at every pair."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.kernels.rating.statistic import objective_value
from rankwright.reverse.bound import whole_space
from rankwright.reverse.certificate import exact_objective
from rankwright.reverse.clock import Clock
from rankwright.reverse.problem import RatingObjective, RatingProblem
from rankwright.reverse.problem.own_scale import to_own_scale
from rankwright.reverse.problem.planes import count_pairs
from rankwright.reverse.problem.statistic import bound_without_pairs, exact_places, find_twins
from rankwright.reverse.whole_numbers import read_whole


@st.composite
def problems(draw, *, largest=4):
    sizes = draw(st.lists(st.integers(1, 9), min_size=1, max_size=3).filter(lambda s: sum(s) > 1))
    n, d = sum(sizes), draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    X = rng.integers(0, largest, size=(n, d)).astype(float)
    return RatingProblem(
        read_whole(X),
        np.array(rng.choice([-1, 1], d), dtype=np.int64),
        np.zeros(d, dtype=bool),
        np.r_[0, np.cumsum(sizes)].astype(np.int64),
        rng.integers(0, 5, n),
        RatingObjective(draw(st.booleans()), tuple(rng.integers(1, 5, len(sizes))), Fraction(9)),
        tuple(range(len(sizes))),
        dict.fromkeys(range(len(sizes)), 1.0),
        draw(st.sampled_from([None, 0, n - 1])),
    )


def value_of_pairs(problem, scores):
    """The objective, pair by pair, as it is printed."""
    aims, total = problem.aims, 0
    for begin, end in problem.bounds:
        for i in range(begin, end):
            others = [k for k in range(begin, end) if k != i]
            if problem.objective.by_position:
                place = 1 + sum(scores[k] > scores[i] for k in others)
                total -= abs(place - aims.position[i]) if aims.position[i] else 0
                continue
            counted = [k for k in others if problem.freed not in (i, k)]
            wins = sum(
                problem.levels[i] > problem.levels[k] and scores[i] > scores[k] for k in counted
            )
            is_top = sum(scores[i] > scores[k] for k in others) >= aims.threshold[i]
            total += wins * (aims.unit[i] + is_top * aims.bonus[i])
    return total


@settings(deadline=None)
@given(problems(), st.data())
def test_the_objective_by_sorting_is_the_objective_of_all_pairs(problem, data):
    n = len(problem.levels)
    scores = np.array(data.draw(st.lists(st.integers(0, 5), min_size=n, max_size=n)), dtype=float)
    found = objective_value(scores, problem.aims, problem.objective.by_position)
    assert found == value_of_pairs(problem, scores)


@settings(deadline=None)
@given(problems(), st.data())
def test_the_objective_counts_the_listed_pairs(problem, data):
    problem = replace(problem, objective=replace(problem.objective, by_position=False))
    n = len(problem.levels)
    scores = np.array(data.draw(st.lists(st.integers(0, 5), min_size=n, max_size=n)), dtype=float)
    better, worse, strict = problem.listed_pairs
    won = (strict > 0) & (scores[better] > scores[worse])
    plain = problem.aims._replace(bonus=0 * problem.aims.bonus, unit=np.ones(n, dtype=np.int64))
    assert objective_value(scores, plain, False) == won.sum()
    assert len(better) == count_pairs(problem.offsets)


numbers = st.integers(-9, 9) | st.integers(-(10**25), 10**25)


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(0, 10**15), min_size=3, max_size=3), min_size=1), st.data())
def test_places_are_in_the_exact_order_of_scores(rows, data):
    rows = rows + rows[:2]
    weights = data.draw(st.lists(numbers, min_size=3, max_size=3))
    exact = [sum(w * v for w, v in zip(weights, row, strict=True)) for row in rows]
    places = exact_places(np.array(rows), np.array(weights, dtype=object)).tolist()
    for one, place in zip(exact, places, strict=True):
        for other, its_place in zip(exact, places, strict=True):
            assert (one > other, one == other) == (place > its_place, place == its_place)


def test_scores_that_floating_point_confuses_are_told_apart():
    whole = np.array([[10**15, 0, 1], [10**15, 0, 2], [10**15, 1, 0], [10**15 - 1, 10**15, 0]])
    weights = np.array([10**30, 3, 2], dtype=object)
    assert np.argsort(exact_places(whole, weights)).tolist() == [3, 0, 2, 1]


@settings(deadline=None)
@given(st.lists(st.tuples(*[st.integers(0, 10**14)] * 2), min_size=2, max_size=6))
def test_scores_that_nearly_cancel_are_in_their_exact_order(rows):
    weights = np.array([10**25 + 1, -(10**25), 3], dtype=object)
    whole = np.array([(0, 0, 0), *((one, one, other % 5) for one, other in rows)])
    exact = [one + 3 * other for one, _, other in whole.tolist()]
    expected = np.unique(exact, return_inverse=True)[1]
    found = np.unique(exact_places(whole, weights), return_inverse=True)[1]
    assert found.tolist() == expected.tolist()


def test_weights_that_floating_point_loses_still_order():
    whole = np.array([[0, 2], [0, 1], [0, 2]])
    low, high = 0, 1
    places = exact_places(whole, np.array([10**400, 1], dtype=object))
    assert np.unique(places, return_inverse=True)[1].tolist() == [high, low, high]


def test_products_without_any_factor_tie_under_the_largest_weights():
    places = exact_places(np.zeros((2, 1), dtype=np.int64), np.array([2**70], dtype=object))
    assert places[0] == places[1]


def bound_by_hand(problem):
    """Every published pair but those of twins is won, with the bonus for the most of them."""
    aims, total = problem.aims, 0
    for (begin, end), slots in zip(problem.bounds, aims.slots, strict=True):
        bonuses = []
        for i in range(begin, end):
            others = [k for k in range(begin, end) if k != i]
            twins = [
                k
                for k in others
                if (problem.factors.whole[i] == problem.factors.whole[k]).all()
                and problem.freed not in (i, k)
            ]
            reach = len(others) - len(twins)
            if problem.objective.by_position:
                total -= max(int(aims.position[i]) - 1 - reach, 0)
                continue
            winnable = sum(
                problem.levels[i] > problem.levels[k] and problem.freed not in (i, k)
                for k in others
                if k not in twins
            )
            total += winnable * aims.unit[i]
            if reach >= aims.threshold[i]:
                bonuses.append(winnable * aims.bonus[i])
        total += sum(sorted(bonuses)[len(bonuses) - min(slots, len(bonuses)) :])
    return total


@settings(deadline=None)
@given(problems(largest=2))
def test_the_bound_without_pairs_is_that_of_twins_and_places(problem):
    assert bound_without_pairs(problem) == bound_by_hand(problem)


def test_a_place_out_of_reach_is_an_error_that_no_formula_avoids():
    # Three equal products and one other, published in third and fourth place: nobody is third.
    problem = RatingProblem(
        read_whole(np.array([[0.0], [0.0], [0.0], [1.0]])),
        np.ones(1, dtype=np.int64),
        np.zeros(1, dtype=bool),
        np.array([0, 4]),
        np.array([0, 1, 2, 3]),
        RatingObjective(True, (4,), Fraction(9)),
        (0,),
        {0: 1.0},
    )
    assert bound_without_pairs(problem) == -(1 + 2)


@settings(deadline=None)
@given(problems(largest=2))
def test_twins_are_the_pairs_with_equal_factors_and_different_levels(problem):
    whole, levels = problem.factors.whole, problem.levels
    twins = [
        (i, k)
        for begin, end in problem.bounds
        for i in range(begin, end)
        for k in range(begin, i)
        if (whole[i] == whole[k]).all() and levels[i] != levels[k] and problem.freed not in (i, k)
    ]
    assert problem.n_twins == len(twins)


def test_products_that_all_differ_are_not_sorted_to_find_twins(monkeypatch):
    rows = np.array([[0, 1], [1, 0], [-1, 0], [2**62, -(2**62)]])
    levels, groups = np.arange(4), np.zeros(4, dtype=np.int64)
    monkeypatch.setattr(np, "lexsort", None)
    assert not np.concatenate(find_twins(rows, levels, groups, freed=None)).any()


@settings(deadline=None)
@given(problems(), st.data())
def test_no_formula_exceeds_the_bound_without_pairs_nor_does_the_bound_of_pairs(problem, data):
    bound = bound_without_pairs(problem)
    assert whole_space(problem, Clock(np.inf)) <= bound
    d = len(problem.directions)
    weights = np.array(data.draw(st.lists(st.integers(0, 9), min_size=d, max_size=d)), dtype=object)
    assert problem.value(weights) <= bound


def test_the_bound_without_pairs_is_reached_where_one_factor_says_all():
    problem = RatingProblem(
        read_whole(np.array([[3.0], [1.0], [2.0], [2.0]])),
        np.ones(1, dtype=np.int64),
        np.zeros(1, dtype=bool),
        np.array([0, 4]),
        np.array([3, 0, 2, 1]),
        RatingObjective(False, (1,), Fraction(9)),
        (0,),
        {0: 1.0},
    )
    assert problem.n_twins == 1
    assert bound_without_pairs(problem) == problem.value(np.array([1]))


@settings(deadline=None)
@given(problems(), st.data())
def test_the_certificate_counts_what_the_kernel_counts(problem, data):
    problem = replace(problem, freed=None)
    d = len(problem.directions)
    whole = np.array(data.draw(st.lists(st.integers(0, 9), min_size=d, max_size=d)), dtype=object)
    # Both count in the same units, which are rounded up where their denominator is large.
    exact = exact_objective(problem, to_own_scale(problem, whole))
    assert exact == problem.exactly_normalised(problem.value(whole))


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_places_of_weights_of_any_size_are_those_of_whole_numbers(data):
    d = data.draw(st.integers(1, 4))
    size = data.draw(st.sampled_from([3, 2**20, 10**15]))
    factor, weight = st.integers(0, size), st.integers(-(2**140), 2**140)
    whole = data.draw(st.lists(st.lists(factor, min_size=d, max_size=d), min_size=2, max_size=12))
    weights = data.draw(st.lists(weight, min_size=d, max_size=d).filter(any))
    scores = [sum(a * w for a, w in zip(row, weights, strict=True)) for row in whole]
    places = exact_places(np.array(whole), np.array(weights, dtype=object))
    expected = [sorted({*scores}).index(score) for score in scores]
    assert [sorted({*places.tolist()}).index(place) for place in places.tolist()] == expected
