"""How much a search may still do."""

import time
from collections.abc import Callable, Iterator

import numpy as np

__all__ = ["Budget", "NO_LIMIT", "OutOfTimeError", "piece"]

PIECE = 5_000_000  # pairs that are priced in a few hundredths of a second


class OutOfTimeError(Exception):
    """The seconds were over before there was an answer."""


def piece(pairs: int) -> int:
    """Return how many times so many pairs may be priced between two looks at the clock."""
    return max(1, PIECE // max(pairs, 1))


class Budget:
    """Seconds from now on, and work, counted in steps of the simplex method.

    Work limits a search alike on every machine; the seconds are the safety net.

    Parameters
    ----------
    seconds : float
    steps : float
        Summed over all programs solved.
    compiling : callable, optional
        Returns the seconds spent on compiling kernels since: these do not count.
    """

    def __init__(
        self,
        seconds: float = np.inf,
        steps: float = np.inf,
        compiling: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._deadline = time.monotonic() + seconds
        self._compiling = compiling
        self.steps = steps

    @property
    def seconds(self) -> float:
        """Return how many seconds are left."""
        return max(0.0, self._deadline + self._compiling() - time.monotonic())

    @property
    def is_late(self) -> bool:
        """Return whether no seconds are left."""
        return self.seconds == 0

    def spend(self, steps: int) -> None:
        """Take off what a solve took."""
        self.steps = max(0.0, self.steps - steps)

    def is_over(self) -> bool:
        """Return whether nothing is left."""
        return self.steps <= 0 or self.is_late

    def check(self) -> None:
        """Raise ``OutOfTimeError`` once no seconds are left."""
        if self.is_late:
            raise OutOfTimeError

    def pieces(self, n: int, pairs: int) -> Iterator[tuple[int, int]]:
        """Yield the ends of pieces of ``range(n)``, each number of which takes so many pairs.

        The first piece always comes; between two of them the clock and Ctrl-C have their turn.
        """
        for first in range(0, n, piece(pairs)):
            if first > 0:
                self.check()
            yield first, min(first + piece(pairs), n)


NO_LIMIT = Budget()
