"""The arrays and numbers that the kernels of tree growth pass to each other."""

from typing import NamedTuple

import numpy as np

__all__ = ["HISTOGRAM", "MAX_BINS", "RANDOM", "SWEEP", "Limits", "Node", "Sample", "Split", "Work"]

HISTOGRAM, RANDOM, SWEEP = range(3)

# Bins of a feature, the one of missing values apart: numbers of bins fit a byte.
MAX_BINS = 255


class Sample(NamedTuple):
    """What is grown on, by row number."""

    bins: np.ndarray  # (d, n) uint8: bin of each value, n_bins[j] where missing
    ranks: np.ndarray  # (d, n) int32: the same for sweeps, which allow any number of bins
    n_bins: np.ndarray  # (d,) int64
    categorical: np.ndarray  # (d,) bool
    labels: np.ndarray  # (n,) int32
    weights: np.ndarray  # (n,) float64, or empty: all one
    values: np.ndarray  # (k,) float64: the labels' values, increasing
    slots: np.ndarray  # (n,) int32: where the label counts of a row's group begin (sweeps)
    sizes: np.ndarray  # (n,) int32: how many there are, a power of two (sweeps)
    codes: np.ndarray  # (n,) int32: the row's label among the labels of its group (sweeps)


class Limits(NamedTuple):
    """How to split and when to stop."""

    splitter: int
    criterion: int
    max_depth: int
    max_leaf_nodes: int  # 0: no limit, depth first
    max_features: int
    min_samples_leaf: int
    min_decrease: float
    grouped: bool  # only pairs inside a group count


class Node(NamedTuple):
    """The node that is to be split."""

    start: int  # its rows are rows[start:stop]
    stop: int
    n_rows: float
    weight: float
    statistic: float
    cost: float
    tolerance: float  # smaller differences of the cost are rounding
    totals: np.ndarray  # (k,) float64: weight of each label


class Split(NamedTuple):
    """The best split found so far; ``feature`` is -1 as long as there is none."""

    decrease: float
    feature: int
    cut: int  # bins up to this one go left (numbers)
    default_left: int  # where missing values go; -1: to the larger side


class Work(NamedTuple):
    """Arrays that the kernels reuse."""

    rows: np.ndarray  # (m,) int32: row numbers, a range for each node
    labels: np.ndarray  # (m,) int32: their labels
    weights: np.ndarray  # (m,) float64 or empty: their weights
    orders: np.ndarray  # (d, m) int32: rows sorted by each feature, in the same ranges (sweeps)
    pool: np.ndarray  # (slots, bins of all features, labels) float64: histograms of nodes
    first_bin: np.ndarray  # (d,) int64: where a feature's bins begin in them
    histogram: np.ndarray  # (bins, labels) float64: one feature's histogram, in passing
    gaps: np.ndarray  # (k - 1,) float64: distance of a label to the next
    left: np.ndarray  # (k,) float64: label counts on the left of a cut
    features: np.ndarray  # (d,) int64: in the order in which they are tried
    natural: np.ndarray  # (bins,) int64: 0, 1, 2, ...
    sequence: np.ndarray  # (bins,) int64: categories by mean label
    means: np.ndarray  # (bins,) float64: mean label of a category
    begins: np.ndarray  # (bins,) int64: first row of a category (sweeps)
    drawn: np.ndarray  # (bins,) bool: side of each category in a random split
    categories: np.ndarray  # (bins,) bool: side of each category in the best split so far
    sides: np.ndarray  # (n,) bool: whether a row goes left
    buffer: np.ndarray  # (m,) int32: for reordering
    spare: np.ndarray  # (m,) float64 or empty: for reordering weights
    distances: np.ndarray  # (n,) float64: of a row's label to the node's labels (sweeps)
    counts: np.ndarray  # (2, slots) float64: Fenwick trees of weights, of the node and of its left side
    sums: np.ndarray  # (2, slots) float64: the same of weighted label values
    state: np.ndarray  # (1,) uint64: random state
