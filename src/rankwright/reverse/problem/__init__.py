"""What is to be explained: products, their factors in whole numbers, and the published order."""

from rankwright.reverse.problem.objective import RatingObjective, published_wins
from rankwright.reverse.problem.rating import Rating
from rankwright.reverse.problem.whole_problem import RatingProblem

__all__ = ["Rating", "RatingObjective", "RatingProblem", "published_wins"]
