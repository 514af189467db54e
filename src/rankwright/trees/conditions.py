"""The conditions of a tree's splits in words."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

__all__ = ["add_condition", "condition_text"]


def _feature_name(model: BaseEstimator, feature: int) -> str:
    names = getattr(model, "feature_names_in_", None)
    return f"x{feature}" if names is None else str(names[feature])


def condition_text(
    model: BaseEstimator,
    split: Any,
    category_sets: NDArray[np.bool_],
    *,
    left: bool,
    digits: int,
) -> str:
    """Return the condition of one side of a split: a record of feature, threshold and the like."""
    name = _feature_name(model, split["feature"])
    missing = " or missing" if bool(split["default_left"]) == left else ""
    if split["category_set"] >= 0:
        known = model.categories_[int(split["feature"])]
        sides = category_sets[split["category_set"], : len(known)]
        chosen = [
            str(category) for category, side in zip(known, sides, strict=True) if side == left
        ]
        return f"{name} in {{{', '.join(chosen)}}}" + missing.replace("missing", "new")
    if np.isinf(split["threshold"]):  # all values on the left, missing ones on the right
        return f"{name} is not missing" if left else f"{name} is missing"
    missing = missing if model.has_missing_[split["feature"]] else ""
    return f"{name} {'<=' if left else '>'} {split['threshold']:.{digits}g}{missing}"


def add_condition(
    conditions: dict[Any, str],
    model: BaseEstimator,
    split: Any,
    number: int,
    category_sets: NDArray[np.bool_],
    *,
    left: bool,
    digits: int,
) -> dict[Any, str]:
    """Add the condition of split ``number``, in place of a looser threshold on the same side."""
    feature = int(split["feature"])
    tightens = split["category_set"] < 0 and not model.has_missing_[feature]
    key = (feature, left) if tightens else number
    kept = {other: text for other, text in conditions.items() if other != key}
    return kept | {key: condition_text(model, split, category_sets, left=left, digits=digits)}
