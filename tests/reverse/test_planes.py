"""Pairs of products: all of them, or those that matter."""

from itertools import combinations, pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.reverse import RatingFormula
from rankwright.reverse.problem.planes import count_pairs, list_pairs
from rankwright.reverse.search.margin import keeping_rows
from tiny_ratings import make_problem, tiny_ratings


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.booleans(), min_size=1, max_size=6), min_size=1, max_size=4))
def test_every_pair_with_a_product_that_matters_is_listed_once(groups):
    matters = np.concatenate(groups)
    offsets = np.r_[0, np.cumsum([len(group) for group in groups])].astype(np.int64)
    wanted = {
        (i, k)
        for begin, end in pairwise(offsets)
        for i, k in combinations(range(begin, end), 2)
        if matters[i] or matters[k]
    }
    listed = list_pairs(np.arange(len(matters)), offsets, matters)
    pairs = list(zip(listed.worse.tolist(), listed.better.tolist(), strict=True))
    assert sorted(pairs) == sorted(wanted)
    assert count_pairs(offsets, matters) == len(wanted)


def test_position_errors_list_no_pair_below_the_top():
    X, levels = np.arange(40).reshape(20, 2), np.arange(20)
    problem = make_problem(X, levels, [0] * 20, {0: 3}, by_position=True)
    assert problem.n_pairs == 17 * 3 + 3
    assert {*np.minimum(problem.planes.better, problem.planes.worse).tolist()} <= {*range(20)}
    assert (np.maximum(problem.planes.better, problem.planes.worse) >= 17).all()


def test_another_published_order_has_the_pairs_of_its_own_top():
    rng = np.random.default_rng(0)
    X, levels = rng.integers(0, 9, (12, 3)), np.arange(12)
    problem = make_problem(X, levels, [0] * 12, {0: 2}, by_position=True)
    assert len(problem.planes.first)
    other = problem.reordered(levels[::-1].copy())
    assert {*np.minimum(other.planes.better, other.planes.worse).tolist()} == {0, 1}


@settings(max_examples=60, deadline=None)
@given(tiny_ratings(), st.integers(0, 2**32 - 1))
def test_formulas_that_keep_every_place_at_the_top_keep_the_error(rating, seed):
    problem = make_problem(*rating, by_position=True)
    d = len(problem.directions)
    rng = np.random.default_rng(seed)
    weights = rng.integers(0, 5, d)
    above, level = keeping_rows(problem, weights)
    for other in rng.integers(0, 5, (60, d)):
        if (above @ other > 0).all() and (level @ other == 0).all():
            assert problem.value(other) == problem.value(weights)
    assert (above @ weights > 0).all()
    assert (level @ weights == 0).all()


def test_the_top_of_thousands_of_products_is_proved():
    rng = np.random.default_rng(0)
    X = rng.poisson(rng.gamma(2.0, size=(6_000, 1)) * [8.0, 4.0, 2.0]).astype(float)
    y = X @ [1.0, 1.5, 2.0] + rng.normal(scale=15.0, size=6_000)
    formula = RatingFormula("positions", top=6, signs="positive", random_state=0).fit(X, y)
    assert formula.status_ == "optimal"
    assert formula.objective_ == formula.bound_ > 0
    scores, places = formula.predict(X), np.argsort(-y, kind="stable")[:6]
    taken = [1 + int((scores > scores[i] + 1e-9).sum()) for i in places]
    wanted = [1 + int((y > y[i]).sum()) for i in places]
    assert np.abs(np.subtract(taken, wanted)).sum() == formula.objective_
