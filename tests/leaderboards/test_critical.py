import numpy as np
import pytest
from scipy.stats import norm
from scipy.stats import t as student

from rankwright.kernels.differences import largest_differences
from rankwright.leaderboards.critical import (
    Bonferroni,
    DrawnErrors,
    MaxT,
    draw_strengths,
    draw_studentised,
    selected,
)
from rankwright.leaderboards.rank_sets import differences

NONE = np.zeros((2, 2))
ONE = np.array([False, True])


def test_few_degrees_make_the_bound_of_one_test_that_of_student():
    covariance = np.diag([0.5, 0.5])
    _, inverse = differences(np.zeros(2), covariance)
    draws = draw_strengths(covariance, 200_000, np.random.default_rng(0))
    bounds = [MaxT(draws, inverse, df, 0.95, NONE).of_item(0, ONE, ONE) for df in (np.inf, 5)]
    assert bounds == pytest.approx([1.96, 2.571], abs=0.02)


def test_drawn_errors_make_the_bound_of_one_pair_that_of_student():
    drawn = draw_studentised(np.diag([0.5, 0.5]), 5, 40_000, np.random.default_rng(0))
    critical = DrawnErrors(drawn, 0.95, NONE)
    assert critical.of_item(0, ONE, ONE) == pytest.approx(student.isf(0.025, 5), abs=0.05)
    assert critical.of_pairs(~np.eye(2, dtype=bool)) == critical.of_item(0, ONE, ONE)


def test_drawn_errors_bound_many_differences_higher_than_student_alone():
    covariance, rng = np.eye(8), np.random.default_rng(0)
    _, inverse = differences(np.zeros(8), covariance)
    everybody, none = ~np.eye(8, dtype=bool), np.zeros((8, 8))
    drawn = DrawnErrors(draw_studentised(covariance, 9, 4000, rng), 0.95, none)
    alone = MaxT(draw_strengths(covariance, 4000, rng), inverse, 9, 0.95, none)
    bonferroni = Bonferroni(9, 0.95, none)
    found = [critical.of_pairs(everybody) for critical in (alone, drawn, bonferroni)]
    assert found == sorted(found)
    assert found[1] - found[0] > 0.1


def test_bonferroni_gives_every_test_the_same_share_where_nothing_is_slack():
    everybody = ~np.eye(5, dtype=bool)
    bound = Bonferroni(np.inf, 0.9, np.zeros((5, 5))).of_pairs(everybody)
    assert bound == pytest.approx(norm.isf(0.1 / 20))


def test_bonferronis_probabilities_add_up_to_the_error_at_most_with_slack():
    rng = np.random.default_rng(0)
    slack = np.minimum(rng.normal(size=(9, 9)) * 3, 0)
    everybody = ~np.eye(9, dtype=bool)
    bound = Bonferroni(np.inf, 0.95, slack).of_pairs(everybody)
    total = norm.sf(bound - slack[everybody]).sum()
    assert 0.047 < total <= 0.05


def test_a_family_of_slack_tests_alone_has_a_finite_bound():
    slack = np.full((3, 3), -30.0)
    assert np.isfinite(Bonferroni(np.inf, 0.95, slack).of_pairs(~np.eye(3, dtype=bool)))


def test_selection_finds_slack_where_items_are_far_apart_and_pays_for_it():
    strengths = np.array([0.0, 0.5, 30.0])
    studentised, _ = differences(strengths, np.eye(3))
    found = selected(Bonferroni(np.inf, 0.95, np.zeros((3, 3))), studentised)
    reach = norm.isf(0.005 / 6)
    assert found.level == pytest.approx(0.955)
    assert np.allclose(found.slack, np.minimum(studentised + reach, 0))
    assert (found.slack[:2, 2] < -10).all()
    assert (found.slack[2] == 0).all()


def test_draws_have_the_covariance_even_a_singular_one():
    covariance = np.array([[1.0, -1.0], [-1.0, 1.0]])
    draws = draw_strengths(covariance, 20_000, np.random.default_rng(0))
    assert np.allclose(np.cov(draws), covariance, atol=0.03)


def test_draws_of_items_without_any_error_between_them_are_equal():
    covariance = np.array([[1.0, 1.0, 0], [1, 1, 0], [0, 0, 1]])
    drawn = draw_studentised(covariance, 4, 10, np.random.default_rng(0))
    assert (drawn[:, 0, 1] == 0).all()
    assert (drawn[:, 0, 2] != 0).all()


def test_the_kernel_takes_the_largest_of_what_is_marked():
    rng = np.random.default_rng(0)
    draws, inverse = rng.normal(size=(4, 6)), np.array([1.0, 2.0, 0.5, 3.0])
    up, down = np.array([-np.inf, 0, -np.inf, -0.5]), np.array([-np.inf, -1, 0, -np.inf])
    for compiled in (largest_differences, largest_differences.py_func):
        largest = np.full(6, -np.inf)
        compiled(draws, 0, inverse, up, down, largest)
        gaps = (draws[0] - draws) * inverse[:, None]
        expected = np.maximum((gaps + up[:, None]).max(0), (down[:, None] - gaps).max(0))
        assert np.allclose(largest, expected)
