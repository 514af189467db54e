"""One time limit, shared by the steps of an investigation."""

from collections.abc import Iterable

from rankwright.reverse.clock import Clock

__all__ = ["Budget", "PLAN", "seconds_left"]

# Parts of the time. A step gets its part of what is left for it and the steps after it, so that
# the time a step does not need goes to those that follow.
PLAN = {
    "fit": 10,
    "alternatives": 2,
    "weight_ranges": 3,
    "any_sign_ranges": 1,
    "drawn_again": 2,
    "contradictions": 1,
    "suspects": 3,
    "held_out": 1.5,
    "chance": 1.5,
    "shared": 1,
    "each_group": 5,
}
LEAST = 0.05  # seconds: what a step gets that comes when nothing is left
# Seconds for the report, its result and its model, half as long again as measured: the pictures
# take most of them, and the rows of large tables.
WRITING, WRITING_EACH = 1.5, 1 / 5000
MOST_WRITING = 0.35  # the part of the time that this may be
LEAST_PART = 0.15  # of the time, for the investigation, however long reading took


def seconds_left(limit: float, spent: float, n_products: int) -> float:
    """Return what is left for an investigation once its table was read and its report is written.

    Examples
    --------
    >>> seconds_left(60.0, 2.0, 100), seconds_left(60.0, 2.0, 10_000)
    (56.48, 54.5)
    """
    writing = min(WRITING + WRITING_EACH * n_products, MOST_WRITING * limit)
    return max(limit - spent - writing, LEAST_PART * limit)


class Budget:
    """Divide the seconds of a clock among steps, in the order of ``PLAN``.

    Examples
    --------
    >>> budget = Budget(Clock(100.0, now=lambda: 0.0), ["fit", "weight_ranges", "suspects"])
    >>> budget.seconds_for("fit"), budget.seconds_for("suspects")
    (62.5, 100.0)
    """

    def __init__(self, clock: Clock, steps: Iterable[str]) -> None:
        self._clock = clock
        asked = set(steps)
        self._steps = [step for step in PLAN if step in asked]

    def seconds_for(self, step: str) -> float:
        """Return the seconds that a step may take now: it and those after it share what is left."""
        rest = self._steps[self._steps.index(step) :]
        part = PLAN[step] / sum(PLAN[one] for one in rest)
        return max(part * self._clock.left, LEAST)
