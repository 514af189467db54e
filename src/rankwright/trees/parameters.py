"""The rules of the parameters that all trees and forests share."""

from collections.abc import Collection

from rankwright.base.parameters import (
    COUNT_OR_SHARE,
    FLAG,
    NONE,
    SEED,
    THREADS,
    Rule,
    one_of,
    whole_number,
)
from rankwright.kernels.trees.growth import MAX_BINS

__all__ = ["FEATURES_TRIED", "FOREST_RULES", "PRUNING_RULES", "TREE_RULES"]

FEATURES_TRIED = one_of(["sqrt"]) | COUNT_OR_SHARE | NONE

TREE_RULES = {
    "min_samples_leaf": whole_number(1),
    "max_bins": whole_number(2, MAX_BINS),
    "categorical_features": one_of(["from_dtype"])
    | Rule(
        "a list of columns",
        lambda value: (
            isinstance(value, Collection)
            and not isinstance(value, str)
            and getattr(value, "ndim", 1) == 1  # of an array
        ),
    )
    | NONE,
    "random_state": SEED,
}
PRUNING_RULES = {
    "prune": one_of(["cv"]) | NONE,
    "n_folds": whole_number(2),
}
FOREST_RULES = {
    "n_estimators": whole_number(1),
    "bootstrap": FLAG,
    "oob_score": FLAG,
    "n_jobs": THREADS,
}
