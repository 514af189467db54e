"""The rating that is kept, and the problem that is made of it."""

import pickle
from dataclasses import fields, replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankwright as rw
from rankwright.reverse import RatingFormula
from rankwright.reverse.problem import Rating, RatingProblem


def fit(**parameters):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 6, size=(24, 3)).astype(float)
    groups = np.array(list("bac") * 8)
    y = X @ [3, 2, -1] + rng.integers(0, 4, 24)
    categories = np.where(groups == "c", "other", "mine")
    formula = RatingFormula(top=3, random_state=0, **parameters)
    return formula.fit(X, y, groups, categories)


@pytest.fixture(scope="module")
def formula():
    return fit()


def same(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_a_rating_is_kept_without_what_follows_from_it(formula):
    rating = formula.rating_
    assert "problem" in vars(rating)  # made once, in fit
    names = {field.name for field in fields(Rating)}
    assert set(rating.__getstate__()) == names
    assert set(vars(pickle.loads(pickle.dumps(rating)))) == names


@pytest.mark.parametrize("signs", ["auto", "free", {"x0": "-", "x1": "free"}])
def test_a_loaded_formula_has_the_same_problem(signs, tmp_path):
    formula = fit(signs=signs)
    rw.save(formula, tmp_path / "formula.rw")
    loaded = rw.load(tmp_path / "formula.rw")
    assert "problem" not in vars(loaded.rating_)
    one, other = formula.rating_.problem, loaded.rating_.problem
    assert loaded.rating_.problem is other
    assert same(one.planes, other.planes)
    assert same(one.aims, other.aims)
    np.testing.assert_array_equal(one.directions, other.directions)
    np.testing.assert_array_equal(one.free, other.free)
    assert one.objective == other.objective
    assert str(formula.certificate()) == str(loaded.certificate())
    pd.testing.assert_frame_equal(formula.leave_one_out(), loaded.leave_one_out())


def test_products_without_weight_are_kept_but_not_counted(formula):
    rating = formula.rating_
    assert len(rating.y) == 24
    assert len(rating.counted) == len(rating.problem.levels) == 16
    assert set(rating.groups[rating.counted]) == {"a", "b"}


def test_a_product_is_found_by_name_and_by_the_row_it_came_in(formula):
    rating = formula.rating_
    assert [rating.rows[rating.find(i)] for i in range(24)] == list(range(24))
    named = replace(rating, names=["twice"] * 24)
    assert rating.rows[named.find("twice")] == 0
    assert named.rows[named.find(7)] == 7
    with pytest.raises(ValueError, match="no product 24"):
        rating.find(24)


@st.composite
def orders(draw):
    return draw(st.lists(st.integers(0, 4), min_size=16, max_size=16))


@given(orders())
@settings(max_examples=40, deadline=None)
def test_another_order_of_the_same_products_needs_no_new_pairs(levels):
    problem = PROBLEM
    levels, pairs = np.array(levels, dtype=np.int64), problem.pairs
    cheap, fresh = problem.reordered(levels), replace(problem, levels=levels)
    assert cheap.pairs is pairs
    assert same(cheap.planes, fresh.planes)


@pytest.mark.parametrize("product", [0, 5, 15])
def test_freeing_a_product_needs_no_new_pairs(product):
    cheap, fresh = PROBLEM.freeing(product), replace(PROBLEM, freed=product)
    assert same(cheap.planes, fresh.planes)
    assert not cheap.planes.strict[
        (cheap.planes.better == product) | (cheap.planes.worse == product)
    ].any()


def test_every_pair_of_a_plane_ties_on_it():
    whole = PROBLEM.factors.whole * PROBLEM.directions
    planes = PROBLEM.planes
    for p, (begin, end) in enumerate(zip(planes.offsets[:-1], planes.offsets[1:], strict=True)):
        normal = whole[planes.first[p]] - whole[planes.second[p]]
        for k in range(begin, end):
            difference = whole[planes.better[k]] - whole[planes.worse[k]]
            assert np.linalg.matrix_rank([normal, difference]) == 1
            assert (difference @ normal > 0) == (planes.side[k] > 0)
            assert planes.strict[k] == (
                PROBLEM.levels[planes.better[k]] > PROBLEM.levels[planes.worse[k]]
            )
    n_pairs = sum(
        any(whole[i] != whole[k])
        for begin, end in PROBLEM.bounds
        for i in range(begin, end)
        for k in range(begin, i)
    )
    assert len(planes.better) == n_pairs


def test_facts_about_groups_agree(formula):
    problem = formula.rating_.problem
    for g, (begin, end) in enumerate(problem.bounds):
        assert (problem.group_of_row[begin:end] == g).all()
        assert problem.sizes[g] == end - begin
        np.testing.assert_allclose(problem.centred(problem.oriented)[begin:end].mean(axis=0), 0)


PROBLEM: RatingProblem = fit().rating_.problem
