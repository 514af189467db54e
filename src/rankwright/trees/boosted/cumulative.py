"""The cumulative logit: a score, and thresholds between the labels on its scale.

A row of score s has a label up to c with the probability F(t_c - s), F the logistic function. Of a
row whose label lies between the thresholds t and t', with a = t - s and b = t' - s, the negative
log-likelihood -log(F(b) - F(a)) has the derivatives 1 - F(a) - F(b) and f(a) + f(b) with respect to
s, where f = F (1 - F).
"""

import numpy as np
from scipy.linalg import solve_banded
from scipy.special import expit, logit

from rankwright.trees.boosted.losses import Derivatives, Flags, Floats, Ints
from rankwright.trees.boosted.team import Team

__all__ = ["CumulativeLogit", "FIRST_STEPS", "label_shares"]

Sides = tuple[Floats, Floats]

LEAST_GAP = 1e-3  # between thresholds, on the scale of scores
LEAST_SHARE = 1e-300
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

    @property
    def n_units(self) -> int:
        """The number of rows."""
        return self._codes.size

    def derivatives(self, scores: Floats, active: Flags, team: Team) -> Derivatives:
        """See `losses.Loss`."""
        lower, upper = self.fit_thresholds(scores, self._n_steps)
        self._n_steps = STEPS
        return Derivatives(
            self._weights * (1.0 - lower - upper),
            self._weights * (lower * (1.0 - lower) + upper * (1.0 - upper)),
        )

    def fit_thresholds(self, scores: Floats, n_steps: int) -> Sides:
        """Move the thresholds by Newton steps of the likelihood, which is concave in them.

        Returns the rows' sides at the new thresholds.
        """
        sides = self._sides(scores)
        value = self._likelihood(sides, self._weights)
        for _ in range(n_steps if self.thresholds.size else 0):
            step, before, size = self._newton_step(sides), self.thresholds, 1.0
            while size > 1e-3:
                self.thresholds = before + size * step
                self._spread_out()
                moved = self._sides(scores)
                reached = self._likelihood(moved, self._weights)
                if reached >= value:
                    sides, value = moved, reached
                    break
                size /= 2
            else:
                self.thresholds = before
                break
        return sides

    def log_likelihood(self, scores: Floats, weights: Floats | None = None) -> float:
        """Return the sum over rows of weight times log-probability of the label."""
        return self._likelihood(self._sides(scores), self._weights if weights is None else weights)

    def _likelihood(self, sides: Sides, weights: Floats) -> float:
        lower, upper = sides
        return float(weights @ np.log(np.maximum(upper - lower, LEAST_SHARE)))

    def _sides(self, scores: Floats) -> Sides:
        """Return the probabilities of a label below a row's own, and of one up to it."""
        ends = np.concatenate([[-np.inf], self.thresholds, [np.inf]])
        return expit(ends[self._codes] - scores), expit(ends[self._codes + 1] - scores)

    def _newton_step(self, sides: Sides) -> Floats:
        lower, upper = sides
        share = np.maximum(upper - lower, 1e-12)
        at_lower, at_upper = lower * (1.0 - lower), upper * (1.0 - upper)
        n = self.thresholds.size
        codes, weights = self._codes, self._weights

        def sums(of_upper: Floats, of_lower: Floats) -> Floats:
            # Threshold c is the upper one of label c and the lower one of label c + 1.
            as_upper = np.bincount(codes, weights * of_upper, n + 1)[:n]
            return np.asarray(as_upper + np.bincount(codes, weights * of_lower, n + 1)[1:])

        slope = sums(at_upper / share, -at_lower / share)
        bend = sums(
            (at_upper / share) ** 2 - at_upper * (1.0 - 2.0 * upper) / share,
            (at_lower / share) ** 2 + at_lower * (1.0 - 2.0 * lower) / share,
        )
        between = np.bincount(codes, -weights * at_lower * at_upper / share**2, n + 1)[1:n]
        banded = np.zeros((3, n))
        banded[0, 1:], banded[1], banded[2, :-1] = between, bend + 1e-6 * (1.0 + bend), between
        return np.asarray(solve_banded((1, 1), banded, slope))

    def _spread_out(self) -> None:
        """Keep the thresholds in order, and apart."""
        gaps = LEAST_GAP * np.arange(self.thresholds.size)
        self.thresholds = np.maximum.accumulate(self.thresholds - gaps) + gaps
