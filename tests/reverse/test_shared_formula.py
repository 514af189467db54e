import numpy as np
import pytest

from rankwright.reverse import RatingFormula
from rankwright.reverse.clock import Clock
from rankwright.reverse.questions import alternatives, shared_formula

pytestmark = pytest.mark.usefixtures("short_search")


def fitted(X, y, groups=None):
    formula = RatingFormula(top=5, solver="search", random_state=0).fit(X, y, groups)
    return formula.rating_, formula.solution_


def rating_of(X, y, groups):
    return fitted(X, y, groups)[0]


def two_years(shift, noise=0.05, seed=0):
    rng = np.random.default_rng(seed)
    X, groups = rng.uniform(0, 100, (80, 4)), np.repeat(["2011", "2012"], 40)
    changed = np.where(
        (groups == "2012")[:, None], [0.4 - shift, 0.3, 0.2, 0.1 + shift], [0.4, 0.3, 0.2, 0.1]
    )
    y = (X * changed).sum(axis=1)
    return X, y + noise * y.std() * rng.standard_normal(80), groups


def test_years_with_other_weights_do_not_share_a_formula():
    found = shared_formula(rating_of(*two_years(0.15)), clock=Clock(600.0))
    assert found.is_refuted
    assert found.own > found.shared
    assert found.groups["products"].tolist() == [40, 40]


def test_years_with_the_same_weights_are_not_told_apart():
    found = shared_formula(rating_of(*two_years(0.0)), clock=Clock(600.0))
    assert not found.is_refuted


def test_groups_ranked_at_random_are_seldom_said_to_have_formulas_of_their_own():
    found = [shared_formula(random_order(seed), clock=Clock(600.0)) for seed in range(8)]
    assert sum(one.is_refuted for one in found) <= 2
    assert abs(np.mean([one.own for one in found]) - 0.5) < 0.05


def random_order(seed):
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(3), 12)
    return rating_of(rng.uniform(0, 1, (36, 5)), rng.permutation(36), groups)


def test_groups_that_are_too_small_are_refused_with_the_remedy():
    X, y, _ = two_years(0.0)
    groups = np.repeat(np.arange(20), 4)
    with pytest.raises(ValueError, match="fewer than two groups have 5 products or more"):
        shared_formula(rating_of(X, y, groups), clock=Clock(600.0))


def test_an_order_by_curves_is_not_called_a_weighted_sum():
    rng = np.random.default_rng(1)
    X = rng.uniform(-1, 1, (200, 3))
    y = -((X - 0.1) ** 2).sum(axis=1)
    found = alternatives(*fitted(X, y), clock=Clock(600.0))
    assert found.is_curved
    assert found.flexible > 0.9 > found.linear


def test_a_weighted_sum_is_neither_curved_nor_near_chance():
    X, y, _ = two_years(0.0)
    found = alternatives(*fitted(X, y), clock=Clock(600.0))
    assert not found.is_curved
    assert not found.is_near_chance
    assert found.formula > 0.9


def test_pure_noise_is_near_chance():
    rng = np.random.default_rng(2)
    found = alternatives(*fitted(rng.random((60, 3)), rng.random(60)), clock=Clock(600.0))
    assert found.is_near_chance


def test_one_fold_does_not_call_a_formula_chance():
    X, y, _ = two_years(0.0)
    found = alternatives(*fitted(X, y), clock=Clock(1e-6, tell=lambda *_: None))
    assert not found.is_near_chance
    assert not found.is_curved
