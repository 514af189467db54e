"""A grown tree in terms of bins, and how it becomes one in terms of values."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwright.kernels.boosted.rows import add_leaf_values, add_values_outside
from rankwright.kernels.boosted.tree import Features
from rankwright.trees.binning import Bins
from rankwright.trees.boosted.drawn import Drawn
from rankwright.trees.boosted.nodes import NODE, BoostedTree

__all__ = ["GrownTree"]

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Table = NDArray[Any]


@dataclass(frozen=True)
class GrownTree:
    """A tree on the rows and features drawn.

    ``nodes`` (of GROWING) are ranges of ``rows``; a node that is no leaf was divided by the cut
    number ``test`` of ``cuts`` (of SET), which sends the bins left that ``goes_left`` says.
    """

    drawn: Drawn
    features: Features
    rows: NDArray[np.int32]
    nodes: Table
    cuts: Table
    goes_left: Flags

    def add_values(self, rate: float, scores: Floats) -> None:
        """Add the leaves' values to the scores of the rows that the tree grew on."""
        add_leaf_values(self.nodes, rate, self.rows, self.drawn.numbers, scores)

    def add_values_outside(
        self, rate: float, bins: Bins, numbers: NDArray[np.int32], scores: Floats
    ) -> None:
        """Add the values to the scores of other rows of the matrix."""
        add_values_outside(
            bins.codes, numbers, self._feature, self._tables, self.nodes, rate, scores
        )

    def finish(self, rate: float, bins: Bins) -> BoostedTree:
        """Return the tree in terms of values."""
        feature, place, own = self._feature, self.cuts["place"], self._is_inner
        test = self.nodes["test"][own]
        categorical = bins.categorical[feature]
        thresholds = bins.edges[feature, np.where(categorical, 0, place)]
        nodes = np.zeros(self.nodes.size, dtype=NODE)
        nodes["feature"], nodes["category_set"], nodes["default_left"] = -1, -1, -1
        nodes["threshold"] = np.nan
        nodes["left"] = self.nodes["left"]
        nodes["value"][~own] = rate * self.nodes["value"][~own]
        nodes["feature"][own] = feature[test]
        nodes["threshold"][own] = np.where(categorical, np.nan, thresholds)[test]
        nodes["category_set"][own] = np.where(categorical, np.cumsum(categorical) - 1, -1)[test]
        nodes["default_left"][own] = self._default_left[test]
        nodes["decrease"][own] = (self.cuts["gain"] / (self.cuts["last"] - self.cuts["first"]))[
            test
        ]
        return BoostedTree(nodes, self._tables[categorical])

    @cached_property
    def _is_inner(self) -> Flags:
        return np.asarray(self.nodes["left"] >= 0)

    @cached_property
    def _feature(self) -> Ints:
        """The feature of each cut, as numbered in the matrix."""
        return np.asarray(self.drawn.features[self.cuts["feature"]])

    @cached_property
    def _left_is_larger(self) -> Flags:
        """Where each cut sends what no row of the tree has: where more rows are."""
        n_rows = self.nodes["stop"] - self.nodes["start"]
        left, test = self.nodes["left"][self._is_inner], self.nodes["test"][self._is_inner]
        more = np.bincount(test, n_rows[left] - n_rows[left + 1], minlength=self.cuts.size)
        return np.asarray(more >= 0)

    @cached_property
    def _default_left(self) -> Flags:
        has_missing = self.drawn.missing[self.cuts["feature"]] >= 0
        return np.where(has_missing, self.cuts["missing_left"], self._left_is_larger)

    @cached_property
    def _tables(self) -> Flags:
        """Which bins each cut sends left; categories that no row of the tree has go by default."""
        tables = self.goes_left.copy()
        for i in np.flatnonzero(self.drawn.categorical[self.cuts["feature"]]):
            feature = self.cuts["feature"][i]
            unseen = np.ones(tables.shape[1], dtype=np.bool_)
            unseen[self.features.orders[feature, : self.features.n_places[feature]]] = False
            if self.drawn.missing[feature] >= 0:
                unseen[self.drawn.missing[feature]] = False
            tables[i, unseen] = self._left_is_larger[i]
        return tables
