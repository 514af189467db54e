"""Why one item is ranked above another."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Explanation", "explain_difference"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Explanation:
    """The contribution of every feature to a difference of two linear scores, largest first.

    Attributes
    ----------
    features : (d,) array of str
        Names of the features, or x0, x1, ...
    contributions : (d,) float64
        Coefficient times difference of the feature; positive speaks for the first item.
    values, other_values : (d,) float64
        The features of the two items, in the same order.
    difference : float
        Score of the first item minus score of the other: the sum of the contributions.

    Examples
    --------
    >>> import rankwright as rw
    >>> ranker = rw.LeastSquaresRanker("score").fit([[1.0, 0.0], [0.0, 1.0], [2.0, 2.0]], [1, 3, 8])
    >>> print(ranker.explain([2.0, 0.0], [0.0, 1.0]))
    score difference -1
    x1  -3  (0 against 1)
    x0  +2  (2 against 0)
    """

    features: NDArray[np.str_]
    contributions: Floats
    values: Floats
    other_values: Floats
    difference: float

    def __str__(self) -> str:
        width = max(map(len, self.features))
        lines = [
            f"{name:<{width}}  {contribution:+.4g}  ({value:.4g} against {other:.4g})"
            for name, contribution, value, other in zip(
                self.features, self.contributions, self.values, self.other_values, strict=True
            )
        ]
        return "\n".join([f"score difference {self.difference:+.4g}", *lines])


def explain_difference(
    coef: Floats, features: NDArray[np.str_], values: Floats, other_values: Floats
) -> Explanation:
    """Split coef · (values - other_values) into its terms, largest magnitude first."""
    contributions = coef * (values - other_values)
    order = np.argsort(-np.abs(contributions), kind="stable")
    return Explanation(
        features=features[order],
        contributions=contributions[order],
        values=values[order],
        other_values=other_values[order],
        difference=float(contributions.sum()),
    )
