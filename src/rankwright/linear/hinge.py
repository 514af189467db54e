"""The hinge loss by smoothing, stopped by a duality gap."""

import warnings
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from rankwright.linear.loss import hinge, smoothed_hinge
from rankwright.linear.parts import Training
from rankwright.linear.solver import Curvature, minimize

__all__ = ["HingeMinimum", "minimize_hinge"]

Floats = NDArray[np.float64]

SHRINK, TIGHTEN = 4.0, 100.0
NARROWEST, TIGHTEST = 1e-8, 1e-13


@dataclass(frozen=True)
class HingeMinimum:
    """Coefficients whose objective is at most ``gap`` above the minimum."""

    coef: Floats
    n_iter: int
    value: float
    gap: float


def minimize_hinge(
    training: Training,
    alpha: float,
    start: Floats,
    curvature: Curvature,
    gap_share: float,
    *,
    nonnegative: bool = False,
    tol: float = 1e-6,
    max_iter: int = 1000,
    verbose: int = 0,
) -> HingeMinimum:
    """Minimise mean hinge + alpha |w|² / 2 until the duality gap is a small share of it.

    The hinge is smoothed over a width that shrinks until the gap is small enough; each round starts
    from the previous coefficients. The slopes of the smoothed hinge lie in [0, 1], so they are
    feasible dual variables and give a lower bound of the minimum; the best ones are kept.
    """
    coef, n_iter, width = start, 0, 1.0
    best, least, bound = start, np.inf, -np.inf
    while True:
        loss = partial(smoothed_hinge, width=width)
        smoothed = replace(curvature, second_derivative=partial(_second_derivative, width))
        found = minimize(
            training.objective(loss, alpha), coef, smoothed,
            nonnegative=nonnegative, tol=tol, max_iter=max_iter, verbose=verbose,
        )  # fmt: skip
        coef, n_iter = found.coef, n_iter + found.n_iter
        hinges = training.objective(hinge, 0.0)(coef)[0]
        primal = hinges + 0.5 * alpha * float(coef @ coef)
        # Dual variables m_ik in [0, 1] are slopes; the dual is sum(c m) - |z|² / (2 alpha) with
        # z = sum(c m (x_i - x_k)), its positive part when the coefficients are nonnegative.
        inner = training.objective(partial(hinge, margin=1.0 - width), 0.0)(coef)[0]
        slopes = (hinges - inner) / width
        z = -training.objective(loss, 0.0)(coef)[1]
        z = np.maximum(z, 0.0) if nonnegative else z
        bound = max(bound, slopes - float(z @ z) / (2.0 * alpha))
        if primal < least:
            best, least = coef, primal
        if verbose:
            print(f"smoothing width {width:.1e}: objective {least:.9g}, gap {least - bound:.1e}")
        if least - bound <= gap_share * least or width < NARROWEST:
            break
        # The smoothing costs at most width / 2: a gap beyond that comes from a gradient that is
        # not small yet in the units of every feature.
        if least - bound > width and tol > TIGHTEST:
            tol /= TIGHTEN
        else:
            width /= SHRINK
    if least - bound > gap_share * least:
        warnings.warn(
            f"the duality gap is {least - bound:.1e} at an objective of {least:.3g}, above "
            f"gap_share={gap_share} of it; decrease tol, or increase max_iter, alpha or gap_share",
            ConvergenceWarning,
            stacklevel=3,
        )
    return HingeMinimum(best, n_iter, float(least), float(least - bound))


def _second_derivative(width: float, d: Floats) -> Floats:
    inside = (d >= 1.0 - width) & (d < 1.0)
    return np.where(inside, 1.0 / width, 0.0)
