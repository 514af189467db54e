from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import permutation_test, wilcoxon

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


@given(differences)
@settings(max_examples=60, deadline=None)
def test_randomisation_counts_the_signs_that_go_as_far(values):
    sums = [abs(np.dot(signs, values)) for signs in product([-1, 1], repeat=len(values))]
    expected = np.mean([one >= abs(sum(values)) for one in sums])
    assert paired_test(np.array(values) / 10).p_randomisation == pytest.approx(expected)


@pytest.mark.parametrize(
    "values",
    [[2.0], [1, 1, -2, 0, 3], [3, -1, 1, 2, 2, -2, 0, 5], [1.5, -3, *range(4, 15)]],
)
def test_wilcoxon_of_few_differences_is_that_of_scipy(values):
    expected = wilcoxon(values).pvalue
    assert paired_test(values).p_wilcoxon == pytest.approx(expected, abs=1e-12)


def test_drawn_signs_agree_with_scipy():
    values = np.random.default_rng(1).normal(0.25, 1, 60)
    theirs = permutation_test(
        (values,), np.mean, permutation_type="samples", n_resamples=20_000, rng=2
    ).pvalue
    assert paired_test(values).p_randomisation == pytest.approx(theirs, abs=0.01)


def test_lists_that_one_of_the_two_missed_do_not_count():
    found = paired_test([0.1, np.nan, 0.3])
    assert (found.n, found.effect) == (2, pytest.approx(0.2))


def test_without_a_list_nothing_is_known():
    found = paired_test([np.nan])
    assert (found.n, found.p_randomisation) == (0, 1.0)
    assert np.isnan([found.effect, found.detectable]).all()


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
