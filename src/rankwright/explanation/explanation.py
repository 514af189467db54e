"""The answer: what each feature adds to the difference of two scores."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

__all__ = ["Explanation", "one_line", "value_text"]

Floats = NDArray[np.float64]

ROUNDING = 1e-12  # contributions this small beside the largest one are not worth a line


@dataclass(frozen=True, eq=False)
class Explanation:
    """What each feature contributes to the difference of two items' scores, the largest first.

    A contribution is the feature's Shapley value between the two items: what the score gains when
    the other's value is replaced by the item's, averaged over all orders of replacing the features.
    For a linear score that is weight times difference. Contributions add up to the difference.

    Attributes
    ----------
    item, other : str
        Names of the two items.
    features : (d,) array of str
        Names of the features, or x0, x1, ...
    contributions : (d,) float64
        Positive where the feature speaks for the item, negative where it speaks for the other.
    values, other_values : (d,) array
        The features of the two items, in the same order: float64, or objects where not all are
        numbers.
    score, other_score : float
        The model's scores of the two items.
    standard_errors : (d,) float64, or None
        Of contributions that are estimated from random orders; None where they are exact.

    Examples
    --------
    >>> import rankwright as rw
    >>> ranker = rw.LeastSquaresRanker("score").fit([[1.0, 0.0], [0.0, 1.0], [2.0, 2.0]], [1, 3, 8])
    >>> why = ranker.explain([2.0, 0.0], [0.0, 1.0])
    >>> print(why)
    the item is below the other: score difference -1
    x1  -3  (0 against 1)
    x0  +2  (2 against 0)
    >>> why.table()["contribution"].round(6).to_dict()
    {'x1': -3.0, 'x0': 2.0}
    """

    item: str
    other: str
    features: NDArray[np.object_]
    contributions: Floats
    values: NDArray[Any]
    other_values: NDArray[Any]
    score: float
    other_score: float
    standard_errors: Floats | None = None

    @property
    def difference(self) -> float:
        """Score of the item minus score of the other."""
        return self.score - self.other_score

    @property
    def is_exact(self) -> bool:
        """Whether the contributions are exact, not estimated."""
        return self.standard_errors is None

    @property
    def relation(self) -> str:
        """Where the item stands: "above", "below" or "level with" the other."""
        return {1: "above", -1: "below"}.get(int(np.sign(self.difference)), "level with")

    def table(self) -> pd.DataFrame:
        """Return the explanation as a frame, one row for each feature.

        Returns
        -------
        DataFrame
            ``value``, ``other_value`` and ``contribution`` by feature, and ``standard_error`` if
            the contributions are estimated.
        """
        columns: dict[str, Any] = {
            "value": self.values,
            "other_value": self.other_values,
            "contribution": self.contributions,
        }
        if self.standard_errors is not None:
            columns["standard_error"] = self.standard_errors
        index = pd.Index(self.features, dtype=object, name="feature")
        return pd.DataFrame(columns, index=index)

    def __str__(self) -> str:
        sizes = np.abs(self.contributions)
        counted = np.flatnonzero(sizes > ROUNDING * sizes.max(initial=0.0))
        width = max((len(one_line(name)) for name in self.features[counted]), default=0)
        lines = [
            f"{one_line(self.item)} is {self.relation} {one_line(self.other)}: "
            f"score difference {self.difference:+.4g}"
        ]
        lines += [
            f"{one_line(self.features[j]):<{width}}  {self._amount(j)}  "
            f"({value_text(self.values[j])} against {value_text(self.other_values[j])})"
            for j in counted.tolist()
        ]
        if silent := len(self.features) - len(counted):
            make = "feature makes" if silent == 1 else "features make"
            lines.append(f"{silent} {make} no difference")
        if not self.is_exact:
            lines.append("estimated from random orders; ± is one standard error")
        return "\n".join(lines)

    def _amount(self, j: int) -> str:
        error = "" if self.standard_errors is None else f" ± {self.standard_errors[j]:.2g}"
        return f"{self.contributions[j]:+.4g}{error}"


def one_line(text: object) -> str:
    """Return a name as one line: line breaks and control characters become spaces."""
    return " ".join("".join(c if c.isprintable() else " " for c in str(text)).split())


def value_text(value: Any) -> str:
    """Return the value of a feature as people read it."""
    if pd.isna(value):
        return "missing"
    return f"{value:.4g}" if isinstance(value, float) else one_line(value)
