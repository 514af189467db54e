"""Trees and forests that rank."""

from rankwright.trees.bipartite.forest import RankingForest
from rankwright.trees.bipartite.tree import TreeRank
from rankwright.trees.ordinal.forest import OrdinalForest
from rankwright.trees.ordinal.tree import OrdinalTree

__all__ = ["OrdinalForest", "OrdinalTree", "RankingForest", "TreeRank"]
