"""The formula that was found for a rating, and what is proved about it."""

from dataclasses import dataclass
from typing import Self

from rankwright.reverse.problem.own_scale import from_own_scale, round_weights, to_own_scale
from rankwright.reverse.progress import FitStatus, State
from rankwright.reverse.solve import Outcome
from rankwright.reverse.written_formula import WrittenFormula

__all__ = ["RatingSolution"]


@dataclass(frozen=True, eq=False)
class RatingSolution(WrittenFormula):
    """A formula on the factors' own scale, and what is proved about it.

    Attributes
    ----------
    exact_weights : list of str
        Fractions, with the fewest digits that keep the objective.
    value, bound, achievable : int
        The objective of these weights in the whole numbers of the problem, what no formula with
        the problem's directions can exceed, and what single pairs allow of these.
    bound_any_signs : int
        What no formula can exceed, whatever the signs that the data were to decide.
    pairs_lost : int
        So many published pairs every formula loses, whatever its signs.
    status : FitStatus
    proof : str
        What the bound rests on.
    history : list of State
    """

    value: int
    bound: int
    achievable: int
    bound_any_signs: int
    pairs_lost: int
    status: FitStatus
    proof: str
    history: list[State]

    @classmethod
    def of(cls, outcome: Outcome) -> Self:
        """Return an outcome with weights that a person would write down."""
        problem = outcome.problem
        own = round_weights(problem, to_own_scale(problem, outcome.weights), outcome.value)
        return cls(
            exact_weights=[str(w) for w in own],
            # Computed again: rounding keeps the objective or, where no optimum is proved, may
            # raise it.
            value=problem.value(from_own_scale(problem, own)),
            bound=outcome.bound,
            achievable=outcome.achievable,
            bound_any_signs=outcome.bound_any_signs,
            pairs_lost=outcome.pairs_lost,
            status=outcome.status,
            proof=outcome.proof,
            history=outcome.history,
        )
