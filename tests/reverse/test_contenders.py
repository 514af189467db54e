"""Products that a smaller position error depends on: the others change nothing."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.reverse.bound.contenders import contenders
from rankwright.reverse.knowledge import parse_requirements
from rankwright.reverse.knowledge.cone import allowed_cone
from tiny_ratings import make_problem


@st.composite
def position_problems(draw):
    """Products of one or two groups, most of which others dominate, and some of which are twins."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, d = draw(st.integers(2, 30)), draw(st.integers(1, 4))
    X = rng.integers(0, draw(st.integers(1, 6)), (n, d)) + rng.integers(0, 3, (n, 1))
    levels = (X @ rng.integers(0, 4, d) + rng.integers(0, 4, n)) // draw(st.integers(1, 4))
    groups = np.arange(n) % draw(st.integers(1, 2))
    tops = {int(g): draw(st.integers(1, 4)) for g in np.unique(groups)}
    return make_problem(X, levels, groups, tops, by_position=True, free=draw(st.booleans()))


@settings(deadline=None)
@given(position_problems(), st.integers(1, 12))
def test_smaller_errors_are_the_same_without_the_others(problem, error):
    few = contenders(problem, error)
    d = len(problem.directions)
    weights = np.random.default_rng(0).integers(0, 4, (60, d))  # many products tie
    signs = np.where(problem.free, np.random.default_rng(1).choice([-1, 1], (60, d)), 1)
    for one in weights * signs:
        errors = -problem.value(one), -few.value(one)
        assert min(errors) >= error or errors[0] == errors[1]


def test_of_many_products_few_are_contenders():
    X = np.random.default_rng(0).integers(0, 100, (2_000, 3))
    problem = make_problem(X, X.sum(axis=1), [0] * 2_000, {0: 3}, by_position=True)
    few = contenders(problem, 2)
    assert len(few.levels) < 200
    assert (few.aims.position > 0).sum() == (problem.aims.position > 0).sum()
    free = make_problem(X, X.sum(axis=1), [0] * 2_000, {0: 3}, by_position=True, free=True)
    assert len(contenders(free, 2).levels) == 2_000


def chain(sizes, top=1, **options):
    """Return groups of products of which each dominates all that are published after it."""
    X = [[i] for size in sizes for i in range(size)]
    groups = np.repeat(np.arange(len(sizes)), sizes)
    tops = dict.fromkeys(range(len(sizes)), top)
    return make_problem(X, [row[0] for row in X], groups, tops, by_position=True, **options)


@pytest.mark.parametrize(("top", "error", "expected"), [(1, 1, 1), (1, 3, 3), (2, 1, 2), (3, 2, 4)])
def test_of_a_chain_so_many_are_left_as_the_error_and_the_top_allow(top, error, expected):
    assert len(contenders(chain([9], top), error).levels) == expected


def test_small_groups_keep_everybody_where_large_ones_do_not():
    assert contenders(chain([2, 9]), 2).sizes.tolist() == [2, 2]
    assert contenders(chain([2, 9]), 5).sizes.tolist() == [2, 5]


def test_of_a_rating_with_a_freed_product_nobody_is_left_out():
    problem = chain([9]).freeing(0)
    assert contenders(problem, 1) is problem


def test_of_a_rating_with_constraints_nobody_is_left_out():
    problem = chain([9])
    known = parse_requirements(["a >= 1%"], ["a"])
    problem = replace(problem, cone=allowed_cone(known, ["a"], problem.factors))
    assert contenders(problem, 1) is problem
