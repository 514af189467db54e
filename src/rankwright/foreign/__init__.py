"""Models of other packages as rankers."""

from rankwright.foreign.adapted import AdaptedRanker, adapt

__all__ = ["AdaptedRanker", "adapt"]
