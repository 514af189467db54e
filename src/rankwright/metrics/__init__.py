"""Measures of rankings: pure functions of arrays, larger is better in both arguments.

Every metric is ``metric(y_true, scores)``; `by_group` and `mean_over_groups` apply any of them
inside groups, `scorer` makes any of them a scikit-learn scorer.
"""

from rankwright.metrics.cascade import expected_reciprocal_rank
from rankwright.metrics.evaluation import Evaluation, evaluate, suitable_metrics
from rankwright.metrics.gains import dcg, ndcg
from rankwright.metrics.grouped import GroupValues, by_group, mean_over_groups
from rankwright.metrics.inputs import UndefinedMetricError
from rankwright.metrics.instability import instability
from rankwright.metrics.kendall import kendall_tau, probabilistic_kendall_tau, somers_d
from rankwright.metrics.measure import Measure
from rankwright.metrics.overlap import rank_biased_overlap
from rankwright.metrics.quality import Measures, QualityMeasures, quality_measures
from rankwright.metrics.rank_loss import rank_loss
from rankwright.metrics.relevance import (
    average_precision,
    hit_ratio,
    precision,
    recall,
    reciprocal_rank,
)
from rankwright.metrics.roc import RocCurve, RocEnvelope, auc, roc_curve, roc_envelope
from rankwright.metrics.scorers import scorer
from rankwright.metrics.significance import PairedTest, holm, paired_test
from rankwright.metrics.spearman import spearman_footrule, spearman_rho
from rankwright.metrics.top_auc import largest_top_auc, top_auc

__all__ = [
    "Evaluation",
    "GroupValues",
    "Measure",
    "Measures",
    "PairedTest",
    "QualityMeasures",
    "RocCurve",
    "RocEnvelope",
    "UndefinedMetricError",
    "auc",
    "average_precision",
    "by_group",
    "dcg",
    "evaluate",
    "expected_reciprocal_rank",
    "hit_ratio",
    "holm",
    "instability",
    "kendall_tau",
    "largest_top_auc",
    "mean_over_groups",
    "ndcg",
    "paired_test",
    "precision",
    "probabilistic_kendall_tau",
    "quality_measures",
    "rank_biased_overlap",
    "rank_loss",
    "recall",
    "reciprocal_rank",
    "roc_curve",
    "roc_envelope",
    "scorer",
    "somers_d",
    "spearman_footrule",
    "spearman_rho",
    "suitable_metrics",
    "top_auc",
]
