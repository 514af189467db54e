import numpy as np
import pytest

from rankwright.kernels.plackett_luce import plackett_luce

# Two groups: one row, two tied, one; then one, four tied.
LEVELS, GROUPS = np.array([0, 1, 3, 4, 5, 9]), np.array([0, 3, 5])


def negative_log_likelihood(scores, levels, groups):
    """Efron's rule, written out level by level."""
    value = 0.0
    for g in range(len(groups) - 1):
        for level in range(groups[g], groups[g + 1]):
            tied = np.exp(scores[levels[level] : levels[level + 1]])
            rest = np.exp(scores[levels[groups[g]] : levels[level + 1]]).sum()
            value -= np.log(tied).sum()
            value += sum(np.log(rest - tied.sum() * j / tied.size) for j in range(tied.size))
    return value


def run(scores, weights, levels, groups, kernel=plackett_luce):
    gradient = np.empty(scores.size)
    return kernel(scores, weights, levels, groups, gradient, np.empty(0)), gradient


def slopes(function, scores):
    """Return finite differences of a function of the scores."""
    steps = 1e-6 * np.eye(scores.size)
    return np.array([(function(scores + h) - function(scores - h)) / 2e-6 for h in steps])


@pytest.mark.parametrize("kernel", [plackett_luce, plackett_luce.py_func])
def test_value_and_gradient_with_ties(kernel):
    scores = np.random.default_rng(0).normal(size=9)
    value, gradient = run(scores, np.ones(9), LEVELS, GROUPS, kernel)
    assert value == pytest.approx(negative_log_likelihood(scores, LEVELS, GROUPS))
    expected = slopes(lambda s: negative_log_likelihood(s, LEVELS, GROUPS), scores)
    np.testing.assert_allclose(gradient, expected, atol=1e-8)


def test_a_whole_weight_is_a_number_of_tied_rows():
    rng = np.random.default_rng(1)
    scores, weights = rng.normal(size=9), np.array([2, 1, 3, 0, 1, 2, 0, 1, 1])
    levels = np.r_[0, np.cumsum(np.add.reduceat(weights, LEVELS[:-1]))]
    repeated = np.repeat(scores, weights)
    filled = np.diff(levels) > 0  # the third level has no row left
    levels, groups = np.r_[0, levels[1:][filled]], np.array([0, 2, 4])
    expected, slope = run(repeated, np.ones(10 + 1), levels, groups)
    value, gradient = run(scores, weights.astype(float), LEVELS, GROUPS)
    assert value == pytest.approx(expected)
    summed = np.zeros(9)
    np.add.at(summed, np.repeat(np.arange(9), weights), slope)
    np.testing.assert_allclose(gradient, summed, atol=1e-12)


def test_the_gradient_is_that_of_the_value_for_fractional_weights():
    rng = np.random.default_rng(2)
    scores, weights = rng.normal(size=9), rng.uniform(0.0, 3.0, size=9)
    _, gradient = run(scores, weights, LEVELS, GROUPS)
    expected = slopes(lambda s: run(s, weights, LEVELS, GROUPS)[0], scores)
    np.testing.assert_allclose(gradient, expected, atol=1e-7)


def test_the_curvature_is_that_of_the_gradient():
    rng = np.random.default_rng(3)
    scores, weights = rng.normal(size=9), rng.uniform(0.5, 3.0, size=9)
    curvature = np.empty(9)
    plackett_luce(scores, weights, LEVELS, GROUPS, np.empty(9), curvature)
    expected = slopes(lambda s: run(s, weights, LEVELS, GROUPS)[1], scores).diagonal()
    np.testing.assert_allclose(curvature, expected, atol=1e-7)


def test_tenths_that_add_up_to_a_whole_are_a_whole():
    scores = np.full(10, 0.3)
    value, gradient = run(scores, np.full(10, 0.1), np.array([0, 10]), np.array([0, 1]))
    assert value == pytest.approx(0.0, abs=1e-7)
    assert np.isfinite(gradient).all()


def test_without_ties_it_is_a_product_of_choices():
    scores = np.array([0.1, 0.9, -0.4])  # worst first
    e = np.exp(scores)
    likelihood = e[2] / e.sum() * e[1] / (e[0] + e[1])
    value, _ = run(scores, np.ones(3), np.arange(4), np.array([0, 3]))
    assert value == pytest.approx(-np.log(likelihood))


def test_scores_far_apart_do_not_overflow():
    scores = np.array([1e4, 0.0, -1e4])
    value, gradient = run(scores, np.ones(3), np.arange(4), np.array([0, 3]))
    assert value == pytest.approx(3e4)
    np.testing.assert_allclose(gradient, [2.0, -1.0, -1.0])
