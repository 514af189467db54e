"""Metrics as scikit-learn scorers, with groups routed to them."""

from collections.abc import Callable
from functools import partial
from typing import Any

from rankwright.metrics.gains import average_precision, dcg, hit_ratio, ndcg
from rankwright.metrics.grouped import Metric, mean_over_groups
from rankwright.metrics.kendall import kendall_tau, probabilistic_kendall_tau
from rankwright.metrics.rank_loss import rank_loss
from rankwright.metrics.roc import auc
from rankwright.metrics.spearman import spearman_footrule, spearman_rho
from rankwright.metrics.top_auc import top_auc

__all__ = ["scorer"]

METRICS: dict[str, Metric] = {
    metric.__name__: metric
    for metric in (
        auc,
        average_precision,
        dcg,
        hit_ratio,
        kendall_tau,
        ndcg,
        probabilistic_kendall_tau,
        rank_loss,
        spearman_footrule,
        spearman_rho,
        top_auc,
    )
}
# top_auc sums over groups by its own rule; every other metric is averaged.
SUMS_GROUPS: frozenset[Metric] = frozenset({top_auc})
# Losses compare labels, which `predict` returns; the others compare scores.
LOSSES: frozenset[Metric] = frozenset({rank_loss})


def averaged(metric: Metric) -> Metric:
    """Return the mean of `metric` over groups as a function under the metric's name."""
    mean = partial(mean_over_groups, metric)
    # A scorer's repr asks for it, and a partial has none.
    mean.__name__ = getattr(metric, "__name__", repr(metric))  # type: ignore[attr-defined]
    return mean


def scorer(metric: str | Metric, **options: Any) -> Callable[..., float]:
    """Make a scikit-learn scorer of a metric; it takes the mean over groups that are routed to it.

    The scorer calls ``decision_function``, else ``predict_proba``, else ``predict``: scores, larger
    is better. Losses are negated and see ``predict``, so that larger is always better.

    Parameters
    ----------
    metric : str or callable
        A metric of this module or its name, or any ``metric(y_true, scores, **options)``.
    **options
        Passed to the metric, for example ``k=10`` for `ndcg`.

    Returns
    -------
    scorer
        For ``scoring=`` of `cross_validate`, `GridSearchCV` and their like. With scikit-learn's
        metadata routing enabled it gets the groups passed to them (``params={"groups": groups}``).

    Examples
    --------
    >>> import rankwright as rw
    >>> from sklearn.linear_model import LinearRegression
    >>> X, y = [[1], [2], [3], [4]], [2, 1, 4, 3]
    >>> rw.metrics.scorer("kendall_tau")(LinearRegression().fit(X, y), X, y)
    0.3333333333333333
    """
    from sklearn import config_context
    from sklearn.metrics import make_scorer

    if isinstance(metric, str):
        if metric not in METRICS:
            raise ValueError(f"metric={metric!r}; choose from {sorted(METRICS)}")
        metric = METRICS[metric]
    is_loss = metric in LOSSES
    made = make_scorer(
        metric if metric in SUMS_GROUPS else averaged(metric),
        response_method="predict" if is_loss else ("decision_function", "predict_proba", "predict"),
        greater_is_better=not is_loss,
        **options,
    )
    with config_context(enable_metadata_routing=True):
        return made.set_score_request(groups=True)  # type: ignore[no-any-return]
