"""The contract that every ranker keeps."""

from rankwright.base.comparison import Comparison, RankerResult, compare
from rankwright.base.explanation import why_above
from rankwright.base.inspection import ScoreRegressor
from rankwright.base.ranker import RankerMixin
from rankwright.base.ranking import rank_table
from rankwright.base.validation import as_rows

__all__ = [
    "Comparison",
    "RankerMixin",
    "RankerResult",
    "ScoreRegressor",
    "as_rows",
    "compare",
    "rank_table",
    "why_above",
]
