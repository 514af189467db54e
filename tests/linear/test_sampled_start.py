import numpy as np
import pytest

import rankwright as rw
from rankwright.linear import pairwise
from rankwright.linear.loss import LOSSES, LOSSES_OF_DIFFERENCES, SECOND_DERIVATIVES
from rankwright.linear.pairs import listed_pairs
from rankwright.linear.solver import Curvature, sampled_start


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 4)) * [1.0, 10.0, 0.1, 1.0]
    y = np.round(X @ [1.0, -0.1, 3.0, 0.0] + rng.logistic(size=3000))
    return X, y, rng.integers(0, 3, 3000)


@pytest.mark.parametrize("nonnegative", [False, True])
@pytest.mark.parametrize("loss", sorted(LOSSES_OF_DIFFERENCES))
def test_the_minimum_is_the_same_from_the_sampled_start(rows, loss, nonnegative, monkeypatch):
    ranker = rw.PairwiseRanker(loss, alpha=1e-3, nonnegative=nonnegative)
    from_zero = ranker.fit(*rows).coef_
    monkeypatch.setattr(pairwise, "MANY_ROWS", 1000)
    from_sample = ranker.fit(*rows).coef_
    np.testing.assert_allclose(from_sample, from_zero, rtol=1e-4, atol=1e-6)
    assert not np.array_equal(from_sample, from_zero)


@pytest.mark.parametrize("loss", sorted(LOSSES_OF_DIFFERENCES))
def test_a_loss_of_differences_is_that_of_listed_pairs(loss):
    rng = np.random.default_rng(1)
    weights = rng.random(50)
    differences = rng.normal(scale=3.0, size=50)
    # Each pair's better row has the difference for a score, and its worse row zero.
    pairs = listed_pairs(np.arange(50), np.full(50, 50), weights, None, 51)
    value, gradient = LOSSES[loss](pairs)(np.r_[differences, 0.0])
    sampled, slope = LOSSES_OF_DIFFERENCES[loss](weights / weights.sum())(differences)
    assert sampled == pytest.approx(value)
    np.testing.assert_allclose(slope, gradient[:50], atol=1e-15)


def test_the_start_is_near_the_minimum_over_the_sampled_pairs():
    rng = np.random.default_rng(2)
    differences = rng.normal(size=(4096, 3))
    differences *= np.sign(differences @ [1.0, 2.0, 0.0] + rng.logistic(size=4096))[:, None]
    weights = np.full(4096, 1 / 4096)
    curvature = Curvature(differences, weights, SECOND_DERIVATIVES["logistic"], 0.25, 0.0, False)
    coef = sampled_start(curvature, LOSSES_OF_DIFFERENCES["logistic"])
    _, slope = LOSSES_OF_DIFFERENCES["logistic"](weights)(differences @ coef)
    assert np.abs(differences.T @ slope).max() < 1e-3
