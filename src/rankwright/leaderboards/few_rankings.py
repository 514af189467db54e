"""Few long rankings: strengths fit them too closely, so the inverse information is too small.

A strength that three rankings of fifty items decide is decided for a third by each of its choices.
Judged by a fit without it, a choice would be off by 1 / (1 - h) times as much, where h is its
leverage; so its information counts 1 / (1 - h)² times in the sandwich, as in the jackknife of
regressions. In simulations of 3 to 50 items the inverse information alone covers the truth in 80 to
97 of 100 intervals where it says 95; for choices between two it covers enough, so that these count
as they are, and a choice from k items with the share 1 - 2/k of its leverage.
"""

import numpy as np

from rankwright.leaderboards.outcomes import FloatArray
from rankwright.leaderboards.ranking_model import RankingModel
from rankwright.leaderboards.solver import Fit, Problem

__all__ = ["allow_for_few"]

MOST_LEVERAGE = 0.5  # that of each of two rankings: one of a single ranking has no error


def allow_for_few(
    covariance: FloatArray, problem: Problem, fit: Fit, weights: FloatArray
) -> FloatArray:
    """Return the inverse information of all parameters, grown to what few rankings leave."""
    model = problem.likelihood
    if not isinstance(model, RankingModel):
        return covariance
    n, parameters = model.n_items, problem.parameters(fit.coordinates)
    leverage = model.leverage(parameters, covariance[:n, :n])
    leverage *= 1.0 - 2.0 / np.diff(model.stages.offsets)
    growth = (1.0 - np.minimum(leverage, MOST_LEVERAGE)) ** -2 - 1.0
    excess = model.information(parameters, weights[model.stages.ranking] * growth)
    # No choice sees a shift of all strengths, so that any inverse up to shifts will do.
    return np.asarray(covariance + covariance @ excess @ covariance)
