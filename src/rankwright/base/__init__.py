"""The contract that every ranker keeps."""

from rankwright.base.fitted import check_array, is_array, is_cheap_to_score, require
from rankwright.base.inspection import ScoreRegressor
from rankwright.base.magnitude import check_features, check_grades, check_scores
from rankwright.base.ranker import RankerMixin
from rankwright.base.ranking import rank_table
from rankwright.base.validation import (
    as_graded,
    as_rows,
    check_pairs,
    check_weights,
    finite_or_nan,
    refuse_pairs,
    validate_features,
)
from rankwright.base.within_group import WithinGroupRanks
from rankwright.explanation import scores_of

__all__ = [
    "RankerMixin",
    "ScoreRegressor",
    "WithinGroupRanks",
    "as_graded",
    "as_rows",
    "check_array",
    "check_features",
    "check_grades",
    "check_pairs",
    "check_scores",
    "check_weights",
    "finite_or_nan",
    "is_array",
    "is_cheap_to_score",
    "rank_table",
    "refuse_pairs",
    "require",
    "scores_of",
    "validate_features",
]
