"""The formula for new products: between the accurate one and a steady one."""

from dataclasses import dataclass

from rankwright.reverse.clock import Clock
from rankwright.reverse.problem import Rating, RatingProblem
from rankwright.reverse.problem.own_scale import from_own_scale, round_weights, to_own_scale
from rankwright.reverse.refit import open_signs
from rankwright.reverse.solution import RatingSolution
from rankwright.reverse.stable.choice import Trial, blend, choose_blend, published
from rankwright.reverse.stable.steady import LONG, steady_weights
from rankwright.reverse.whole_numbers import Weights, as_whole
from rankwright.reverse.written_formula import WrittenFormula

__all__ = ["StableFormula", "stabilise"]

PLACES = 3  # of a share in percent, at least


@dataclass(frozen=True, eq=False)
class StableFormula(WrittenFormula):
    """A formula chosen to hold for new products; nothing is proved about it.

    Attributes
    ----------
    exact_weights : list of str
        Fractions, on the factors' own scale.
    objective : float
        What it reaches on the published order.
    towards : str
        What the steady formula explains: the published "order", or "scores".
    amount : float
        How far it is from the accurate formula (0) to the steady one (1).
    trials : list of Trial
        How it, first, and others ordered held-out products. Empty where the amount was given, or
        where time was too short to hold any out.
    is_complete : bool
        Whether time sufficed. If not, it is the accurate formula or, without trials, a steady one.
    """

    objective: float
    towards: str
    amount: float
    trials: list[Trial]
    is_complete: bool


def stabilise(
    rating: Rating, solution: RatingSolution, selection: str | float, clock: Clock, n_jobs: int
) -> StableFormula:
    """Return the formula for new products beside an accurate one that was found.

    ``selection`` is an amount, or "stable" for the one that held-out products suggest. The steady
    formulas come first: where time ends the comparison, there is one at least.
    """
    told, problem = published(rating), open_signs(rating)
    accurate = from_own_scale(problem, solution.own_weights)
    steady = {
        towards: steady_weights(problem, scores, accurate, LONG, clock.stop)
        for towards, scores in told.items()
    }
    is_open = isinstance(selection, str)
    trials = choose_blend(rating, told, clock, n_jobs) if is_open else []
    towards = trials[0].towards if trials else next(iter(told))
    amount = trials[0].amount if trials else 1.0 if is_open else float(selection)
    found = steady[towards]
    allowed = (
        None
        if found is None or amount == 0
        else problem.admit(as_whole(blend(problem, accurate, found, amount)))
    )
    written = solution.exact_weights if allowed is None else _written(problem, allowed)
    whole = WrittenFormula(written).whole_weights(rating.problem)
    return StableFormula(
        exact_weights=written,
        objective=rating.problem.normalised(rating.problem.value(whole)),
        towards=towards,
        amount=0.0 if allowed is None else amount,
        trials=trials,
        is_complete=(allowed is not None or amount == 0) and (bool(trials) or not is_open),
    )


def _written(problem: RatingProblem, weights: Weights) -> list[str]:
    own = to_own_scale(problem, weights)
    return [str(w) for w in round_weights(problem, own, problem.value(weights), PLACES)]
