import numpy as np
import pandas as pd
import pytest

import rankwright as rw
from rankwright.leaderboards import pair_model


def battles(n_items, size, seed=0):
    rng = np.random.default_rng(seed)
    strengths = rng.normal(size=n_items)
    left = rng.integers(n_items, size=size)
    right = (left + rng.integers(1, n_items, size=size)) % n_items
    won = rng.random(size) < 1 / (1 + np.exp(strengths[right] - strengths[left]))
    return pd.DataFrame({"left": left, "right": right, "outcome": won.astype(int)})


def chain(n_items):
    """Each item met only its neighbours, twice, and won once."""
    left = np.repeat(np.arange(n_items - 1), 3)
    outcome = np.tile([1, 0, 1], n_items - 1)
    return pd.DataFrame({"left": left, "right": left + 1, "outcome": outcome})


def test_strengths_of_pairs_are_those_of_choix():
    choix = pytest.importorskip("choix")
    frame = battles(30, 3000)
    won = frame["outcome"].to_numpy(bool)
    winner = np.where(won, frame["left"], frame["right"])
    loser = np.where(won, frame["right"], frame["left"])
    theirs = choix.opt_pairwise(30, list(zip(winner, loser, strict=True)), tol=1e-10)
    assert np.abs(rw.leaderboard(frame).strengths - (theirs - theirs.mean())).max() < 1e-6


def test_strengths_of_rankings_are_those_of_choix():
    choix = pytest.importorskip("choix")
    rng = np.random.default_rng(0)
    orders = [rng.permutation(12)[: rng.integers(2, 9)].tolist() for _ in range(300)]
    theirs = choix.ilsr_rankings(12, orders, tol=1e-12, max_iter=1000)
    assert np.abs(rw.leaderboard(orders).strengths - (theirs - theirs.mean())).max() < 1e-6


def test_strengths_of_pairs_are_those_of_arena_rank():
    bradley_terry = pytest.importorskip("arena_rank.models.bradley_terry")
    from arena_rank.utils.data_utils import PairDataset

    frame = battles(30, 3000)
    data = PairDataset.from_pandas(frame, ["left", "right"], "outcome", float)
    model = bradley_terry.BradleyTerry(30, ftol=1e-16, gtol=1e-11)
    theirs = np.asarray(model.fit(data).params["ratings"])
    assert np.abs(rw.leaderboard(frame).strengths - (theirs - theirs.mean())).max() < 1e-6


@pytest.mark.parametrize("frame", [battles(40, 1500), chain(40)], ids=["mixed", "chain"])
@pytest.mark.parametrize("alpha", [0.0, 2.0])
def test_sparse_and_dense_hessians_lead_to_the_same_strengths(monkeypatch, frame, alpha):
    dense = rw.leaderboard(frame, alpha=alpha, side_advantage=frame["left"].nunique() == 40)
    monkeypatch.setattr(pair_model, "MOST_DENSE", 5)
    sparse = rw.leaderboard(frame, alpha=alpha, side_advantage=frame["left"].nunique() == 40)
    assert np.allclose(sparse.strengths, dense.strengths, atol=1e-8)
    assert np.allclose(sparse.covariance, dense.covariance, atol=1e-8)


def test_counts_are_repetitions():
    frame = battles(6, 200)
    counted = frame.value_counts().rename("times").reset_index()
    once, added = rw.leaderboard(frame), rw.leaderboard(counted, counts="times")
    assert np.allclose(once.strengths, added.strengths, atol=1e-10)
    assert np.allclose(once.covariance, added.covariance, atol=1e-10)


def test_the_maximum_is_found_far_from_equal_items():
    frame = pd.DataFrame(
        {"left": ["a", "a", "b", "b"], "right": ["b", "b", "c", "c"],
         "outcome": [1, 0, 1, 0], "n": [10**9, 1, 10**9, 1]}
    )  # fmt: skip
    board = rw.leaderboard(frame, counts="n")
    assert np.allclose(np.diff(board.strengths), -np.log(1e9), atol=1e-6)


def test_a_long_chain_of_favourites_has_a_maximum():
    n_items = 9
    left = np.repeat(np.arange(n_items - 1), 2)
    frame = pd.DataFrame(
        {"left": left, "right": left + 1, "outcome": [1, 0] * (n_items - 1),
         "n": [10**9, 1] * (n_items - 1)}
    )  # fmt: skip
    board = rw.leaderboard(frame, counts="n")
    assert np.allclose(np.diff(board.strengths), -np.log(1e9), atol=1e-6)


@pytest.mark.parametrize("most_dense", [2000, 5], ids=["dense", "sparse"])
@pytest.mark.parametrize("unit", [2.0**-40, 1e-6, 1e9])
def test_the_unit_of_a_covariate_changes_its_effect_alone(monkeypatch, most_dense, unit):
    monkeypatch.setattr(pair_model, "MOST_DENSE", most_dense)
    frame = battles(12, 600)
    frame["length"] = np.random.default_rng(1).normal(size=600)
    plain = rw.leaderboard(frame, context="length", side_advantage=True)
    frame["length"] *= unit
    scaled = rw.leaderboard(frame, context="length", side_advantage=True)
    assert np.allclose(scaled.strengths, plain.strengths, atol=1e-9)
    assert np.allclose(scaled.covariance, plain.covariance, atol=1e-9)
    assert np.allclose(scaled.effects * [1, unit], plain.effects, rtol=1e-7)
    assert np.allclose(scaled.effect_errors * [1, unit], plain.effect_errors, rtol=1e-7)


@pytest.mark.parametrize("unit", [1e-9, 1e6, 1e12, 1e300])
def test_the_unit_of_an_item_feature_changes_its_coefficient_alone(unit):
    frame, rng = battles(12, 600), np.random.default_rng(1)
    features = pd.DataFrame(rng.normal(size=(12, 2)), columns=["speed", "weight"])
    plain = rw.leaderboard(frame, item_features=features)
    scaled = rw.leaderboard(frame, item_features=features * [1, unit])
    assert np.allclose(scaled.strengths, plain.strengths, atol=1e-9)
    assert np.allclose(scaled.effects * [1, unit], plain.effects, rtol=1e-7)
    assert np.allclose(scaled.effect_errors * [1, unit], plain.effect_errors, rtol=1e-7)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"same": 0.1}, "same number for all items in 'same'"),
        ({"twice": np.arange(12) * 2e9}, "follows from the others"),
    ],
)
def test_item_features_that_say_nothing_of_their_own_are_refused(more, message):
    features = pd.DataFrame({"speed": np.arange(12)} | more, index=range(12))
    with pytest.raises(ValueError, match=message):
        rw.leaderboard(battles(12, 600), item_features=features)


def test_a_side_that_is_always_taken_by_the_same_items_is_refused():
    frame = pd.DataFrame({"left": list("aabb"), "right": list("cdcd"), "outcome": [1, 0, 0, 1]})
    frame = pd.concat([frame, frame.assign(outcome=1 - frame["outcome"])])
    with pytest.raises(ValueError, match="can't be told apart from the strengths"):
        rw.leaderboard(frame, side_advantage=True)
