import numpy as np
import pytest

from rankwright.kernels.push import push_and_pull


def by_definition(scores, grade, group, scale, p, pull):
    """Chang et al. (2012), section 6.2, with the second loss's exponent corrected."""
    value = 0.0
    for g in range(len(scale)):
        s, y = scores[group == g], grade[group == g]
        losses = (y[:, None] > y[None, :]) * np.exp(-(s[:, None] - s[None, :]))
        low = (losses.sum(axis=0) ** p).sum() ** (1 / p)
        high = (losses.sum(axis=1) ** p).sum() ** (1 / p)
        value += scale[g] * (low + pull * high)
    return value


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize(("p", "pull"), [(1.0, 0.0), (2.0, 0.5), (4.0, 1.0)])
def test_value_and_gradient_equal_the_definition(compiled, p, pull):
    grade = np.array([0, 1, 1, 2, 0, 0, 1, 2, 3, 5])
    group = np.array([0, 0, 0, 0, 1, 1, 1, 1, 1, 2])
    levels, groups = np.array([0, 1, 3, 4, 6, 7, 8, 9, 10]), np.array([0, 3, 7, 8])
    scale = np.array([0.5, 2.0, 1.0])
    scores, gradient = np.random.default_rng(0).normal(size=10), np.empty(10)
    run = push_and_pull if compiled else push_and_pull.py_func
    value = run(scores, np.ones(10), levels, groups, scale, p, pull, gradient)
    assert value == pytest.approx(by_definition(scores, grade, group, scale, p, pull))
    for i in range(10):
        up, down = scores.copy(), scores.copy()
        up[i] += 1e-6
        down[i] -= 1e-6
        slope = by_definition(up, grade, group, scale, p, pull)
        slope -= by_definition(down, grade, group, scale, p, pull)
        assert gradient[i] == pytest.approx(slope / 2e-6, rel=1e-6, abs=1e-7)


def test_for_p_1_push_and_pull_are_the_same():
    levels, groups, scale = np.array([0, 2, 3, 5]), np.array([0, 3]), np.ones(1)
    scores = np.random.default_rng(1).normal(size=5)
    push = push_and_pull(scores, np.ones(5), levels, groups, scale, 1.0, 0.0, np.empty(5))
    both = push_and_pull(scores, np.ones(5), levels, groups, scale, 1.0, 1.0, np.empty(5))
    assert both == pytest.approx(2 * push)


@pytest.mark.parametrize(("p", "pull"), [(1.0, 0.0), (3.0, 0.5)])
def test_a_row_of_whole_weight_is_so_many_rows(p, pull):
    levels, groups, scale = np.array([0, 2, 3, 5]), np.array([0, 3]), np.ones(1)
    scores, weights = np.random.default_rng(2).normal(size=5), np.array([2, 0, 1, 3, 1])
    gradient, slope = np.empty(5), np.empty(7)
    value = push_and_pull(scores, weights.astype(float), levels, groups, scale, p, pull, gradient)
    expected = push_and_pull(
        np.repeat(scores, weights),
        np.ones(7),
        np.array([0, 2, 3, 7]),
        groups,
        scale,
        p,
        pull,
        slope,
    )
    assert value == pytest.approx(expected)
    summed = np.zeros(5)
    np.add.at(summed, np.repeat(np.arange(5), weights), slope)
    np.testing.assert_allclose(gradient, summed)
