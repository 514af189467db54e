import warnings

import numpy as np
import pytest
from scipy.optimize import linprog

import rankwright as rw
from rankwright.linear.existence import falls_for_ever
from rankwright.linear.pairs import listed_pairs

RANKERS = {
    "pairwise": rw.PairwiseRanker(alpha=0),
    "plackett-luce": rw.PlackettLuceRanker(alpha=0),
    "push": rw.PushRanker(alpha=0, p=1),
}
# Everybody has won and lost against somebody.
ROUND = [[0, 1, 2], [1, 2, 0], [2, 0, 1]]


def has_a_direction(differences):
    """Ask a linear program for a direction that contradicts no pair and tells one apart."""
    found = linprog(
        -differences.sum(axis=0), A_ub=-differences, b_ub=np.zeros(len(differences)), bounds=(-1, 1)
    )
    return found.fun < -1e-7


@pytest.mark.parametrize("name", RANKERS)
def test_an_item_that_won_everything_is_said(name):
    strengths = rw.Rankings(np.eye(4), [[3, *order] for order in ROUND])
    with pytest.warns(UserWarning, match="there is no best fit.*set alpha > 0"):
        RANKERS[name].fit(strengths)


@pytest.mark.parametrize("name", RANKERS)
def test_a_fit_that_exists_is_silent(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        RANKERS[name].fit(rw.Rankings(np.eye(3), ROUND))


@pytest.mark.parametrize("name", RANKERS)
def test_a_penalty_is_the_remedy(name):
    ranker = RANKERS[name].__class__(alpha=0.01)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ranker.fit(rw.Rankings(np.eye(4), [[3, *order] for order in ROUND]))
    assert np.argmax(ranker.coef_) == 3


@pytest.mark.parametrize("name", ["pairwise", "plackett-luce"])
def test_items_that_were_never_compared_are_said(name):
    two_leagues = [*ROUND, *([item + 3 for item in order] for order in ROUND)]
    with pytest.warns(UserWarning, match="not connected.*set alpha > 0"):
        RANKERS[name].fit(rw.Rankings(np.eye(6), two_leagues))


def test_an_item_without_a_comparison_is_said():
    pairs = rw.PreferencePairs(better=[0, 1, 1, 2, 2, 0], worse=[1, 0, 2, 1, 0, 2])
    with pytest.warns(UserWarning, match="not connected"):
        RANKERS["pairwise"].fit(np.eye(4), pairs)


def test_items_compared_through_others_are_connected():
    pairs = rw.PreferencePairs(better=[0, 1, 1, 2, 2, 3], worse=[1, 0, 2, 1, 3, 2])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        RANKERS["pairwise"].fit(np.eye(4), pairs)


def test_ties_keep_a_plackett_luce_fit_finite_where_pairs_do_not():
    X = np.array([[0.0], [1.0], [2.0]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        RANKERS["plackett-luce"].fit(X, [0, 1, 1])
    with pytest.warns(UserWarning, match="there is no best fit"):
        RANKERS["pairwise"].fit(X, [0, 1, 1])


@pytest.mark.parametrize("seed", range(40))
def test_a_linear_program_agrees(seed):
    rng = np.random.default_rng(seed)
    n_items, n_pairs = int(rng.integers(3, 7)), int(rng.integers(4, 12))
    X = np.eye(n_items) if seed % 2 else rng.integers(-2, 3, size=(n_items, 3)).astype(float)
    units = 10.0 ** rng.integers(-4, 5, size=X.shape[1])  # they must not matter
    better = rng.integers(n_items, size=n_pairs)
    worse = (better + rng.integers(1, n_items, size=n_pairs)) % n_items
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ranker = rw.PairwiseRanker(alpha=0).fit(X * units, rw.PreferencePairs(better, worse))
    pairs = listed_pairs(better, worse, None, None, n_items)
    found = falls_for_ever(X * units, pairs, ranker.coef_)
    assert found == has_a_direction(X[better] - X[worse])
