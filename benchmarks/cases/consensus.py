"""Consensus rankings beside corankco, the exact and local-search tool for rankings with ties."""

from dataclasses import dataclass

import numpy as np

import rankwright as rw
from benchmarks.case import Case, Task, Work

VOTERS = 20
PEER = "corankco"
# corankco builds its whole integer program first: beyond these it takes minutes, then hours.
LARGEST_EXACT_PEER = {"noisy": 50, "random": 30}


@dataclass(frozen=True)
class Result:
    """A ranking's cost, and the cost below which none exists."""

    cost: float
    bound: float


def noisy(n: int, noise: float, grid: int = 1, seed: int = 0) -> np.ndarray:
    """Return positions: the item's number plus noise of a share of the range, tied on a grid."""
    rng = np.random.default_rng(seed)
    return np.round((np.arange(n)[:, None] + rng.normal(0, noise * n, (n, VOTERS))) / grid)


def random(n: int) -> np.ndarray:
    """Return positions without any common order, some tied: the hard case."""
    return np.random.default_rng(0).integers(0, n, (n, VOTERS)).astype(float)


EXACT = {
    "20 noisy": noisy(20, 0.25),
    "50 noisy": noisy(50, 0.25),
    # These two are one strongly connected component each: nothing can be split off.
    "100 noisy (20%)": noisy(100, 0.2, grid=5, seed=9),
    "100 noisy (30%)": noisy(100, 0.3, grid=5, seed=9),
    "200 noisy (5%)": noisy(200, 0.05),
    "200 noisy (25%)": noisy(200, 0.25),
    "30 random": random(30),
    "50 random": random(50),
    "70 random": random(70),
}
LOCAL = {
    "50 noisy": noisy(50, 0.25),
    "50 random": random(50),
    "100 noisy": noisy(100, 0.25),
    "200 noisy": noisy(200, 0.25),
}


def ours(votes: np.ndarray, method: str) -> Work:
    def work() -> Result:
        consensus = rw.aggregate(votes, method)
        return Result(consensus.cost, consensus.bound)

    return work


def corankco(votes: np.ndarray, algorithm: str) -> Work:
    """Return the peer's work; its ranking is priced by us. Raises ImportError without corankco."""
    from corankco.algorithms.bioconsert.bioconsert import BioConsert
    from corankco.algorithms.exact.exactalgorithmpulp import ExactAlgorithmPulp
    from corankco.dataset import Dataset
    from corankco.scoringscheme import ScoringScheme

    solver = {"exact": ExactAlgorithmPulp, "bioconsert": BioConsert}[algorithm]()
    orders = [
        [set(np.flatnonzero(vote == place).tolist()) for place in np.unique(vote)]
        for vote in votes.T
    ]

    def work() -> Result:
        scheme = ScoringScheme.get_unifying_scoring_scheme_p(0.5)
        found = solver.compute_consensus_rankings(Dataset.from_raw_list(orders), scheme, True)
        return Result(_cost(found.consensus_rankings[0], votes), 0.0)

    return work


def _cost(ranking, votes: np.ndarray) -> float:
    place = np.empty(len(votes))
    for number, bucket in enumerate(ranking):
        place[[element.value for element in bucket]] = number
    pairs = len(place) * (len(place) - 1) / 2
    taus = [rw.metrics.probabilistic_kendall_tau(place, vote) for vote in votes.T]
    return float(sum((1 - tau) / 2 * pairs for tau in taus))


def _task(votes, method, algorithm, agree, too_large=None) -> Task:
    peers, skipped = {}, {}
    if too_large:
        skipped[PEER] = too_large
    else:
        try:
            peers[PEER] = corankco(votes, algorithm)
        except ImportError as error:
            skipped[PEER] = f"not installed ({error})"
    measures = {"cost": lambda result: result.cost, "bound": lambda result: result.bound}
    return Task(ours(votes, method), peers, agree, measures, skipped)


def exact(size: str) -> Task:
    votes = EXACT[size]
    kind = "random" if "random" in size else "noisy"
    too_large = len(votes) > LARGEST_EXACT_PEER[kind]

    def agree(_: str, ours: Result, theirs: Result) -> None:
        assert ours.bound == ours.cost
        np.testing.assert_allclose(theirs.cost, ours.cost)

    reason = "takes minutes and more at this size" if too_large else None
    return _task(votes, "kemeny", "exact", agree, reason)


def local(size: str) -> Task:
    def agree(_: str, ours: Result, theirs: Result) -> None:
        assert ours.cost <= 1.005 * theirs.cost

    return _task(LOCAL[size], "local_search", "bioconsert", agree)


def large(method: str) -> Task:
    rng = np.random.default_rng(0)
    votes = np.arange(10_000)[:, None] + rng.normal(0, 2_000, (10_000, 100))
    too_large = "holds a dense matrix of all pairs"
    return _task(votes, method, "bioconsert", lambda *_: None, too_large)


def voters(size: str) -> Task:
    rng = np.random.default_rng(0)
    votes = rng.permuted(np.tile(np.arange(10.0), (int(size.split()[0]), 1)), axis=1).T

    def agree(_: str, ours: Result, theirs: Result) -> None:
        assert ours.bound == ours.cost <= theirs.cost

    return _task(votes, "auto", "bioconsert", agree)


CASES = [
    Case(
        "consensus-exact",
        "The optimal ranking with its proof: items by 20 voters with ties",
        tuple(EXACT),
        ("20 noisy",),
        exact,
        repeats=1,
    ),
    Case(
        "consensus-local",
        "Local search: items by 20 voters with ties",
        tuple(LOCAL),
        ("50 noisy",),
        local,
        repeats=5,
    ),
    Case(
        "consensus-voters",
        "Many voters of ten items, with the proof",
        ("500 voters", "5000 voters"),
        ("500 voters",),
        voters,
        repeats=1,
    ),
    Case(
        "consensus-large",
        "10,000 items by 100 voters, without a matrix of all pairs",
        ("borda", "median", "local_search"),
        ("borda",),
        large,
        repeats=1,
    ),
]
