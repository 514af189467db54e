"""Bradley and Terry's model of battles, and Davidson's with ties."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import coo_array, csr_array, hstack, vstack

from rankwright.leaderboards.battles import Battles
from rankwright.leaderboards.outcomes import FloatArray, IntArray, tally
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

    def start(self) -> FloatArray:
        """Return where to begin: all items alike."""
        start = np.zeros(self.n_items + len(self.extra_names))
        if self.has_ties:
            won, lost, tied = self.battles.counts.sum(axis=0)
            start[-1] = np.log(2 * tied / (won + lost)) if won + lost else 0.0
        return start

    def predictor(self, parameters: FloatArray) -> FloatArray:
        """Return the difference of strengths, in its context, of every pair."""
        battles, n = self.battles, self.n_items
        effects = parameters[n : n + battles.context.shape[1]]
        difference = parameters[battles.left] - parameters[battles.right]
        return difference + battles.context @ effects if len(effects) else difference

    def tie(self, parameters: FloatArray) -> float:
        """Return Davidson's ν, 0 where ties are halves."""
        return float(np.exp(parameters[-1])) if self.has_ties else 0.0

    def _value(self, parameters: FloatArray, eta: FloatArray, weights: FloatArray) -> float:
        won, lost, tied = weights.reshape(-1, 3).T
        tie = self.tie(parameters)
        size = np.abs(eta) / 2
        log_total = size + np.log1p(np.exp(-2 * size) + tie * np.exp(-size))
        value = ((won - lost) * eta / 2 - (won + lost + tied) * log_total).sum()
        return float(value + (tied.sum() * parameters[-1] if self.has_ties else 0.0))

    def curvature(self, parameters: FloatArray, weights: FloatArray) -> Curvature:
        """Return the log-likelihood, its gradient, and its Hessian, turned positive."""
        won, lost, tied = weights.reshape(-1, 3).T
        eta = self.predictor(parameters)
        win, draw = win_and_tie(eta, self.tie(parameters))
        value = self._value(parameters, eta, weights)
        count, mean = won + lost + tied, win + draw / 2 - 0.5  # of the score ½, 0 or -½
        along = (won - lost) / 2 - count * mean
        width = count * ((1 - draw) / 4 - mean**2)
        if not self.has_ties:
            return Curvature(value, self._gradient(along), self._hessian(width))
        gradient = np.append(self._gradient(along), (tied - count * draw).sum())
        border = self._gradient(-count * mean * draw)
        corner = float((count * draw * (1 - draw)).sum())
        return Curvature(value, gradient, _bordered(self._hessian(width), border, corner))

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

    def _gradient(self, along: FloatArray) -> FloatArray:
        battles, n = self.battles, self.n_items
        strengths = tally(battles.left, along, n) - tally(battles.right, along, n)
        return np.append(strengths, along @ battles.context)

    @cached_property
    def _pattern(self) -> tuple[IntArray, csr_array]:
        """The pair of each row whatever its context, and where a sparse Hessian has its values.

        The pattern holds numbers of pairs, then of items for the diagonal: every step of the solver
        fills in values without sorting anything again.
        """
        battles, n = self.battles, self.n_items
        keys, pairs = np.unique(battles.left * n + battles.right, return_inverse=True)
        left, right, items = keys // n, keys % n, np.arange(n)
        numbers = np.arange(len(keys))
        entries = np.concatenate([numbers, numbers, len(keys) + items])
        places = (np.concatenate([left, right, items]), np.concatenate([right, left, items]))
        return pairs, csr_array((entries, places), shape=(n, n))

    def _hessian(self, width: FloatArray) -> Matrix:
        """Return the weighted Laplacian of the pairs, bordered by the context's covariates."""
        battles, n = self.battles, self.n_items
        left, right = battles.left, battles.right
        diagonal = tally(left, width, n) + tally(right, width, n)
        laplacian: Matrix
        if n > MOST_DENSE:
            pairs, pattern = self._pattern
            values = np.append(-tally(pairs, width, int(pairs.max()) + 1), diagonal)
            laplacian = csr_array((values[pattern.data], pattern.indices, pattern.indptr))
        else:
            upper = tally(left * n + right, -width, n * n).reshape(n, n)
            laplacian = upper + upper.T + np.diag(diagonal)
        for place, covariate in enumerate(battles.context.T):
            border = self._gradient(width * covariate)[: n + place + 1]
            laplacian = _bordered(laplacian, border[:-1], float(border[-1]))
        return laplacian


def _bordered(matrix: Matrix, border: FloatArray, corner: float) -> Matrix:
    if isinstance(matrix, np.ndarray):
        return np.block([[matrix, border[:, None]], [border[None, :], np.array([[corner]])]])
    column = csr_array(border[:, None])
    top = hstack([matrix, column])
    bottom = hstack([column.T, csr_array(np.array([[corner]]))])
    return csr_array(vstack([top, bottom]))
