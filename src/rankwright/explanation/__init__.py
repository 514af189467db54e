"""Why one item is above another, for any model that scores rows."""

from rankwright.explanation.explanation import Explanation, one_line, value_text
from rankwright.explanation.reasons import weighted_difference, why_above
from rankwright.explanation.scores import scores_of

__all__ = [
    "Explanation",
    "one_line",
    "scores_of",
    "value_text",
    "weighted_difference",
    "why_above",
]
