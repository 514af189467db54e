"""Published scores as rounded: all formulas that reproduce them, and the rows that contradict."""

from rankwright.reverse.scores.given import count_reproduced
from rankwright.reverse.scores.ranges import ScoreRanges, contradictions
from rankwright.reverse.scores.score_fit import ScoreFit
from rankwright.reverse.scores.solving import fit_signed_scores, judge_by_order

__all__ = [
    "ScoreFit",
    "ScoreRanges",
    "contradictions",
    "count_reproduced",
    "fit_signed_scores",
    "judge_by_order",
]
