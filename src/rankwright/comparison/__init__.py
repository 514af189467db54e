"""Rankers beside each other under the same cross-validation."""

from rankwright.comparison.comparison import Comparison, RankerResult, compare

__all__ = ["Comparison", "RankerResult", "compare"]
