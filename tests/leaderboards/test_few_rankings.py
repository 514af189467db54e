import numpy as np
import pytest

import rankwright as rw
from rankwright.leaderboards.ballots import read_ballots
from rankwright.leaderboards.certainty import covariance_of
from rankwright.leaderboards.few_rankings import allow_for_few
from rankwright.leaderboards.ranking_model import RankingModel
from rankwright.leaderboards.solver import Problem, maximize


def permutations(n_items, n_rankings, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.permutation(n_items).tolist() for _ in range(n_rankings)]


def fitted(orders, alpha=0.0):
    ballots = read_ballots(orders)
    problem, weights = Problem(RankingModel(ballots), alpha), ballots.weights
    fit = maximize(problem, weights.total)
    return problem, fit, weights, covariance_of(problem, fit, weights, robust=False).covariance


def leverages(problem, fit, covariance):
    n = problem.likelihood.n_items
    return problem.likelihood.leverage(problem.parameters(fit.coordinates), covariance[:n, :n])


def test_leverages_add_up_to_the_number_of_strengths_less_one():
    problem, fit, _, covariance = fitted(permutations(12, 6))
    assert leverages(problem, fit, covariance).sum() == pytest.approx(11)


def test_leverages_are_traces_of_each_choices_information():
    problem, fit, _, covariance = fitted(permutations(5, 4))
    parameters, n_stages = (
        problem.parameters(fit.coordinates),
        len(problem.likelihood.stages.ranking),
    )
    information = [problem.likelihood.information(parameters, row) for row in np.eye(n_stages)]
    expected = [np.trace(part @ covariance) for part in information]
    np.testing.assert_allclose(leverages(problem, fit, covariance), expected)


def test_leverages_of_ties_are_upper_bounds():
    orders = [[[0, 1], 2, 3], [3, [2, 0], 1], [1, 3, 0, 2], [2, [1, 3], 0], [0, 2, 1, 3]]
    problem, fit, _, covariance = fitted(orders)
    parameters, n_stages = (
        problem.parameters(fit.coordinates),
        len(problem.likelihood.stages.ranking),
    )
    exact = [
        np.trace(problem.likelihood.information(parameters, row)[:4, :4] @ covariance[:4, :4])
        for row in np.eye(n_stages)
    ]
    assert (leverages(problem, fit, covariance) >= np.array(exact) - 1e-12).all()


@pytest.mark.parametrize("n_rankings", [3, 6, 60])
def test_variances_grow_about_as_if_a_ranking_were_left_out(n_rankings):
    problem, fit, weights, plain = fitted(permutations(30, n_rankings))
    grown = allow_for_few(plain, problem, fit, weights.total)
    ratio, share = np.diag(grown).sum() / np.diag(plain).sum(), n_rankings / (n_rankings - 1)
    assert share < ratio < share**2
    np.testing.assert_allclose(grown.sum(axis=0), 0, atol=1e-9)


def test_choices_between_two_keep_their_variances():
    orders = [[i, k] for i in range(5) for k in range(5) if i != k]
    problem, fit, weights, plain = fitted(orders)
    np.testing.assert_allclose(allow_for_few(plain, problem, fit, weights.total), plain)


def test_a_prior_keeps_its_share_of_the_certainty():
    problem, fit, weights, plain = fitted(permutations(10, 3), alpha=1.0)
    grown = allow_for_few(plain, problem, fit, weights.total)
    assert (np.diag(grown) > np.diag(plain)).all()
    assert (np.diag(grown) < 2.25 * np.diag(plain)).all()


def test_three_rankings_cover_the_true_strengths():
    rng, truth, hits = np.random.default_rng(0), np.linspace(-1, 1, 40), []
    for _ in range(8):
        orders = [np.argsort(-(truth + rng.gumbel(size=40))).tolist() for _ in range(3)]
        board = rw.leaderboard(orders)
        error = np.abs(board.strengths - truth[board.items])
        hits.append(error <= 1.96 * board.standard_errors)
    assert np.mean(hits) > 0.92
