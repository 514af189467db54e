"""Rankers whose score is a weighted sum of the features, or a regression on the place in a list."""

from rankwright.linear.expected_rank import ExpectedRankRegressor
from rankwright.linear.pairwise import PairwiseRanker

__all__ = ["ExpectedRankRegressor", "PairwiseRanker"]
