"""What the formula would be for other products: without one of them, or drawn again."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rankwright.reverse.clock import Clock
from rankwright.reverse.problem import Rating
from rankwright.reverse.questions.weight_units import in_percent
from rankwright.reverse.refit import open_signs, refit
from rankwright.reverse.refusal import QuestionRefusedError
from rankwright.reverse.solution import RatingSolution
from rankwright.reverse.whole_numbers import as_floats

__all__ = ["bootstrap", "leave_one_out"]


def leave_one_out(rating: Rating, solution: RatingSolution, *, clock: Clock) -> pd.DataFrame:
    """Fit without each product and see where it would enter its group.

    Products that the clock leaves no time for are not listed.
    """
    problem = open_signs(rating)
    weights, n = solution.whole_weights(problem), len(problem.levels)

    def predict(i: int) -> int:
        part = problem.select(np.delete(np.arange(n), i))
        found = refit(part, weights, clock) if part.has_order else None
        used = weights if found is None or found.weights is None else found.weights
        return int(problem.positions_of(problem.exact_places(used))[i])

    predicted = clock.answer_each(range(n), predict, "products")
    done = rating.counted[: len(predicted)]
    return pd.DataFrame(
        {
            "group": rating.groups[done],
            "published": problem.positions_of(problem.levels)[: len(done)],
            "predicted": np.array(predicted, dtype=np.int64),
        },
        index=pd.Index([rating.names[i] for i in done], name="product"),
    )


def bootstrap(
    rating: Rating,
    solution: RatingSolution,
    *,
    clock: Clock,
    n_resamples: int = 50,
    level: float = 0.9,
    sizes: NDArray[np.float64] | None = None,
) -> pd.DataFrame:
    """Draw the products of each group again with replacement, and see how far the shares go.

    A share is a weight times the factor's range or, where ``sizes`` are given, times its size. It
    is negative where the factor counts the other way than in the solution.
    """
    problem = open_signs(rating)
    weights = solution.whole_weights(problem)
    turn = rating.problem.directions * problem.directions
    rng = np.random.default_rng(0)
    ranges = np.maximum([float(one) for one in problem.factors.ranges], 1e-300)

    def shares_of(seed: int) -> NDArray[np.float64] | None:
        rows = np.concatenate([rng.integers(b, e, size=e - b) for b, e in problem.bounds])
        part = problem.select(rows)
        if not part.has_order:
            return None
        found = refit(part, weights, clock, seed=seed).weights
        used = weights if found is None else found
        signs = np.where(problem.free & ~rating.problem.free, np.sign(as_floats(used)) * turn, 1)
        shares = problem.shares_of(used) * signs
        return shares if sizes is None else in_percent(shares / ranges, sizes)

    answers = clock.answer_each(range(n_resamples), shares_of, "resamples")
    shares = [answer for answer in answers if answer is not None]
    if not shares:
        raise QuestionRefusedError(
            f"none of {len(answers)} resamples has two products of different y to order; give more "
            "products, or more time for more resamples"
        )
    tail = (1 - level) / 2
    drawn = np.array(shares)
    low, high = np.quantile(drawn, [tail, 1 - tail], axis=0)
    return pd.DataFrame(
        {"share": solution.shares(problem, sizes), "low": low, "high": high},
        index=pd.Index(rating.factor_names, name="factor"),
    )
