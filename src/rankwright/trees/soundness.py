"""Whether the arrays of trees that came from a file fit together: what both kinds share.

The kernels follow indices without a look at the bounds, so a damaged tree would end the process.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.base import is_array, require
from rankwright.kernels.trees.growth import MAX_BINS

__all__ = ["check_categories", "check_tests", "children_follow"]


def check_categories(ranker: Any) -> None:
    """Check that the categorical columns exist and have as many categories as fit a set."""
    categories = ranker.categories_
    require(
        isinstance(categories, dict)
        and all(
            type(j) is int and 0 <= j < ranker.n_features_in_ and isinstance(known, list)
            for j, known in categories.items()
        )
        and max(map(len, categories.values()), default=0) <= MAX_BINS,
        ranker,
        "its categories do not fit its features",
    )


def children_follow(left: NDArray[np.int32]) -> bool:
    """Return whether the children of each node are nodes that follow it; -1 in a leaf."""
    inner = np.flatnonzero(left >= 0)
    pairs_follow = (left[inner] > inner) & (left[inner] < left.size - 1)
    return left.size >= 1 and bool(pairs_follow.all())


def check_tests(ranker: Any, tests: NDArray[Any], category_sets: Any) -> None:
    """Check that each test is of a feature, and of categories only where the feature has some."""
    feature, row = tests["feature"], tests["category_set"]
    known = (feature >= 0) & (feature < ranker.n_features_in_)
    require(bool(known.all()), ranker, "a split is on a feature that is none")
    is_sets = is_array(category_sets) and category_sets.dtype == np.bool_
    require(is_sets and category_sets.ndim == 2, ranker, "its sets of categories are none")
    of_categories = row >= 0
    if of_categories.any():
        widest = max(map(len, ranker.categories_.values()), default=0)
        require(
            category_sets.shape[1] >= widest
            and bool((row < len(category_sets)).all())
            and set(feature[of_categories].tolist()) <= ranker.categories_.keys(),
            ranker,
            "a split is on categories that are none",
        )
