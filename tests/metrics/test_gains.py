import math

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.metrics import UndefinedMetricError, average_precision, dcg, hit_ratio, ndcg
from tied_orders import binary_rows, graded_rows, mean_over_orders

quick = settings(max_examples=60, deadline=None)


def brute_precision(labels):
    return sum(sum(labels[: i + 1]) / (i + 1) for i, v in enumerate(labels) if v) / sum(labels)


def brute_dcg(gains):
    return sum(gain / math.log(1 + place) for place, gain in enumerate(gains, start=1))


@given(binary_rows)
@quick
def test_average_precision_is_the_mean_over_the_orders_of_ties(rows):
    expected = mean_over_orders(rows, brute_precision)
    assert average_precision(*zip(*rows, strict=True)) == pytest.approx(expected)


@given(graded_rows, st.sampled_from([None, 1, 3, 9]))
@quick
def test_dcg_is_the_mean_over_the_orders_of_ties(rows, k):
    expected = mean_over_orders(rows, lambda gains: brute_dcg(gains[:k]))
    assert dcg(*zip(*rows, strict=True), k=k) == pytest.approx(expected)


@given(graded_rows.filter(lambda rows: any(grade for grade, _ in rows)), st.sampled_from([None, 2]))
@quick
def test_exponential_gains_are_two_to_the_grade_less_one(rows, k):
    grades, scores = zip(*rows, strict=True)
    linear = ndcg([2**grade - 1 for grade in grades], scores, k=k)
    assert ndcg(grades, scores, k=k, gains="exponential") == pytest.approx(linear, abs=1e-15)


@pytest.mark.parametrize(("largest", "gains"), [(2000, "linear"), (1000, "exponential")])
def test_grades_as_large_as_floats_allow_are_taken(largest, gains):
    assert ndcg([1, largest], [0, 1], gains=gains) == 1.0


@given(binary_rows, st.sampled_from([0.1, 0.5, 0.9, 1.0]))
@quick
def test_hit_ratio_is_the_mean_over_the_orders_of_ties(rows, share):
    count = math.ceil(round(share * len(rows), 9))
    expected = mean_over_orders(rows, lambda labels: sum(labels[:count]) / count)
    assert hit_ratio(*zip(*rows, strict=True), share=share) == pytest.approx(expected)


@pytest.mark.parametrize("k", [None, 1, 5])
def test_ndcg_and_dcg_agree_with_scikit_learn_on_ties(k):
    gains, scores = np.random.default_rng(0).integers(0, 5, (2, 40))
    expected = sklearn.metrics.ndcg_score([gains], [scores], k=k)
    assert ndcg(gains, scores, k=k) == pytest.approx(expected)
    base_two = sklearn.metrics.dcg_score([gains], [scores], k=k)
    assert dcg(gains, scores, k=k) * math.log(2) == pytest.approx(base_two)


def test_average_precision_without_ties_is_scikit_learns():
    rng = np.random.default_rng(0)
    labels, scores = rng.integers(0, 2, 200), rng.normal(size=200)
    expected = sklearn.metrics.average_precision_score(labels, scores)
    assert average_precision(labels, scores) == pytest.approx(expected)


@pytest.mark.parametrize("metric", [average_precision, dcg, hit_ratio, ndcg])
def test_the_order_of_rows_does_not_matter(metric):
    rng = np.random.default_rng(3)
    labels, scores = rng.integers(0, 2, 50), rng.integers(0, 4, 50)
    shuffled = rng.permutation(50)
    assert metric(labels, scores) == pytest.approx(metric(labels[shuffled], scores[shuffled]))


def test_constant_scores_give_the_share_of_positives_as_hit_ratio():
    assert hit_ratio([1, 0, 0, 0], [2, 2, 2, 2], share=0.5) == 0.25


def test_hit_ratio_counts_seven_of_a_hundred_as_seven():
    labels = [1] * 7 + [0] * 93
    assert hit_ratio(labels, range(100, 0, -1), share=0.07) == 1.0


def test_ndcg_without_gains_is_undefined():
    with pytest.raises(UndefinedMetricError, match="0 for every item"):
        ndcg([0, 0], [1, 2])
    assert dcg([0, 0], [1, 2]) == 0.0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: dcg([-1, 1], [0, 1]), r"negative gain \(-1.0\)"),
        (lambda: ndcg([1, 2], [0, 1], k=0), "k=0"),
        (lambda: ndcg([1, 2], [0, 1], k=1.5), "k=1.5"),
        (lambda: ndcg([1, 2], [0, 1], gains="log"), "gains='log'; choose from"),
        (lambda: ndcg([1, 2000], [0, 1], gains="exponential"), "as large as 2000.0"),
        (lambda: hit_ratio([1, 0], [0, 1], share=10), "share=10"),
        (lambda: hit_ratio([1, 0], [0, 1], share=1.01), "share=1.01"),
        (lambda: hit_ratio([1, 0], [0, 1], share=0), "share=0"),
        (lambda: average_precision([1, 2, 3], [0, 1, 2]), "two classes"),
    ],
)
def test_what_is_out_of_range_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
