"""What published scores say about the formula behind them."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

__all__ = ["ScoreFit"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ScoreFit:
    """A formula of published scores, how far its weights can go, and which scores contradict it.

    Attributes
    ----------
    exact_weights : list of str
        Fractions, with the fewest digits that reproduce the scores.
    exact_intercept : str
    step : str
        What published scores are rounded to, as a fraction: each is an interval of this width.
    clipped_low, clipped_high : bool
        Whether the smallest, or the largest, published score is read as "this or beyond": without
        that, no formula reproduces the scores that share it.
    rounded_factors : bool
        Whether factors are read as rounded, too, half a unit of their last digit either way:
        without that, no formula reproduces the scores. What is proved then holds for weights with
        the signs of this formula.
    low, high : (d,) float64
        How far each weight can go: proved in rational arithmetic and rounded outward, for all
        formulas that reproduce every score but the contradicted ones. Infinite where nothing
        limits it.
    intercept_low, intercept_high : float
    contradicted : (k,) int64
        The caller's rows of the products whose scores the formula does not reproduce: without them
        it reproduces all.
    misses : (k,) float64
        By how much their scores miss their intervals.
    at_least : int
        So many products contradict the rest whatever the formula: proved in rational arithmetic.
    total : float
        The least sum of misses found, 0 if all scores are reproduced.
    total_is_proved : bool
        Whether it was checked in rational arithmetic that no formula has less; else some may.
    scope : str
        The formulas that all this speaks of.
    n_products : int
        The products whose scores were read.
    n_tied : int
        Pairs of them with the same published score that the formula orders all the same.
    """

    exact_weights: list[str]
    exact_intercept: str
    step: str
    clipped_low: bool
    clipped_high: bool
    rounded_factors: bool
    low: Floats
    high: Floats
    intercept_low: float
    intercept_high: float
    contradicted: NDArray[np.int64]
    misses: Floats
    at_least: int
    total: float
    total_is_proved: bool
    scope: str
    n_products: int
    n_tied: int

    @property
    def reproduces_everything(self) -> bool:
        """Tell whether the formula gives every published score as rounded."""
        return not len(self.contradicted)

    @property
    def n_reproduced(self) -> int:
        """Return how many published scores the formula gives as rounded."""
        return self.n_products - len(self.contradicted)

    @property
    def is_fewest(self) -> bool:
        """Tell whether no formula contradicts fewer scores: proved."""
        return len(self.contradicted) == self.at_least

    @property
    def own_weights(self) -> list[Fraction]:
        """Return the weights on the factors' own scale."""
        return [Fraction(w) for w in self.exact_weights]

    @property
    def own_intercept(self) -> Fraction:
        """Return what a product scores whose factors are all 0."""
        return Fraction(self.exact_intercept)

    @property
    def intercept(self) -> float:
        """Return the intercept in floating point."""
        return float(self.own_intercept)

    @property
    def scale(self) -> float:
        """Return the sum of the weights' sizes: what their percentages are percentages of."""
        return float(sum(abs(w) for w in self.own_weights))
