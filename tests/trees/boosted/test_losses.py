import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime
from scipy.special import expit

import rankwright as rw
from rankwright.trees.boosted.losses import LOSSES, GradedRows, listed_pairs
from rankwright.trees.boosted.team import Team


def graded(sizes, n_grades, seed, weighted):
    """Rows sorted by group and grade."""
    rng = np.random.default_rng(seed)
    offsets = np.append(0, np.cumsum(sizes))
    y = np.concatenate([np.sort(rng.integers(0, n_grades, size)) for size in sizes]).astype(float)
    weights = rng.integers(1, 4, y.size).astype(float) if weighted else None
    return GradedRows(y, offsets, weights), 3 * rng.normal(size=y.size)


def by_brute_force(rows, scores, active, gains):
    """The derivatives of pairs weighted by their gains' differences, groups by their roots."""
    weights, n = rows.row_weights, rows.y.size
    slope, bend = np.zeros(n), np.zeros(n)
    totals, parts = [], []
    for g in range(rows.offsets.size - 1):
        own = range(rows.offsets[g], rows.offsets[g + 1])
        pairs = [(i, k) for i in own for k in own if rows.y[i] > rows.y[k]]
        parts.append([(i, k, weights[i] * weights[k] * gains(i, k)) for i, k in pairs])
        totals.append(sum(weight for _, _, weight in parts[-1]))
    counted = np.array(totals) > 0
    roots = np.sqrt(np.add.reduceat(weights, rows.offsets[:-1])) * counted
    shares = roots / roots.sum() * np.diff(rows.offsets)[counted].sum()
    for part, total, share, counts in zip(parts, totals, shares, active, strict=True):
        for i, k, weight in part if counts else []:
            p = expit(scores[k] - scores[i])
            slope[[i, k]] += share * weight / total * p * np.array([-1.0, 1.0])
            bend[[i, k]] += share * weight / total * p * (1 - p)
    return slope, bend


@pytest.mark.parametrize("loss", ["logistic", "top"])
@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=5), st.integers(2, 5), st.booleans(),
    st.integers(0, 10**6),
)  # fmt: skip
@settings(max_examples=30, deadline=None)
def test_derivatives_are_those_of_all_pairs(loss, sizes, n_grades, weighted, seed):
    rows, scores = graded([*sizes, 9], n_grades, seed, weighted)
    rows.y[-1] = rows.y[-2] + 1  # at least one pair
    active = np.random.default_rng(seed).random(len(sizes) + 1) < 0.7

    def gains(i, k):
        return 1.0 if loss == "logistic" else 2.0 ** rows.y[i] - 2.0 ** rows.y[k]

    found = LOSSES[loss](rows).derivatives(scores, active, Team(1))
    slope, bend = by_brute_force(rows, scores, active, gains)
    np.testing.assert_allclose(found.gradient, slope, atol=1e-9)
    np.testing.assert_allclose(found.curvature, bend, atol=1e-9)


@pytest.mark.parametrize("loss", ["logistic", "top"])
def test_long_lists_go_through_blocks_to_the_same_derivatives(loss):
    rows, scores = graded([150, 20, 300], 40, 0, weighted=True)
    rows = GradedRows(np.minimum(rows.y, 30) / 8, rows.offsets, rows.weights)
    active = np.array([True, False, True])

    def gains(i, k):
        return 1.0 if loss == "logistic" else 2.0 ** rows.y[i] - 2.0 ** rows.y[k]

    found = LOSSES[loss](rows).derivatives(scores, active, Team(1))
    slope, bend = by_brute_force(rows, scores, active, gains)
    np.testing.assert_allclose(found.gradient, slope, atol=1e-8)
    np.testing.assert_allclose(found.curvature, bend, atol=1e-8)


def test_scores_far_apart_have_finite_derivatives():
    rows, _ = graded([4], 4, 0, weighted=False)
    rows.y[:] = [0, 1, 2, 3]
    scores = np.array([1e5, 0.0, -1e5, 700.0])
    found = LOSSES["logistic"](rows).derivatives(scores, np.array([True]), Team(1))
    slope, bend = by_brute_force(rows, scores, [True], lambda i, k: 1.0)
    np.testing.assert_allclose(found.gradient, slope, atol=1e-12)
    np.testing.assert_allclose(found.curvature, bend, atol=1e-12)


def test_plackett_luce_derivatives_are_those_of_its_likelihood():
    from rankwright.kernels.plackett_luce import plackett_luce

    rows, scores = graded([5, 1, 7], 3, 1, weighted=True)
    loss = LOSSES["plackett_luce"](rows)
    levels = loss.levels

    def value(at):
        nothing = np.empty(0)
        return plackett_luce(
            at, rows.row_weights, levels.offsets, levels.groups, np.empty(at.size), nothing
        )

    def slopes(at):
        return loss.derivatives(at, np.ones(3, bool), Team(1)).gradient / loss.scales

    found = loss.derivatives(scores, np.ones(3, bool), Team(1))
    counted = loss.scales > 0
    np.testing.assert_allclose(
        (found.gradient / np.where(counted, loss.scales, 1))[counted],
        approx_fprime(scores, value, 1e-6)[counted],
        atol=1e-4,
    )
    step = 1e-6
    for i in np.flatnonzero(counted):
        moved = scores.copy()
        moved[i] += step
        with np.errstate(invalid="ignore"):
            bend = (slopes(moved) - slopes(scores))[i] / step
        assert found.curvature[i] / loss.scales[i] == pytest.approx(bend, abs=1e-4)


def test_listed_pairs_count_by_their_weights():
    loss = listed_pairs(np.array([0, 1]), np.array([1, 2]), np.array([1.0, 3.0]), 3)
    found = loss.derivatives(np.zeros(3), np.array([True, True]), Team(1))
    np.testing.assert_allclose(found.gradient, 0.75 * np.array([-0.5, 0.5 - 1.5, 1.5]))
    np.testing.assert_allclose(found.curvature, 0.75 * np.array([0.25, 1.0, 0.75]))
    found = loss.derivatives(np.zeros(3), np.array([True, False]), Team(1))
    assert found.gradient[2] == 0.0


def test_two_threads_compute_the_same_derivatives():
    rows, scores = graded([60] * 300, 5, 2, weighted=False)
    active = np.ones(300, bool)
    loss = LOSSES["logistic"](rows)
    alone = loss.derivatives(scores, active, Team(1))
    with Team(2) as team:
        shared = loss.derivatives(scores, active, team)
    np.testing.assert_array_equal(alone.gradient, shared.gradient)
    np.testing.assert_array_equal(alone.curvature, shared.curvature)


def test_gains_of_distant_grades_are_refused():
    rows = GradedRows(np.array([0.0, 100.0]), np.array([0, 2]), None)
    with pytest.raises(ValueError, match="loss='top' weights pairs by gains"):
        LOSSES["top"](rows)


def test_a_list_of_more_rows_than_can_be_counted_is_refused():
    X = np.arange(4.0)[:, None]
    with pytest.raises(ValueError, match=r"sample_weight adds up to 4e\+99: a weight counts rows"):
        rw.BoostedRanker(loss="plackett_luce").fit(X, X[:, 0], sample_weight=np.full(4, 1e99))
