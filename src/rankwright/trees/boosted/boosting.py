"""The loop: derivatives at the scores, a tree on a sample of rows and features, better scores."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwright.kernels.interruption import interruptible
from rankwright.trees.boosted.drawn import Drawer
from rankwright.trees.boosted.growing import Memory, TreeShape, grow
from rankwright.trees.boosted.losses import Flags, Floats, Ints
from rankwright.trees.boosted.nodes import BoostedTree
from rankwright.trees.boosted.problem import Problem
from rankwright.trees.boosted.team import Team

__all__ = ["Boosted", "Sampling", "boost"]

# With no more rows than this, a tree sees them all.
FEW_ROWS = 20

Rows = NDArray[np.int32]


@dataclass(frozen=True)
class Sample:
    """What one tree sees, and the rows whose scores it changes without having seen them."""

    rows: Rows
    outside: Rows
    features: Ints


class Sampling:
    """Draws the rows and features of each tree.

    Rows, not groups: a row's derivatives are those of all pairs of its group, whether the others
    are drawn or not, and many rows differ more than few groups.
    """

    def __init__(self, problem: Problem, fraction: float, n_features: int | None) -> None:
        seen = np.ones(problem.n_rows, dtype=np.bool_)
        if problem.unit_of_row is not None:
            seen = ~problem.unseen[problem.unit_of_row]
        self._seen, self._rows, self._unseen = seen, _numbers(seen), _numbers(~seen)
        self._fraction = fraction if self._rows.size > FEW_ROWS else 1.0
        bins = problem.bins
        usable = np.flatnonzero(bins.n_bins + bins.has_missing > 1)
        self.usable = usable if usable.size else np.arange(1)
        self._n_features = min(n_features or self.usable.size, self.usable.size)

    def draw(self, seed: int) -> Sample:
        """Return the sample of the tree with this seed."""
        random = np.random.default_rng(seed)
        features = self.usable
        if self._n_features < features.size:
            features = np.sort(random.choice(features, self._n_features, replace=False))
        if self._fraction >= 1.0:
            return Sample(self._rows, self._unseen, features)
        drawn = self._seen & (random.random(self._seen.size, dtype=np.float32) < self._fraction)
        if not drawn.any():
            return Sample(self._rows, self._unseen, features)
        return Sample(_numbers(drawn), _numbers(~drawn), features)


def _numbers(chosen: Flags) -> Rows:
    return np.flatnonzero(chosen).astype(np.int32)


@dataclass(frozen=True)
class Boosted:
    """The trees that rank best what is held out, all if nothing is."""

    trees: list[BoostedTree]
    scores: Floats  # that they give the training rows
    judged: list[float]  # how what is held out was ranked after each tree grown


@interruptible()
def boost(
    problem: Problem,
    shape: TreeShape,
    scores: Floats,
    *,
    sampling: Sampling,
    seeds: Iterable[int],
    rate: float,
    patience: int,
    team: Team,
) -> Boosted:
    """Grow a tree for each seed, beginning at some scores, while that helps what is held out."""
    drawer, memory, bins = Drawer(problem.bins, team), Memory(problem.n_rows), problem.bins
    trees: list[BoostedTree] = []
    judged: list[float] = []
    scores, best, n_best = scores.copy(), scores, 0
    active = ~problem.unseen
    for seed in seeds:
        sample = sampling.draw(seed)
        derivatives = problem.loss.derivatives(scores, active, team)
        drawn = drawer.draw(sample.rows, sample.features)
        tree = grow(drawn, derivatives, shape, seed, memory, team)
        tree.add_values(rate, scores)
        tree.add_values_outside(rate, bins, sample.outside, scores)
        trees.append(tree.finish(rate, bins))
        if problem.judge is None:
            best, n_best = scores, len(trees)
            continue
        judged.append(problem.judge(scores))
        if n_best == 0 or judged[-1] > judged[n_best - 1]:
            best, n_best = scores.copy(), len(trees)
        elif len(trees) - n_best >= patience:
            break
    return Boosted(trees[:n_best], best, judged)
