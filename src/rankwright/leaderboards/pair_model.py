"""Bradley and Terry's model of battles, and Davidson's with ties."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array, csr_array

from rankwright.kernels.battles import pair_curvature, sum_at_ends
from rankwright.leaderboards.battles import Battles
from rankwright.leaderboards.laplacian import Laplacian
from rankwright.leaderboards.outcomes import FloatArray
from rankwright.leaderboards.solver import MOST_DENSE, Curvature, Matrix

__all__ = ["PairModel", "win_and_tie"]


def win_and_tie(eta: FloatArray, tie: float) -> tuple[FloatArray, FloatArray]:
    """Return the probabilities that the left item wins and that it ties, by Davidson (1970).

    Wins, losses and ties are as exp(η/2) : exp(-η/2) : ν, where η is the difference of strengths.
    """
    small = np.exp(-np.abs(eta) / 2)
    total = 1 + small**2 + tie * small
    return np.where(eta >= 0, 1.0, small**2) / total, tie * small / total


@dataclass(frozen=True, eq=False)
class PairModel:
    """The likelihood of battles.

    Parameters are the strengths, the effects of the context, and the logarithm of Davidson's ν
    where ties have a probability of their own; otherwise a tie is half a win for either side.
    """

    battles: Battles
    has_ties: bool

    @property
    def n_items(self) -> int:
        """The number of strengths, which come first among the parameters."""
        return len(self.battles.items)

    @property
    def extra_names(self) -> list[str]:
        """The names of the parameters that are not strengths."""
        return [*self.battles.context_names, *(["ties"] if self.has_ties else [])]

    @property
    def extra_units(self) -> FloatArray:
        """What the parameters that are not strengths are counted per."""
        return np.append(self.battles.context_units, np.ones(int(self.has_ties)))

    def start(self) -> FloatArray:
        """Return where to begin: all items alike."""
        start = np.zeros(self.n_items + len(self.extra_names))
        if self.has_ties:
            won, lost, tied = self.battles.counts.sum(axis=0)
            start[-1] = np.log(2 * tied / (won + lost)) if won + lost else 0.0
        return start

    def predictor(self, parameters: FloatArray) -> FloatArray:
        """Return the difference of strengths, in its context, of every pair."""
        difference = parameters[self.battles.left] - parameters[self.battles.right]
        offset = self._offset(parameters)
        return difference + offset if len(offset) else difference

    def tie(self, parameters: FloatArray) -> float:
        """Return Davidson's ν, 0 where ties are halves."""
        return float(np.exp(parameters[-1])) if self.has_ties else 0.0

    def curvature(self, parameters: FloatArray, weights: FloatArray) -> Curvature:
        """Return the log-likelihood, its gradient, and its Hessian, turned positive."""
        battles, context, n = self.battles, self.battles.context, self.n_items
        counts, slopes = weights.reshape(-1, 3), np.zeros((2, n))
        width, residual, mixed = (self._room(is_needed) for is_needed in (
            True, context.shape[1] > 0, context.shape[1] > 0 and self.has_ties
        ))  # fmt: skip
        value, tie_share, tie_variance = pair_curvature(
            battles.left, battles.right, self._offset(parameters), counts, parameters[:n],
            self.tie(parameters), slopes, width, residual, mixed,
        )  # fmt: skip
        gradient = slopes[0]
        border = [self._at_items(width * covariate) for covariate in context.T]
        corner = context.T @ (width[:, None] * context)
        if context.shape[1]:
            gradient = np.append(gradient, residual @ context)
        if self.has_ties:
            n_tied = float(counts[:, 2].sum())
            value += n_tied * parameters[-1]
            gradient = np.append(gradient, n_tied - tie_share)
            border.append(slopes[1])
            beside = mixed @ context if context.shape[1] else np.empty(0)
            corner = np.block([[corner, beside[:, None]], [beside, np.array([[tie_variance]])]])
        return Curvature(value, gradient, self._hessian(width, border, corner))

    def residuals(self, parameters: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return each pair's points beyond those expected, and their variance."""
        battles, n = self.battles, self.n_items
        width, residual, none = (self._room(is_needed) for is_needed in (True, True, False))
        pair_curvature(
            battles.left, battles.right, self._offset(parameters), battles.counts,
            parameters[:n], self.tie(parameters), np.zeros((2, n)), width, residual, none,
        )  # fmt: skip
        return residual, width

    def scores(self, parameters: FloatArray) -> csr_array:
        """Return each distinct outcome's gradient, in rows."""
        win, draw = win_and_tie(self.predictor(parameters), self.tie(parameters))
        n_pairs, columns = len(win), [self.battles.left, self.battles.right]
        residual = np.array([0.5, -0.5, 0.0]) - (win + draw / 2 - 0.5)[:, None]
        values = [residual, -residual]
        for place, covariate in enumerate(self.battles.context.T):
            columns.append(np.full(n_pairs, self.n_items + place))
            values.append(residual * covariate[:, None])
        if self.has_ties:
            columns.append(np.full(n_pairs, self.n_items + len(self.extra_names) - 1))
            values.append(np.array([0.0, 0.0, 1.0]) - draw[:, None])
        rows = np.tile(np.arange(3 * n_pairs), len(values))
        places = np.concatenate([np.repeat(column, 3) for column in columns])
        entries = np.concatenate([value.ravel() for value in values])
        shape = (3 * n_pairs, self.n_items + len(self.extra_names))
        return csr_array(coo_array((entries, (rows, places)), shape=shape))

    def _offset(self, parameters: FloatArray) -> FloatArray:
        """Return what the context adds to differences, nothing where there is no context."""
        context = self.battles.context
        effects = parameters[self.n_items : self.n_items + context.shape[1]]
        return context @ effects if len(effects) else np.empty(0)

    def _room(self, is_needed: bool) -> FloatArray:
        return np.empty(len(self.battles.left) if is_needed else 0)

    def _at_items(self, values: FloatArray) -> FloatArray:
        """Add up values of pairs: with their sign for the left item, against it for the right."""
        sums = np.zeros(self.n_items)
        sum_at_ends(self.battles.left, self.battles.right, values, -1.0, sums)
        return sums

    def _hessian(self, width: FloatArray, border: list[FloatArray], corner: FloatArray) -> Matrix:
        n = self.n_items
        beside = np.column_stack(border) if border else np.empty((n, 0))
        hessian = Laplacian(
            self.battles.left, self.battles.right, width, np.zeros(n), beside, corner
        )
        return hessian if n > MOST_DENSE else hessian.toarray()
