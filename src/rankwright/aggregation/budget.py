"""How much a search may still do."""

import time

import numpy as np

__all__ = ["Budget"]


class Budget:
    """Time until a deadline, and work, counted in steps of the simplex method.

    Work limits a search alike on every machine; the deadline is the safety net.

    Parameters
    ----------
    deadline : float
        By ``time.monotonic``.
    steps : float
        Summed over all programs solved.
    """

    def __init__(self, deadline: float = np.inf, steps: float = np.inf) -> None:
        self.deadline = deadline
        self.steps = steps

    @property
    def seconds(self) -> float:
        """Return how many seconds are left."""
        return max(0.0, self.deadline - time.monotonic())

    def spend(self, steps: int) -> None:
        """Take off what a solve took."""
        self.steps = max(0.0, self.steps - steps)

    def is_over(self) -> bool:
        """Return whether nothing is left."""
        return self.steps <= 0 or time.monotonic() >= self.deadline
