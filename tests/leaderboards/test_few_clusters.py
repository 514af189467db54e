import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankwright as rw
from rankwright.leaderboards.few_clusters import lifts


def battles(seed=0, size=600, n_judges=20):
    """Draw battles of five items, and two of a newcomer: a win and a loss, by one judge."""
    rng = np.random.default_rng(seed)
    left = rng.integers(5, size=size)
    right = (left + rng.integers(1, 5, size=size)) % 5
    frame = pd.DataFrame(
        {
            "left": [f"i{k}" for k in left],
            "right": [f"i{k}" for k in right],
            "outcome": (rng.random(size) < 1 / (1 + np.exp((left - right) / 4))).astype(float),
            "judge": rng.integers(n_judges, size=size),
        }
    )
    newcomer = pd.DataFrame({"left": "new", "right": "i2", "outcome": [1.0, 0.0], "judge": 3})
    return frame, pd.concat([frame, newcomer], ignore_index=True)


def differences(board):
    diagonal = np.diag(board.covariance)
    return diagonal[:, None] + diagonal - 2 * board.covariance


@pytest.fixture(scope="module")
def boards():
    _, frame = battles()
    return rw.leaderboard(frame, cluster="judge"), rw.leaderboard(frame.drop(columns="judge"))


def test_an_item_that_one_judge_compared_is_no_surer_than_with_independent_battles(boards):
    clustered, independent = boards
    new = clustered.items.index("new")
    others = np.arange(len(clustered.items)) != new
    assert (differences(clustered) >= differences(independent) - 1e-9)[new, others].all()
    assert clustered.standard_errors[new] > 1
    assert (clustered.rank_low[new], clustered.rank_high[new]) == (1, 6)


def test_the_notes_name_the_items_that_few_clusters_compared(boards):
    (note,) = [note for note in boards[0].notes if "Fewer than 10 clusters" in note]
    assert "clusters compared new:" in note


def test_differences_of_items_that_many_clusters_compared_stay(boards):
    without, _ = battles()
    plain = rw.leaderboard(without, cluster="judge")
    kept = [boards[0].items.index(item) for item in plain.items]
    assert np.allclose(differences(boards[0])[np.ix_(kept, kept)], differences(plain), rtol=1e-6)
    assert not any("Fewer than" in note for note in plain.notes)


def test_a_lifted_covariance_is_one_of_strengths_that_add_up_to_zero(boards):
    covariance = boards[0].covariance
    assert np.linalg.eigvalsh(covariance).min() > -1e-12
    assert np.allclose(covariance.sum(axis=0), 0, atol=1e-10)


def test_resampled_clusters_are_lifted_too():
    _, frame = battles(size=300)
    board = rw.leaderboard(frame, cluster="judge", bootstrap=30)
    assert board.errors == "bootstrap"
    assert board.standard_errors[board.items.index("new")] > 1


def test_the_floor_does_not_depend_on_the_unit_of_weights():
    _, frame = battles()
    errors = [
        rw.leaderboard(frame.assign(w=unit), cluster="judge", weights="w").standard_errors
        for unit in (1.0, 0.01)
    ]
    assert np.allclose(*errors)
    assert np.allclose(errors[0], rw.leaderboard(frame, cluster="judge").standard_errors)


def test_an_item_in_rankings_of_one_judge_is_lifted():
    rng = np.random.default_rng(0)
    orders = [rng.permutation(4).tolist() for _ in range(60)] + [[9, 0, 1], [0, 1, 9]]
    judges = [*(np.arange(60) % 15), 3, 3]
    board, plain = rw.leaderboard(orders, cluster=judges), rw.leaderboard(orders)
    new = board.items.index(9)
    others = np.arange(5) != new
    assert (differences(board) >= differences(plain) - 1e-9)[new, others].all()


@given(st.integers(0, 10**6), st.integers(2, 7))
def test_every_difference_from_an_item_of_few_clusters_reaches_the_floor(seed, n):
    rng = np.random.default_rng(seed)
    covariance, floor = (root @ root.T for root in rng.normal(size=(2, n, n)))
    few = rng.random(n) < 0.6
    added = lifts(covariance, floor, rng.random(n), few)
    assert (added >= 0).all()
    assert not added[~few].any()
    lifted = covariance + np.diag(added)
    for i in range(n):
        for k in range(n):
            unit = (np.arange(n) == i) - 1.0 * (np.arange(n) == k)
            if few[i] or few[k]:
                assert unit @ lifted @ unit >= unit @ floor @ unit - 1e-9


def test_a_known_item_does_not_pay_for_an_unknown_one():
    floor = np.diag([0.02, 0.03, 5.0])
    everyone = np.ones(3, dtype=bool)
    added = lifts(np.zeros((3, 3)), floor, np.array([50.0, 33.0, 0.2]), everyone)
    assert np.allclose(added, [0.0, 0.05, 5.02])


def test_few_battles_with_half_ties_are_no_surer_than_wins_and_losses():
    frame = pd.DataFrame(
        {"left": list("aabba"), "right": list("bcccb"), "outcome": [1, 0.5, 0.5, 1, 0.5]}
    )
    board = rw.leaderboard(frame, model="bradley_terry")
    halves = pd.concat([frame.assign(outcome=won) for won in (0.0, 1.0)])
    halves["n"] = np.r_[1 - frame["outcome"], frame["outcome"]]
    plain = rw.leaderboard(halves[halves["n"] > 0], counts="n")
    assert (board.errors, plain.errors) == ("robust", "model")
    assert np.allclose(board.strengths, plain.strengths)
    assert (differences(board) >= differences(plain) - 1e-9).all()
