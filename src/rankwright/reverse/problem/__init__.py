"""What is to be explained: products, their factors in whole numbers, and the published order."""

from rankwright.reverse.problem.whole_problem import (
    Objective,
    Rates,
    RatingProblem,
    build_planes,
    published_wins,
    rate_pairs,
)

__all__ = [
    "Objective",
    "Rates",
    "RatingProblem",
    "build_planes",
    "published_wins",
    "rate_pairs",
]
