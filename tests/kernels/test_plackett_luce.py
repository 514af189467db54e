import numpy as np
import pytest

from rankwright.kernels.plackett_luce import plackett_luce


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


@pytest.mark.parametrize("compiled", [True, False])
def test_value_and_gradient_with_ties(compiled):
    levels, groups = np.array([0, 1, 3, 4, 5, 9]), np.array([0, 3, 5])
    scores = np.random.default_rng(0).normal(size=9)
    gradient = np.empty(9)
    run = plackett_luce if compiled else plackett_luce.py_func
    assert run(scores, levels, groups, gradient) == pytest.approx(
        negative_log_likelihood(scores, levels, groups)
    )
    for i in range(9):
        up, down = scores.copy(), scores.copy()
        up[i] += 1e-6
        down[i] -= 1e-6
        slope = negative_log_likelihood(up, levels, groups)
        slope -= negative_log_likelihood(down, levels, groups)
        assert gradient[i] == pytest.approx(slope / 2e-6, abs=1e-8)


def test_without_ties_it_is_a_product_of_choices():
    scores = np.array([0.1, 0.9, -0.4])  # worst first
    e = np.exp(scores)
    likelihood = e[2] / e.sum() * e[1] / (e[0] + e[1])
    value = plackett_luce(scores, np.arange(4), np.array([0, 3]), np.empty(3))
    assert value == pytest.approx(-np.log(likelihood))


def test_scores_far_apart_do_not_overflow():
    scores, gradient = np.array([1e4, 0.0, -1e4]), np.empty(3)
    value = plackett_luce(scores, np.arange(4), np.array([0, 3]), gradient)
    assert value == pytest.approx(3e4)
    np.testing.assert_allclose(gradient, [2.0, -1.0, -1.0])
