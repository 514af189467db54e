"""Trees and forests that rank.

``ordinal`` and ``bipartite`` hold what their kind of tree has alone, in files of the same names:
the estimators ``tree`` and ``forest``, what they share (``ranker``), how a tree grows
(``growing``), what it is when grown (``nodes``), ``pruning``, ``out_of_bag`` and ``export``.
``boosted`` holds sums of trees that follow the derivatives of a loss.
"""

from rankwright.trees.bipartite.forest import RankingForest
from rankwright.trees.bipartite.tree import TreeRank
from rankwright.trees.boosted.ordinal import BoostedOrdinal
from rankwright.trees.boosted.ranker import BoostedRanker
from rankwright.trees.export import Rule, export_rules, export_text
from rankwright.trees.ordinal.forest import OrdinalForest
from rankwright.trees.ordinal.tree import OrdinalTree

__all__ = [
    "BoostedOrdinal",
    "BoostedRanker",
    "OrdinalForest",
    "OrdinalTree",
    "RankingForest",
    "Rule",
    "TreeRank",
    "export_rules",
    "export_text",
]
