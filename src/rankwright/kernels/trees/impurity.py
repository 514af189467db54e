"""Impurity of label counts, by criterion.

Every criterion is a statistic A of the label counts, found in O(k) for both sides of a cut at once,
and a cost made of A and the weight N. Labels are numbered 0..k-1, F_t is the weight of labels up to
t, and gaps[t] is the distance between labels t and t + 1:

===============  =============================  =================
criterion        statistic A                    cost
===============  =============================  =================
``RANKING``      sum of gaps[t] F_t (N - F_t)   A
``ORDINAL_GINI`` the same                       A / N
``ABSOLUTE``     sum of gaps[t] min(F_t, N-F_t) A
``GINI``         sum of squared counts          N - A / N
``ENTROPY``      sum of n log n                 N log N - A
===============  =============================  =================

A split is as good as the decrease of the cost: the parent's less the children's. Few splits move
the median label, so ``ABSOLUTE`` adds a trace of ``ORDINAL_GINI`` that tells the others apart.
"""

import math

from rankwright.kernels.compile import kernel

__all__ = [
    "ABSOLUTE",
    "ENTROPY",
    "GINI",
    "ORDINAL_GINI",
    "RANKING",
    "TOLERANCE",
    "TRACE",
    "cost_decrease",
    "node_cost",
    "side_statistics",
]

RANKING, ORDINAL_GINI, ABSOLUTE, GINI, ENTROPY = range(5)

# Decreases this close, relative to the node's cost, are equal: of such cuts the first is taken,
# however the sums were rounded.
TOLERANCE = 1e-11

# The part of ordinal gini in the absolute error.
TRACE = 1e-6


@kernel
def node_cost(criterion, statistic, weight):
    """Turn a node's statistic and weight into its cost."""
    if criterion == ORDINAL_GINI:
        return statistic / weight
    if criterion == GINI:
        return weight - statistic / weight
    if criterion == ENTROPY:
        return weight * math.log(weight) - statistic
    return statistic


@kernel
def side_statistics(criterion, left, total, gaps, weight_left, weight_right):
    """Return the statistics of the counts ``left`` and of the rest, ``total - left``."""
    statistic_left = 0.0
    statistic_right = 0.0
    if criterion == GINI:
        for label in range(total.size):
            right = total[label] - left[label]
            statistic_left += left[label] * left[label]
            statistic_right += right * right
    elif criterion == ENTROPY:
        for label in range(total.size):
            right = total[label] - left[label]
            if left[label] > 0.0:
                statistic_left += left[label] * math.log(left[label])
            if right > 0.0:
                statistic_right += right * math.log(right)
    else:
        below_left = 0.0
        below_right = 0.0
        for label in range(total.size - 1):
            below_left += left[label]
            below_right += total[label] - left[label]
            part_left = below_left * (weight_left - below_left)
            part_right = below_right * (weight_right - below_right)
            if criterion == ABSOLUTE:
                part_left = TRACE * part_left / weight_left
                part_right = TRACE * part_right / weight_right
                part_left += min(below_left, weight_left - below_left)
                part_right += min(below_right, weight_right - below_right)
            statistic_left += gaps[label] * part_left
            statistic_right += gaps[label] * part_right
    return statistic_left, statistic_right


@kernel
def cost_decrease(node, criterion, left, total, gaps, weight_left):
    """Return by how much a split into the counts ``left`` and the rest decreases a node's cost.

    A side whose weight vanishes beside that of the other is no side: nothing is gained.
    """
    weight_right = node.weight - weight_left
    if min(weight_left, weight_right) <= 0.0:
        return 0.0
    statistic_left, statistic_right = side_statistics(
        criterion, left, total, gaps, weight_left, weight_right
    )
    return (
        node.cost
        - node_cost(criterion, statistic_left, weight_left)
        - node_cost(criterion, statistic_right, weight_right)
    )
