"""Why one item is above another, for any model that scores rows."""

from rankwright.explanation.explanation import Explanation, one_line, value_text
from rankwright.explanation.reasons import weighted_difference, why_above

__all__ = ["Explanation", "one_line", "value_text", "weighted_difference", "why_above"]
