"""Whether a formula fits better than one would by chance."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwright.reverse.clock import Clock
from rankwright.reverse.problem import Rating
from rankwright.reverse.questions.refit import refit
from rankwright.reverse.search.directions import decide_directions

__all__ = ["ChanceCheck", "against_chance"]

SMALL = 0.05  # a p-value that chance seldom gives


@dataclass(frozen=True)
class ChanceCheck:
    """What a short search reaches on the published ranks and on shuffled ones.

    Attributes
    ----------
    objective : float
        Of the published ranks; the formula, searched for longer, may do better.
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
        return self.p_value <= SMALL

    @property
    def lowest_p_value(self) -> float:
        """Return the p-value when no shuffle does as well: so many shuffles give no lower one."""
        return 1 / (1 + len(self.shuffled))

    @property
    def can_tell(self) -> bool:
        """Tell whether there were shuffles enough to call any formula better than chance."""
        return self.lowest_p_value <= SMALL


def against_chance(rating: Rating, *, clock: Clock, n_permutations: int = 19) -> ChanceCheck:
    """Shuffle the published ranks inside each group and search again.

    Published and shuffled ranks are treated alike, or the p-value would be too small: the same
    short search, from directions that are decided from these ranks where the data were to decide.
    """
    problem = rating.problem
    rng = np.random.default_rng(0)

    def reached(levels: NDArray[np.int64], seed: int) -> float:
        directed = decide_directions(problem.reordered(levels), rating.asked)
        return problem.normalised(refit(directed, None, clock, seed=seed).value)

    def reached_by_shuffle(seed: int) -> float:
        levels = [rng.permutation(problem.levels[begin:end]) for begin, end in problem.bounds]
        return reached(np.concatenate(levels), seed)

    objective = reached(problem.levels, n_permutations)
    shuffled = np.array(clock.answer_each(range(n_permutations), reached_by_shuffle, "shuffles"))
    sign = -1 if problem.objective.by_position else 1
    as_good = int((sign * shuffled >= sign * objective).sum())
    return ChanceCheck(objective, shuffled, (1 + as_good) / (1 + len(shuffled)))
