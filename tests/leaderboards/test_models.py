"""Likelihoods against brute force, gradients and Hessians against differences."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from rankwright.data.sheet import Sheet
from rankwright.leaderboards.ballots import read_ballots
from rankwright.leaderboards.battles import Columns, read_battles
from rankwright.leaderboards.pair_model import PairModel, win_and_tie
from rankwright.leaderboards.ranking_model import RankingModel


def drawn_battles(n_items=5, size=200, seed=0):
    rng = np.random.default_rng(seed)
    left = rng.integers(n_items, size=size)
    frame = pd.DataFrame(
        {
            "left": left,
            "right": (left + rng.integers(1, n_items, size=size)) % n_items,
            "outcome": rng.choice([0, 0.5, 1], size=size),
            "length": rng.integers(-2, 3, size=size),
        }
    )
    columns = Columns("left", "right", "outcome")
    return read_battles(
        Sheet("battles", frame), columns, {"length": ("length",)}, side_advantage=True
    )


def drawn_orders(n_items=6, size=40, seed=0):
    rng, orders = np.random.default_rng(seed), []
    for _ in range(size):
        left = rng.permutation(n_items)[: rng.integers(2, n_items + 1)].tolist()
        places = []
        while left:
            k = min(len(left), int(rng.choice([1, 1, 1, 2, 3, 4])))
            places.append(left[:k])
            left = left[k:]
        orders.append(places)
    return read_ballots(orders)


MODELS = {
    "Bradley-Terry with ties as halves": lambda: PairModel(drawn_battles(), has_ties=False),
    "Davidson": lambda: PairModel(drawn_battles(), has_ties=True),
    "Plackett-Luce with ties": lambda: RankingModel(drawn_orders()),
    "Plackett-Luce": lambda: RankingModel(read_ballots([[0, 1, 2], [2, 0, 1], [1, 0]])),
}


def weights_of(model):
    data = model.battles if isinstance(model, PairModel) else model.ballots
    return data.weights.total


@pytest.fixture(params=MODELS)
def model(request):
    return MODELS[request.param]()


@pytest.fixture
def at(model):
    return np.random.default_rng(1).normal(size=len(model.start()))


def central(function, at, step=1e-5):
    return np.array(
        [(function(at + step * e) - function(at - step * e)) / (2 * step) for e in np.eye(len(at))]
    )


def test_the_gradient_is_the_slope_of_the_value(model, at):
    weights = weights_of(model)
    slope = central(lambda x: model.curvature(x, weights).value, at)
    assert np.allclose(model.curvature(at, weights).gradient, slope, atol=1e-6)


def test_the_hessian_is_the_slope_of_the_gradient(model, at):
    weights = weights_of(model)
    slope = -central(lambda x: model.curvature(x, weights).gradient, at)
    assert np.allclose(model.curvature(at, weights).hessian, slope, atol=1e-6)


def test_scores_of_outcomes_add_up_to_the_gradient(model, at):
    weights = weights_of(model)
    found = model.scores(at).T @ weights
    assert np.allclose(found, model.curvature(at, weights).gradient, atol=1e-10)


def test_the_likelihood_of_rankings_sums_over_all_sets_that_could_be_chosen():
    ballots = drawn_orders()
    model = RankingModel(ballots)
    at = np.random.default_rng(2).normal(size=len(model.start()))
    delta = dict(zip(model.sizes, np.exp([0.0, *at[model.n_items :]]), strict=True))

    def worth(chosen):
        return delta[len(chosen)] * np.exp(at[list(chosen)].mean())

    value = 0.0
    for places, weight in zip(ballots.rankings, ballots.weights.total, strict=True):
        left = [item for place in places for item in place]
        for place in places:
            if len(left) > 1:
                every = (s for k in model.sizes for s in combinations(left, k))
                value += weight * np.log(worth(place) / sum(map(worth, every)))
            left = left[len(place) :]
    assert np.isclose(model.curvature(at, ballots.weights.total).value, value, rtol=1e-12)


def test_win_and_tie_are_davidsons_shares_even_far_away():
    win, tie = win_and_tie(np.array([0.7, -0.7, 800.0, -800.0]), 0.5)
    total = np.exp(0.35) + np.exp(-0.35) + 0.5
    assert np.allclose(win, [np.exp(0.35) / total, np.exp(-0.35) / total, 1, 0])
    assert np.allclose(tie, [0.5 / total, 0.5 / total, 0, 0])
