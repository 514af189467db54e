"""The contract that every ranker keeps."""

from rankwright.base.inspection import ScoreRegressor
from rankwright.base.ranker import RankerMixin
from rankwright.base.ranking import rank_table
from rankwright.base.validation import as_rows

__all__ = [
    "RankerMixin",
    "ScoreRegressor",
    "as_rows",
    "rank_table",
]
