import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rankwright.metrics import expected_reciprocal_rank
from tied_orders import graded_rows, mean_over_orders


def brute(grades, k, largest):
    total, reading = 0.0, 1.0
    for place, grade in enumerate(grades[:k], start=1):
        satisfied = (2**grade - 1) / 2**largest
        total += reading * satisfied / place
        reading *= 1 - satisfied
    return total


@given(graded_rows, st.sampled_from([None, 1, 3, 9]), st.sampled_from([3, 4]))
@example([(3, 2), (2, 1), (1, 1), (0, 1)], 3, 3)
@settings(max_examples=60, deadline=None)
def test_ties_count_the_mean_over_their_orders(rows, k, largest):
    expected = mean_over_orders(rows, lambda grades: brute(grades, k, largest))
    found = expected_reciprocal_rank(*zip(*rows, strict=True), k=k, largest=largest)
    assert found == pytest.approx(expected)


def test_a_list_of_bad_items_alone_satisfies_nobody():
    assert expected_reciprocal_rank([0, 0], [1, 2]) == 0.0


@pytest.mark.parametrize("grades", [[-1, 2], [0, 5]])
def test_grades_off_the_scale_are_named(grades):
    with pytest.raises(ValueError, match=r"grades are from 0 to largest=4\.0"):
        expected_reciprocal_rank(grades, [1, 2])
