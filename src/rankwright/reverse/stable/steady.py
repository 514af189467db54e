"""Steady formulas: the mean of all formulas, each as probable as it makes what is published."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rankwright.kernels.rating.posterior import mean_formula
from rankwright.reverse.problem import RatingProblem

__all__ = ["LONG", "SHORT", "Sampling", "reads_as_scores", "steady_weights"]

Floats = NDArray[np.float64]
MOST_FITTED = 4_000  # products: more make it slower, and hardly better
FIRST_SIGNAL = 3.0  # of the start, in units of the noise


@dataclass(frozen=True)
class Sampling:
    """How many formulas are drawn: ``most``, fewer if that is more ``work`` than this."""

    most: int
    work: float

    def sweeps(self, n_products: int, n_factors: int) -> int:
        """Return how many formulas to average; a quarter as many are drawn before them."""
        return int(np.clip(self.work / (n_products * (n_factors + 5)), 400, self.most))


LONG = Sampling(8_000, 5e7)
SHORT = Sampling(2_000, 1e7)  # for folds, of which there are many


def reads_as_scores(y: Floats, offsets: NDArray[np.int64]) -> bool:
    """Tell whether the values of ``y`` say more than their order.

    Places published as minus ranks don't, nor do levels at equal distances.

    Examples
    --------
    >>> import numpy as np
    >>> one_group = np.array([0, 3])
    >>> reads_as_scores(np.array([-3.0, -2, -1]), one_group)
    False
    >>> reads_as_scores(np.array([7.1, 8.4, 9.0]), one_group)
    True
    """
    if (y == np.round(y)).all() and y.max() <= -1:
        return False
    for begin, end in pairwise(offsets.tolist()):
        values = np.unique(y[begin:end])
        if len(values) > 2 and not np.allclose(np.diff(values), values[1] - values[0]):
            return True
    return False


def steady_weights(
    problem: RatingProblem,
    scores: Floats | None,
    near: NDArray[np.object_],
    sampling: Sampling,
    stop: NDArray[np.bool_],
) -> Floats | None:
    """Return the mean formula of a rating, by its order or by published scores.

    Parameters
    ----------
    problem : RatingProblem
        Its free factors may take either sign.
    scores : (n,) array or None
    near : (d,) array
        Where few factors may count, the mean is of formulas with the factors of this one.
    sampling : Sampling
    stop : (1,) array of bool

    Returns
    -------
    (d,) array or None
        On the problem's factors, inside its cone; None if it was stopped before it was done.
    """
    problem, scores = _fewer_products(problem, scores)
    generators, free = _coordinates(problem, near)
    raw = problem.oriented @ generators.T
    centred = raw - raw.mean(axis=0)
    size = centred.std(axis=0)
    differs = size > 1e-12 * np.maximum(np.abs(raw).max(axis=0), 1e-300)
    columns = np.ascontiguousarray((centred[:, differs] / size[differs]).T)
    if not len(columns):
        return None
    sweeps = sampling.sweeps(len(raw), len(columns))
    mean, drawn = mean_formula(
        columns,
        problem.levels,
        np.empty(0) if scores is None else _standardised(scores),
        problem.offsets,
        _noise(problem),
        free[differs],
        _start(columns, problem),
        np.array([len(raw)], dtype=np.uint64),
        sweeps // 4,
        sweeps,
        stop,
    )
    if drawn < sweeps or not np.isfinite(mean).all():
        return None
    multipliers = np.zeros(len(generators))
    multipliers[differs] = mean / size[differs]
    return np.asarray(multipliers @ generators)


def _fewer_products(
    problem: RatingProblem, scores: Floats | None
) -> tuple[RatingProblem, Floats | None]:
    """Return every k-th product: sorted by group and level, they have their share of both."""
    n = len(problem.levels)
    if n <= MOST_FITTED:
        return problem, scores
    rows = np.arange(0, n, -(-n // MOST_FITTED))
    return problem.select(rows), None if scores is None else scores[rows]


def _coordinates(
    problem: RatingProblem, near: NDArray[np.object_]
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the formulas whose sums are allowed, and which of them may be subtracted, too."""
    if problem.cone is None:
        return np.diag(1.0 / problem.spans), problem.free
    face = problem.cone.face_of(near) or problem.cone.faces[0]
    return face.generators, np.zeros(len(face.generators), dtype=np.bool_)


def _standardised(scores: Floats) -> Floats:
    centred = scores - scores.mean()
    return np.asarray(centred / max(float(centred.std()), 1e-300))


def _noise(problem: RatingProblem) -> Floats:
    """Return the noise of each product: a category of half the weight has twice the variance."""
    weights = np.array([problem.category_weights[one] for one in problem.categories], float)
    return np.asarray((1.0 / np.sqrt(weights))[problem.group_of_row])


def _start(columns: Floats, problem: RatingProblem) -> Floats:
    """Return equal weights, in the direction that each factor's own correlation suggests."""
    target = problem.centred(problem.levels.astype(np.float64)[:, None])[:, 0]
    slopes = np.maximum(columns @ target, 0.0)
    if not slopes.any():
        slopes = np.ones(len(columns))
    spread = float((slopes @ columns).std())
    return np.asarray(FIRST_SIGNAL * slopes / max(spread, 1e-300))
