"""Measures of rankings: pure functions of arrays, larger is better in both arguments.

Every metric is ``metric(y_true, scores)``; `by_group` and `mean_over_groups` apply any of them
inside groups, `scorer` makes any of them a scikit-learn scorer.
"""

from rankwright.metrics.evaluation import Evaluation, evaluate, suitable_metrics
from rankwright.metrics.gains import average_precision, dcg, hit_ratio, ndcg
from rankwright.metrics.grouped import GroupValues, by_group, mean_over_groups
from rankwright.metrics.inputs import UndefinedMetricError
from rankwright.metrics.instability import instability
from rankwright.metrics.kendall import kendall_tau, probabilistic_kendall_tau
from rankwright.metrics.quality import Measures, QualityMeasures, quality_measures
from rankwright.metrics.rank_loss import rank_loss
from rankwright.metrics.roc import RocCurve, RocEnvelope, auc, roc_curve, roc_envelope
from rankwright.metrics.scorers import scorer
from rankwright.metrics.spearman import spearman_footrule, spearman_rho
from rankwright.metrics.top_auc import largest_top_auc, top_auc

__all__ = [
    "Evaluation",
    "GroupValues",
    "Measures",
    "QualityMeasures",
    "RocCurve",
    "RocEnvelope",
    "UndefinedMetricError",
    "auc",
    "average_precision",
    "by_group",
    "dcg",
    "evaluate",
    "hit_ratio",
    "instability",
    "kendall_tau",
    "largest_top_auc",
    "mean_over_groups",
    "ndcg",
    "probabilistic_kendall_tau",
    "quality_measures",
    "rank_loss",
    "roc_curve",
    "roc_envelope",
    "scorer",
    "spearman_footrule",
    "spearman_rho",
    "suitable_metrics",
    "top_auc",
]
