import numpy as np
import pytest

from rankwright.kernels import margin_pairs
from rankwright.kernels.margin_pairs import margin_blocks, margin_direct

TREE = np.array([[0, 6, 0, 3, 0, 1]])
NODES = np.array([[0, 3, 2, 1], [3, 6, 2, 1], [0, 6, -1, 0]])
BLOCKS = np.array([[0, 1]])
SCORES = np.array([0.5, -2.0, 3.0, 1.0, 2.5, -1.0])


def brute_force(squared):
    short = np.maximum(1.0 + SCORES[None, :3] - SCORES[3:, None], 0.0)
    slope = short if squared else (short > 0).astype(float)
    return (slope * short).sum(), np.r_[slope.sum(axis=0), -slope.sum(axis=1)]


@pytest.mark.parametrize("squared", [True, False])
@pytest.mark.parametrize("compiled", [True, False])
def test_a_block_compares_its_two_nodes(squared, compiled):
    out = np.zeros(6)
    run = margin_pairs._blocks if compiled else margin_pairs._blocks.py_func
    order = np.arange(6)
    value = run(SCORES, np.ones(6), TREE, NODES, BLOCKS, order, 1.0, squared, -1.0, out)
    expected, sums = brute_force(squared)
    assert value == pytest.approx(expected)
    np.testing.assert_allclose(out, sums)


@pytest.mark.parametrize("squared", [True, False])
@pytest.mark.parametrize("compiled", [True, False])
def test_direct_pairs_are_summed(squared, compiled):
    start, end, out = np.zeros(6, int), np.array([0, 0, 0, 3, 3, 3]), np.zeros(6)
    run = margin_direct if compiled else margin_direct.py_func
    value = run(SCORES, np.ones(6), start, end, 1.0, squared, -1.0, out)
    expected, sums = brute_force(squared)
    assert value == pytest.approx(expected)
    np.testing.assert_allclose(out, sums)


@pytest.mark.parametrize("few_leaves", [0, 16], ids=["merged", "swept"])
def test_long_levels_are_sorted_beforehand(monkeypatch, few_leaves):
    monkeypatch.setattr(margin_pairs, "FEW_LEAVES", few_leaves)
    rng = np.random.default_rng(0)
    scores = np.round(rng.normal(size=6000), 2)
    tree, nodes = np.array([[0, 6000, 0, 3, 0, 1]]), NODES * np.array([1000, 1000, 1, 1])
    out, expected = np.zeros(6000), np.zeros(6000)
    value = margin_blocks(scores, np.ones(6000), tree, nodes, BLOCKS, 1.0, True, -1.0, out)
    short = np.maximum(1.0 + scores[None, :3000] - scores[3000:, None], 0.0)
    expected[:3000], expected[3000:] = short.sum(axis=0), -short.sum(axis=1)
    assert value == pytest.approx((short**2).sum())
    np.testing.assert_allclose(out, expected, rtol=1e-9, atol=1e-6)


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("n", [1, 2, 15, 16, 17, 40, 333])
def test_rows_are_sorted_by_score(compiled, n):
    table, rows = np.random.default_rng(n).normal(size=(3, n)), np.arange(n)
    expected = np.sort(table[0])
    run = margin_pairs._sort if compiled else margin_pairs._sort.py_func
    scores = table[0].copy()
    run(table, rows, np.empty((3, n)), np.empty(n, int), 0, n)
    np.testing.assert_array_equal(table[0], expected)
    np.testing.assert_array_equal(scores[rows], expected)


@pytest.mark.parametrize("squared", [True, False])
@pytest.mark.parametrize("compiled", [True, False])
def test_leaves_are_compared_with_all_lower_ones_in_one_sweep(squared, compiled):
    rng = np.random.default_rng(0)
    leaf = np.sort(rng.integers(4, size=60)).astype(np.uint8)
    scores, charges, out = np.round(8 * rng.normal(size=60)) / 8, rng.random(60), np.zeros(60)
    run = margin_pairs._sweep_leaves if compiled else margin_pairs._sweep_leaves.py_func
    value = run(scores, charges, leaf, np.argsort(scores), 4, 1.0, squared, -1.0, out)
    short = np.maximum(1.0 + scores - scores[:, None], 0.0) * (leaf < leaf[:, None])
    slope = short if squared else (short > 0).astype(float)
    assert value == pytest.approx(charges @ (slope * short) @ charges)
    np.testing.assert_allclose(out, charges @ slope - slope @ charges, atol=1e-12)
