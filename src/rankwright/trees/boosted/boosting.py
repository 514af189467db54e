"""The loop: derivatives at the scores, a tree on a sample of rows and features, better scores."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwright.trees.boosted.drawn import Drawer
from rankwright.trees.boosted.growing import Growth, Memory, TreeShape
from rankwright.trees.boosted.losses import Flags, Floats, Ints
from rankwright.trees.boosted.nodes import BoostedTree
from rankwright.trees.boosted.problem import Problem
from rankwright.trees.boosted.shapes import grow_leafwise, grow_symmetric
from rankwright.trees.boosted.team import Team
from rankwright.trees.interruption import interruptible

__all__ = ["Boosted", "Sampling", "boost"]

# With fewer groups than this, a tree leaves out rows instead of groups, but keeps so many rows.
FEW_GROUPS = 20
FEW_ROWS = 20

Rows = NDArray[np.int32]


@dataclass(frozen=True)
class Sample:
    """What one tree sees, and the rows whose scores it changes without having seen them."""

    active: Flags  # (n_units,)
    rows: Rows
    outside: Rows
    features: Ints


class Sampling:
    """Draws the units and features of each tree."""

    def __init__(self, problem: Problem, fraction: float, n_features: int | None) -> None:
        self._problem, self._fraction = problem, fraction
        seen = np.ones(problem.n_rows, dtype=np.bool_)
        if problem.unit_of_row is not None:
            seen = ~problem.unseen[problem.unit_of_row]
        self._rows, self._unseen = _numbers(seen), _numbers(~seen)
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
        active = ~self._problem.unseen
        if self._fraction >= 1.0:
            return Sample(active, self._rows, self._unseen, features)
        units = np.flatnonzero(active)
        unit_of_row = self._problem.unit_of_row
        if unit_of_row is not None and units.size < FEW_GROUPS:
            seen = np.zeros(self._problem.n_rows, dtype=np.bool_)
            seen[_part(self._rows, self._fraction, random, FEW_ROWS)] = True
            return Sample(active, _numbers(seen), _numbers(~seen), features)
        active = np.zeros_like(active)
        active[_part(units, self._fraction, random)] = True
        if unit_of_row is None:
            return Sample(active, self._rows, self._unseen, features)
        seen = active[unit_of_row]
        return Sample(active, _numbers(seen), _numbers(~seen), features)


def _numbers(chosen: Flags) -> Rows:
    return np.flatnonzero(chosen).astype(np.int32)


def _part(
    of: NDArray[np.integer], fraction: float, random: np.random.Generator, least: int = 1
) -> Ints:
    part: Ints = random.permutation(of)[: max(least, round(fraction * of.size))]
    return part


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
    grow = grow_symmetric if shape.symmetric else grow_leafwise
    drawer, memory, bins = Drawer(problem.bins, team), Memory(problem.n_rows), problem.bins
    trees: list[BoostedTree] = []
    judged: list[float] = []
    scores, best, n_best = scores.copy(), scores, 0
    for seed in seeds:
        sample = sampling.draw(seed)
        derivatives = problem.loss.derivatives(scores, sample.active, team)
        drawn = drawer.draw(sample.rows, sample.features)
        tree = grow(Growth(drawn, derivatives, shape, seed, memory, team))
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
