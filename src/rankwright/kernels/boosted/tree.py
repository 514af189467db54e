"""A growing tree: what it grows on, its nodes, and how far it is.

A *set* of nodes is divided by one cut: all nodes of a level of a symmetric tree, single nodes of a
leaf-wise one. That is all in which the two shapes of trees differ.
"""

from typing import NamedTuple

import numpy as np

__all__ = ["CUT", "Features", "GROWING", "LIMITS", "Rows", "SET", "Tree"]

GROWING = np.dtype(
    [
        ("start", np.int64),  # its rows are a range
        ("stop", np.int64),
        ("total", np.int64),  # their packed derivatives
        ("slot", np.int64),  # of its histograms in the pool
        ("low", np.float64),  # the least and the largest value allowed
        ("high", np.float64),
        ("parent", np.int64),
        ("left", np.int64),  # the left child, which the right one follows; -1 in a leaf
        ("test", np.int64),  # the number of the cut that divides it
        ("value", np.float64),
    ]
)
CUT = np.dtype(
    [
        ("gain", np.float64),
        ("feature", np.int64),  # of those drawn; -1: no cut gains anything
        ("place", np.int64),  # the last place, in the order of the feature's bins, that goes left
        ("missing_left", np.bool_),
        ("score", np.float64),  # by which cuts are compared: see `cuts`
    ]
)
SET = np.dtype(
    [
        ("first", np.int64),  # nodes first:last
        ("last", np.int64),
        ("depth", np.int64),
        ("test", np.int64),  # the number of its cut among those made; -1 as long as it is not made
        *((name, CUT[name]) for name in CUT.names or ()),
    ]
)
LIMITS = np.dtype(
    [
        ("together", np.bool_),  # whether the nodes of a level are one set
        ("max_depth", np.int64),
        ("max_leaves", np.int64),
        ("l2", np.float64),
        ("min_rows", np.int64),  # of a leaf that has a value of its own
        ("counts_rows", np.bool_),  # whether no cut may leave fewer
        ("unit", np.float64),  # of packed gradients, and of packed curvatures
        ("bend_unit", np.float64),
        ("noise", np.float64),  # standard deviation of what is added to the scores of cuts
        ("seed", np.int64),  # of that noise
        # How far the tree is.
        ("n_nodes", np.int64),
        ("n_sets", np.int64),
        ("n_cuts", np.int64),
        ("divided", np.int64),  # the set that is being divided
        ("children", np.int64),  # the first of its nodes' children; 0 for the root
        ("new_sets", np.int64),  # the first set that no cut was looked for yet
        ("alone", np.int64),  # the feature of the first cut; -1 before it
    ]
)


class Features(NamedTuple):
    """The features drawn.

    ``blocks`` (n_blocks, n, 4) are the bins of rows. ``orders`` (d, 256) are the bins of each
    feature in the order in which they are cut: natural, or that of categories by their derivatives.
    ``n_places`` (d,) counts them, ``missing`` (d,) is the bin of missing values or -1, ``signs``
    (d,) the monotone directions, ``partners`` (d, d) says which two a tree may have (empty: any).
    """

    blocks: np.ndarray
    first_bin: np.ndarray
    orders: np.ndarray
    n_places: np.ndarray
    missing: np.ndarray
    signs: np.ndarray
    partners: np.ndarray


class Rows(NamedTuple):
    """Rows in the order of the nodes, their packed derivatives, and the histograms of nodes.

    ``counts`` has the rows of each bin, of which ``ones`` are the summands, where they matter.
    """

    rows: np.ndarray
    packed: np.ndarray
    spare: np.ndarray
    spare_packed: np.ndarray
    ones: np.ndarray
    pool: np.ndarray
    counts: np.ndarray


class Tree(NamedTuple):
    """Tables of GROWING and SET, the bins that go left by cut, and one record of LIMITS."""

    nodes: np.ndarray
    sets: np.ndarray
    goes_left: np.ndarray  # (cuts, 256)
    allowed: np.ndarray  # (d,): which features may be cut
    limits: np.ndarray
