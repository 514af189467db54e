"""The rating's statistic, against formula (2) with (4) written out pair by pair."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.reverse.problem import RatingObjective, RatingProblem, published_wins
from rankwright.reverse.problem.objective import LARGEST_SCALE, rate_pairs
from rankwright.reverse.whole_numbers import read_whole

quick = settings(max_examples=60, deadline=None)


@dataclass(frozen=True)
class Case:
    problem: RatingProblem
    weights: list[int]

    @property
    def scores(self):
        oriented = self.problem.factors.whole * self.problem.directions
        return [sum(w * int(x) for w, x in zip(self.weights, row, strict=True)) for row in oriented]


@st.composite
def cases(draw, *, by_position=False, freed=False):
    sizes = draw(st.lists(st.integers(1, 5), min_size=1, max_size=3))
    n, d = sum(sizes), draw(st.integers(1, 3))

    def draw_list(values, length):
        return draw(st.lists(values, min_size=length, max_size=length))

    emphasis = draw(st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(9)]))
    problem = RatingProblem(
        read_whole(np.array([draw_list(st.integers(0, 3), d) for _ in range(n)]) / 4),
        np.array(draw_list(st.sampled_from([1, -1]), d)),
        np.zeros(d, dtype=bool),
        np.r_[0, np.cumsum(sizes)].astype(np.int64),
        np.array(draw_list(st.integers(0, 4), n)),
        RatingObjective(by_position, tuple(draw_list(st.integers(1, 6), len(sizes))), emphasis),
        tuple(draw_list(st.sampled_from(["a", "b"]), len(sizes))),
        {"a": 1.0, "b": 0.7},
        draw(st.integers(0, n - 1)) if freed else None,
    )
    return Case(problem, draw_list(st.integers(0, 3), d))


def written_out(case):
    """Formula (2) with (4); pairs of a freed product don't count, but it takes its place."""
    problem, scores, levels = case.problem, case.scores, case.problem.levels.tolist()
    value, perfect = dict.fromkeys("ab", Fraction(0)), dict.fromkeys("ab", Fraction(0))
    lists = zip(problem.bounds, problem.objective.top, problem.categories, strict=True)
    for (begin, end), top, category in lists:
        group = range(begin, end)
        counted = [i for i in group if i != problem.freed]
        for i in counted:
            below = sum(scores[i] > scores[k] for k in group)
            won = sum(levels[i] > levels[k] and scores[i] > scores[k] for k in counted)
            value[category] += won * (1 + problem.objective.emphasis * (below >= len(group) - top))
            below = sum(levels[i] > levels[k] for k in group)
            won = sum(levels[i] > levels[k] for k in counted)
            perfect[category] += won * (
                1 + problem.objective.emphasis * (below >= len(group) - top)
            )
    weights = {"a": Fraction(1), "b": Fraction(7, 10)}
    return sum(weights[c] * value[c] / perfect[c] for c in "ab" if perfect[c])


def position_error(case):
    scores, levels, error = case.scores, case.problem.levels.tolist(), 0
    for (begin, end), top in zip(case.problem.bounds, case.problem.objective.top, strict=True):
        for i in range(begin, end):
            place = 1 + sum(levels[k] > levels[i] for k in range(begin, end))
            taken = 1 + sum(scores[k] > scores[i] for k in range(begin, end))
            error += abs(taken - place) * (place <= top and i != case.problem.freed)
    return error


@given(cases())
@quick
def test_the_value_is_the_statistic_written_out(case):
    value = case.problem.value(case.weights)
    assert case.problem.exactly_normalised(value) == written_out(case)


@given(cases(freed=True))
@quick
def test_the_value_without_the_pairs_of_a_product_is_the_statistic_written_out(case):
    value = case.problem.value(case.weights)
    assert case.problem.exactly_normalised(value) == written_out(case)


@pytest.mark.parametrize("freed", [False, True])
@given(data=st.data())
@quick
def test_the_value_of_positions_is_their_summed_error(freed, data):
    case = data.draw(cases(by_position=True, freed=freed))
    value = case.problem.value(case.weights)
    assert case.problem.exactly_normalised(value) == -value == position_error(case)


@given(cases())
@quick
def test_published_wins_are_the_products_strictly_below(case):
    levels, bounds = case.problem.levels.tolist(), case.problem.bounds
    expected = [
        [sum(levels[i] > levels[k] for k in range(begin, end)) for i in range(begin, end)]
        for begin, end in bounds
    ]
    found = published_wins(case.problem.levels, case.problem.offsets)
    assert [wins.tolist() for wins in found] == expected


def rates_of(weight):
    levels, offsets = np.array([0, 1, 2]), np.array([0, 3])
    objective = RatingObjective(False, (1,), Fraction(1, 2))
    return rate_pairs(levels, offsets, objective, ("a",), {"a": weight})


def test_rates_are_the_smallest_whole_numbers_in_their_proportion():
    rates = rates_of(1.0)  # (4) is 3 + 2 / 2: a pair is worth 1/4, at the top 1/8 more
    assert (rates.scale, rates.unit.tolist(), rates.bonus.tolist()) == (8, [2] * 3, [1] * 3)


def test_rates_of_many_groups_need_fractions_for_each_category_alone():
    class Emphasis(Fraction):
        def __mul__(self, other):
            times.append(other)
            return Fraction(self) * other

        __rmul__ = __mul__

    times, n_groups = [], 50
    levels, offsets = np.tile([0, 1], n_groups), np.arange(0, 2 * n_groups + 1, 2)
    objective = RatingObjective(False, (1,) * n_groups, Emphasis(9))
    categories, weights = ("a", "b") * (n_groups // 2), {"a": 1.0, "b": 0.5}
    rates = rate_pairs(levels, offsets, objective, categories, weights)
    assert len(times) <= 3 * len(weights)
    assert rates.unit.tolist() == [2, 2, 1, 1] * (n_groups // 2)
    assert rates.bonus.tolist() == [18, 18, 9, 9] * (n_groups // 2)


def test_a_category_without_an_order_is_worth_nothing():
    objective = RatingObjective(False, (1,), Fraction(9))
    rates = rate_pairs(np.zeros(2, np.int64), np.array([0, 2]), objective, ("a",), {"a": 1.0})
    assert not rates.unit.any()
    assert not rates.bonus.any()


def test_rates_of_weights_with_many_digits_are_rounded_up_by_less_than_one():
    weight = 0.12345678901234567
    rates, exact = rates_of(weight), Fraction(repr(weight)) / 4
    assert rates.scale == LARGEST_SCALE == 2**45
    assert 0 < rates.unit[0] - exact * rates.scale < 1
    assert 0 < rates.bonus[0] - exact / 2 * rates.scale < 1


@given(cases(), st.integers(0, 10))
@quick
def test_a_whole_gap_is_no_more_than_the_gap(case, tenths):
    gap = tenths / 10
    whole = case.problem.whole_gap(gap)
    assert case.problem.exactly_normalised(whole) <= Fraction(gap)
    assert case.problem.exactly_normalised(whole + 1) > Fraction(gap)


def test_a_whole_gap_of_positions_is_rounded_down():
    positions = RatingObjective(True, (1,), Fraction(9))
    problem = RatingProblem(
        read_whole(np.eye(2)),
        np.ones(2, np.int64),
        np.zeros(2, bool),
        np.array([0, 2]),
        np.array([0, 1]),
        positions,
        ("a",),
        {"a": 1.0},
    )
    assert [problem.whole_gap(gap) for gap in (0.0, 0.9, 1.0, 2.5)] == [0, 0, 1, 2]
