"""What reading and writing leave of a time limit."""

__all__ = ["seconds_left"]

# Seconds for the report, its result and its model, half as long again as measured: the pictures
# take most of them, and the rows of large tables.
WRITING, WRITING_EACH = 1.5, 1 / 5000
MOST_WRITING = 0.35  # the part of the time that this may be
LEAST_PART = 0.15  # of the time, for the work itself, however long reading took


def seconds_left(limit: float, spent: float, n_items: int = 0) -> float:
    """Return what is left for the work once its table was read and its report is written.

    The report has a part for each of its items.

    Examples
    --------
    >>> seconds_left(60.0, 2.0, 100), seconds_left(60.0, 2.0, 10_000)
    (56.48, 54.5)
    """
    writing = min(WRITING + WRITING_EACH * n_items, MOST_WRITING * limit)
    return max(limit - spent - writing, LEAST_PART * limit)
