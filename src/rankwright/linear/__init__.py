"""Rankers whose score is a weighted sum of the features, or a regression on the place in a list."""

from rankwright.linear.expected_rank import ExpectedRankRegressor
from rankwright.linear.intervals import CoefficientIntervals
from rankwright.linear.least_squares import LeastSquaresRanker
from rankwright.linear.pairwise import PairwiseRanker
from rankwright.linear.pairwise_cv import PairwiseRankerCV
from rankwright.linear.perceptrons import BayesPointPerceptron, PRankPerceptron
from rankwright.linear.plackett_luce import PlackettLuceRanker
from rankwright.linear.push import PushRanker

__all__ = [
    "BayesPointPerceptron",
    "CoefficientIntervals",
    "ExpectedRankRegressor",
    "LeastSquaresRanker",
    "PRankPerceptron",
    "PairwiseRanker",
    "PairwiseRankerCV",
    "PlackettLuceRanker",
    "PushRanker",
]
