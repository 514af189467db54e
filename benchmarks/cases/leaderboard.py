"""Leaderboards beside choix and arena-rank, and resamples beside those of single battles."""

from functools import partial
from importlib.util import find_spec
from typing import Any

import choix
import numpy as np
import pandas as pd
from scipy.optimize import minimize
from scipy.special import expit

import rankwright as rw
from benchmarks.case import Case, Task
from rankwright.leaderboards.certainty import bootstrap
from rankwright.leaderboards.pair_model import PairModel
from rankwright.leaderboards.results import Roles, read_results
from rankwright.leaderboards.solver import Problem, maximize

SLOW = 20_000  # battles beyond which choix's Newton method is not asked
NEWTON, ARENA = "choix.opt_pairwise (Newton-CG)", "arena-rank"


def _battles(n_items: int, size: int) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    strengths = rng.normal(size=n_items)
    left = rng.integers(n_items, size=size)
    right = (left + rng.integers(1, n_items, size=size)) % n_items
    won = rng.random(size) < expit(strengths[left] - strengths[right])
    return pd.DataFrame({"left": left, "right": right, "outcome": won.astype(int)})


def _pairs(frame: pd.DataFrame) -> list[tuple[int, int]]:
    left, right, won = (frame[name].to_numpy() for name in frame.columns)
    winners, losers = np.where(won, left, right), np.where(won, right, left)
    return list(zip(winners.tolist(), losers.tolist(), strict=True))


def _strengths(frame: pd.DataFrame) -> np.ndarray:
    """Read the battles and fit them: the work that choix does, without ranks."""
    battles, _ = read_results(frame, Roles())
    at = maximize(Problem(PairModel(battles, has_ties=False)), battles.weights.total).coordinates
    return at - at.mean()


def _by_arena_rank(frame: pd.DataFrame) -> np.ndarray:
    """Read the battles and fit them as arena-rank does by default: L-BFGS on distinct outcomes."""
    from arena_rank.models.bradley_terry import BradleyTerry
    from arena_rank.utils.data_utils import PairDataset

    data = PairDataset.from_pandas(frame, ["left", "right"], "outcome", float)
    found = BradleyTerry(len(data.competitors)).fit(data).params["ratings"]
    return np.asarray(found)


def _same(name: str, ours: np.ndarray, theirs: np.ndarray) -> None:
    # By default arena-rank stops earlier than the others.
    assert np.abs(ours - (theirs - theirs.mean())).max() < (1e-2 if name == ARENA else 1e-4)


def pairs(size: tuple[int, int]) -> Task:
    n_items, n_battles = size
    frame = _battles(n_items, n_battles)
    listed = _pairs(frame)
    skipped, peers = {}, {"choix.ilsr_pairwise": partial(choix.ilsr_pairwise, n_items, listed)}
    if n_battles > SLOW:
        skipped[NEWTON] = "a loop over single battles for every step: minutes"
    else:
        peers[NEWTON] = partial(choix.opt_pairwise, n_items, listed, tol=1e-7)
    if find_spec("arena_rank"):
        peers[ARENA] = partial(_by_arena_rank, frame)
    else:
        skipped[ARENA] = "it is not installed (pip install arena-rank)"
    return Task(ours=partial(_strengths, frame), peers=peers, agree=_same, skipped=skipped)


def rankings(n_orders: int) -> Task:
    rng = np.random.default_rng(0)
    strengths = rng.normal(size=50)
    chosen = rng.permuted(np.tile(np.arange(50), (n_orders, 1)), axis=1)[:, :10]
    noisy = strengths[chosen] + rng.gumbel(size=chosen.shape)
    orders = np.take_along_axis(chosen, np.argsort(-noisy, axis=1), axis=1).tolist()
    return Task(
        ours=lambda: rw.leaderboard(orders).strengths,
        peers={"choix.ilsr_rankings": partial(choix.ilsr_rankings, 50, orders)},
        agree=_same,
    )


def _uncompressed(frame: pd.DataFrame, n_resamples: int) -> np.ndarray:
    """Fit resamples of single battles by logistic regression with L-BFGS, warm-started."""
    left, right, won = (frame[name].to_numpy() for name in frame.columns)
    n, rng = int(max(left.max(), right.max())) + 1, np.random.default_rng(0)

    def fit(rows: np.ndarray, start: np.ndarray) -> np.ndarray:
        i, k, y = left[rows], right[rows], won[rows]

        def loss(at: np.ndarray) -> tuple[float, np.ndarray]:
            eta = at[i] - at[k]
            residual = y - expit(eta)
            value = np.logaddexp(0, eta).sum() - eta @ y
            return value, np.bincount(k, residual, n) - np.bincount(i, residual, n)

        return minimize(loss, start, jac=True, method="L-BFGS-B").x

    start = fit(np.arange(len(frame)), np.zeros(n))
    return np.array([fit(rng.integers(len(frame), size=len(frame)), start)
                     for _ in range(n_resamples)]).std(axis=0)  # fmt: skip


def resamples(size: tuple[int, int, int]) -> Task:
    n_items, n_battles, n_resamples = size
    frame = _battles(n_items, n_battles)

    def ours() -> Any:
        battles, _ = read_results(frame, Roles())
        problem = Problem(PairModel(battles, has_ties=False))
        fit = maximize(problem, battles.weights.total)
        rng = np.random.default_rng(0)
        return bootstrap(problem, fit, battles.weights, n_resamples, rng)

    few = min(n_resamples, 3)  # of single battles: each takes seconds
    return Task(
        ours=ours,
        peers={f"single battles, {few} resamples only": partial(_uncompressed, frame, few)},
        agree=lambda *_: None,
    )


CASES = [
    Case(
        "leaderboard-pairs",
        "Strengths from battles (items, battles), from a table to the maximum: reading included "
        "for us and for arena-rank, not for choix, which gets lists of pairs",
        ((100, 10_000), (500, 100_000), (2_000, 1_000_000)), ((20, 500),), pairs, repeats=1,
    ),
    Case(
        "leaderboard-rankings",
        "Rankings of 10 out of 50 items: strengths, errors, rank sets and tiers for us, strengths "
        "for choix",
        (1_000, 10_000), (200,), rankings, repeats=1,
    ),
    Case(
        "leaderboard-bootstrap",
        "Resamples of battles (items, battles, resamples), fitted anew",
        ((200, 1_600_000, 100),), ((20, 2_000, 5),), resamples, repeats=1,
    ),
]  # fmt: skip
