"""Sums over block pairs equal sums over the same pairs listed one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.data import sort_rows
from rankwright.linear.pairs import (
    CURVATURE,
    SLOPE,
    SQUARED_SLOPE,
    block_pairs,
    listed_pairs,
)


def both(problem, pairs="all"):
    better, worse = problem.pairs(pairs == "adjacent").T
    rows = problem.rows
    return block_pairs(rows, pairs), listed_pairs(better, worse, None, rows.weights, rows.y.size)


def assert_close(ours, theirs, rtol=1e-10):
    """Value relative to itself, sums relative to their size (they vanish at an optimum)."""
    assert ours[0] == pytest.approx(theirs[0], rel=rtol)
    np.testing.assert_allclose(ours[1], theirs[1], rtol=0, atol=rtol * np.abs(theirs[1]).max())


@pytest.mark.parametrize("spread", [0.0, 1.0, 10.0, 300.0, 1e4])
@pytest.mark.parametrize("shape", [SLOPE, CURVATURE, SQUARED_SLOPE])
@pytest.mark.parametrize("decimals", [None, 0])
@pytest.mark.parametrize("weighted", [False, True])
def test_logistic_sums_equal_the_direct_sum(make_problem, spread, shape, decimals, weighted):
    problem = make_problem(n=400, n_groups=1, decimals=decimals, weighted=weighted)
    blocks, listed = both(problem)
    assert len(blocks.blocks.blocks) > 0
    rng = np.random.default_rng(1)
    scores = spread * (rng.normal(size=400) + 0.3 * problem.rows.y)
    for charges in (None, rng.normal(size=400)):
        for sign in (1.0, -1.0):
            ours = blocks.logistic(scores, shape, charges, sign)
            theirs = listed.logistic(scores, shape, charges, sign)
            scale = np.abs(theirs[1]).max() or 1.0
            np.testing.assert_allclose(ours[1], theirs[1], rtol=0, atol=1e-10 * scale)
            if charges is None:
                assert ours[0] == pytest.approx(theirs[0], rel=1e-10)


@pytest.mark.parametrize("pairs", ["all", "adjacent"])
@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize("margin", [0.0, 1.0])
@pytest.mark.parametrize("decimals", [None, 0])
def test_margin_sums_equal_the_direct_sum(make_problem, pairs, squared, margin, decimals):
    for n_groups, weighted in ((1, False), (3, True)):
        problem = make_problem(n=500, n_groups=n_groups, decimals=decimals, weighted=weighted)
        blocks, listed = both(problem, pairs)
        scores = np.random.default_rng(1).normal(size=500)
        for sign in (1.0, -1.0):
            assert_close(
                blocks.margin(scores, margin, squared, sign),
                listed.margin(scores, margin, squared, sign),
            )


def test_adjacent_levels_with_many_rows_use_blocks(make_problem):
    problem = make_problem(n=700, d=2, n_groups=1, decimals=0, noise=0.1)
    blocks, listed = both(problem, "adjacent")
    assert len(blocks.blocks.blocks) > 0
    scores = np.random.default_rng(1).normal(size=700)
    assert_close(blocks.logistic(scores), listed.logistic(scores))


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(-3, 3), st.integers(-9, 9)), min_size=2),
    st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_small_tied_groups_equal_the_direct_sum(entries, squared):
    group, y, scores = np.array(sorted(entries), dtype=float).T
    rows = sort_rows(np.zeros((y.size, 1)), y, group)
    listed = [
        (i, k) for i in range(y.size) for k in range(y.size) if group[i] == group[k] and y[i] > y[k]
    ]
    if not listed:
        return
    blocks = block_pairs(rows)
    one_by_one = listed_pairs(*np.array(listed).T, None, None, y.size)
    assert_close(blocks.margin(scores, 1.0, squared), one_by_one.margin(scores, 1.0, squared))
    assert_close(blocks.logistic(scores), one_by_one.logistic(scores))


def test_far_outliers_cost_accuracy_nothing(make_problem):
    problem = make_problem(n=500, n_groups=1)
    blocks, listed = both(problem)
    scores = np.random.default_rng(1).normal(size=500)
    scores[[3, 77]] = 1e7, -3e9
    assert_close(blocks.logistic(scores), listed.logistic(scores), rtol=1e-9)


def test_group_weighting_gives_every_group_the_same_weight(make_problem):
    rows = make_problem(n=200, n_groups=3).rows
    pairs = block_pairs(rows, weighting="group")
    listed = np.add.reduceat(pairs.logistic(np.zeros(200), sign=1.0)[1], rows.offsets[:-1])
    # At equal scores every pair gives its weight c_ik / 2 to both of its rows.
    np.testing.assert_allclose(listed, 1 / 3)


def test_weights_count_like_repeated_rows(make_problem):
    rows = make_problem(n=150, n_groups=2, weighted=True).rows
    times = rows.weights.astype(int)
    groups = np.repeat([0, 1], np.diff(rows.offsets))
    repeated = sort_rows(rows.X.repeat(times, axis=0), rows.y.repeat(times), groups.repeat(times))
    scores = rows.X[:, 0]
    for weighting in ("pair", "group"):
        weighted = block_pairs(rows, weighting=weighting).logistic(scores)[0]
        by_rows = block_pairs(repeated, weighting=weighting).logistic(scores.repeat(times))[0]
        assert weighted == pytest.approx(by_rows)


def test_total_counts_the_pairs(make_problem):
    problem = make_problem(n=90, decimals=0)
    assert block_pairs(problem.rows).total == len(problem.pairs())


@pytest.mark.parametrize("pairs", ["all", "adjacent"])
def test_a_sample_stands_for_all_pairs(make_problem, pairs):
    problem = make_problem(n=300, n_groups=4, decimals=0, weighted=True)
    for form in both(problem, pairs):
        better, worse, weights = form.sample(4096)
        y = problem.rows.y
        assert np.all(y[better] > y[worse])
        assert np.all(problem.group[better] == problem.group[worse])
        assert weights.sum() == pytest.approx(1)
        x = problem.rows.X[:, 0]
        moment = form.margin(np.zeros(300), 1.0, False, 1.0)[1] @ x**2
        assert weights @ (x[better] ** 2 + x[worse] ** 2) == pytest.approx(moment, rel=0.1)


def test_separation_is_recognised(make_problem):
    problem = make_problem(n=300, n_groups=2)
    for form in both(problem):
        assert form.separates(problem.rows.y)
        assert not form.separates(-problem.rows.y)
        assert not form.separates(np.zeros(300))


def test_resampling_draws_whole_groups(make_problem):
    pairs = block_pairs(make_problem(n=200, n_groups=10).rows)
    drawn = pairs.resample(np.random.RandomState(0))
    assert drawn.logistic(np.zeros(200))[0] == pytest.approx(np.log(2))
    ratio = drawn.weights / pairs.weights
    for start, end in zip(pairs.blocks.groups[:-1], pairs.blocks.groups[1:], strict=True):
        assert np.ptp(ratio[start:end]) == 0


def test_no_pair_is_an_error():
    rows = sort_rows(np.zeros((3, 1)), np.ones(3), None)
    with pytest.raises(ValueError, match="no pair to learn from"):
        block_pairs(rows)


def test_an_unknown_weighting_is_named(make_problem):
    with pytest.raises(ValueError, match="pair_weighting='row'; choose from"):
        block_pairs(make_problem().rows, weighting="row")
