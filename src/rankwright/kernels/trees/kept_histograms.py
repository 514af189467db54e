"""Histograms kept for subtraction: a larger child's are its parent's less the smaller child's."""

from typing import NamedTuple

import numpy as np

from rankwright.kernels.compile import kernel, part
from rankwright.kernels.trees.histograms import fill_histogram

__all__ = ["KeptHistograms", "SMALLEST_KEPT", "hand_down", "keep_root", "release"]

# A node with fewer rows counts its histograms in passing: keeping them costs more than it saves.
SMALLEST_KEPT = 256


class KeptHistograms(NamedTuple):
    """Which node keeps its histograms where.

    ``pool`` (slots, bins of all features, labels) holds the histograms: slot 0 is for counting in
    passing, the others, if any, are kept. ``slots`` (nodes,) is -1 for a node that keeps none;
    ``free`` lists the slots that nobody has, ``n_free`` (1,) is their number.
    """

    pool: np.ndarray
    slots: np.ndarray
    free: np.ndarray
    n_free: np.ndarray


@kernel
def _count(histograms, node, features, order, rows):
    """Count the histograms of a node."""
    for j in order:
        begin = features.first_bin[j]
        histogram = histograms[begin : begin + features.n_bins[j] + 1]
        fill_histogram(histogram, features.bins[j], rows, node.start, node.stop)


@part
def _subtract(histograms, part):
    """Take a part's histograms from the whole's."""
    for code in range(histograms.shape[0]):
        for column in range(histograms.shape[1]):
            histograms[code, column] -= part[code, column]


@part
def keep_root(kept, root, features, order, rows):
    """Count the histograms of the root, if they are worth keeping."""
    kept.slots[0] = -1
    if kept.n_free[0] > 0 and root.stop >= SMALLEST_KEPT:
        kept.n_free[0] -= 1
        kept.slots[0] = kept.free[kept.n_free[0]]
        _count(kept.pool[kept.slots[0]], root, features, order, rows)


@kernel
def release(kept, this):
    """Give back the slot of a node that needs it no more."""
    kept.free[kept.n_free[0]] = kept.slots[this]
    kept.n_free[0] += 1
    kept.slots[this] = -1


@part
def _take_slot(kept, pending):
    """Return a slot that is free, or else that of the node to be split last."""
    if kept.n_free[0] > 0:
        kept.n_free[0] -= 1
        return kept.free[kept.n_free[0]]
    i = 0
    while kept.slots[pending[i]] < 0:
        i += 1
    slot = kept.slots[pending[i]]
    kept.slots[pending[i]] = -1
    return slot


@part
def hand_down(kept, this, nodes, limits, features, order, rows, pending):
    """Give the histograms of a split node to its children: the smaller ones are counted."""
    left = nodes[this].left
    small, large = left, left + 1
    if nodes[small].stop - nodes[small].start > nodes[large].stop - nodes[large].start:
        small, large = large, small
    kept.slots[small] = -1
    kept.slots[large] = -1
    if kept.slots[this] < 0:
        return
    n_rows = nodes[large].stop - nodes[large].start
    if n_rows < SMALLEST_KEPT or nodes[large].depth >= limits.max_depth:
        release(kept, this)
        return
    kept.slots[large] = kept.slots[this]
    kept.slots[small] = _take_slot(kept, pending)
    part = kept.pool[kept.slots[small]]
    _count(part, nodes[small], features, order, rows)
    _subtract(kept.pool[kept.slots[large]], part)
