"""How far a fit has come, and when it must end."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from numpy.typing import NDArray

from rankwright.kernels.rating.planes import NOTHING
from rankwright.reverse.clock import Clock
from rankwright.reverse.problem import RatingProblem
from rankwright.reverse.whole_numbers import Weights

__all__ = ["FitStatus", "Progress", "State"]


class FitStatus(StrEnum):
    """Why a fit ended, and so what its bound means."""

    OPTIMAL = "optimal"
    GAP = "gap reached"
    TIME_LIMIT = "time limit"
    INTERRUPTED = "interrupted"
    SEARCHED = "searched only"
    WORK_LIMIT = "work limit"
    BY_SCORES = "by scores"


@dataclass(frozen=True)
class State:
    """A moment of a fit: seconds since its start, the best objective and the bound so far."""

    seconds: float
    objective: float
    bound: float


Callback = Callable[[State], None]


@dataclass
class Progress:
    """The best formula and the bound of a fit that is under way.

    Only :meth:`offer` changes the formula, and it trusts nobody: it refuses weights that the
    problem doesn't allow, and computes the value again in exact arithmetic. Only :meth:`limit`
    changes the bound.
    """

    problem: RatingProblem
    clock: Clock
    callback: Callback | None = None
    weights: Weights | None = None
    value: int = NOTHING
    bound: int = -NOTHING
    history: list[State] = field(default_factory=list)

    @property
    def is_proved(self) -> bool:
        """Tell whether no formula can be better."""
        return self.bound <= self.value

    def offer(self, weights: NDArray[Any]) -> bool:
        """Take whole-number weights if they are better, and tell whether they are."""
        allowed = self.problem.admit(weights)
        if allowed is None:
            return False
        value = self.problem.value(allowed)
        if value <= self.value:
            return False
        self.value, self.weights = value, allowed
        self._record()
        return True

    def limit(self, bound: int) -> None:
        """Lower the bound."""
        if bound < self.bound:
            self.bound = max(bound, self.value)
            self._record()

    def _record(self) -> None:
        if self.weights is None:
            return
        objective, bound = map(self.problem.normalised, (self.value, self.bound))
        self.history.append(State(self.clock.seconds, objective, bound))
        if self.callback is not None:
            self.callback(self.history[-1])
