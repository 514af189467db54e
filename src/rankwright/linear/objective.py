"""A penalised loss of linear scores, as a function of the coefficients."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.linear.loss import Loss

__all__ = ["Objective"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Objective:
    """The value and gradient of loss(X w) + alpha |w|² / 2."""

    X: Any
    loss: Loss
    alpha: float

    def __call__(self, w: Floats) -> tuple[float, Floats]:
        """Return the value and the gradient at the coefficients w."""
        value, gradient = self.loss(self.X @ w)
        return value + 0.5 * self.alpha * float(w @ w), self.X.T @ gradient + self.alpha * w
