import numpy as np
import pandas as pd
import pytest

import rankwright as rw
from rankwright.leaderboards.certainty import quasi_variances


def battles(n_items=6, size=1200, seed=0, tie=0.0, n_judges=15):
    rng = np.random.default_rng(seed)
    left = rng.integers(n_items, size=size)
    right = (left + rng.integers(1, n_items, size=size)) % n_items
    outcome = (rng.random(size) < 1 / (1 + np.exp((left - right) / n_items))).astype(float)
    outcome[rng.random(size) < tie] = 0.5
    judge = rng.integers(n_judges, size=size)
    return pd.DataFrame({"left": left, "right": right, "outcome": outcome, "judge": judge})


def sandwich(board, frame, units):
    """Return the covariance from single battles, row by row, for wins and losses."""
    n = len(board.items)
    design = np.zeros((len(frame), n))
    rows = np.arange(len(frame))
    design[rows, frame["left"]] += 1
    design[rows, frame["right"]] -= 1
    p = 1 / (1 + np.exp(-(design @ board.strengths)))
    inverse = np.linalg.pinv(design.T @ (design * (p * (1 - p))[:, None]), rcond=1e-10)
    scores = design * (frame["outcome"].to_numpy() - p)[:, None]
    summed = pd.DataFrame(scores).groupby(units).sum().to_numpy()
    return inverse @ summed.T @ summed @ inverse, inverse


def test_standard_errors_of_independent_battles_are_the_inverse_information():
    frame = battles()
    board = rw.leaderboard(frame.drop(columns="judge"))
    assert board.errors == "model"
    _, inverse = sandwich(board, frame, np.arange(len(frame)))
    assert np.allclose(board.covariance, inverse, atol=1e-10)


def test_standard_errors_of_clusters_are_the_sandwich_of_their_scores():
    frame = battles()
    board = rw.leaderboard(frame, cluster="judge")
    assert (board.errors, board.degrees) == ("clustered", 14)
    meat, _ = sandwich(board, frame, frame["judge"].to_numpy())
    assert np.allclose(board.covariance, meat * 15 / 14, atol=1e-10)


@pytest.mark.parametrize("weighted", [False, True])
def test_weights_and_ties_as_halves_give_the_sandwich_of_single_battles(weighted):
    frame = battles(tie=0.2).drop(columns="judge").assign(one=1.0)
    board = rw.leaderboard(frame, model="bradley_terry", weights="one" if weighted else None)
    assert board.errors == "robust"
    meat, _ = sandwich(board, frame, np.arange(len(frame)))
    assert np.allclose(board.covariance, meat, atol=1e-10)


def test_a_judge_who_is_counted_twice_adds_no_certainty():
    frame = battles(tie=0.2)
    twice = pd.concat([frame, frame])
    once, doubled = (rw.leaderboard(table, cluster="judge") for table in (frame, twice))
    assert np.allclose(once.covariance, doubled.covariance, atol=1e-9)


def test_rankings_have_clustered_errors_too():
    rng = np.random.default_rng(0)
    orders = [rng.permutation(5).tolist() for _ in range(60)]
    one_each = rw.leaderboard(orders, cluster=np.arange(60))
    robust = rw.leaderboard(orders, weights=np.ones(60))
    assert np.allclose(one_each.covariance, robust.covariance * 60 / 59, atol=1e-10)


@pytest.mark.parametrize("cluster", [None, "judge"])
def test_the_bootstrap_agrees_with_the_sandwich(cluster):
    frame = battles(n_judges=100) if cluster else battles().drop(columns="judge")
    resampled = rw.leaderboard(frame, cluster=cluster, bootstrap=400)
    plain = rw.leaderboard(frame, cluster=cluster)
    assert resampled.errors == "bootstrap"
    assert np.allclose(resampled.standard_errors / plain.standard_errors, 1, atol=0.15)


def test_few_resampled_clusters_have_few_degrees_of_freedom():
    board = rw.leaderboard(battles(n_judges=12), cluster="judge", bootstrap=50)
    assert (board.errors, board.degrees) == ("bootstrap", 11)


def test_the_bootstrap_takes_the_same_draws_for_the_same_seed():
    frame = battles().drop(columns="judge")
    first, second = (rw.leaderboard(frame, bootstrap=20, random_state=3) for _ in range(2))
    assert np.array_equal(first.covariance, second.covariance)


def test_resamples_of_weights_are_refused():
    frame = battles().drop(columns="judge").assign(w=0.5)
    with pytest.raises(ValueError, match="can't be resampled"):
        rw.leaderboard(frame, weights="w", bootstrap=10)


def test_quasi_variances_of_independent_strengths_are_their_variances():
    variances = np.array([1.0, 2.0, 3.0, 0.5])
    assert np.allclose(quasi_variances(np.diag(variances)), variances, rtol=1e-5)


def test_quasi_variances_do_not_depend_on_the_reference():
    covariance = rw.leaderboard(battles().drop(columns="judge")).covariance
    to_first = np.eye(6) - np.eye(6)[[0] * 6]
    moved = to_first @ covariance @ to_first.T
    assert np.allclose(quasi_variances(moved), quasi_variances(covariance), rtol=1e-4)


def test_two_items_share_the_variance_of_their_difference():
    frame = pd.DataFrame({"left": list("aaab"), "right": list("bbba"), "outcome": [1, 1, 0, 0]})
    board = rw.leaderboard(frame)
    error = board.difference("a", "b")["standard_error"]
    assert np.allclose(board.quasi_standard_errors(), error / np.sqrt(2))
