"""The pairs a linear ranker learns from: of graded rows, or listed one by one.

Both forms give a loss what it needs: sums over pairs of a function of the score difference.
"""

from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from rankwright.data import Rows, group_of_row
from rankwright.data.blocks import PairBlocks, pair_blocks

__all__ = [
    "BlockPairs",
    "ListedPairs",
    "Pairs",
    "block_pairs",
    "graded_pairs",
    "listed_pairs",
    "no_pair",
    "spread_numbers",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PAIR_WEIGHTINGS = ("group", "pair")
GOLDEN = 0.6180339887498949


class LogisticShape(NamedTuple):
    """A function of p = sigmoid(s_worse - s_better): p * (linear + mixed * (1 - p))."""

    linear: float
    mixed: float


SLOPE = LogisticShape(1.0, 0.0)  # minus the derivative of the logistic loss
CURVATURE = LogisticShape(0.0, 1.0)  # its second derivative, p * (1 - p)
SQUARED_SLOPE = LogisticShape(1.0, -1.0)  # p * p


class Pairs(Protocol):
    """Pairs (better row i, worse row k) whose weights c_ik sum to one.

    ``sign`` is +1 to add and -1 to subtract what a row gets as the better one of a pair.
    """

    @property
    def total(self) -> float:
        """The number of pairs, or the sum of their weights before scaling."""

    def logistic(
        self, scores: Floats, shape: LogisticShape, charges: Floats | None, sign: float
    ) -> tuple[float, Floats]:
        """Return the mean of softplus(s_k - s_i), and for each row the sum over its partners.

        The sum is that of c_ik * charge of the partner * shape(s_k - s_i).
        """

    def margin(
        self, scores: Floats, margin: float, squared: bool, sign: float
    ) -> tuple[float, Floats]:
        """Return the mean of m or m**2, where m = max(0, margin - s_i + s_k), and the sums.

        A row's sum over its partners is that of c_ik * [m > 0], or of c_ik * m when squared.
        """

    def sample(self, count: int) -> tuple[Ints, Ints, Floats]:
        """Return the better and worse rows of at most ``count`` pairs, and weights summing to one.

        All pairs when they are so few, else some that are spread evenly and stand for all.
        """

    def separates(self, scores: Floats) -> bool:
        """Say whether every better row scores above its worse partner."""

    def spanning(self) -> tuple[Ints, Ints]:
        """Return rows whose differences span those of all pairs."""

    def squared(self) -> "Pairs":
        """Return the same pairs with the weights c_ik squared, not scaled again."""

    @property
    def n_drawn(self) -> int:
        """The number of units that a resample draws: groups with a pair, or listed pairs."""

    def resample(self, rng: np.random.RandomState) -> "Pairs":
        """Draw as many units as there are, with replacement."""


@dataclass(frozen=True)
class BlockPairs:
    """The pairs of graded rows; c_ik is the product of the two rows' weights."""

    blocks: PairBlocks
    weights: Floats  # in sorted order, scaled so that the pair weights sum to one
    uniform: bool  # whether the weights are constant within every group
    total: float
    mass: float  # what their mean counts beside other pairs: their weight, or their groups

    def logistic(
        self,
        scores: Floats,
        shape: LogisticShape = SLOPE,
        charges: Floats | None = None,
        sign: float = -1.0,
    ) -> tuple[float, Floats]:
        """See `Pairs`."""
        from rankwright.kernels.logistic_pairs import bin_scores, logistic_blocks, logistic_direct

        b = self.blocks
        ordered = scores[b.order]
        charged = self.weights if charges is None else self.weights * charges[b.order]
        sums = np.zeros_like(ordered)
        value = 0.0
        if b.has_direct:
            value += logistic_direct(
                ordered, charged, b.direct_start, b.worse_end, b.groups, shape.linear, shape.mixed,
                sign, self.uniform and charges is None, sums,
            )  # fmt: skip
        if b.trees.size:
            bins, places, offsets = bin_scores(ordered, b.trees)
            tables, far = _tables(shape)
            value += logistic_blocks(
                ordered, charged, b.trees, b.nodes, b.blocks, bins, places, offsets, tables, far,
                sign, sums,
            )  # fmt: skip
        return value, self._unsort(sums)

    def margin(
        self, scores: Floats, margin: float, squared: bool, sign: float = -1.0
    ) -> tuple[float, Floats]:
        """See `Pairs`."""
        from rankwright.kernels.margin_pairs import margin_blocks, margin_direct

        b = self.blocks
        ordered = scores[b.order]
        sums = np.zeros_like(ordered)
        value = 0.0
        if b.has_direct:
            value += margin_direct(
                ordered, self.weights, b.direct_start, b.worse_end, margin, squared, sign, sums
            )
        if b.trees.size:
            value += margin_blocks(
                ordered, self.weights, b.trees, b.nodes, b.blocks, margin, squared, sign, sums
            )
        return value, self._unsort(sums)

    def _unsort(self, sums: Floats) -> Floats:
        result = np.empty_like(sums)
        result[self.blocks.order] = self.weights * sums
        return result

    def sample(self, count: int) -> tuple[Ints, Ints, Floats]:
        """See `Pairs`."""
        better, worse, weights = self.numbered(spread_numbers(count, self.n_pairs))
        return better, worse, weights / (weights.sum() or 1.0)

    @property
    def n_pairs(self) -> int:
        """The number of pairs of rows, whatever they weigh."""
        return int((self.blocks.worse_end - self.blocks.worse_start).sum())

    def numbered(self, numbers: Ints) -> tuple[Ints, Ints, Floats]:
        """Return the rows and the weights of some pairs, which are numbered through."""
        b = self.blocks
        ends = np.cumsum(b.worse_end - b.worse_start)
        better = np.searchsorted(ends, numbers, side="right")
        worse = b.worse_end[better] - (ends[better] - numbers)
        return b.order[better], b.order[worse], self.weights[better] * self.weights[worse]

    def separates(self, scores: Floats) -> bool:
        """See `Pairs`."""
        # A tied pair has no positive shortfall at margin 0, but it has at any margin above.
        return bool(self.margin(scores, np.finfo(np.float64).tiny, False)[0] == 0.0)

    def spanning(self) -> tuple[Ints, Ints]:
        """See `Pairs`."""
        sizes = np.diff(self.blocks.groups)
        counts = (self.weights > 0) & np.repeat(self._shares() > 0, sizes)
        rows, group = self.blocks.order[counts], np.repeat(np.arange(sizes.size), sizes)[counts]
        # With two levels in a group, the differences of neighbours and of pairs span the same.
        together = group[1:] == group[:-1]
        return rows[1:][together], rows[:-1][together]

    def squared(self) -> "BlockPairs":
        """See `Pairs`."""
        return replace(self, weights=self.weights**2)

    @property
    def n_drawn(self) -> int:
        """See `Pairs`."""
        return int(np.count_nonzero(self._shares()))

    def resample(self, rng: np.random.RandomState) -> "BlockPairs":
        """See `Pairs`."""
        shares = self._shares()
        drawable = np.flatnonzero(shares)
        drawn = np.bincount(rng.choice(drawable, drawable.size), minlength=shares.size)
        scale = np.sqrt(drawn / (drawn @ shares))
        return replace(self, weights=self.weights * scale[group_of_row(self.blocks.groups)])

    def _shares(self) -> Floats:
        return _pairs_of_groups(self.blocks, self.weights)


@dataclass(frozen=True)
class ListedPairs:
    """Pairs given one by one, each with its weight."""

    better: Ints
    worse: Ints
    weights: Floats  # sum to one
    total: float
    n_rows: int

    def logistic(
        self,
        scores: Floats,
        shape: LogisticShape = SLOPE,
        charges: Floats | None = None,
        sign: float = -1.0,
    ) -> tuple[float, Floats]:
        """See `Pairs`."""
        behind = scores[self.worse] - scores[self.better]
        value = float(self.weights @ np.logaddexp(0.0, behind))
        return value, self._sums(_shape_of(shape, behind), charges, sign)

    def margin(
        self, scores: Floats, margin: float, squared: bool, sign: float = -1.0
    ) -> tuple[float, Floats]:
        """See `Pairs`."""
        short = np.maximum(margin + scores[self.worse] - scores[self.better], 0.0)
        slope = short if squared else (short > 0).astype(np.float64)
        return float(self.weights @ (slope * short)), self._sums(slope, None, sign)

    def _sums(self, terms: Floats, charges: Floats | None, sign: float) -> Floats:
        weighted = self.weights * terms
        to_worse = weighted if charges is None else weighted * charges[self.better]
        to_better = weighted if charges is None else weighted * charges[self.worse]
        as_worse = np.bincount(self.worse, to_worse, self.n_rows)
        return np.asarray(as_worse + sign * np.bincount(self.better, to_better, self.n_rows))

    def sample(self, count: int) -> tuple[Ints, Ints, Floats]:
        """See `Pairs`."""
        size = self.weights.size
        chosen = np.linspace(0, size - 1, min(count, size)).astype(np.int64)
        weights = self.weights[chosen]
        return self.better[chosen], self.worse[chosen], weights / (weights.sum() or 1.0)

    def separates(self, scores: Floats) -> bool:
        """See `Pairs`."""
        counts = self.weights > 0
        return bool(np.all(scores[self.better[counts]] > scores[self.worse[counts]]))

    def spanning(self) -> tuple[Ints, Ints]:
        """See `Pairs`."""
        counts = self.weights > 0
        return self.better[counts], self.worse[counts]

    def squared(self) -> "ListedPairs":
        """See `Pairs`."""
        return replace(self, weights=self.weights**2)

    @property
    def n_drawn(self) -> int:
        """See `Pairs`."""
        return int(np.count_nonzero(self.weights))

    def resample(self, rng: np.random.RandomState) -> "ListedPairs":
        """See `Pairs`."""
        size = self.weights.size
        weights = self.weights * np.bincount(rng.randint(size, size=size), minlength=size)
        return replace(self, weights=weights / weights.sum())


def block_pairs(rows: Rows, pairs: str = "all", weighting: str = "pair") -> BlockPairs:
    """Return the pairs of rows with different y inside each group.

    With ``weighting="pair"`` every pair counts the same, so a long ranking outweighs short ones;
    with ``"group"`` the pairs of each group share one unit of weight.
    """
    found = graded_pairs(rows, pairs, weighting)
    if not found.total > 0:
        raise no_pair(rows.y.size)
    return found


def no_pair(n_rows: int) -> ValueError:
    """Return the error of rows that have no pair to learn from."""
    return ValueError(
        "there is no pair to learn from: within every group all y are equal "
        f"(or one of two rows has weight zero), in n_samples={n_rows}"
    )


def spread_numbers(count: int, n_pairs: int) -> Ints:
    """Return at most ``count`` numbers of pairs: all, or one of each of as many equal parts."""
    if n_pairs <= count:
        return np.arange(n_pairs)
    places = np.arange(count) + (np.arange(count) * GOLDEN) % 1.0
    return np.asarray((places * (n_pairs / count)).astype(np.int64))


def graded_pairs(rows: Rows, pairs: str = "all", weighting: str = "pair") -> BlockPairs:
    """Return the pairs as `block_pairs` does, also where there are none."""
    _check_weighting(weighting)
    blocks = pair_blocks(rows.y, rows.offsets, pairs)
    weights = np.ones(rows.y.size) if rows.weights is None else rows.weights[blocks.order]
    of_group = _pairs_of_groups(blocks, weights)
    total = mass = float(of_group.sum())
    if weighting == "group":
        scale = np.divide(1.0, of_group, out=np.zeros_like(of_group), where=of_group > 0)
        mass = float(np.count_nonzero(of_group))
        scale /= max(mass, 1.0)
    else:
        scale = np.full(of_group.size, 1.0 / total if total > 0 else 0.0)
    weights *= np.sqrt(scale)[rows.group_of_row]
    return BlockPairs(blocks, weights, rows.weights is None, total, mass)


def _pairs_of_groups(blocks: PairBlocks, weights: Floats) -> Floats:
    """Return the weight of the pairs of each group."""
    as_better = weights * blocks.weight_below(weights)
    return np.asarray(np.add.reduceat(as_better, blocks.groups[:-1]))


def listed_pairs(
    better: Ints,
    worse: Ints,
    pair_weights: Floats | None,
    item_weights: Floats | None,
    n_rows: int,
) -> ListedPairs:
    """Return explicit pairs; a pair's weight is multiplied by those of its two items."""
    weights = np.ones(better.size) if pair_weights is None else pair_weights
    if item_weights is not None:
        weights = weights * item_weights[better] * item_weights[worse]
    total = float(weights.sum())
    if not total > 0:
        raise ValueError("there is no pair to learn from: all weights are zero")
    return ListedPairs(better, worse, weights / total, total, n_rows)


def _check_weighting(weighting: str) -> None:
    if weighting not in PAIR_WEIGHTINGS:
        raise ValueError(f"pair_weighting={weighting!r}; choose from {sorted(PAIR_WEIGHTINGS)}")


def _shape_of(shape: LogisticShape, behind: Floats) -> Floats:
    p = expit(behind)
    result: Floats = p * (shape.linear + shape.mixed * expit(-behind))
    return result


@cache
def _tables(shape: LogisticShape) -> tuple[Floats, float]:
    """Return the coefficients of the shape and of softplus, and the shape's limit at infinity."""
    from rankwright.kernels.logistic_pairs import tabulate

    slope = tabulate(lambda behind: _shape_of(shape, behind))
    return np.stack([slope, tabulate(lambda behind: np.logaddexp(0.0, behind))]), shape.linear
