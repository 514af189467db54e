import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.kernels.prank import prank_pass


def crammer_singer(X, labels, coef, thresholds):
    """Figure 1 of Crammer & Singer (2001), one round at a time."""
    for x, label in zip(X, labels, strict=True):
        signs = np.where(label > np.arange(thresholds.size), 1.0, -1.0)
        tau = np.where((coef @ x - thresholds) * signs <= 0, signs, 0.0)
        coef = coef + tau.sum() * x
        thresholds = thresholds - tau
    return coef, thresholds


@pytest.mark.parametrize("compiled", [True, False])
def test_it_is_the_published_rule(compiled):
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(50, 3)), rng.integers(0, 4, size=50)
    coef, thresholds = np.zeros(3), np.zeros(3)
    run = prank_pass if compiled else prank_pass.py_func
    run(X, labels, np.arange(50), coef, thresholds)
    expected = crammer_singer(X, labels, np.zeros(3), np.zeros(3))
    np.testing.assert_allclose(coef, expected[0])
    np.testing.assert_allclose(thresholds, expected[1])


@given(st.integers(0, 10_000), st.integers(2, 6))
@settings(max_examples=40, deadline=None)
def test_thresholds_stay_ordered(seed, n_labels):
    rng = np.random.default_rng(seed)
    X, labels = rng.normal(size=(40, 2)), rng.integers(0, n_labels, size=40)
    coef, thresholds = np.zeros(2), np.zeros(n_labels - 1)
    prank_pass(X, labels, rng.permutation(40), coef, thresholds)
    assert np.all(np.diff(thresholds) >= 0)


def test_a_separated_stream_makes_no_more_mistakes_in_the_end():
    x = np.linspace(-1, 1, 30)[:, None]
    labels = np.repeat([0, 1, 2], 10)
    coef, thresholds = np.zeros(1), np.zeros(2)
    mistakes = [prank_pass(x, labels, np.arange(30), coef, thresholds) for _ in range(2000)]
    assert mistakes[-1] == 0
