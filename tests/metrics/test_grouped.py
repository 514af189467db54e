import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.metrics import (
    UndefinedMetricError,
    auc,
    by_group,
    dcg,
    kendall_tau,
    mean_over_groups,
    ndcg,
    probabilistic_kendall_tau,
    rank_loss,
    somers_d,
    spearman_rho,
)
from rankwright.metrics.measure import METRICS

grades = st.integers(0, 2)
rows = st.lists(st.tuples(grades, grades, grades, st.integers(0, 2)), min_size=1, max_size=20)


def by_hand(metric, groups, y, scores, weights=None):
    values = []
    for label in sorted(set(groups)):
        inside = [i for i, group in enumerate(groups) if group == label]
        given_weights = {} if weights is None else {"sample_weight": [weights[i] for i in inside]}
        counted = {y[i] for i in inside if weights is None or weights[i]}
        if metric in (kendall_tau, somers_d, spearman_rho) and len(counted) < 2:
            values.append(np.nan)
            continue
        try:
            values.append(
                metric([y[i] for i in inside], [scores[i] for i in inside], **given_weights)
            )
        except ValueError:
            values.append(np.nan)
    return values


@pytest.mark.parametrize(
    "metric",
    [kendall_tau, probabilistic_kendall_tau, somers_d, spearman_rho, auc, ndcg, rank_loss],
)
@given(rows)
@settings(max_examples=40, deadline=None)
def test_by_group_is_the_metric_of_each_group(metric, rows):
    groups, y, scores, _ = zip(*rows, strict=True)
    if metric is auc:
        y = [min(label, 1) for label in y]
    result = by_group(metric, y, scores, groups)
    expected = by_hand(metric, groups, y, scores)
    assert result.labels.tolist() == sorted(set(groups))
    assert result.values.tolist() == pytest.approx(expected, nan_ok=True)
    assert result.n_undefined == np.isnan(expected).sum()


@given(rows.filter(lambda rows: any(row[3] for row in rows)))
@settings(max_examples=40, deadline=None)
def test_weights_go_with_their_items(rows):
    groups, y, scores, weights = zip(*rows, strict=True)
    result = by_group(kendall_tau, y, scores, groups, sample_weight=weights)
    expected = by_hand(kendall_tau, groups, y, scores, weights)
    assert result.values.tolist() == pytest.approx(expected, nan_ok=True)


def test_mean_skips_groups_in_which_the_metric_is_undefined():
    y, scores, groups = [1, 0, 1, 1, 0, 1], [2, 1, 5, 6, 2, 1], list("aabbcc")
    assert mean_over_groups(auc, y, scores, groups) == 0.5
    assert by_group(auc, y, scores, groups).n_undefined == 1


@pytest.mark.parametrize("metric", [kendall_tau, probabilistic_kendall_tau])
@pytest.mark.filterwarnings("error")
def test_a_group_of_one_item_is_undefined_without_a_warning(metric):
    values = by_group(metric, [1, 2, 3], [1, 2, 3], [0, 0, 1]).values
    np.testing.assert_array_equal(values, [1.0, np.nan])


def test_mean_is_undefined_when_every_group_is():
    with pytest.raises(UndefinedMetricError, match=r"undefined in all 2 group\(s\)"):
        mean_over_groups(kendall_tau, [1, 2], [1, 2], [0, 1])


@pytest.mark.parametrize("metric", [kendall_tau, spearman_rho])
@pytest.mark.parametrize("weight", [None, [1, 2, 3, 4]])
def test_groups_without_an_order_to_find_are_left_out(metric, weight):
    if weight is not None and metric is spearman_rho:
        pytest.skip("takes no weights")
    result = by_group(metric, [1, 2, 5, 5], [1, 2, 3, 4], [0, 0, 1, 1], sample_weight=weight)
    assert (result.mean, result.n_undefined) == (1.0, 1)


def test_constant_scores_on_a_group_with_an_order_count_as_zero():
    assert mean_over_groups(kendall_tau, [1, 2, 1, 2], [1, 2, 3, 3], [0, 0, 1, 1]) == 0.5


@pytest.mark.parametrize("metric", [kendall_tau, somers_d, spearman_rho])
@pytest.mark.parametrize("groups", [None, [0, 0]])
def test_a_constant_y_has_no_order_with_and_without_groups(metric, groups):
    with pytest.raises(UndefinedMetricError, match=r"at least two different y_true.*stratify"):
        mean_over_groups(metric, [5, 5], [1, 2], groups)


@pytest.mark.parametrize("groups", [None, [0, 0, 0]])
def test_a_y_that_differs_only_where_nothing_has_weight_has_no_order(groups):
    with pytest.raises(UndefinedMetricError):
        mean_over_groups(kendall_tau, [5, 5, 6], [1, 2, 3], groups, sample_weight=[1, 1, 0])


def test_a_metric_that_takes_no_weights_is_given_none():
    assert mean_over_groups(ndcg, [1, 2], [1, 2]) == mean_over_groups(ndcg, [1, 2], [1, 2], [0, 0])


def test_without_groups_all_items_are_one_group():
    assert mean_over_groups(kendall_tau, [1, 2, 3], [1, 3, 2]) == kendall_tau([1, 2, 3], [1, 3, 2])


@pytest.mark.parametrize("groups", [None, [0, 0, 0]])
def test_weights_reach_the_metric(groups):
    y, scores, weights = [1, 2, 3], [1, 3, 2], [5, 1, 0]
    weighted = kendall_tau(y, scores, sample_weight=weights)
    assert weighted != kendall_tau(y, scores)
    assert mean_over_groups(kendall_tau, y, scores, groups, sample_weight=weights) == weighted


def test_weights_reach_a_metric_that_is_undefined_where_no_order_is():
    y, scores, weights = [0, 1, 0, 1], [1, 2, 3, 4], [1, 5, 2, 1]
    weighted = auc(y, scores, sample_weight=weights)
    assert weighted != auc(y, scores)
    assert mean_over_groups(auc, y, scores, sample_weight=weights) == weighted


def test_options_reach_the_metric():
    assert by_group(dcg, [1, 1, 1], [3, 2, 1], [0, 0, 0], k=1).mean == dcg([1], [1])


@pytest.mark.parametrize(
    "groups",
    [
        ["b", "b", "a"],
        np.array(["b", "b", "a"], dtype=object),
        pd.Series(["b", "b", "a"]),
        pd.Categorical(["b", "b", "a"]),
        [2.5, 2.5, 1.0],
        [True, True, False],
    ],
)
def test_any_labels_of_one_type_are_groups(groups):
    values = by_group(kendall_tau, [1, 2, 3], [1, 2, 3], groups).values
    assert values.tolist() == pytest.approx([np.nan, 1.0], nan_ok=True)


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ([0, np.nan, 1], "groups has 1 missing values, the first in row 1"),
        (
            np.array(["a", None, "b"], dtype=object),
            "groups has 1 missing values, the first in row 1",
        ),
        (pd.array(["a", "b", pd.NA]), "groups has 1 missing values, the first in row 2"),
        ([0, 1], "groups has 2 entries but there are 3 rows"),
        ([[0, 1, 2]], "shape"),
        (np.array(["a", 1, "b"], dtype=object), "groups mix int and str"),
    ],
)
def test_bad_groups_are_named(groups, message):
    with pytest.raises(ValueError, match=message):
        by_group(kendall_tau, [1, 2, 3], [1, 2, 3], groups)


@pytest.mark.parametrize("weights", [None, [1, 1, 1, 2]])
@pytest.mark.parametrize("groups", [None, [0, 0, 1, 1]])
@pytest.mark.parametrize("metric", sorted(METRICS))
def test_an_unknown_option_of_a_metric_is_named(metric, groups, weights):
    options = {"groups": groups, "sample_weight": weights, "nonsense": 3}
    with pytest.raises(TypeError, match=r"keyword argument '(nonsense|sample_weight)'"):
        mean_over_groups(METRICS[metric], [0, 1, 0, 1], [1, 2, 4, 3], **options)
