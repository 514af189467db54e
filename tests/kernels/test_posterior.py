"""The mean formula beside the same integral on a grid."""

import numpy as np
import pytest
from scipy import stats

from rankwright.kernels.draws import draw_chi_square, draw_truncated
from rankwright.kernels.rating.posterior import MOST_SIGNAL, WEAK, mean_formula

RUNNING = np.zeros(1, dtype=np.bool_)


def state(seed):
    return np.array([seed], dtype=np.uint64)


def sampled_mean(columns, levels, scores, sweeps, offsets=None, free=False):
    d, n = columns.shape
    offsets = np.array([0, n]) if offsets is None else offsets
    start = np.ones(d)
    mean, drawn = mean_formula(
        columns,
        levels,
        scores,
        offsets,
        np.ones(n),
        np.full(d, free),
        start,
        state(1),
        sweeps // 10,
        sweeps,
        RUNNING,
    )
    assert drawn == sweeps
    return mean


@pytest.mark.parametrize(
    ("low", "high"), [(-0.5, 0.7), (1.0, 1.2), (2.0, np.inf), (-np.inf, -3.0), (-1.0, np.inf)]
)
def test_truncated_normal_numbers_have_the_mean_of_their_distribution(low, high):
    numbers = state(3)
    drawn = np.array([draw_truncated(numbers, low, high) for _ in range(4000)])
    truth = stats.truncnorm(low, high)
    assert low <= drawn.min()
    assert drawn.max() <= high
    assert drawn.mean() == pytest.approx(truth.mean(), abs=5 * truth.std() / np.sqrt(4000))


def test_the_compiled_draws_are_those_of_the_source():
    one, other = state(5), state(5)
    compiled = [draw_truncated(one, 0.3, 2.0) for _ in range(20)]
    assert compiled == [draw_truncated.py_func(other, 0.3, 2.0) for _ in range(20)]


def test_chi_square_numbers_have_their_mean_and_variance():
    numbers = state(7)
    drawn = np.array([draw_chi_square(numbers, 7.0) for _ in range(8000)])
    assert drawn.mean() == pytest.approx(7.0, abs=0.25)
    assert drawn.var() == pytest.approx(14.0, abs=1.5)


def grid_mean(columns):
    """Integrate over direction and size of two weights, for three products published in order."""
    total, mean = 0.0, np.zeros(2)
    covariance = np.array([[2.0, -1.0], [-1.0, 2.0]])  # of differences between neighbours
    order = stats.multivariate_normal([0.0, 0.0], covariance)
    for angle in (np.arange(40) + 0.5) / 40 * np.pi / 2:
        unit = np.array([np.cos(angle), np.sin(angle)])
        spread = (unit @ columns).std()
        sizes = np.exp(np.linspace(-7, np.log(MOST_SIGNAL / spread), 60))
        steps = np.diff(unit @ columns)
        likelihood = order.cdf(sizes[:, None] * steps)
        # In polar coordinates, size × d log size for the area, and the prior of the weights.
        weight = float((likelihood * sizes**2 * (sizes**2 + WEAK) ** -1.5).sum())
        weight *= np.log(sizes[1] / sizes[0])
        total += weight
        mean += weight * unit / spread
    return mean / total


@pytest.mark.parametrize(
    "columns",
    [
        [[-1.2, 0.1, 1.1], [0.6, -1.3, 0.7]],
        [[-1.0, 1.3, -0.3], [-0.8, -0.5, 1.3]],
    ],
)
def test_the_mean_of_formulas_is_the_integral_over_all_of_them(columns):
    columns = np.array(columns)
    found = sampled_mean(columns, np.arange(3), np.empty(0), 60_000)
    assert found == pytest.approx(grid_mean(columns), rel=0.05, abs=0.02)


def test_scores_without_noise_give_their_formula():
    rng = np.random.default_rng(0)
    columns = rng.normal(size=(3, 40))
    scores = np.array([1.0, -2.0, 0.5]) @ columns
    found = sampled_mean(columns, np.argsort(np.argsort(scores)), scores, 200, free=True)
    assert found / found[0] == pytest.approx([1.0, -2.0, 0.5], rel=1e-6)


def test_shifts_of_groups_do_not_disturb_scores():
    rng = np.random.default_rng(1)
    columns = rng.normal(size=(2, 60))
    scores = np.array([1.0, 3.0]) @ columns + np.repeat([0.0, 5.0, -4.0], 20)
    offsets = np.array([0, 20, 40, 60])
    found = sampled_mean(columns, np.zeros(60, np.int64), scores, 500, offsets)
    assert found[1] / found[0] == pytest.approx(3.0, rel=1e-4)


def grid_mean_by_scores(columns, scores):
    """Integrate over direction, size of two weights and the unit of the scores, in their noise."""
    n, total, mean = len(scores), 0.0, np.zeros(2)
    units = np.exp(np.linspace(-4, 5, 160))
    for angle in (np.arange(60) + 0.5) / 60 * np.pi / 2:
        unit = np.array([np.cos(angle), np.sin(angle)])
        fitted = unit @ columns
        sizes = np.exp(np.linspace(-7, 6, 200))[:, None]
        left = units**2 * (scores @ scores) - 2 * units * sizes * (scores @ fitted)
        squares = left + sizes**2 * (fitted @ fitted)
        # d log of size and unit; (units ** (n - 2)) is flat in the noise's standard deviation.
        density = -0.5 * squares + (n - 1) * np.log(units)
        weight = float((np.exp(density) * sizes**2 * (sizes**2 + WEAK) ** -1.5).sum())
        total += weight
        mean += weight * unit / fitted.std()
    return mean / total


def test_the_mean_by_noisy_scores_is_the_integral_over_all_formulas():
    rng = np.random.default_rng(4)
    columns = rng.normal(size=(2, 6))
    columns -= columns.mean(axis=1, keepdims=True)
    scores = np.array([1.0, 0.4]) @ columns + 0.5 * rng.normal(size=6)
    scores -= scores.mean()
    found = sampled_mean(columns, np.arange(6), scores / scores.std(), 60_000)
    assert found == pytest.approx(grid_mean_by_scores(columns, scores / scores.std()), rel=0.03)
