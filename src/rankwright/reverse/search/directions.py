"""Which way each factor counts: given by the user, or decided from the data."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.kernels.rating.planes import NOTHING
from rankwright.reverse.problem import RatingProblem
from rankwright.reverse.problem.whole_numbers import as_whole
from rankwright.reverse.search.climbing import least_squares_starts

__all__ = ["UNDECIDED", "decide_directions", "read_signs"]

SIGNS = {"+": 1, "-": -1, "free": 0, 1: 1, -1: -1, 0: 0}
UNDECIDED = 2
MOST_FREE = 12  # the proof begins with every orthant of the free factors, 2 to this power


def read_signs(signs: str | Mapping[Any, Any], names: Sequence[str]) -> NDArray[np.int64]:
    """Return 1, -1, 0 (free) or 2 (decide from the data) for each factor."""
    asked = _asked_signs(signs, names)
    if (n_free := int((asked == 0).sum())) > MOST_FREE:
        raise ValueError(
            f"signs leaves {n_free} factors free, and the proof searches all 2^{n_free} orthants; "
            f"map at most {MOST_FREE} factors to 'free': the data decide about those left out"
        )
    return asked


def _asked_signs(signs: str | Mapping[Any, Any], names: Sequence[str]) -> NDArray[np.int64]:
    if isinstance(signs, str):
        known = {"auto": UNDECIDED, "positive": 1, "free": 0}
        if signs not in known:
            raise ValueError(
                f"signs={signs!r}; choose from {sorted(known)} or map factors to signs"
            )
        return np.full(len(names), known[signs], dtype=np.int64)
    unknown = [name for name in signs if name not in names]
    if unknown:
        raise ValueError(f"signs names the unknown factors {unknown}; the factors are {[*names]}")
    wrong = {name: sign for name, sign in signs.items() if sign not in SIGNS}
    if wrong:
        raise ValueError(f"signs has {wrong}; choose from '+', '-' and 'free'")
    return np.array([SIGNS[signs[n]] if n in signs else UNDECIDED for n in names], dtype=np.int64)


def decide_directions(problem: RatingProblem, signs: NDArray[np.int64]) -> RatingProblem:
    """Orient the factors: undecided ones as least squares or their own correlations suggest.

    Of the two suggestions the one whose least-squares formula has the better objective is taken.
    The directions that the problem comes with don't matter.
    """
    free = signs == 0
    fixed = replace(problem, directions=np.where(signs == -1, -1, 1), free=free)
    undecided = signs == UNDECIDED
    if not undecided.any():
        return fixed
    target = problem.levels.astype(np.float64)
    problem = replace(problem, directions=np.ones_like(signs))
    everywhere = replace(problem, free=np.ones(len(signs), dtype=bool))
    joint = next(least_squares_starts(everywhere, [target]))
    single = problem.centred(problem.oriented).T @ problem.centred(target[:, None])[:, 0]
    suggested = [
        tuple(np.where(undecided & (slopes < 0), -1, fixed.directions).tolist())
        for slopes in (joint, single)
    ]
    best, best_value = fixed, None
    for directions in dict.fromkeys(suggested):
        candidate = replace(problem, directions=np.array(directions, dtype=np.int64), free=free)
        start = next(least_squares_starts(candidate, [target]))
        value = candidate.value(as_whole(start)) if np.any(start) else NOTHING
        if best_value is None or value > best_value:
            best, best_value = candidate, value
    return best
