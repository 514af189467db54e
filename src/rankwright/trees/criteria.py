"""What a split should decrease."""

from rankwright.kernels.trees import impurity

__all__ = ["CRITERIA", "PAIR_CRITERIA", "SPREAD_CRITERIA"]

CRITERIA = {
    "ranking": impurity.RANKING,
    "ordinal_gini": impurity.ORDINAL_GINI,
    "absolute": impurity.ABSOLUTE,
    "gini": impurity.GINI,
    "entropy": impurity.ENTROPY,
}

# Criteria that are sums over pairs of rows, so that pairs of different groups can be left out.
PAIR_CRITERIA = frozenset({"ranking", "ordinal_gini"})

# Criteria in the unit of the labels: the others count labels and do not know their values.
SPREAD_CRITERIA = PAIR_CRITERIA | {"absolute"}
