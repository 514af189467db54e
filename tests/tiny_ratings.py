"""Ratings small enough that every formula of them can be tried."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from rankwright.reverse.knowledge import parse_requirements
from rankwright.reverse.knowledge.cone import allowed_cone
from rankwright.reverse.problem import RatingObjective, RatingProblem
from rankwright.reverse.whole_numbers import read_whole


def make_problem(
    X, levels, groups, tops, *, by_position=False, free=False, weights=None, cats=None
):
    """Return the problem of products in groups, ``tops`` by group, all factors positive or free."""
    groups = np.array(groups)
    order = np.argsort(groups, kind="stable")
    names = sorted(tops)
    sizes = [int((groups == g).sum()) for g in names]
    cats = cats or dict.fromkeys(names, 0)
    factors = read_whole(np.array(X, dtype=float)[order])
    d = factors.whole.shape[1]
    return RatingProblem(
        factors,
        np.ones(d, np.int64),
        np.full(d, free),
        np.r_[0, np.cumsum(sizes)].astype(np.int64),
        np.array(levels, dtype=np.int64)[order],
        RatingObjective(by_position, tuple(tops[g] for g in names), Fraction(9)),
        tuple(cats[g] for g in names),
        weights or {0: 1.0},
    )


def a_rating(n=6, d=3, largest=9, top=2, **options):
    """Return the problem of a group whose published order has nothing to do with the factors."""
    rng = np.random.default_rng(1)
    X = rng.integers(0, largest, (n, d))
    return make_problem(X, rng.permutation(n), [0] * n, {0: top}, **options)


def constrained(problem, *known):
    """Return a problem whose weights, of the factors a, b, c, have to be as known."""
    names = ["a", "b", "c"][: len(problem.directions)]
    return replace(
        problem, cone=allowed_cone(parse_requirements(known, names), names, problem.factors)
    )


@st.composite
def tiny_ratings(draw, min_groups=1):
    """Draw factors, published levels, groups, and how many products are the top of each."""
    n = draw(st.integers(2, 8))
    d = draw(st.integers(1, 3))
    n_groups = draw(st.integers(min_groups, 3))
    X = draw(st.lists(st.lists(st.integers(0, 4), min_size=d, max_size=d), min_size=n, max_size=n))
    levels = draw(st.lists(st.integers(0, n), min_size=n, max_size=n))
    groups = draw(st.lists(st.integers(0, n_groups - 1), min_size=n, max_size=n))
    tops = {g: draw(st.integers(1, 4)) for g in sorted(set(groups))}
    return X, levels, groups, tops
