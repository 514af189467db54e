"""Fit anything that ranks, with groups where they are taken."""

from typing import Any

from numpy.typing import ArrayLike
from sklearn import config_context
from sklearn.utils.metadata_routing import get_routing_for_object

from rankwright.base import RankerMixin

__all__ = ["fit_with_groups"]


def fit_with_groups(model: Any, X: Any, y: ArrayLike, groups: ArrayLike | None) -> Any:
    """Fit a model and return it; one that has no use for groups gets ``X`` and ``y`` alone.

    Rankers take groups. A pipeline or a search hands them on to the ranker that it ends in, and to
    its splitter, if metadata routing is enabled: so it is, for the time of the fit.
    """
    if groups is None:
        return model.fit(X, y)
    if isinstance(model, RankerMixin):
        return model.fit(X, y, groups=groups)  # type: ignore[attr-defined]
    with config_context(enable_metadata_routing=True):
        if "groups" in get_routing_for_object(model).consumes("fit", ["groups"]):
            return model.fit(X, y, groups=groups)
    return model.fit(X, y)
