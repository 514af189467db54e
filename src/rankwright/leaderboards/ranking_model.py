"""Plackett and Luce's model of rankings, with Davidson's ties at every place."""

from dataclasses import dataclass, field
from itertools import product

import numpy as np
from scipy.sparse import csr_array, hstack

from rankwright.leaderboards.ballots import Ballots, Stages
from rankwright.leaderboards.outcomes import FloatArray, IntArray, tally
from rankwright.leaderboards.solver import Curvature

__all__ = ["RankingModel"]

AT_ONCE = 10_000_000  # numbers in memory


@dataclass(frozen=True, eq=False)
class _Choice:
    """The choices at given parameters; arrays are by stage, or by entry of a stage.

    A set S of k items is chosen with a weight δ_k times the geometric mean of its items' worths
    (Turner, van Etten, Firth and Kosmidis 2020). Sums over all sets are elementary symmetric
    polynomials of the worths to the power 1/k.
    """

    log_total: FloatArray
    size_share: FloatArray  # (sizes, stages): the probability that k items are chosen
    roots: list[FloatArray]  # by size: worth to the power 1/k, by entry
    factors: list[FloatArray]  # by size: δ_k over the total, by stage
    polynomials: list[list[FloatArray]]  # by size: the elementary symmetric ones of degree 0 to k
    chosen: list[FloatArray]  # by size: E[1{i in S, |S| = k}] / k, by entry

    @property
    def expected(self) -> FloatArray:
        """The expected share of each entry in the set that is chosen."""
        return np.asarray(np.sum(self.chosen, axis=0))


@dataclass(frozen=True, eq=False)
class RankingModel:
    """The likelihood of rankings.

    Parameters are the strengths and, for every size of tie that occurs, the logarithm of δ.
    """

    ballots: Ballots
    stages: Stages = field(init=False)
    sizes: list[int] = field(init=False)
    stage: IntArray = field(init=False)  # of each entry

    def __post_init__(self) -> None:
        stages = self.ballots.stages
        lengths = np.diff(stages.offsets)
        taken = np.add.reduceat(stages.chosen, stages.offsets[:-1], dtype=np.int64)
        object.__setattr__(self, "stages", stages)
        object.__setattr__(self, "sizes", [1, *(k for k in np.unique(taken).tolist() if k > 1)])
        object.__setattr__(self, "stage", np.repeat(np.arange(len(lengths)), lengths))

    @property
    def n_items(self) -> int:
        """The number of strengths, which come first among the parameters."""
        return len(self.ballots.items)

    @property
    def extra_names(self) -> list[str]:
        """The names of the parameters that are not strengths."""
        return [f"ties of {k}" if k > 2 else "ties" for k in self.sizes[1:]]

    @property
    def extra_units(self) -> FloatArray:
        """What the parameters that are not strengths are counted per."""
        return np.ones(len(self.sizes) - 1)

    def start(self) -> FloatArray:
        """Return where to begin: all items alike, ties rare."""
        return np.append(np.zeros(self.n_items), np.full(len(self.sizes) - 1, -1.0))

    def _value(self, parameters: FloatArray, choice: _Choice, weights: FloatArray) -> float:
        stages = self.stages
        taken = self._taken
        sums = np.add.reduceat(
            np.where(stages.chosen, parameters[stages.item], 0.0), stages.offsets[:-1]
        )
        deltas = np.append(0.0, parameters[self.n_items :])
        reached = sums / taken + deltas[np.searchsorted(self.sizes, taken)]
        gained = reached - choice.log_total
        return float(weights[stages.ranking] @ gained)

    def curvature(self, parameters: FloatArray, weights: FloatArray) -> Curvature:
        """Return the log-likelihood, its gradient, and its Hessian, turned positive."""
        choice, each = self._choice(parameters), weights[self.stages.ranking]
        value = self._value(parameters, choice, weights)
        gradient = (self._residuals(choice).T @ each).ravel()
        return Curvature(value, gradient, self._information(choice, each))

    def leverage(self, parameters: FloatArray, covariance: FloatArray) -> FloatArray:
        """Return what each choice itself decides of the strengths that it is judged by.

        That is the trace of its information times the covariance of the strengths: these leverages
        add up to the number of strengths less one. With ties they are upper bounds, as the square
        of a mean is at most the mean of squares.
        """
        means = self._rows(self._choice(parameters).expected)
        found, at_once = means @ np.diag(covariance), max(AT_ONCE // self.n_items, 1)
        for first in range(0, means.shape[0], at_once):
            part = means[first : first + at_once]
            found[first : first + at_once] -= part.multiply(part @ covariance).sum(axis=1)
        return np.asarray(found)

    def information(self, parameters: FloatArray, each: FloatArray) -> FloatArray:
        """Return minus the second derivatives of the log-likelihood of choices with weights."""
        return self._information(self._choice(parameters), each)

    def _information(self, choice: _Choice, each: FloatArray) -> FloatArray:
        expected = self._rows(choice.expected)
        width = self._second_moments(choice, each)
        width -= (expected.T @ expected.multiply(each[:, None])).toarray()
        sizes = choice.size_share[1:]
        cross = np.stack(
            [self._rows(part).T @ each - expected.T @ (each * share)
             for part, share in zip(choice.chosen[1:], sizes, strict=True)]
            or [np.empty(0)]
        )[: len(sizes)]  # fmt: skip
        corner = np.diag(sizes @ each) - (sizes * each) @ sizes.T
        return np.block([[width, cross.T], [cross, corner]]) if len(sizes) else width

    def scores(self, parameters: FloatArray) -> csr_array:
        """Return each distinct ranking's gradient, in rows."""
        residuals = self._residuals(self._choice(parameters))
        n_stages, n_rankings = residuals.shape[0], len(self.ballots.rankings)
        places = (self.stages.ranking, np.arange(n_stages))
        belongs = csr_array((np.ones(n_stages), places), shape=(n_rankings, n_stages))
        return csr_array(belongs @ residuals)

    @property
    def _taken(self) -> IntArray:
        return np.add.reduceat(self.stages.chosen, self.stages.offsets[:-1], dtype=np.int64)

    def _choice(self, parameters: FloatArray) -> _Choice:
        begins = self.stages.offsets[:-1]
        strengths = parameters[self.stages.item]
        highest = np.maximum.reduceat(strengths, begins)
        lengths = np.diff(self.stages.offsets)
        deltas = np.exp(np.append(0.0, parameters[self.n_items :]))
        roots = [np.exp((strengths - highest[self.stage]) / k) for k in self.sizes]
        polynomials = [
            _elementary(root, k, begins, lengths) for root, k in zip(roots, self.sizes, strict=True)
        ]
        parts = np.array([d * p[-1] for d, p in zip(deltas, polynomials, strict=True)])
        total = parts.sum(axis=0)
        factors = [delta / total for delta in deltas]
        chosen = [
            (factor[self.stage] / k)
            * root
            * _without(root, k - 1, [p[self.stage] for p in degrees])
            for k, factor, root, degrees in zip(
                self.sizes, factors, roots, polynomials, strict=True
            )
        ]
        log_total = highest + np.log(total)
        return _Choice(log_total, parts / total, roots, factors, polynomials, chosen)

    def _residuals(self, choice: _Choice) -> csr_array:
        """Return what was chosen minus what was expected, by stage."""
        taken = self._taken
        observed = self.stages.chosen / taken[self.stage]
        strengths = self._rows(observed - choice.expected)
        if len(self.sizes) == 1:
            return strengths
        ties = (taken == np.array(self.sizes[1:])[:, None]) - choice.size_share[1:]
        return csr_array(hstack([strengths, csr_array(ties.T)]))

    def _second_moments(self, choice: _Choice, weights: FloatArray) -> FloatArray:
        """Return the sum of E[T Tᵀ] over stages, where T is 1/|S| for the items of the set S."""
        moments = np.zeros((self.n_items, self.n_items))
        for k, root, factor, degrees in zip(
            self.sizes, choice.roots, choice.factors, choice.polynomials, strict=True
        ):
            powers = [self._rows(root ** (a + 1)) for a in range(k - 1)]
            # Sets without i and j: the polynomial divided by (1 + x_i t)(1 + x_j t), as a series.
            for a, b in product(range(k - 1), repeat=2):
                if a + b <= k - 2:
                    sign = (-1) ** (a + b)
                    scale = weights * factor * degrees[k - 2 - a - b] * sign / k**2
                    moments += (powers[a].T @ powers[b].multiply(scale[:, None])).toarray()
        alone = sum(part / k for k, part in zip(self.sizes, choice.chosen, strict=True))
        np.fill_diagonal(
            moments, tally(self.stages.item, alone * weights[self.stage], self.n_items)
        )
        return moments

    def _rows(self, values: FloatArray) -> csr_array:
        shape = (len(self.stages.ranking), self.n_items)
        return csr_array((values, self.stages.item, self.stages.offsets), shape=shape)


def _elementary(
    root: FloatArray, degree: int, begins: IntArray, lengths: IntArray
) -> list[FloatArray]:
    """Return the elementary symmetric polynomials by stage, from sums of powers (Newton)."""
    sums = [np.add.reduceat(root**m, begins) for m in range(1, degree + 1)]
    found = [np.ones(len(begins))]
    for k in range(1, degree + 1):
        terms = [(-1) ** (m - 1) * found[k - m] * sums[m - 1] for m in range(1, k + 1)]
        found.append(np.where(lengths >= k, np.maximum(sum(terms) / k, 0.0), 0.0))
    return found


def _without(root: FloatArray, degree: int, degrees: list[FloatArray]) -> FloatArray:
    """Return the polynomial of the other entries of each entry's stage."""
    return sum(((-root) ** a * degrees[degree - a] for a in range(degree + 1)), np.zeros(len(root)))
