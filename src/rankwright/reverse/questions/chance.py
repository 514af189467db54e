"""Whether a formula fits better than one would by chance."""

from dataclasses import dataclass
from math import comb, log
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import gammaln

from rankwright.reverse.clock import Clock
from rankwright.reverse.problem import Rating, RatingProblem
from rankwright.reverse.problem.planes import count_pairs
from rankwright.reverse.refit import refit_anew
from rankwright.reverse.solution import RatingSolution

__all__ = ["ChanceCheck", "against_chance", "log_chance_bound"]

SMALL = 0.05  # a p-value that chance seldom gives
SMALLEST = 1e-300  # what is less would be 0 in floating point, and nothing is impossible
ROUNDING = 1e-12  # of a logarithm, with room to spare
STEPS = (-30.0, 30.0)  # logarithms of the slopes tried, in units of the largest possible one


@dataclass(frozen=True)
class ChanceCheck:
    """What formulas reach on the published ranks and on shuffled ones.

    Attributes
    ----------
    objective : float
        Of the published ranks: what a short search reaches, which the formula, searched for longer,
        may exceed; without shuffles, what the formula reaches.
    shuffled : (n,) array
        What a short search reaches on each shuffle; none where counting told enough.
    p_value : float
        Share of the shuffles that do as well, the published ranks counted among them. Without
        shuffles, what the share of all orders that any formula explains as well can't exceed.
    """

    objective: float
    shuffled: NDArray[np.float64]
    p_value: float

    @property
    def is_counted(self) -> bool:
        """Tell whether no shuffle was needed: formulas are too few to explain so much by chance."""
        return len(self.shuffled) == 0

    @property
    def is_better_than_chance(self) -> bool:
        """Tell whether no more than one shuffle in twenty does as well."""
        return self.p_value <= SMALL

    @property
    def lowest_p_value(self) -> float:
        """Return the p-value when no shuffle does as well: so many shuffles give no lower one."""
        return self.p_value if self.is_counted else 1 / (1 + len(self.shuffled))

    @property
    def can_tell(self) -> bool:
        """Tell whether there were shuffles enough to call any formula better than chance."""
        return self.lowest_p_value <= SMALL


def against_chance(
    rating: Rating, solution: RatingSolution, *, clock: Clock, n_permutations: int = 19
) -> ChanceCheck:
    """Shuffle the published ranks inside each group and search again.

    Published and shuffled ranks are treated alike, or the p-value would be too small: the same
    short search, in which signs that the data were to decide are open. No rank is shuffled where
    counting formulas gives a p-value that so many shuffles can't go below.
    """
    problem = rating.problem
    counted = max(float(np.exp(log_chance_bound(problem, solution.value))), SMALLEST)
    if counted <= min(1 / (1 + n_permutations), SMALL):
        return ChanceCheck(problem.normalised(solution.value), np.empty(0), counted)
    rng = np.random.default_rng(0)

    def reached(levels: NDArray[np.int64], seed: int) -> float:
        found = refit_anew(rating, problem.reordered(levels), clock, seed=seed)
        return problem.normalised(found.value)

    def reached_by_shuffle(seed: int) -> float:
        levels = [rng.permutation(problem.levels[begin:end]) for begin, end in problem.bounds]
        return reached(np.concatenate(levels), seed)

    objective = reached(problem.levels, n_permutations)
    shuffled = np.array(clock.answer_each(range(n_permutations), reached_by_shuffle, "shuffles"))
    sign = -1 if problem.objective.by_position else 1
    as_good = int((sign * shuffled >= sign * objective).sum())
    return ChanceCheck(objective, shuffled, (1 + as_good) / (1 + len(shuffled)))


def log_chance_bound(problem: RatingProblem, value: int) -> float:
    """Return the logarithm of what the chance that a formula reaches a value can't exceed.

    When ranks are shuffled inside groups: at most the number of orders that formulas make of the
    products, times the chance that one of them reaches the value. Position errors, which ties may
    lower, are not counted: 0.
    """
    if problem.objective.by_position:
        return 0.0
    return min(_log_n_orders(problem) + _log_tail(problem, value), 0.0)


def _log_n_orders(problem: RatingProblem) -> float:
    """Return the logarithm of the most orders without ties that weighted sums make of products.

    N planes through the origin cut d dimensions into 2 Σ_{i < d} C(N - 1, i) cells at most (Cover
    1965), and a group of n products has no more than n! orders.
    """
    n_planes, d = count_pairs(problem.offsets), len(problem.directions)
    cells = 2 * sum(comb(max(n_planes - 1, 0), i) for i in range(d))
    return min(log(cells), float(gammaln(problem.sizes + 1).sum()))


def _log_tail(problem: RatingProblem, value: int) -> float:
    """Return Chernoff's bound of the chance that one order of the products reaches a value.

    Of a shuffled group, the product with j below it by the formula wins a number of pairs with them
    that is uniform on 0 to j, independently of the others (the Lehmer code of a permutation). Ties
    of published ranks, broken at random, and ties of scores only add to it.
    """
    numbers, worth = [], []
    for (begin, end), top in zip(problem.bounds, problem.objective.top, strict=True):
        below = np.arange(end - begin)
        is_top = below >= end - begin - top
        numbers.append(below)
        worth.append(problem.rates.unit[begin] + is_top * problem.rates.bonus[begin])
    n_below, earned = np.concatenate(numbers), np.concatenate(worth)
    # The values lie just below the most that can be earned: so nothing cancels.
    missed = int(n_below @ earned) - value
    unit = 1.0 / max(int(earned.max()), 1)

    def exponent(log_slope: Any) -> float:
        slope = np.exp(log_slope) * unit
        return float(_log_missing(slope * earned, n_below).sum() + slope * missed)

    least = float(minimize_scalar(exponent, bounds=STEPS, method="bounded").fun)
    return min(least + ROUNDING * len(n_below), 0.0)


def _log_missing(slopes: NDArray[np.float64], n_below: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return log E exp(t (U - m)) of U uniform on 0 to m.

    That is (1 - e^{-t(m + 1)}) / (1 - e^{-t}) / (m + 1) in the logarithm.
    """
    some = np.where(slopes > 0, slopes, 1.0)
    ratio = np.log(-np.expm1(-some * (n_below + 1))) - np.log(-np.expm1(-some))
    return np.asarray(np.where(slopes > 0, ratio - np.log(n_below + 1), 0.0))
