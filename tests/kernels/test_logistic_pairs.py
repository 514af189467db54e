import numpy as np
import pytest
from scipy.special import expit

from rankwright.kernels.logistic_pairs import (
    BIN_WIDTH,
    REACH,
    TERMS,
    bin_scores,
    logistic_blocks,
    logistic_direct,
    tabulate,
)

TREE = np.array([[0, 6, 0, 3, 0, 1]])
NODES = np.array([[0, 3, 2, 1], [3, 6, 2, 1], [0, 6, -1, 0]])
BLOCKS = np.array([[0, 1]])
SCORES = np.array([0.5, -60.0, 3.0, 1.0, 2.5, -1.0])


def softplus(x):
    return np.logaddexp(0.0, x)


def brute_force(worse, better):
    sums = np.zeros(6)
    value = 0.0
    for i in better:
        for k in worse:
            behind = SCORES[k] - SCORES[i]
            value += softplus(behind)
            sums[k] += expit(behind)
            sums[i] -= expit(behind)
    return value, sums


@pytest.mark.parametrize("compiled", [True, False])
def test_a_block_compares_its_two_nodes(compiled):
    tables = np.stack([tabulate(expit), tabulate(softplus)])
    bins = bin_scores(SCORES, TREE)
    out = np.zeros(6)
    run = logistic_blocks if compiled else logistic_blocks.py_func
    value = run(SCORES, np.ones(6), TREE, NODES, BLOCKS, *bins, tables, 1.0, -1.0, out)
    expected, sums = brute_force(range(3), range(3, 6))
    assert value == pytest.approx(expected, rel=1e-11)
    np.testing.assert_allclose(out, sums, atol=1e-11)


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("uniform", [True, False])
@pytest.mark.parametrize("stretch", [1.0, 100.0])
def test_direct_pairs_are_summed(compiled, uniform, stretch):
    start, end, groups = np.zeros(6, int), np.array([0, 0, 0, 3, 3, 3]), np.array([0, 0, 6])
    out = np.zeros(6)
    run = logistic_direct if compiled else logistic_direct.py_func
    scores = stretch * SCORES
    value = run(scores, np.ones(6), start, end, groups, 1.0, 0.0, -1.0, uniform, out)
    behind = scores[None, :3] - scores[3:, None]
    assert value == pytest.approx(softplus(behind).sum(), rel=1e-12)
    np.testing.assert_allclose(out[3:], -expit(behind).sum(axis=1), atol=1e-12)
    np.testing.assert_allclose(out[:3], expit(behind).sum(axis=0), atol=1e-12)


def test_tables_interpolate_to_1e_12():
    x, t = np.random.default_rng(0).uniform(-1, 1, size=(2, 50))
    powers = np.arange(TERMS)
    for function in (expit, softplus, lambda d: expit(d) ** 2, lambda d: expit(d) * expit(-d)):
        table = tabulate(function)
        for distance in (-REACH, -3, -1, 0, 1, 4, REACH):
            exact = function(BIN_WIDTH * (distance + 0.5 * (t - x)))
            left, right = (
                np.cos(np.outer(np.arccos(x), powers)),
                np.cos(np.outer(np.arccos(t), powers)),
            )
            ours = np.einsum("nj,jt,nt->n", left, table[distance + REACH], right)
            np.testing.assert_allclose(ours, exact, atol=2e-12 * max(1.0, np.abs(exact).max()))


def test_bins_are_left_out_only_when_there_are_many():
    _, places, _ = bin_scores(np.array([0.0, 9.0]), np.array([[0, 2, 0, 0, 0, 0]]))
    assert places.tolist() == [0, 1, 2, 3, 4]
    bins, places, _ = bin_scores(np.array([0.0, 1e6, -3.0]), np.array([[0, 3, 0, 0, 0, 0]]))
    assert places.tolist() == [-2, 0, 500_000]
    assert bins.tolist() == [1, 2, 0]
