import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.metrics import (
    UndefinedMetricError,
    average_precision,
    precision,
    recall,
    reciprocal_rank,
)
from tied_orders import graded_rows, mean_over_orders

quick = settings(max_examples=60, deadline=None)
some_relevant = graded_rows.filter(lambda rows: any(grade >= 2 for grade, _ in rows))
places = st.sampled_from([None, 1, 3, 9])


def brute_precision(labels, k):
    return sum(labels[:k]) / (k or len(labels))


def brute_recall(labels, k):
    return sum(labels[:k]) / sum(labels)


def brute_reciprocal_rank(labels, k):
    return next((1 / place for place, hit in enumerate(labels[:k], start=1) if hit), 0.0)


@pytest.mark.parametrize(
    ("metric", "brute"),
    [
        (precision, brute_precision),
        (recall, brute_recall),
        (reciprocal_rank, brute_reciprocal_rank),
    ],
)
@given(rows=some_relevant, k=places)
@quick
def test_ties_count_the_mean_over_their_orders(metric, brute, rows, k):
    labels = [(grade >= 2, score) for grade, score in rows]
    expected = mean_over_orders(labels, lambda order: brute(order, k))
    found = metric(*zip(*rows, strict=True), k=k, relevant=2)
    assert found == pytest.approx(expected)


def test_a_long_tie_has_the_expected_reciprocal_rank():
    n = 2000  # one relevant item at a random place: the mean of 1 / place
    labels = [1] + [0] * (n - 1)
    expected = sum(1 / place for place in range(1, n + 1)) / n
    assert reciprocal_rank(labels, [0.0] * n) == pytest.approx(expected, rel=1e-9)


def test_average_precision_of_grades_is_that_of_the_relevant_ones():
    grades, scores = [2, 0, 1, 2], [4, 3, 2, 1]
    expected = average_precision([1, 0, 0, 1], scores)
    assert average_precision(grades, scores, relevant=2) == expected


def test_a_list_of_relevant_items_alone_has_an_average_precision_of_one():
    assert average_precision([2, 3], [1, 2], relevant=1) == 1.0


@pytest.mark.parametrize("metric", [precision, recall, reciprocal_rank])
def test_a_list_without_a_relevant_item_is_undefined(metric):
    with pytest.raises(UndefinedMetricError, match=r"no y_true is 1.0 or more \(the largest is 0"):
        metric([0, 0], [1, 2])
