from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from rankwright.data.levels import sort_levels
from rankwright.linear.loss import LOSSES, SECOND_DERIVATIVES, smoothed_hinge
from rankwright.linear.objective import Objective
from rankwright.linear.pairs import block_pairs
from rankwright.linear.plackett_luce import Choices, plackett_luce_loss
from rankwright.linear.push import push_loss


def losses(problem):
    pairs = block_pairs(problem.rows)
    levels = sort_levels(problem.rows.y, problem.rows.offsets)
    category, weights = np.array([0, 1, 1]), np.array([1.0, 0.5])
    counts = np.random.default_rng(3).uniform(0.0, 3.0, size=levels.order.size)
    return {
        "logistic": LOSSES["logistic"](pairs),
        "squared_hinge": LOSSES["squared_hinge"](pairs),
        "hinge": LOSSES["hinge"](pairs),
        "smoothed_hinge": smoothed_hinge(pairs, 0.3),
        "plackett_luce": plackett_luce_loss(Choices.of(replace(problem.rows, weights=counts))),
        "push": push_loss(levels, counts, 1.0, 0.0, weights, category),
        "push and pull": push_loss(levels, counts, 3.0, 0.7, weights, category),
    }


NAMES = [
    "logistic", "squared_hinge", "hinge", "smoothed_hinge", "plackett_luce", "push", "push and pull"
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("decimals", [None, 0])
def test_gradients_equal_finite_differences(make_problem, name, decimals):
    problem = make_problem(n=50, decimals=decimals)
    loss = losses(problem)[name]
    scores = np.random.default_rng(2).normal(size=50)
    numeric = approx_fprime(scores, lambda s: loss(s)[0], 1e-7)
    np.testing.assert_allclose(loss(scores)[1], numeric, atol=2e-7)


@pytest.mark.parametrize("name", NAMES)
def test_losses_are_convex_along_a_line(make_problem, name):
    loss = losses(make_problem(n=50, decimals=0))[name]
    a, b = np.random.default_rng(3).normal(size=(2, 50)) * 2
    ends, middle = 0.5 * (loss(a)[0] + loss(b)[0]), loss(0.5 * (a + b))[0]
    assert middle <= ends


@pytest.mark.parametrize("name", NAMES)
def test_a_constant_added_to_all_scores_changes_nothing(make_problem, name):
    loss = losses(make_problem(n=50))[name]
    scores = np.random.default_rng(4).normal(size=50)
    assert loss(scores + 7.0)[0] == pytest.approx(loss(scores)[0])


def test_the_smoothed_hinge_is_at_most_half_its_width_below(make_problem):
    pairs = block_pairs(make_problem(n=80).rows)
    scores = np.random.default_rng(5).normal(size=80)
    for width in (1.0, 0.1, 0.01):
        below = LOSSES["hinge"](pairs)(scores)[0] - smoothed_hinge(pairs, width)(scores)[0]
        assert 0 <= below <= width / 2


def test_the_objective_adds_the_penalty(make_problem):
    rows = make_problem(n=50).rows
    objective = Objective(rows.X, LOSSES["logistic"](block_pairs(rows)), alpha=0.3)
    w = np.array([0.5, -1.0, 2.0])
    numeric = approx_fprime(w, lambda v: objective(v)[0], 1e-7)
    np.testing.assert_allclose(objective(w)[1], numeric, atol=1e-6)
    assert objective(np.zeros(3))[0] == pytest.approx(np.log(2))


@pytest.mark.parametrize("name", ["logistic", "squared_hinge"])
def test_second_derivatives_belong_to_their_losses(name):
    from rankwright.linear.pairs import listed_pairs

    loss = LOSSES[name](listed_pairs(np.array([0]), np.array([1]), None, None, 2))
    for d in (-2.0, 0.3, 0.8, 1.7):
        slopes = [loss(np.array([d + e, 0.0]))[1][0] for e in (1e-6, -1e-6)]
        second = (slopes[0] - slopes[1]) / 2e-6
        assert SECOND_DERIVATIVES[name](np.array([d]))[0] == pytest.approx(second, abs=1e-6)
