from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import permutation_test, sem, wilcoxon

from rankwright.metrics import holm, paired_test

differences = st.lists(st.integers(-3, 3), min_size=1, max_size=7)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
@settings(max_examples=100, deadline=None)
def test_holm_rejects_what_the_step_down_procedure_rejects(p):
    for level in (0.01, 0.05, 0.3):
        rejected = set()
        for step, place in enumerate(sorted(range(len(p)), key=lambda i: p[i])):
            if p[place] * (len(p) - step) > level:
                break
            rejected.add(place)
        assert set(np.flatnonzero(holm(p) <= level).tolist()) == rejected


def test_adjusted_p_values_are_at_most_one():
    assert holm([0.9, 0.4, 0.6]).tolist() == [1.0, 1.0, 1.0]


def test_p_values_of_a_column_of_objects_are_numbers_once_adjusted():
    assert holm(np.array([0.01, 0.04], dtype=object)).dtype == float


@given(differences, st.sampled_from([0.1, 1e-9, 1e7 / 3]))
@settings(max_examples=100, deadline=None)
def test_randomisation_counts_the_signs_that_go_as_far(values, unit):
    sums = [abs(np.dot(signs, values)) for signs in product([-1, 1], repeat=len(values))]
    expected = np.mean([one >= abs(sum(values)) for one in sums])
    assert paired_test(np.array(values) * unit).p_randomisation == pytest.approx(expected)


@pytest.mark.parametrize(
    "values",
    [
        [2.0],
        [1, 1, -2, 0, 3],
        [3, -1, 1, 2, 2, -2, 0, 5],
        [1.5, -3, *range(4, 15)],
        [-3, -3, *range(4, 16)],
    ],
)
def test_wilcoxon_is_that_of_scipy(values):
    expected = wilcoxon(values).pvalue
    assert paired_test(values).p_wilcoxon == pytest.approx(expected, abs=1e-12)


def test_drawn_signs_agree_with_scipy():
    values = np.random.default_rng(1).normal(0.25, 1, 60)
    theirs = permutation_test(
        (values,), np.mean, permutation_type="samples", n_resamples=20_000, rng=2
    ).pvalue
    assert paired_test(values).p_randomisation == pytest.approx(theirs, abs=0.01)


@pytest.mark.parametrize("n", [40, 300])
def test_no_p_value_of_20000_draws_is_below_one_in_20001(n):
    assert paired_test([0.1] * n).p_randomisation == 1 / 20_001


def test_of_more_than_16_differences_signs_are_drawn():
    assert paired_test([0.1] * 16).p_randomisation == 2 / 2**16
    assert paired_test([0.1] * 17).p_randomisation >= 1 / 20_001 > 2 / 2**17


@pytest.mark.parametrize("n", [10, 150])
def test_differences_that_cancel_are_reached_by_all_draws(n):
    assert paired_test([0.1, -0.1] * n).p_randomisation == 1.0


def test_the_random_state_draws_the_signs():
    values = np.random.default_rng(0).normal(0.2, 1, 40)
    p = [paired_test(values, random_state=state).p_randomisation for state in (0, 1)]
    assert paired_test(values).p_randomisation == p[0] != p[1]


@pytest.mark.parametrize("missing", [np.nan, None])
def test_lists_that_one_of_the_two_missed_do_not_count(missing):
    found = paired_test([0.1, missing, 0.3])
    assert (found.n, found.effect) == (2, pytest.approx(0.2))


def test_without_a_list_nothing_is_known():
    found = paired_test([np.nan])
    assert (found.n, found.p_randomisation) == (0, 1.0)
    assert np.isnan([found.effect, found.detectable]).all()


@pytest.mark.parametrize(("n", "detectable"), [(1, np.nan), (2, 0.0), (9, 0.0)])
def test_equal_measurements_are_a_difference_of_zero(n, detectable):
    found = paired_test([0.0] * n)
    assert (found.effect, found.n, found.p_randomisation, found.p_wilcoxon) == (0.0, n, 1.0, 1.0)
    assert found.detectable == pytest.approx(detectable, nan_ok=True)


@pytest.mark.parametrize("values", [[1, 3], [0.2, 0.5, 0.1, -0.3, 0.4]])
def test_the_detectable_difference_is_two_point_eight_standard_errors(values):
    # The quantiles of the normal distribution at 97.5% and 80% are 1.959964 and 0.841621.
    assert paired_test(values).detectable == pytest.approx(2.801585 * sem(values), rel=1e-6)


@pytest.mark.filterwarnings("error")
def test_a_single_difference_has_no_spread():
    assert np.isnan(paired_test([0.2]).detectable)


@pytest.mark.slow
def test_a_detectable_difference_is_found_in_four_of_five_samples():
    rng = np.random.default_rng(0)
    spread = paired_test(rng.normal(0, 1, 100_000)).detectable * np.sqrt(100_000 / 40)
    found = [paired_test(rng.normal(spread, 1, 40)).p_randomisation < 0.05 for _ in range(400)]
    assert np.mean(found) == pytest.approx(0.8, abs=0.06)


@pytest.mark.parametrize("differences", [0.1, [[0.1, 0.2], [0.3, 0.4]]])
def test_differences_that_are_no_row_are_refused(differences):
    with pytest.raises(ValueError, match=r"differences have shape .*; give a row of them"):
        paired_test(differences)


@pytest.mark.parametrize("wrong", [-0.1, 1.1, np.nan, np.inf])
def test_what_is_no_p_value_is_named(wrong):
    with pytest.raises(ValueError, match=r"p holds .*; p-values are between 0 and 1"):
        holm([0.5, wrong])


def test_a_p_value_may_be_one():
    assert holm([0.5, 1.0]).tolist() == [1.0, 1.0]


def test_an_infinite_difference_is_not_left_out():
    with pytest.raises(ValueError, match="a difference is infinite; give NaN where"):
        paired_test([0.1, np.inf])
