"""Rank sets contain the true ranks as often as they say: simulations, slow."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

import rankwright as rw
from rankwright.leaderboards.critical import Bonferroni
from rankwright.leaderboards.rank_sets import differences, simultaneous_sets


@dataclass(frozen=True)
class Setting:
    """A world to draw battles from."""

    n_items: int
    spread: float  # between the best and the worst strength; 0 for items that are all equal
    battles: int
    tie: float = 0.0  # Davidson's parameter
    judges: int = 0
    taste: float = 0.0  # standard deviation of a judge's own strengths

    @property
    def strengths(self) -> np.ndarray:
        return np.linspace(-self.spread / 2, self.spread / 2, self.n_items)


SETTINGS = {
    "10 equal items": Setting(10, 0.0, 2_000),
    "10 close items": Setting(10, 0.6, 2_000),
    "10 separated items": Setting(10, 4.0, 2_000),
    "20 equal items with ties": Setting(20, 0.0, 4_000, tie=0.8),
    "20 close items with ties": Setting(20, 1.0, 4_000, tie=0.8),
    "20 equal items, 40 judges of their own taste": Setting(20, 0, 4_000, judges=40, taste=0.7),
    "20 close items, 40 judges of their own taste": Setting(20, 1, 4_000, judges=40, taste=0.7),
    "10 equal items, 20 judges of their own taste": Setting(10, 0, 4_000, judges=20, taste=0.7),
    "10 equal items, 10 judges of their own taste": Setting(10, 0, 4_000, judges=10, taste=0.7),
    "20 equal items, 200 judges of their own taste": Setting(20, 0, 4_000, judges=200, taste=0.7),
    "50 equal items": Setting(50, 0.0, 10_000),
    "50 close items": Setting(50, 1.0, 10_000),
    "50 separated items": Setting(50, 10.0, 20_000),
    "200 equal items": Setting(200, 0.0, 60_000),
    "200 items": Setting(200, 3.0, 60_000),
}


def draw(setting: Setting, rng: np.random.Generator) -> pd.DataFrame:
    n, size = setting.n_items, setting.battles
    left = rng.integers(n, size=size)
    right = (left + rng.integers(1, n, size=size)) % n
    judge = rng.integers(max(setting.judges, 1), size=size)
    own = setting.taste * rng.normal(size=(max(setting.judges, 1), n))
    strengths = setting.strengths + own
    eta = strengths[judge, left] - strengths[judge, right]
    weights = np.column_stack([np.exp(eta / 2), np.full(size, setting.tie), np.exp(-eta / 2)])
    shares = np.cumsum(weights / weights.sum(axis=1, keepdims=True), axis=1)
    outcome = 1 - (rng.random(size)[:, None] > shares).sum(axis=1) / 2
    return pd.DataFrame({"left": left, "right": right, "outcome": outcome, "judge": judge})


def covered(low: np.ndarray, high: np.ndarray, strengths: np.ndarray) -> np.ndarray:
    """Say for each item whether the set holds all ranks that ties leave it."""
    better = (strengths > strengths[:, None]).sum(axis=1)
    worse = (strengths < strengths[:, None]).sum(axis=1)
    return (low <= 1 + better) & (high >= len(strengths) - worse)


def simulate(setting: Setting, replications: int, seed: int = 0) -> dict[str, float]:
    rng, rows = np.random.default_rng(seed), []
    truth = setting.strengths
    for replication in range(replications):
        table = draw(setting, rng)
        table = table if setting.judges else table.drop(columns="judge")
        board = rw.leaderboard(table, random_state=replication)
        studentised, _ = differences(board.strengths, board.covariance)
        plain = Bonferroni(board.degrees, board.level, np.zeros_like(studentised))
        above = studentised > plain.of_pairs(~np.eye(len(truth), dtype=bool))
        stepped = simultaneous_sets(studentised, plain)
        width = (board.simultaneous_high - board.simultaneous_low).mean()
        best = int(truth.argmax())
        rows.append(
            {
                "marginal": covered(board.rank_low, board.rank_high, truth).mean(),
                "simultaneous": covered(
                    board.simultaneous_low, board.simultaneous_high, truth
                ).all(),
                "best": board.tiers[best] == 1,
                "marginal_width": (board.rank_high - board.rank_low).mean(),
                "width": width,
                "holm_width": (stepped.high - stepped.low).mean(),
                "bonferroni_width": len(truth) - 1 - 2 * above.sum() / len(truth),
            }
        )
    return pd.DataFrame(rows).mean().to_dict()


@pytest.mark.slow
@pytest.mark.parametrize("name", SETTINGS)
def test_rank_sets_cover_the_true_ranks(name):
    replications = 30 if SETTINGS[name].n_items > 100 else 200
    found = simulate(SETTINGS[name], replications)
    error = np.sqrt(0.95 * 0.05 / replications)
    assert found["marginal"] >= 0.95 - 3 * error
    assert found["simultaneous"] >= 0.95 - 3 * error
    assert found["best"] >= 0.95 - 3 * error
    assert found["width"] <= found["bonferroni_width"] + 1e-12


@pytest.mark.slow
def test_rank_sets_hold_beside_an_item_that_two_judges_compared():
    setting, rng = Setting(7, 0.0, 800, judges=20, taste=0.3), np.random.default_rng(0)
    newcomer, everybody, equal = [], [], np.zeros(8)
    for replication in range(150):
        few = pd.DataFrame(
            {
                "left": 7,
                "right": rng.integers(7, size=6),
                "outcome": rng.integers(2, size=6).astype(float),
                "judge": rng.integers(2, size=6),
            }
        )
        board = rw.leaderboard(pd.concat([draw(setting, rng), few]), random_state=replication)
        newcomer.append(covered(board.rank_low, board.rank_high, equal)[7])
        low, high = board.simultaneous_low, board.simultaneous_high
        everybody.append(covered(low, high, equal).all())
    error = np.sqrt(0.95 * 0.05 / 150)
    assert np.mean(newcomer) >= 0.95 - 3 * error
    assert np.mean(everybody) >= 0.95 - 3 * error


@pytest.mark.slow
@pytest.mark.parametrize("n_rankings", [3, 6, 15])
@pytest.mark.parametrize("n_items", [3, 5, 10, 20, 50])
def test_intervals_of_few_rankings_cover_the_true_strengths(n_items, n_rankings):
    rng, truth, hits = np.random.default_rng(0), np.linspace(-1, 1, n_items), []
    for _ in range(2000 // n_items):
        noise = rng.gumbel(size=(n_rankings, n_items))
        board = rw.leaderboard([np.argsort(-(truth + row)).tolist() for row in noise])
        finite = np.isfinite(board.strengths)
        if finite.any():  # the strengths that are finite have mean zero
            true = truth[np.array(board.items)[finite]]
            error = np.abs(board.strengths[finite] - (true - true.mean()))
            hits.extend(error <= 1.96 * board.standard_errors[finite])
    assert np.mean(hits) >= 0.92
