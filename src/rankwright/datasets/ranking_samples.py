"""Partial rankings sampled from a complete one, fairly or with a bias towards some positions."""

from collections.abc import Callable

import numpy as np
from numpy.random import RandomState
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_random_state

from rankwright.datasets.ranking_data import check_count

__all__ = ["sample_rankings"]

EDGE = 50

Sampler = Callable[[int, int, RandomState], list[int]]


def _uniform(n: int, length: int, rng: RandomState) -> list[int]:
    chosen: list[int] = rng.choice(n, length, replace=False).tolist()
    return chosen


def _walk(start: int, n: int, length: int, reach: int, rng: RandomState) -> list[int]:
    """Take `length` positions, each within `reach` of the last one, or the nearest free one."""
    free = [True] * n
    taken = [start]
    free[start] = False
    while len(taken) < length:
        last = taken[-1]
        near = [p for p in range(max(last - reach, 0), min(last + reach + 1, n)) if free[p]]
        width = reach
        while not near:
            width += 1
            near = [p for p in (last - width, last + width) if 0 <= p < n and free[p]]
        taken.append(near[rng.randint(len(near))])
        free[taken[-1]] = False
    return taken


def _top_hotels(n: int, length: int, rng: RandomState) -> list[int]:
    return _walk(rng.randint(min(EDGE, n)), n, length, 3, rng)


def _two_groups(n: int, length: int, rng: RandomState) -> list[int]:
    from_the_edge = rng.randint(min(EDGE, n))
    start = from_the_edge if rng.randint(2) else n - 1 - from_the_edge
    return _walk(start, n, length, 2, rng)


SCENARIOS: dict[str, Sampler] = {
    "top_hotels": _top_hotels,
    "two_groups": _two_groups,
    "uniform": _uniform,
}


def sample_rankings(
    y: ArrayLike,
    n_rankings: int,
    mean_length: int,
    *,
    spread: int = 0,
    scenario: str = "uniform",
    random_state: int | RandomState | None = None,
) -> list[NDArray[np.intp]]:
    """Sample partial rankings from one complete ranking.

    Parameters
    ----------
    y : array-like of shape (n_items,)
        The complete ranking, larger is better; tied items stay in the order of the rows.
    n_rankings : int
        Number of rankings.
    mean_length, spread : int
        Lengths are uniform on ``mean_length - spread .. mean_length + spread``.
    scenario : {"uniform", "top_hotels", "two_groups"}
        How a ranking's items are drawn. *uniform*: without replacement. *top_hotels*: start with
        one of the first 50, then repeatedly take an item among the three above and the three below
        the last one taken. *two_groups*: start among the first or the last 50, and go two up or
        down. When all neighbours are taken, the nearest free items stand in for them.
    random_state : int, RandomState or None
        Seed.

    Returns
    -------
    list of ndarray
        Row numbers into `y`, best first, without repetition.

    Examples
    --------
    >>> import rankwright as rw
    >>> y = [0.3, 0.9, 0.1, 0.5]
    >>> [order.tolist() for order in rw.datasets.sample_rankings(y, 2, 3, random_state=0)]
    [[3, 0, 2], [1, 3, 0]]
    """
    if scenario not in SCENARIOS:
        raise ValueError(f"scenario={scenario!r}; choose from {sorted(SCENARIOS)}")
    complete = _best_first(y)
    check_count("n_rankings", n_rankings, minimum=1)
    check_count("mean_length", mean_length, minimum=1)
    check_count("spread", spread, minimum=0)
    if mean_length - spread < 2 or mean_length + spread > len(complete):
        raise ValueError(
            f"mean_length={mean_length!r}, spread={spread!r}; lengths from mean_length - spread to "
            f"mean_length + spread must lie in 2..{len(complete)}, the length of y"
        )
    rng = check_random_state(random_state)
    lengths = rng.randint(mean_length - spread, mean_length + spread + 1, size=n_rankings)
    draw = SCENARIOS[scenario]
    return [complete[np.sort(draw(len(complete), int(length), rng))] for length in lengths]


def _best_first(y: ArrayLike) -> NDArray[np.intp]:
    """Sort the rows, best first."""
    values = np.asarray(y, dtype=np.float64)
    if values.ndim != 1 or not np.isfinite(values).all():
        raise ValueError("y must be one column of finite numbers; drop items without a rank")
    return np.argsort(-values, kind="stable")
