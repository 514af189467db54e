"""What the formula would be for other products: without one of them, or drawn again."""

import numpy as np
import pandas as pd

from rankwright.reverse.problem import Rating
from rankwright.reverse.questions.refit import refit
from rankwright.reverse.solution import RatingSolution

__all__ = ["bootstrap", "leave_one_out"]


def leave_one_out(rating: Rating, solution: RatingSolution) -> pd.DataFrame:
    """Fit without each product and see where it would enter its group."""
    problem, weights = rating.problem, solution.whole_weights(rating.problem)
    n = len(problem.levels)
    predicted = np.empty(n, dtype=np.int64)
    for i in range(n):
        part = problem.select(np.delete(np.arange(n), i))
        found = refit(part, weights) if len(part.planes.better) else None
        used = weights if found is None or found.weights is None else found.weights
        predicted[i] = problem.positions_of(problem.exact_places(used))[i]
    return pd.DataFrame(
        {
            "group": rating.groups[rating.counted],
            "published": problem.positions_of(problem.levels),
            "predicted": predicted,
        },
        index=pd.Index([rating.names[i] for i in rating.counted], name="product"),
    )


def bootstrap(
    rating: Rating, solution: RatingSolution, *, n_resamples: int = 50, level: float = 0.9
) -> pd.DataFrame:
    """Draw the products of each group again with replacement, and see how far the shares go."""
    problem, weights = rating.problem, solution.whole_weights(rating.problem)
    rng = np.random.default_rng(0)
    shares = []
    for s in range(n_resamples):
        rows = np.concatenate([rng.integers(b, e, size=e - b) for b, e in problem.bounds])
        part = problem.select(rows)
        if (part.planes.strict > 0).any():
            found = refit(part, weights, seed=s).weights
            shares.append(problem.shares_of(weights if found is None else found))
    tail = (1 - level) / 2
    drawn = np.array(shares).reshape(len(shares), -1)
    low, high = np.quantile(drawn, [tail, 1 - tail], axis=0)
    return pd.DataFrame(
        {"share": solution.shares(problem), "low": low, "high": high},
        index=pd.Index(rating.factor_names, name="factor"),
    )
