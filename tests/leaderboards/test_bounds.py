import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

import rankwright as rw
from rankwright.kernels.many_items import count_apart, unbeaten
from rankwright.leaderboards import estimate, pair_model
from rankwright.leaderboards.bounds import bound_variances
from rankwright.leaderboards.laplacian import Laplacian
from rankwright.leaderboards.many_items import bounded_sets, bounded_tiers


def network(n, share, seed, n_effects=0, ridge=0.0):
    """Return a random connected graph, some of its edges twice."""
    rng = np.random.default_rng(seed)
    left, right = np.triu_indices(n, 1)
    kept = (rng.random(len(left)) < share) | (right == left + 1)
    edges = np.repeat(np.flatnonzero(kept), rng.integers(1, 3, size=kept.sum()))
    left, right, width = left[edges], right[edges], rng.gamma(1, size=len(edges))
    covariates = rng.normal(size=(n_effects, len(edges)))
    border = np.zeros((n, n_effects))
    for place, values in enumerate(covariates):
        np.add.at(border[:, place], left, values * width)
        np.subtract.at(border[:, place], right, values * width)
    corner = (covariates * width) @ covariates.T + np.eye(n_effects)
    return Laplacian(left, right, width, np.full(n, ridge), border, corner)


def variances_of_differences(hessian):
    inverse = np.linalg.pinv(hessian.toarray())
    n = hessian.n_items
    diagonal = np.diag(inverse)
    return diagonal[:n, None] + diagonal[:n] - 2 * inverse[:n, :n], diagonal[n:]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("share", "n_effects", "ridge"), [(0.5, 0, 0.0), (0.1, 2, 0.0), (0.0, 0, 0.0), (0.1, 1, 0.3)]
)
def test_no_variance_of_a_difference_exceeds_its_bound(share, n_effects, ridge, seed):
    hessian = network(40, share, seed, n_effects, ridge)
    exact, effects = variances_of_differences(hessian)
    found = bound_variances(hessian)
    bounds = found.items[:, None] + found.items
    others = ~np.eye(40, dtype=bool)
    assert (bounds[others] >= exact[others] * (1 - 1e-9)).all()
    assert np.allclose(found.effects, effects, rtol=1e-5)


def test_bounds_are_close_where_everybody_met_many_others():
    hessian = network(150, 0.8, 0)
    exact, _ = variances_of_differences(hessian)
    bounds = bound_variances(hessian).items
    others = ~np.eye(150, dtype=bool)
    assert ((bounds[:, None] + bounds)[others] / exact[others]).max() < 1.1


def test_the_matrix_is_the_same_in_all_its_forms():
    hessian = network(12, 0.4, 1, n_effects=2, ridge=0.5)
    dense = hessian.toarray()
    vectors = np.random.default_rng(0).normal(size=(14, 3))
    assert np.allclose(hessian.tocsc().toarray(), dense)
    assert np.allclose(hessian @ vectors, dense @ vectors)
    assert np.allclose(hessian.diagonal(), np.diag(dense))


def test_sets_of_many_items_are_those_of_holms_steps():
    rng = np.random.default_rng(0)
    strengths, variances = rng.normal(size=30), rng.gamma(2, size=30) / 40
    studentised = (strengths[:, None] - strengths) / np.sqrt(variances[:, None] + variances)
    each, everybody = bounded_sets(strengths, variances, 0.9)

    def stepped(tests):
        found = np.zeros(len(tests), dtype=bool)
        for place, test in enumerate(sorted(range(len(tests)), key=lambda t: -tests[t])):
            if tests[test] <= norm.isf(0.1 / (len(tests) - place)):
                break
            found[test] = True
        return found

    pairs = [(i, k) for i in range(30) for k in range(30) if i != k]
    above = np.zeros((30, 30), dtype=bool)
    for (i, k), apart in zip(pairs, stepped([studentised[p] for p in pairs]), strict=True):
        above[i, k] = apart
    assert everybody.low.tolist() == (1 + above.sum(axis=0)).tolist()
    assert everybody.high.tolist() == (30 - above.sum(axis=1)).tolist()
    for item in range(30):
        own = [pair for pair in pairs if item in pair]
        apart = stepped([studentised[pair] for pair in own])
        beaten_by = sum(a for a, pair in zip(apart, own, strict=True) if pair[1] == item)
        assert each.low[item] == 1 + beaten_by
        assert each.high[item] == 30 - (apart.sum() - beaten_by)


def test_the_first_tier_of_many_items_is_never_beaten():
    rng = np.random.default_rng(1)
    strengths, variances = rng.normal(size=25), rng.gamma(2, size=25) / 60
    found = bounded_tiers(strengths, variances, 0.95)
    studentised = (strengths[:, None] - strengths) / np.sqrt(variances[:, None] + variances)
    for tier in range(1, found.max() + 1):
        left = found >= tier
        bound = norm.isf(0.05 / max(left.sum() - 1, 1))
        beaten = studentised[left].max(axis=0) > bound
        assert ((found == tier) == (left & ~beaten)).all()


def test_kernels_for_many_items_agree_with_their_sources():
    rng = np.random.default_rng(0)
    strengths, variances = -np.sort(rng.normal(size=9)), rng.gamma(2, size=9) / 20
    counts = [np.zeros((2, 9), dtype=np.int64) for _ in range(2)]
    for compiled, (won, lost) in zip((count_apart, count_apart.py_func), counts, strict=True):
        compiled(strengths, variances, np.full(9, 1.5), won, lost)
    assert np.array_equal(*counts)
    assert counts[0].any()
    assert np.array_equal(*(f(strengths, variances, 1.0) for f in (unbeaten, unbeaten.py_func)))


def drawn_battles(n, size, **columns):
    rng = np.random.default_rng(0)
    left = rng.integers(n, size=size)
    right = (left + rng.integers(1, n, size=size)) % n
    won = rng.random(size) < 1 / (1 + np.exp((right - left) / n * 4))
    outcome = np.where(rng.random(size) < 0.1, 0.5, won)
    return pd.DataFrame({"left": left, "right": right, "outcome": outcome}).assign(**columns)


@pytest.fixture
def few_are_many(monkeypatch):
    monkeypatch.setattr(estimate, "MOST_CERTAIN", 20)
    monkeypatch.setattr(pair_model, "MOST_DENSE", 10)


def test_a_leaderboard_of_many_items_has_wider_sets_than_the_exact_one(monkeypatch, few_are_many):
    table = drawn_battles(60, 9000)
    bounded = rw.leaderboard(table, side_advantage=True)
    monkeypatch.setattr(estimate, "MOST_CERTAIN", 5000)
    exact = rw.leaderboard(table, side_advantage=True)
    assert (bounded.errors, bounded.method, bounded.covariance.size) == ("bounded", "bonferroni", 0)
    assert np.allclose(bounded.strengths, exact.strengths, atol=1e-8)
    assert np.allclose(bounded.effect_errors, exact.effect_errors, rtol=1e-4)
    assert (bounded.simultaneous_low <= exact.simultaneous_low).all()
    assert (bounded.simultaneous_high >= exact.simultaneous_high).all()
    ours, theirs = (b.difference(0, 59)["standard_error"] for b in (bounded, exact))
    assert theirs <= ours < 1.1 * theirs
    assert any("upper bounds" in note for note in bounded.notes)
    with pytest.raises(ValueError, match="next_pairs is for up to 5,000 items"):
        bounded.next_pairs()


def test_many_items_with_clusters_have_unknown_ranks_and_that_is_said(few_are_many):
    board = rw.leaderboard(drawn_battles(30, 4000, judge=np.arange(4000) % 7))
    assert board.errors == "none"
    assert (board.rank_low == 1).all()
    assert any("How certain the ranks are is not known" in note for note in board.notes)


def test_resamples_of_many_items_are_refused(few_are_many):
    with pytest.raises(ValueError, match="bootstrap=10 takes at most 20 items; there are 30"):
        rw.leaderboard(drawn_battles(30, 4000), bootstrap=10)
