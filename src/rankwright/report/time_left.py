"""What reading and writing leave of a time limit."""

__all__ = ["seconds_left"]

WRITING, MOST_WRITING = 3.0, 0.2  # seconds for the report, and the part of the time it may take
LEAST_PART = 0.25  # of the time, for the work itself, however long reading took


def seconds_left(limit: float, spent: float) -> float:
    """Return what is left for the work once its table was read and its report is written.

    Examples
    --------
    >>> seconds_left(60.0, 2.0)
    55.0
    """
    return max(limit - spent - min(WRITING, MOST_WRITING * limit), LEAST_PART * limit)
