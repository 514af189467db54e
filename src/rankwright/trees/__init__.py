"""Trees and forests that rank."""

from rankwright.trees.forest import OrdinalForest
from rankwright.trees.ordinal import OrdinalTree
from rankwright.trees.ranking_forest import RankingForest
from rankwright.trees.treerank import TreeRank

__all__ = ["OrdinalForest", "OrdinalTree", "RankingForest", "TreeRank"]
