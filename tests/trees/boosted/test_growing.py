from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.trees.binning import bin_features
from rankwright.trees.boosted.drawn import Drawer
from rankwright.trees.boosted.growing import Memory, TreeShape
from rankwright.trees.boosted.growing import grow as grow_tree
from rankwright.trees.boosted.losses import Derivatives
from rankwright.trees.boosted.nodes import sum_trees
from rankwright.trees.boosted.team import Team

SYMMETRIC = TreeShape(True, 3, 8, 1.0, 1, 0.0, np.zeros(5, np.int64))
LEAFWISE = TreeShape(False, 100, 6, 1.0, 1, 0.0, np.zeros(5, np.int64))
KINDS = pytest.mark.parametrize("shape", [SYMMETRIC, LEAFWISE], ids=["symmetric", "leafwise"])


def matrix(n, seed, n_values=6):
    """Five features: three of whole numbers, one with gaps, one of categories with gaps."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, n_values, (n, 5)).astype(float)
    X[:, 3:][rng.random((n, 2)) < 0.3] = np.nan
    return X, bin_features(X, np.arange(5) == 4, 255)


def derivatives(n, seed):
    rng = np.random.default_rng(seed)
    return Derivatives(rng.normal(size=n), rng.uniform(0.1, 1.0, n))


def grow(bins, derived, shape, *, seed=0, n_jobs=1, rows=None, features=None):
    n = bins.codes.shape[1]
    rows = np.arange(n, dtype=np.int32) if rows is None else rows
    features = np.arange(bins.n_bins.size) if features is None else features
    with Team(n_jobs) as team:
        drawn = Drawer(bins, team).draw(rows, features)
        return grow_tree(drawn, derived, shape, seed, Memory(n), team)


def sizes_of_leaves(tree):
    leaves = tree.nodes[tree.nodes["left"] < 0]
    return leaves["stop"] - leaves["start"]


def score(tree, X, bins, shape, rate=1.0):
    scores = np.zeros(len(X))
    sum_trees([tree.finish(rate, bins)], shape.symmetric).add_scores(X, scores)
    return scores


def gain(derived, rows, l2):
    if rows.size == 0:
        return 0.0
    return derived.gradient[rows].sum() ** 2 / (derived.curvature[rows].sum() + l2)


def best_first_gain(X, derived, l2):
    """The largest gain of one cut of all rows, over all features, by trying everything."""
    n, everything = len(X), np.arange(len(X))
    whole, best = gain(derived, everything, l2), 0.0
    for j in range(X.shape[1]):
        column, missing = X[:, j], np.isnan(X[:, j])
        values = np.unique(column[~missing])
        if j == 4:  # categories are cut in the order of their smoothed values
            means = [
                -derived.gradient[column == v].sum() / (derived.curvature[column == v].sum() + 10.0)
                for v in values
            ]
            order = values[np.argsort(means)]
            lefts = [np.isin(column, order[:c]) for c in range(1, order.size + 1)]
        else:
            lefts = [column <= v for v in values]
        lefts += [left | missing for left in lefts]
        for left in lefts:
            parts = gain(derived, everything[left], l2) + gain(derived, everything[~left], l2)
            best = max(best, parts - whole)
    assert n
    return best


@KINDS
@given(st.integers(2, 60), st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_the_first_cut_has_the_largest_gain(shape, n, seed):
    X, bins = matrix(n, seed)
    derived = derivatives(n, seed)
    tree = grow(bins, derived, shape)
    best = best_first_gain(X, derived, shape.l2)
    assert (tree.cuts["gain"][0] if tree.cuts.size else 0.0) == pytest.approx(best, abs=1e-5)


@KINDS
@given(st.integers(1, 80), st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_leaves_have_newton_values_and_all_ways_to_score_agree(shape, n, seed):
    X, bins = matrix(n, seed)
    derived = derivatives(n, seed)
    tree = grow(bins, derived, shape)
    inside, outside = np.zeros(n), np.zeros(n)
    tree.add_values(1.0, inside)
    tree.add_values_outside(1.0, bins, np.arange(n, dtype=np.int32), outside)
    np.testing.assert_array_equal(inside, outside)
    np.testing.assert_array_equal(inside, score(tree, X, bins, shape))
    for leaf in tree.nodes[tree.nodes["left"] < 0]:
        rows = tree.rows[leaf["start"] : leaf["stop"]]
        if rows.size:
            slope, bend = derived.gradient[rows].sum(), derived.curvature[rows].sum()
            assert inside[rows] == pytest.approx(-slope / (bend + shape.l2), abs=1e-5)


def test_the_levels_of_a_symmetric_tree_have_one_test_each_and_the_largest_gain():
    X, bins = matrix(200, 3)
    derived = derivatives(200, 3)
    tree = grow(bins, derived, SYMMETRIC)
    nodes = tree.finish(1.0, bins).nodes
    assert nodes.size == 15
    for level in range(3):
        own = nodes[2**level - 1 : 2 ** (level + 1) - 1]
        assert len(set(own["feature"].tolist())) == 1
    # The second cut, by trying all cuts of numbers in both halves at once.
    sides = tree.goes_left[0][bins.codes[tree.cuts["feature"][0]]]
    halves = [np.flatnonzero(sides), np.flatnonzero(~sides)]
    best = max(
        sum(
            gain(derived, half[X[half, j] <= v], 1.0)
            + gain(derived, half[X[half, j] > v], 1.0)
            - gain(derived, half, 1.0)
            for half in halves
        )
        for j in range(3)
        for v in range(6)
    )
    assert tree.cuts["gain"][1] >= best - 1e-6


@KINDS
def test_two_threads_grow_the_same_tree(shape):
    _, bins = matrix(100_000, 0, n_values=200)
    derived = derivatives(100_000, 0)
    alone, shared = (
        grow(bins, derived, shape, n_jobs=n_jobs).finish(0.1, bins) for n_jobs in (1, 2)
    )
    assert alone.nodes.tobytes() == shared.nodes.tobytes()  # thresholds of categories are NaN
    np.testing.assert_array_equal(alone.category_sets, shared.category_sets)


@KINDS
def test_a_tree_on_some_rows_and_features_uses_no_others(shape):
    _, bins = matrix(300, 5)
    derived = derivatives(300, 5)
    rows, features = np.arange(100, 200, dtype=np.int32), np.array([0, 3])
    tree = grow(bins, derived, shape, rows=rows, features=features)
    assert {int(f) for f in tree.finish(1.0, bins).nodes["feature"]} <= {-1, 0, 3}
    scores = np.zeros(300)
    tree.add_values(1.0, scores)
    assert np.count_nonzero(scores[:100]) == np.count_nonzero(scores[200:]) == 0
    changed = Derivatives(derived.gradient.copy(), derived.curvature.copy())
    changed.gradient[:100] = 1e6
    again = grow(bins, changed, shape, rows=rows, features=features)
    np.testing.assert_array_equal(tree.nodes["value"], again.nodes["value"])


def test_leaves_of_a_leafwise_tree_have_enough_rows():
    _, bins = matrix(300, 6)
    tree = grow(bins, derivatives(300, 6), replace(LEAFWISE, min_rows=40, max_leaves=20))
    sizes = sizes_of_leaves(tree)
    assert sizes.size > 2
    assert sizes.min() >= 40


def test_small_leaves_of_a_symmetric_tree_have_the_value_of_a_node_above():
    X, bins = matrix(60, 7)
    derived = derivatives(60, 7)
    free = grow(bins, derived, replace(SYMMETRIC, min_rows=1))
    tree = grow(bins, derived, replace(SYMMETRIC, min_rows=61))
    assert np.unique(score(free, X, bins, SYMMETRIC)).size > 3
    root = -derived.gradient.sum() / (derived.curvature.sum() + 1.0)
    assert score(tree, X, bins, SYMMETRIC) == pytest.approx(root, abs=1e-6)


@KINDS
@pytest.mark.parametrize("sign", [-1, 1])
@given(st.integers(0, 10**6))
@settings(max_examples=15, deadline=None)
def test_scores_are_monotone_where_they_must_be(shape, sign, seed):
    X, bins = matrix(150, seed)
    signs = np.array([sign, 0, -sign, 0, 0])
    tree = grow(bins, derivatives(150, seed), replace(shape, signs=signs))
    for column, direction in ((0, sign), (2, -sign)):
        rising = np.repeat(X[:20], 6, axis=0)
        rising[:, column] = np.tile(np.arange(6.0), 20)
        steps = np.diff(score(tree, rising, bins, shape).reshape(20, 6), axis=1)
        assert (direction * steps >= -1e-12).all()


@KINDS
def test_without_partners_a_tree_has_one_feature(shape):
    _, bins = matrix(300, 8)
    tree = grow(bins, derivatives(300, 8), replace(shape, partners=np.eye(5, dtype=bool)))
    assert len(tree.cuts) > 1
    assert len(set(tree.cuts["feature"].tolist())) == 1


@KINDS
def test_constant_features_leave_one_leaf(shape):
    bins = bin_features(np.ones((20, 5)), np.zeros(5, bool), 255)
    tree = grow(bins, derivatives(20, 0), shape)
    assert tree.finish(1.0, bins).nodes["left"].tolist() == [-1]


def test_packed_sums_of_a_million_rows_are_exact_to_rounding():
    from rankwright.kernels.boosted.packing import CURVATURE_BITS, CURVATURE_MASK, find_units, pack

    rng = np.random.default_rng(0)
    slope, bend = rng.standard_cauchy(1_000_000), rng.random(1_000_000)
    rows, packed = np.arange(1_000_000, dtype=np.int32), np.empty(1_000_000, np.int64)
    *units, _ = find_units(slope, bend, rows)
    total = pack(slope, bend, rows, 0, *units, packed)
    assert total == packed.sum()
    part = int(packed[:500].sum())
    assert (part >> CURVATURE_BITS) * units[0] == pytest.approx(
        slope[:500].sum(), abs=50 * units[0]
    )
    assert (part & CURVATURE_MASK) * units[1] == pytest.approx(bend[:500].sum(), abs=50 * units[1])
    assert (total & CURVATURE_MASK) * units[1] == pytest.approx(bend.sum(), rel=1e-6)


def first_cut(tree):
    return int(tree.cuts["feature"][0]), int(tree.cuts["place"][0])


@pytest.fixture(scope="module")
def all_but_equal():
    """Rows of which two features, each all but the other's mirror image, gain about the same."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 6, (200, 5)).astype(float)
    X[:, 1] = -X[:, 0]
    X[:2, 1] = 0.0
    bins = bin_features(X, np.zeros(5, dtype=np.bool_), 255)
    return bins, Derivatives(X[:, 0] - X[:, 0].mean(), np.ones(200))


@KINDS
def test_cuts_that_gain_about_the_same_take_turns_with_noise(all_but_equal, shape):
    bins, derived = all_but_equal
    noisy = replace(shape, noise=1.0)
    chosen = [first_cut(grow(bins, derived, noisy, seed=seed)) for seed in range(30)]
    assert {0, 1} == {feature for feature, _ in chosen}
    assert len({first_cut(grow(bins, derived, shape, seed=seed)) for seed in range(30)}) == 1


@KINDS
def test_noise_changes_no_gain(all_but_equal, shape):
    bins, derived = all_but_equal
    still = grow(bins, derived, shape)
    noisy = [grow(bins, derived, replace(shape, noise=1.0), seed=seed) for seed in range(10)]
    assert all(tree.cuts["gain"][0] <= still.cuts["gain"][0] * (1 + 1e-9) for tree in noisy)


@KINDS
def test_noise_is_the_same_for_every_number_of_threads(monkeypatch, shape):
    monkeypatch.setattr("rankwright.trees.boosted.team.WORTH_SHARING", 10)
    X, bins = matrix(300, 1)
    derived, noisy = derivatives(300, 2), replace(shape, noise=2.0)
    scores = [score(grow(bins, derived, noisy, n_jobs=k), X, bins, shape) for k in (1, 2, 3)]
    np.testing.assert_array_equal(scores[0], scores[1])
    np.testing.assert_array_equal(scores[0], scores[2])


def test_noise_is_normal_enough():
    from rankwright.kernels.boosted.cuts import MOST_LUCK, _normal

    drawn = np.array([_normal.py_func(np.uint64(number)) for number in range(4000)])
    assert abs(drawn.mean()) < 0.06
    assert abs(drawn.std() - 1.0) < 0.04
    assert np.abs(drawn).max() <= MOST_LUCK
