import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.metrics import UndefinedMetricError, auc, roc_curve, roc_envelope

quick = settings(max_examples=100, deadline=None)
rows = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 5), st.integers(1, 3)), min_size=2, max_size=15
).filter(lambda rows: len({label for label, *_ in rows}) == 2)


def brute_auc(labels, scores, weights):
    won = total = 0
    for label, score, weight in zip(labels, scores, weights, strict=True):
        for other, below, other_weight in zip(labels, scores, weights, strict=True):
            if label > other:
                total += weight * other_weight
                won += weight * other_weight * ((score > below) + (score == below) / 2)
    return won / total


@given(rows)
@quick
def test_auc_is_the_share_of_won_pairs(rows):
    labels, scores, weights = zip(*rows, strict=True)
    assert auc(labels, scores) == pytest.approx(brute_auc(labels, scores, [1] * len(labels)))
    weighted = auc(labels, scores, sample_weight=weights)
    assert weighted == pytest.approx(brute_auc(labels, scores, weights))
    assert weighted == pytest.approx(
        sklearn.metrics.roc_auc_score(labels, scores, sample_weight=weights)
    )


@given(rows)
@quick
def test_roc_curve_is_scikit_learns_and_its_area_the_auc(rows):
    labels, scores, weights = zip(*rows, strict=True)
    curve = roc_curve(labels, scores, sample_weight=weights)
    expected = sklearn.metrics.roc_curve(
        labels, scores, sample_weight=weights, drop_intermediate=False
    )
    ours = (curve.false_positive_rate, curve.true_positive_rate, curve.thresholds)
    for mine, theirs in zip(ours, expected, strict=True):
        np.testing.assert_allclose(mine, theirs)
    area = np.trapezoid(curve.true_positive_rate, curve.false_positive_rate)
    assert area == pytest.approx(auc(labels, scores, sample_weight=weights))


@pytest.mark.parametrize("labels", [(0, 1), (-1, 1), (1, 2), (0.25, 0.5)])
def test_the_larger_of_any_two_labels_is_positive(labels):
    y = [labels[1], labels[0], labels[1], labels[0]]
    assert auc(y, [3, 2, 2, 1]) == 0.875


def test_constant_scores_give_one_half_and_the_diagonal():
    assert auc([1, 0, 1], [2, 2, 2]) == 0.5
    assert roc_curve([1, 0, 1], [2, 2, 2]).true_positive_rate.tolist() == [0, 1]


@pytest.mark.parametrize("metric", [auc, roc_curve])
def test_one_class_is_undefined_and_three_are_an_error(metric):
    with pytest.raises(UndefinedMetricError, match="one class only"):
        metric([1, 1], [0, 1])
    with pytest.raises(UndefinedMetricError, match="whole class"):
        metric([0, 1], [0, 1], sample_weight=[0, 1])
    with pytest.raises(ValueError, match="3 different values") as caught:
        metric([1, 2, 3], [0, 1, 2])
    assert not isinstance(caught.value, UndefinedMetricError)


def brute_height(curve, rate):
    """Every true positive rate that the curve takes at a rate strictly between its points."""
    x, y = curve.false_positive_rate, curve.true_positive_rate
    for i in range(len(x) - 1):
        if x[i] < rate < x[i + 1]:
            return y[i] + (y[i + 1] - y[i]) * (rate - x[i]) / (x[i + 1] - x[i])
    raise AssertionError("the rate is a point of the curve")


def test_envelope_bounds_every_curve_from_both_sides():
    rng = np.random.default_rng(0)
    curves = [roc_curve([0, 1] * 7, rng.integers(0, 5, 14)) for _ in range(4)]
    envelope = roc_envelope(curves)
    for place, rate in enumerate(envelope.false_positive_rate):
        nearby = rate + (1e-9 if place % 2 else -1e-9)
        if 0 < nearby < 1:
            heights = [brute_height(curve, nearby) for curve in curves]
            assert envelope.lower[place] == pytest.approx(min(heights), abs=1e-7)
            assert envelope.upper[place] == pytest.approx(max(heights), abs=1e-7)


def test_envelope_of_one_curve_has_no_area_and_its_corners():
    curve = roc_curve([1, 0, 1, 0], [4, 3, 2, 1])
    envelope = roc_envelope([curve])
    assert envelope.area == 0
    assert envelope.upper.tolist() == [0, 0.5, 0.5, 1, 1, 1]


def test_envelope_needs_a_curve():
    with pytest.raises(ValueError, match="at least one RocCurve"):
        roc_envelope([])


@pytest.mark.parametrize("weight", [[1, 0], [0, 1]])
def test_a_class_without_weight_has_no_auc(weight):
    with pytest.raises(UndefinedMetricError, match="zero on a whole class"):
        auc([1, 0], [1, 2], sample_weight=weight)
