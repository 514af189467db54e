"""Independent answers: every ranking of a few items, priced voter by voter from the definition."""

from functools import cache
from itertools import combinations, product

import numpy as np
import pytest


@cache
def _preorders(n, ties):
    codes = {
        tuple(sorted(set(code)).index(place) for place in code)
        for code in product(range(n), repeat=n)
    }
    return np.array([code for code in sorted(codes) if ties or len(set(code)) == n])


def _kendall(ranking, vote, item_weights, penalty):
    total = 0.0
    for i, j in combinations(range(len(vote)), 2):
        if np.isnan(vote[i]) or np.isnan(vote[j]):
            continue
        ours, theirs = np.sign(ranking[i] - ranking[j]), np.sign(vote[i] - vote[j])
        if ours * theirs < 0:
            total += item_weights[i] * item_weights[j]
        elif ours != theirs:
            total += penalty * item_weights[i] * item_weights[j]
    return total


@pytest.fixture(scope="session")
def kendall():
    """Return the Kendall distance by its definition, pair by pair."""
    return _kendall


@pytest.fixture(scope="session")
def every_ranking_cost():
    """Return all rankings of n items as codes, and the cost of each for a matrix of votes."""

    def price(votes, voter_weights=None, item_weights=None, penalty=0.5, ties=True):
        n, m = votes.shape
        voter_weights = np.ones(m) if voter_weights is None else np.asarray(voter_weights)
        item_weights = np.ones(n) if item_weights is None else np.asarray(item_weights)
        rankings = _preorders(n, ties)
        costs = np.zeros(len(rankings))
        for i, j in combinations(range(n), 2):
            ours = np.sign(rankings[:, i] - rankings[:, j])
            for vote, weight in zip(votes.T, voter_weights, strict=True):
                if not np.isnan(vote[i] + vote[j]):
                    theirs = np.sign(vote[i] - vote[j])
                    charge = np.where(ours * theirs < 0, 1.0, np.where(ours == theirs, 0, penalty))
                    costs += weight * item_weights[i] * item_weights[j] * charge
        return rankings, costs

    return price


@pytest.fixture(scope="session")
def noisy_votes():
    """Return a matrix of positions: the item's number plus noise, rounded so that some tie."""

    def make(n, m, noise, seed=0):
        rng = np.random.default_rng(seed)
        return np.round(np.arange(n)[:, None] + rng.normal(0, noise * n, (n, m)))

    return make


@pytest.fixture(scope="session")
def random_votes():
    """Return a matrix of positions without any common order."""

    def make(n, m, levels, seed=0):
        return np.random.default_rng(seed).integers(0, levels, (n, m)).astype(float)

    return make
