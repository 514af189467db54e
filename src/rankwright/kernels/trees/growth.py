"""What a tree grows on: its rows, their labels, their binned features, and the limits of growth.

Kernels get arrays in named tuples. With numba 0.68, a first fit takes 7.4 s (histograms), 7.4 s
(sweeps) and 10.7 s (ranking trees) of processor time, where up to 23 arrays one by one took 7.6,
7.6 and 11.5 s, and fits of 50,000 rows take 0.93 to 1.08 of their time. Two things matter: a kernel
takes an array out of its tuple before it loops over it, since numba counts a reference at every
access; and what is called at one place is a ``part``, since a kernel is optimised again inside each
kernel that calls it. Records can't stand in: they hold numbers, not arrays of any length. What all
splits are found with is one tuple of tuples, ``Search``: against ten arguments it changed neither
compilation (11 s, on a busy machine) nor fits (0.98 to 1.05 of their time) by more than the noise.
"""

from typing import NamedTuple

import numpy as np

__all__ = ["Features", "Grown", "LIMITS", "LabelValues", "MAX_BINS", "Rows", "Scratch", "Search"]

# Bins of a feature, the one of missing values apart: bin numbers fit a byte.
MAX_BINS = 255

# How to split and when to stop.
LIMITS = np.dtype(
    [
        ("criterion", np.int64),
        ("max_depth", np.int64),
        ("max_leaf_nodes", np.int64),  # 0: no limit, depth first
        ("max_features", np.int64),
        ("min_samples_leaf", np.int64),
        ("min_decrease", np.float64),
        ("pure", np.float64),  # a node of no more cost for its weight has one label
        ("random", np.bool_),  # one random cut of each feature, not the best
        ("grouped", np.bool_),  # only pairs inside a group count
    ]
)


class Features(NamedTuple):
    """The binned features of all rows.

    ``bins`` (d, n) holds the bin of each value, ``n_bins[j]`` where it is missing. Bin b of feature
    j holds values from ``bounds[j, b]`` to ``bounds[j, b + 1]``, or one category if
    ``categorical[j]``. In the histograms of a node, the bins of feature j begin at
    ``first_bin[j]``.
    """

    bins: np.ndarray
    bounds: np.ndarray
    n_bins: np.ndarray
    categorical: np.ndarray
    first_bin: np.ndarray


class LabelValues(NamedTuple):
    """The increasing ``values`` (k,) of the labels, and the ``gaps`` (k - 1,) between them."""

    values: np.ndarray
    gaps: np.ndarray


class Rows(NamedTuple):
    """The rows that a tree grows on: a node is a range of them, so a split reorders all arrays.

    Their ``numbers``, ``labels`` and ``weights``; no weights at all mean one for each row.
    """

    numbers: np.ndarray
    labels: np.ndarray
    weights: np.ndarray


class Grown(NamedTuple):
    """The memory for a tree, written as it grows.

    ``nodes`` are GROWING_NODE records; ``category_sets`` (nodes, bins) says which categories go
    left at the nodes that split categories. Without such features it has one row.
    """

    nodes: np.ndarray
    category_sets: np.ndarray


class Scratch(NamedTuple):
    """Memory for one split: to find it, and to divide the rows by it."""

    totals: np.ndarray  # (k,) weight of each label in the node
    left: np.ndarray  # (k,) and on the left side of a cut
    natural: np.ndarray  # (bins,) 0, 1, 2, ...
    ordered: np.ndarray  # (bins,) categories by mean label
    begins: np.ndarray  # (bins,) where the rows of a category begin
    tally: np.ndarray  # (bins, 2) weight of each category, and sum of its label values
    drawn: np.ndarray  # (bins,) categories drawn for the left side
    sides: np.ndarray  # (n,) whether each row goes left
    numbers: np.ndarray  # (m,) rows and their weights on the way to the right
    weights: np.ndarray


class Search(NamedTuple):
    """What every split of a tree is found with: the arguments of ``grow``, and memory."""

    limits: np.ndarray  # LIMITS record
    features: Features
    labels: LabelValues
    rows: Rows
    order: np.ndarray  # (f,) the features to split by
    scratch: Scratch
    state: np.ndarray  # (1,) of the random numbers
