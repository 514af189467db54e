import numpy as np
import pandas as pd
import polars as pl
import pytest

from rankwright import metrics

TWO_VECTORS = [
    metrics.auc,
    metrics.average_precision,
    metrics.dcg,
    metrics.hit_ratio,
    metrics.kendall_tau,
    metrics.ndcg,
    metrics.probabilistic_kendall_tau,
    metrics.rank_loss,
    metrics.roc_curve,
    metrics.spearman_footrule,
    metrics.spearman_rho,
    lambda y, s: metrics.top_auc(y, s, top=1),
    lambda y, s: metrics.quality_measures(y, s, top=1),
    lambda y, s: metrics.mean_over_groups(metrics.kendall_tau, y, s),
]


@pytest.mark.parametrize("metric", TWO_VECTORS)
@pytest.mark.parametrize(
    ("y", "scores", "message"),
    [
        ([], [], "y_true is empty"),
        ([1, 0], [1], r"has 1 values and y_true 2"),
        ([1, np.nan], [1, 2], r"y_true\[1\] is nan"),
        ([1, 0], [np.inf, 2], r"\[0\] is inf"),
        ([1, 0], [1, None], "nan"),
        ([1, 0], ["good", "bad"], "is not a number; pass numbers, larger is better"),
        ([[1, 0]], [[1, 2]], "shape"),
        (3, 4, "shape"),
    ],
)
def test_bad_input_is_named_by_every_metric(metric, y, scores, message):
    with pytest.raises(ValueError, match=message):
        metric(y, scores)


def test_the_first_row_that_is_not_finite_is_named():
    with pytest.raises(ValueError, match=r"^scores\[1\] is nan"):
        metrics.kendall_tau([1, 2, 3, 4], [1, np.nan, 3, np.inf])


def test_the_vector_of_another_length_is_named():
    with pytest.raises(ValueError, match=r"^scores has 1 values"):
        metrics.kendall_tau([1, 2], [1])
    with pytest.raises(ValueError, match=r"^y_pred has 1 values"):
        metrics.rank_loss([1, 2], [1])
    with pytest.raises(ValueError, match=r"^sample_weight has 1 values"):
        metrics.kendall_tau([1, 2], [1, 2], sample_weight=[1])


def test_weights_that_are_no_numbers_are_named():
    with pytest.raises(ValueError, match=r"^sample_weight holds .a., which is not a number"):
        metrics.kendall_tau([1, 2], [1, 2], sample_weight=["a", "b"])


@pytest.mark.parametrize("metric", TWO_VECTORS)
@pytest.mark.parametrize("as_column", [np.array, pd.Series, pl.Series, tuple])
def test_columns_of_any_library_are_taken(metric, as_column):
    y, scores = [1, 0, 1, 0], [4, 3, 2, 1]
    assert repr(metric(as_column(y), as_column(scores))) == repr(metric(y, scores))


@pytest.mark.parametrize(
    ("weight", "message"),
    [([1, -1], "runs from -1.0 to 1.0"), ([0, 0], "not all zero"), ([1], "1 values")],
)
def test_bad_weights_are_named(weight, message):
    for metric in (metrics.kendall_tau, metrics.auc, metrics.rank_loss):
        with pytest.raises(ValueError, match=message):
            metric([1, 0], [2, 1], sample_weight=weight)


def test_public_names_are_sorted_and_there():
    assert metrics.__all__ == sorted(metrics.__all__)
    assert all(hasattr(metrics, name) for name in metrics.__all__)
