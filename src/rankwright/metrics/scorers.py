"""Metrics as scikit-learn scorers, with groups routed to them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rankwright.data import without_categories
from rankwright.metrics.grouped import Metric, mean_over_groups
from rankwright.metrics.measure import LOSSES, METRICS, SUMS_GROUPS, Measure

__all__ = ["GroupedMetric", "scorer"]

NAMES: dict[Metric, str] = {metric: name for name, metric in METRICS.items()}


@dataclass(frozen=True)
class GroupedMetric:
    """A metric over groups, as the function that a scorer calls.

    A metric of this package goes by its name, so that a model file can hold the scorer of a search.
    """

    metric: str | Metric

    @classmethod
    def of(cls, metric: Metric) -> "GroupedMetric":
        """Take a function."""
        return cls(NAMES.get(metric, metric))

    @property
    def __name__(self) -> str:
        """What scikit-learn calls the scorer."""
        return getattr(self.metric, "__name__", str(self.metric))

    def __call__(self, y_true: ArrayLike, scores: ArrayLike, **options: Any) -> float:
        """Return the mean over groups, or the sum by the metric's own rule."""
        metric = METRICS[self.metric] if isinstance(self.metric, str) else self.metric
        y_true = _numbered(y_true)
        if metric in SUMS_GROUPS:
            return metric(y_true, scores, **options)
        return mean_over_groups(metric, y_true, scores, **options)


def _numbered(y_true: ArrayLike) -> ArrayLike:
    """Turn texts of two classes into 0 and 1 in their order, as scikit-learn does."""
    labels = np.asarray(without_categories(y_true))
    if not all(isinstance(label, str) for label in labels.flat):
        return y_true
    classes, codes = np.unique(labels.astype(np.str_), return_inverse=True)
    return codes if classes.size <= 2 else y_true


def scorer(metric: str | Metric, **options: Any) -> Callable[..., float]:
    """Make a scikit-learn scorer of a metric; it takes the mean over groups that are routed to it.

    The scorer calls ``decision_function``, else ``predict_proba``, else ``predict``: scores, larger
    is better. Losses are negated and see ``predict``, so that larger is always better. Of texts of
    two classes the later one in their order is positive, as for `TreeRank`. (scikit-learn's own
    ``"roc_auc"`` takes the label that sorts last, whatever order a categorical ``y`` has.)

    Parameters
    ----------
    metric : str or callable
        A metric of this module, its name, the notation of a `Measure` such as ``"ndcg@10"``, or any
        ``metric(y_true, scores, **options)``.
    **options
        Passed to the metric, for example ``k=10`` for `ndcg`; ``empty=0`` says what a group counts
        in which the metric is undefined.

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

    if isinstance(metric, str) and metric not in METRICS:
        measure = Measure.read(metric)
        metric, options = measure.metric, {**measure.options, "empty": measure.empty, **options}
    elif isinstance(metric, str):
        metric = METRICS[metric]
    if metric in NAMES:
        _check_options(metric, options)
    is_loss = metric in LOSSES
    made = make_scorer(
        GroupedMetric.of(metric),
        response_method="predict" if is_loss else ("decision_function", "predict_proba", "predict"),
        greater_is_better=not is_loss,
        **options,
    )
    with config_context(enable_metadata_routing=True):
        return made.set_score_request(groups=True)  # type: ignore[no-any-return]


def _check_options(metric: Metric, options: Mapping[str, Any]) -> None:
    """Refuse an unknown option at once: a search would tell of it by scores of NaN."""
    known = [*signature(metric).parameters][2:] + ["empty"] * (metric not in SUMS_GROUPS)
    for option in options:
        if option not in known:
            raise TypeError(f"{NAMES[metric]} has no option {option!r}; choose from {known}")
