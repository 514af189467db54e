"""What a linear ranker learns from: rows in one part, or in many that lie elsewhere.

A mean over pairs or choices is the mean of the parts' means, weighted by their masses. So the
solver sees an objective and a sample of differences, and does not notice how many parts there are.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rankwright.base.magnitude import feature_sizes
from rankwright.linear.loss import Loss
from rankwright.linear.objective import Objective
from rankwright.linear.pairs import BlockPairs, Pairs, no_pair, spread_numbers

__all__ = ["LossOf", "Part", "PartFacts", "Parts", "Training"]

Floats = NDArray[np.float64]
Evaluated = tuple[float, Floats]
LossOf = Callable[[Any], Loss]  # from the terms of a part to its loss


MOST_SAMPLED = 100_000  # differences that are brought together from elsewhere


class Training(Protocol):
    """The training rows, wherever they are."""

    @property
    def n_rows(self) -> int:
        """The number of rows."""

    @property
    def n_features(self) -> int:
        """The number of features."""

    def feature_sizes(self) -> Floats:
        """Return the largest absolute value of each feature."""

    def objective(self, loss: LossOf, alpha: float) -> Callable[[Floats], Evaluated]:
        """Return the mean loss plus alpha |w|² / 2, as a function of the coefficients."""

    def sample(self, count: int) -> tuple[Any, Floats]:
        """Return differences of the rows of at most ``count`` pairs, and weights summing to one."""


@dataclass(frozen=True)
class Part:
    """Rows of whole groups, and what is compared of them.

    Attributes
    ----------
    X : (n, d) array or CSR matrix
    pairs : Pairs
        Their differences tell the curvature.
    terms : object
        What a loss is made of: the pairs, or the choices of rankings.
    mass : float
        What the mean over its terms counts beside those of other parts.
    """

    X: Any
    pairs: Pairs
    terms: Any
    mass: float

    @classmethod
    def of_pairs(cls, X: Any, pairs: Pairs) -> "Part":
        """Return rows whose pairs are all there is to learn from."""
        return cls(X, pairs, pairs, pairs.total)

    @property
    def n_rows(self) -> int:
        """See `Training`."""
        return int(self.X.shape[0])

    @property
    def n_features(self) -> int:
        """See `Training`."""
        return int(self.X.shape[1])

    def feature_sizes(self) -> Floats:
        """See `Training`."""
        return feature_sizes(self.X)

    def objective(self, loss: LossOf, alpha: float) -> Objective:
        """See `Training`."""
        return Objective(self.X, loss(self.terms), alpha)

    def sample(self, count: int) -> tuple[Any, Floats]:
        """See `Training`."""
        better, worse, weights = self.pairs.sample(count)
        return self.X[better] - self.X[worse], weights


@dataclass(frozen=True)
class PartFacts:
    """What is known of a part that lies elsewhere."""

    n_rows: int
    n_pairs: int  # pairs of rows, whatever they weigh
    pair_mass: float
    mass: float
    total: float  # the weight of its pairs

    @classmethod
    def of(cls, part: Part) -> "PartFacts":
        """Describe a part of graded rows."""
        pairs = part.pairs
        assert isinstance(pairs, BlockPairs)  # the parts of a data set are graded rows
        mass = pairs.mass
        return cls(part.X.shape[0], pairs.n_pairs, mass, part.mass, pairs.total)


class Parts(ABC):
    """Parts that lie elsewhere, in a fixed order, so that sums never depend on where."""

    def __init__(self, facts: Sequence[PartFacts], n_features: int) -> None:
        self.facts = list(facts)
        self.n_features = n_features
        self.n_rows = sum(fact.n_rows for fact in facts)
        if not sum(fact.pair_mass for fact in facts) > 0:
            raise no_pair(sum(fact.n_rows for fact in facts))

    @abstractmethod
    def each(self, of: Callable[..., Any], *arguments: Sequence[Any]) -> list[Any]:
        """Return ``of(part, *own arguments)`` for each part, in order."""

    @abstractmethod
    def total(self, of: Callable[..., Evaluated], *arguments: Sequence[Any]) -> Evaluated:
        """Add up what ``of(part, *own arguments)`` returns for each part, in a fixed order."""

    @property
    def n_pairs(self) -> float:
        """The total weight of all pairs."""
        return float(sum(fact.total for fact in self.facts))

    def feature_sizes(self) -> Floats:
        """See `Training`."""
        return np.asarray(np.fmax.reduce(self.each(_feature_sizes), axis=0))

    def objective(self, loss: LossOf, alpha: float) -> Callable[[Floats], Evaluated]:
        """See `Training`."""
        return partial(self._evaluate, loss, alpha)

    def _evaluate(self, loss: LossOf, alpha: float, w: Floats) -> Evaluated:
        masses = np.array([fact.mass for fact in self.facts])
        value, gradient = self.total(partial(_evaluate, loss, w), (masses / masses.sum()).tolist())
        return value + 0.5 * alpha * float(w @ w), gradient + alpha * w

    def sample(self, count: int) -> tuple[Any, Floats]:
        """See `Training`."""
        count = min(count, MOST_SAMPLED)
        # Pairs are numbered through all parts, as they would be if these were one.
        ends = np.cumsum([fact.n_pairs for fact in self.facts])
        numbers = spread_numbers(count, int(ends[-1]))
        own = np.split(numbers, np.searchsorted(numbers, ends[:-1]))
        own = [some - start for some, start in zip(own, np.r_[0, ends[:-1]], strict=True)]
        found = self.each(_differences, own, [fact.pair_mass for fact in self.facts])
        weights = np.concatenate([weights for _, weights in found])
        return np.concatenate([rows for rows, _ in found]), weights / (weights.sum() or 1.0)


def _feature_sizes(part: Part) -> Floats:
    return part.feature_sizes()


def _evaluate(loss: LossOf, w: Floats, part: Part, share: float) -> Evaluated:
    if share == 0.0:
        return 0.0, np.zeros_like(w)
    value, gradient = part.objective(loss, 0.0)(w)
    return share * value, share * gradient


def _differences(part: Part, numbers: NDArray[np.int64], mass: float) -> tuple[Floats, Floats]:
    assert isinstance(part.pairs, BlockPairs)
    better, worse, weights = part.pairs.numbered(numbers)
    rows = part.X[better] - part.X[worse]
    return rows if isinstance(rows, np.ndarray) else rows.toarray(), mass * weights
