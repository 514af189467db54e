"""Groups that a search of scikit-learn does not hand on.

Without metadata routing, ``GridSearchCV.fit(X, y, groups=groups)``, ``RFECV.fit`` and
``cross_validate(..., groups=groups)`` give the groups to the splitter alone: the ranker would
compare rows of different groups, without an error. A ranker sees nothing of it but that it is
cloned, by a function of scikit-learn that has groups among its variables.
"""

import sys
import warnings
from collections.abc import Mapping
from types import FrameType
from typing import Any

from sklearn import get_config

__all__ = ["warn_of_lost_groups"]

TOLD = "__rankwright_told__"  # among the variables of a search that the warning was given for
SEARCHES = {
    "sklearn.feature_selection._rfe",
    "sklearn.model_selection._search",
    "sklearn.model_selection._validation",
}


def warn_of_lost_groups(ranker: Any) -> None:
    """Warn, once in a search, if one that clones this ranker keeps its groups to itself."""
    if get_config()["enable_metadata_routing"]:
        return
    search = _search_with_groups(sys._getframe(1))
    if search is None or TOLD in search.f_locals:
        return
    if ranker.get_metadata_routing().fit.requests.get("groups"):
        # The frame keeps the mark as long as the search runs; its code can't see it.
        search.f_locals[TOLD] = True
        warnings.warn(
            f"{_name(search)} gives the groups to its splitter, but not to "
            f"{type(ranker).__name__}.fit and .score, which will compare rows of different "
            "groups; call sklearn.set_config(enable_metadata_routing=True) before it",
            stacklevel=2,
        )


def _search_with_groups(frame: FrameType | None) -> FrameType | None:
    """Return the outermost search on the stack that was given groups, if there is one."""
    outermost = None
    while frame is not None:
        # Generators and helpers of a search have its groups too, some in processes of their own.
        is_public = not frame.f_code.co_name.startswith(("<", "_"))
        is_search = is_public and frame.f_globals.get("__name__") in SEARCHES
        if is_search and _groups_among(frame.f_locals) is not None:
            outermost = frame
        frame = frame.f_back
    return outermost


def _groups_among(names: Mapping[str, Any]) -> Any:
    """Return the groups that a search was given, in whatever it keeps them."""
    routed = getattr(names.get("routed_params"), "splitter", {}).get("split")
    places = (names, names.get("params"), routed)
    found = (place.get("groups") for place in places if isinstance(place, Mapping))
    return next((groups for groups in found if groups is not None), None)


def _name(search: FrameType) -> str:
    names = search.f_locals
    owner = type(names["self"]).__name__ + "." if "self" in names else ""
    return owner + search.f_code.co_name
