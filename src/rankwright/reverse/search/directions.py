"""Which way each factor counts: given by the user, or decided from the data."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.reverse.clock import Clock
from rankwright.reverse.problem import RatingProblem
from rankwright.reverse.search.climbing import climb_from
from rankwright.reverse.search.least_squares import least_squares_starts
from rankwright.reverse.search.margin import fewest_turned_weights, separating_weights
from rankwright.reverse.whole_numbers import Weights, as_floats, as_whole

__all__ = [
    "MOST_FREE",
    "SIGNED",
    "SIGNS_OF_ALL",
    "UNDECIDED",
    "direct",
    "fewer_turned",
    "leave_open",
    "read_signs",
    "separating_directed",
    "suggested_starts",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SIGNS = {"+": 1, "-": -1, "free": 0, 1: 1, -1: -1, 0: 0}
UNDECIDED = 2
SIGNED = (1, -1)  # what is asked for of a factor whose direction is given
SHARE = 0.25  # of the time left, for a linear program
SIGNS_OF_ALL = {"auto": UNDECIDED, "positive": 1, "free": 0}
MOST_FREE = 12  # the proof begins with every orthant of the free factors, 2 to this power


def read_signs(signs: str | Mapping[Any, Any], names: Sequence[str]) -> Ints:
    """Return 1, -1, 0 (free) or 2 (decide from the data) for each factor."""
    asked = _asked_signs(signs, names)
    if (n_free := int((asked == 0).sum())) > MOST_FREE:
        raise ValueError(
            f"signs leaves {n_free} factors free, and the proof searches all 2^{n_free} orthants; "
            f"map at most {MOST_FREE} factors to 'free': the data decide the signs of the rest"
        )
    return asked


def _asked_signs(signs: str | Mapping[Any, Any], names: Sequence[str]) -> Ints:
    if isinstance(signs, str):
        return np.full(len(names), SIGNS_OF_ALL[signs], dtype=np.int64)
    unknown = [name for name in signs if name not in names]
    if unknown:
        raise ValueError(f"signs names the unknown factors {unknown}; the factors are {[*names]}")
    wrong = {name: sign for name, sign in signs.items() if sign not in tuple(SIGNS)}
    if wrong:
        raise ValueError(f"signs has {wrong}; choose from '+', '-' and 'free'")
    return np.array([SIGNS[signs[n]] if n in signs else UNDECIDED for n in names], dtype=np.int64)


def leave_open(problem: RatingProblem, asked: Ints) -> RatingProblem:
    """Return the problem in which factors that the data were to decide about may count either way.

    The directions that the problem comes with don't matter.
    """
    free = (asked == 0) | (asked == UNDECIDED)
    return problem.turned(np.where(asked == -1, -1, 1)).with_free(free)


def direct(
    opened: RatingProblem, asked: Ints, weights: NDArray[Any]
) -> tuple[RatingProblem, Weights]:
    """Return the problem with the directions that a formula of the open one has, and the formula.

    A factor without weight, or without differences, counts as the more the better.
    """
    # Without differences, the sign of a weight is nothing.
    weights = np.where(opened.differs, weights, np.abs(weights))
    turn = np.where((asked == UNDECIDED) & (weights < 0), -1, 1)
    directed = opened.turned(opened.directions * turn).with_free(asked == 0)
    return directed, np.array([int(w) * int(t) for w, t in zip(weights, turn, strict=True)], object)


def suggested_starts(opened: RatingProblem, asked: Ints, clock: Clock) -> Iterator[Floats]:
    """Yield least-squares formulas of the open problem with plausible directions.

    All positive, and each as its factor's own correlation suggests: jointly, correlated factors may
    turn one another round.
    """
    target = opened.levels.astype(np.float64)
    slopes = opened.centred(opened.oriented).T @ opened.centred(target[:, None])[:, 0]
    for suggested in (np.ones(len(asked)), slopes):
        turn = np.where((asked == UNDECIDED) & (suggested < 0), -1, 1)
        directed = opened.turned(opened.directions * turn).with_free(asked == 0)
        for start in least_squares_starts(directed, [target], clock):
            yield start * turn


def separating_directed(opened: RatingProblem, asked: Ints, clock: Clock) -> Floats | None:
    """Return weights of the open problem that reproduce every published order, if any do.

    All positive where that is possible, else with little turned round. Each linear program has a
    share of the time that is left.
    """
    found = separating_weights(opened, SHARE * clock.left)
    if found is None or not (asked == UNDECIDED).any():
        return found
    positive = separating_weights(opened.with_free(asked == 0), SHARE * clock.left)
    if positive is not None:
        return positive
    fewest = fewest_turned_weights(opened, asked == UNDECIDED, SHARE * clock.left)
    return found if fewest is None else fewest


def fewer_turned(opened: RatingProblem, asked: Ints, weights: Weights, clock: Clock) -> Weights:
    """Return a formula of the open problem that is as good or better, with fewer factors turned.

    First none at all, then one factor less at a time, the lightest first: it loses its weight, and
    line searches that leave it non-negative make up for it, or don't. When the time is up, what was
    found so far.
    """
    turned = np.flatnonzero((asked == UNDECIDED) & (weights < 0) & opened.differs)
    spread = np.abs(as_floats(weights)) * opened.spans
    singly = turned[np.argsort(spread[turned], kind="stable")][:, None]
    for straightened in [turned, *(singly if len(turned) > 1 else ())]:
        if clock.is_late or (weights[turned] >= 0).all():
            break
        start = weights.copy()
        start[straightened] = 0
        found = _climb_directed(opened, asked, start, clock)
        if opened.value(found) >= opened.value(weights):
            weights = found
    return weights


def _climb_directed(opened: RatingProblem, asked: Ints, start: Weights, clock: Clock) -> Weights:
    """Improve a formula that keeps its directions; all factors alike if it ties all products."""
    is_formula = bool(np.any(start[opened.differs]))
    directed, weights = direct(opened, asked, start if is_formula else np.ones_like(start))
    found = as_whole(climb_from(directed, as_floats(weights), 0, clock.stop))
    best = max((weights, found), key=directed.value)
    return np.asarray(best * directed.directions * opened.directions, dtype=object)
