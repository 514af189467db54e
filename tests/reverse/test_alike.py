import numpy as np

from rankwright.reverse.questions.alike import alike_factors

RNG = np.random.default_rng(0)
X = RNG.random((40, 4))


def test_unrelated_factors_are_not_alike():
    assert alike_factors(X) == []


def test_correlated_factors_are_found_in_both_directions():
    doubled = np.column_stack([X, -X[:, 1] + 0.01 * RNG.random(40)])
    (found,) = alike_factors(doubled)
    assert found.factors == (1, 4)
    assert 0.95 < found.correlation < 1


def test_a_total_of_three_factors_is_dependent_on_them():
    (found,) = alike_factors(np.column_stack([X, X[:, :3].sum(axis=1)]))
    assert found.factors == (0, 1, 2, 4)
    assert found.are_dependent


def test_factors_that_differ_between_groups_only_are_compared_inside_them():
    groups = np.repeat([0, 1], 20)
    shifted = X + 100 * groups[:, None]
    assert alike_factors(shifted) != []
    assert alike_factors(shifted, groups) == []


def test_constant_factors_say_nothing_and_are_left_alone():
    assert alike_factors(np.column_stack([X, np.full(40, 7.0), np.full(40, 3.0)])) == []
