"""Whether a formula fits better than one would by chance."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwright.reverse.clock import Clock
from rankwright.reverse.problem import Rating
from rankwright.reverse.questions.refit import refit
from rankwright.reverse.solution import RatingSolution

__all__ = ["ChanceCheck", "against_chance"]


@dataclass(frozen=True)
class ChanceCheck:
    """What a short search reaches on shuffled ranks.

    Attributes
    ----------
    objective : float
        Of the published ranks.
    shuffled : (n,) array
        Of each shuffle.
    p_value : float
        Share of the shuffles that do as well, the published ranks counted among them.
    """

    objective: float
    shuffled: NDArray[np.float64]
    p_value: float

    @property
    def is_better_than_chance(self) -> bool:
        """Tell whether no more than one shuffle in twenty does as well."""
        return self.p_value <= 0.05


def against_chance(
    rating: Rating, solution: RatingSolution, *, clock: Clock, n_permutations: int = 19
) -> ChanceCheck:
    """Shuffle the published ranks inside each group and search again."""
    problem = rating.problem
    rng = np.random.default_rng(0)
    objective = problem.normalised(solution.value)

    def reached(seed: int) -> float:
        levels = np.concatenate([rng.permutation(problem.levels[b:e]) for b, e in problem.bounds])
        return problem.normalised(refit(problem.reordered(levels), None, clock, seed=seed).value)

    shuffled = np.array(clock.answer_each(range(n_permutations), reached, "shuffles"))
    sign = -1 if problem.objective.by_position else 1
    as_good = int((sign * shuffled >= sign * objective).sum())
    return ChanceCheck(objective, shuffled, (1 + as_good) / (1 + len(shuffled)))
