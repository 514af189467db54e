"""The cumulative logit: a score, and thresholds between the labels on its scale.

A row of score s has a label up to c with the probability F(t_c - s), F the logistic function. Of a
row whose label lies between the thresholds t and t', with a = t - s and b = t' - s, the negative
log-likelihood -log(F(b) - F(a)) has the derivatives 1 - F(a) - F(b) and f(a) + f(b) with respect to
s, where f = F (1 - F).
"""

import numpy as np
from scipy.special import expit, logit

from rankwright.kernels.boosted.cumulative import find_sides, newton_step
from rankwright.trees.boosted.losses import Derivatives, Flags, Floats, Ints
from rankwright.trees.boosted.team import Team

__all__ = ["CumulativeLogit", "FIRST_STEPS", "label_shares"]

LEAST_GAP = 1e-3  # between thresholds, on the scale of scores
# Newton steps of the thresholds before the first tree, and between two trees.
FIRST_STEPS, STEPS = 30, 1


def label_shares(scores: Floats, thresholds: Floats) -> Floats:
    """Return the probability of each label, (n, k)."""
    up_to = expit(thresholds - scores[:, None])
    ends = np.zeros(len(scores)), np.ones(len(scores))
    return np.diff(np.column_stack([ends[0], up_to, ends[1]]), axis=1)


class CumulativeLogit:
    """The loss of labels, whose thresholds follow the scores.

    ``weights`` are zero for rows that are held out; their labels do not move the thresholds.
    """

    def __init__(self, codes: Ints, weights: Floats, n_labels: int) -> None:
        self._codes, self._weights = codes, weights * (codes.size / weights.sum())
        counts = np.bincount(codes, self._weights, n_labels) + 0.5
        self.thresholds: Floats = logit(np.cumsum(counts)[:-1] / counts.sum())
        self._spread_out()
        self._n_steps = FIRST_STEPS

    def derivatives(self, scores: Floats, active: Flags, team: Team) -> Derivatives:
        """See `losses.Loss`."""
        lower, upper = self.fit_thresholds(scores, self._n_steps)
        self._n_steps = STEPS
        return Derivatives(
            self._weights * (1.0 - lower - upper),
            self._weights * (lower * (1.0 - lower) + upper * (1.0 - upper)),
        )

    def fit_thresholds(self, scores: Floats, n_steps: int) -> Floats:
        """Move the thresholds by Newton steps of the likelihood, which is concave in them.

        Returns the rows' sides (2, n) at the new thresholds: the probabilities of a label below a
        row's own, and of one up to it.
        """
        sides, moved = np.empty((2, scores.size)), np.empty((2, scores.size))
        value = self._find_sides(scores, self._weights, sides)
        for _ in range(n_steps if self.thresholds.size else 0):
            step = newton_step(self._codes, self._weights, sides, self.thresholds.size)
            before, size = self.thresholds, 1.0
            while size > 1e-3:
                self.thresholds = before + size * step
                self._spread_out()
                reached = self._find_sides(scores, self._weights, moved)
                if reached >= value:
                    sides, moved, value = moved, sides, reached
                    break
                size /= 2
            else:
                self.thresholds = before
                break
        return sides

    def log_likelihood(self, scores: Floats, weights: Floats | None = None) -> float:
        """Return the sum over rows of weight times log-probability of the label."""
        weights = self._weights if weights is None else weights
        return self._find_sides(scores, weights, np.empty((2, scores.size)))

    def _find_sides(self, scores: Floats, weights: Floats, sides: Floats) -> float:
        ends = np.concatenate([[-np.inf], self.thresholds, [np.inf]])
        return float(find_sides(self._codes, scores, ends, weights, sides))

    def _spread_out(self) -> None:
        """Keep the thresholds in order, and apart."""
        gaps = LEAST_GAP * np.arange(self.thresholds.size)
        self.thresholds = np.maximum.accumulate(self.thresholds - gaps) + gaps
