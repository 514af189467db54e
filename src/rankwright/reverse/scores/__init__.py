"""Published scores as rounded: all formulas that reproduce them, and the rows that contradict."""

from rankwright.reverse.scores.ranges import (
    contradictions,
    position_ranges,
    share_ranges,
    weight_box,
)
from rankwright.reverse.scores.score_fit import ScoreFit
from rankwright.reverse.scores.solving import solve_scores

__all__ = [
    "ScoreFit",
    "contradictions",
    "position_ranges",
    "share_ranges",
    "solve_scores",
    "weight_box",
]
