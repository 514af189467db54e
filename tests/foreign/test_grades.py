import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.foreign.grades import Grading


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=200))
@settings(max_examples=100, deadline=None)
def test_grades_are_few_and_keep_the_order(values):
    y = np.array(values)
    grades = Grading.of(y)(y)
    assert grades.min() >= 0
    assert grades.max() <= 30
    order = np.argsort(y, kind="stable")
    assert (np.diff(grades[order]) >= 0).all()
    if len(np.unique(y)) <= 31:
        assert len(np.unique(grades)) == len(np.unique(y))


def test_grades_stay_what_they_are():
    y = np.array([0.0, 4.0, 2.0])
    grading = Grading.of(y)
    assert grading(y).tolist() == [0, 4, 2]
    assert grading.linear_gains is None


@pytest.mark.parametrize("y", [[-1, 0], [0.5, 1], [0, 31]])
def test_what_is_no_grade_becomes_one_with_linear_gains(y):
    grading = Grading.of(np.array(y, dtype=float))
    assert grading(np.array(y, dtype=float)).tolist() == [0, 1]
    assert grading.linear_gains == list(range(31))
