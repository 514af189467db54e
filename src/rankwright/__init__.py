"""Learn rankings from examples, explain them, and find the cheapest way up.

Names are imported when they are first used, so that ``import rankwright`` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rankwright import cluster as cluster
    from rankwright import datasets as datasets
    from rankwright import metrics as metrics
    from rankwright import plots as plots
    from rankwright import studies as studies
    from rankwright.aggregation import Consensus as Consensus
    from rankwright.aggregation import aggregate as aggregate
    from rankwright.aggregation import agreement as agreement
    from rankwright.base import ScoreRegressor as ScoreRegressor
    from rankwright.base import WithinGroupRanks as WithinGroupRanks
    from rankwright.comparison import Comparison as Comparison
    from rankwright.comparison import compare as compare
    from rankwright.data import ItemTable as ItemTable
    from rankwright.data import JudgedRun as JudgedRun
    from rankwright.data import LetorFolder as LetorFolder
    from rankwright.data import PreferencePairs as PreferencePairs
    from rankwright.data import QueryRows as QueryRows
    from rankwright.data import Rankings as Rankings
    from rankwright.data import VoterOrders as VoterOrders
    from rankwright.data import pairwise_transform as pairwise_transform
    from rankwright.data import positions as positions
    from rankwright.data import read_letor as read_letor
    from rankwright.data import read_preflib as read_preflib
    from rankwright.data import read_svmlight as read_svmlight
    from rankwright.data import read_table as read_table
    from rankwright.data import read_trec as read_trec
    from rankwright.exchange import to_onnx as to_onnx
    from rankwright.explanation import Explanation as Explanation
    from rankwright.explanation import why_above as why_above
    from rankwright.foreign import AdaptedRanker as AdaptedRanker
    from rankwright.foreign import adapt as adapt
    from rankwright.improve import Change as Change
    from rankwright.improve import Plan as Plan
    from rankwright.improve import Planner as Planner
    from rankwright.improve import UnreachableError as UnreachableError
    from rankwright.improve import read_changes as read_changes
    from rankwright.improve import read_conflicts as read_conflicts
    from rankwright.leaderboards import Leaderboard as Leaderboard
    from rankwright.leaderboards import leaderboard as leaderboard
    from rankwright.linear import BayesPointPerceptron as BayesPointPerceptron
    from rankwright.linear import CoefficientIntervals as CoefficientIntervals
    from rankwright.linear import ExpectedRankRegressor as ExpectedRankRegressor
    from rankwright.linear import LeastSquaresRanker as LeastSquaresRanker
    from rankwright.linear import PairwiseRanker as PairwiseRanker
    from rankwright.linear import PairwiseRankerCV as PairwiseRankerCV
    from rankwright.linear import PlackettLuceRanker as PlackettLuceRanker
    from rankwright.linear import PRankPerceptron as PRankPerceptron
    from rankwright.linear import PushRanker as PushRanker
    from rankwright.persistence import ModelFileError as ModelFileError
    from rankwright.persistence import load as load
    from rankwright.persistence import save as save
    from rankwright.preference import PreferenceRanker as PreferenceRanker
    from rankwright.reverse import Investigation as Investigation
    from rankwright.reverse import RatingFormula as RatingFormula
    from rankwright.reverse import investigate as investigate
    from rankwright.trees import BoostedOrdinal as BoostedOrdinal
    from rankwright.trees import BoostedRanker as BoostedRanker
    from rankwright.trees import OrdinalForest as OrdinalForest
    from rankwright.trees import OrdinalTree as OrdinalTree
    from rankwright.trees import RankingForest as RankingForest
    from rankwright.trees import Rule as Rule
    from rankwright.trees import TreeRank as TreeRank
    from rankwright.trees import export_rules as export_rules
    from rankwright.trees import export_text as export_text

_NAMES = {
    "rankwright.aggregation": ["Consensus", "aggregate", "agreement"],
    "rankwright.base": ["ScoreRegressor", "WithinGroupRanks"],
    "rankwright.comparison": ["Comparison", "compare"],
    "rankwright.data": [
        "ItemTable",
        "JudgedRun",
        "LetorFolder",
        "PreferencePairs",
        "QueryRows",
        "Rankings",
        "VoterOrders",
        "pairwise_transform",
        "positions",
        "read_letor",
        "read_preflib",
        "read_svmlight",
        "read_table",
        "read_trec",
    ],
    "rankwright.exchange": ["to_onnx"],
    "rankwright.explanation": ["Explanation", "why_above"],
    "rankwright.foreign": ["AdaptedRanker", "adapt"],
    "rankwright.improve": [
        "Change",
        "Plan",
        "Planner",
        "UnreachableError",
        "read_changes",
        "read_conflicts",
    ],
    "rankwright.leaderboards": ["Leaderboard", "leaderboard"],
    "rankwright.linear": [
        "BayesPointPerceptron",
        "CoefficientIntervals",
        "ExpectedRankRegressor",
        "LeastSquaresRanker",
        "PRankPerceptron",
        "PairwiseRanker",
        "PairwiseRankerCV",
        "PlackettLuceRanker",
        "PushRanker",
    ],
    "rankwright.persistence": ["ModelFileError", "load", "save"],
    "rankwright.preference": ["PreferenceRanker"],
    "rankwright.reverse": ["Investigation", "RatingFormula", "investigate"],
    "rankwright.trees": [
        "BoostedOrdinal",
        "BoostedRanker",
        "OrdinalForest",
        "OrdinalTree",
        "RankingForest",
        "Rule",
        "TreeRank",
        "export_rules",
        "export_text",
    ],
}
_MODULES = ["cluster", "datasets", "metrics", "plots", "studies"]
_HOMES = {name: module for module, names in _NAMES.items() for name in names}

__version__ = "0.1.0"
__all__ = sorted([*_HOMES, *_MODULES])


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    if name in _MODULES:
        return import_module(f"rankwright.{name}")
    raise AttributeError(f"rankwright has no {name!r}; its public names are {__all__}")


def __dir__() -> list[str]:
    return __all__
