"""How far weights and positions go among formulas with the same signs that are nearly as good."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from rankwright.reverse.problem import Rating
from rankwright.reverse.questions.good_formulas import GoodFormulas
from rankwright.reverse.solution import RatingSolution

__all__ = ["OrderRanges"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class OrderRanges:
    """How far formulas go that order products as well as the one found, or nearly."""

    rating: Rating
    solution: RatingSolution
    good: GoodFormulas

    def weights(self, sizes: Floats | None = None) -> pd.DataFrame:
        """Return how far each share goes.

        A share is a weight times the factor's range or, where ``sizes`` are given, times its size.
        """
        good = self.good if sizes is None else self.good.measured_by(sizes)
        inner, outer = good.inner_shares(), good.outer_shares()
        columns = {
            "share": self.solution.shares(self.rating.problem, sizes),
            "inner_low": inner[0],
            "inner_high": inner[1],
            "outer_low": outer[0],
            "outer_high": outer[1],
            "intervals": good.share_intervals(),
        }
        return pd.DataFrame(columns, index=pd.Index(self.rating.factor_names, name="factor"))

    def polytope(self) -> tuple[Floats, Floats]:
        """Return the outer ranges as ``A`` and ``b``: good formulas have ``A @ weights <= b``."""
        problem = self.rating.problem
        spans = problem.directions * np.array([float(span) for span in problem.factors.ranges])
        total = float(spans @ self.solution.weights)
        low, high = self.good.outer_shares() * total / 100
        # A share is linear in the weights once their total is fixed.
        matrix = np.vstack([np.diag(spans), -np.diag(spans), spans, -spans])
        return matrix, np.concatenate([high, -low, [total, -total]])

    def positions(
        self, X: Floats, groups: ArrayLike | None, position: Floats, names: list[str]
    ) -> pd.DataFrame:
        """Return the position of each row of terms, and how far it goes."""
        best, worst = self.good.position_ranges(X, groups)
        columns = {"position": position, "best": best, "worst": worst}
        return pd.DataFrame(columns, index=pd.Index(names, name="product"))
