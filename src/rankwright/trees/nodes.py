"""A grown tree: one structured array of nodes, and the label weights beside it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["NODE", "Tree"]

# The right child of a node follows its left child; children follow their parents.
NODE = np.dtype(
    [
        ("feature", np.int32),  # -1 in a leaf
        ("left", np.int32),  # -1 in a leaf
        ("threshold", np.float64),  # values up to it go left
        ("category_set", np.int32),  # row of Tree.category_sets, or -1 for numbers
        ("default_left", np.int8),  # where missing values and unknown categories go
        ("depth", np.int32),
        ("cut", np.int32),  # the threshold as a bin number
        ("start", np.int32),  # rows start:stop of the grower's row order
        ("stop", np.int32),
        ("label", np.int32),  # the label of least expected rank loss
        ("weight", np.float64),
        ("cost", np.float64),  # impurity, in the criterion's additive form
        ("decrease", np.float64),  # of the cost, by the split
    ]
)


@dataclass(frozen=True)
class Tree:
    """A tree on numbers: features by column, labels by code.

    ``values[i]`` is the weight of each label among the training rows of node i.
    """

    nodes: NDArray[np.void]
    values: NDArray[np.float64]
    category_sets: NDArray[np.bool_]
