"""Split the items into components that an optimal ranking places one after another."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from rankwright.aggregation.pair_costs import PairCosts

__all__ = ["components"]


ROUNDING = 1e-12  # of the largest cost: sums of equal weights may differ by as much


def components(costs: PairCosts, *, strict: bool) -> list[NDArray[np.intp]]:
    """Return the components, best first.

    Each pair of items of different components is placed at no more than the cost of reversing or
    tying it; with ``strict``, at less, so that *every* optimal ranking is split like this.
    """
    alternative = np.minimum(costs.before.T, costs.tied)
    margin = ROUNDING * costs.before.max()
    free = costs.before < alternative - margin if strict else costs.before <= alternative
    # An arc from i to j: j may not simply be placed before i.
    arcs = ~free.T
    np.fill_diagonal(arcs, False)
    count, label = connected_components(csr_array(arcs.astype(np.int8)), connection="strong")
    between = np.zeros((count, count), dtype=bool)
    np.logical_or.at(between, (label[:, None], label[None, :]), arcs)
    np.fill_diagonal(between, False)
    return [np.flatnonzero(label == number) for number in _topological_order(between)]


def _topological_order(arcs: NDArray[np.bool_]) -> list[int]:
    waiting_for = arcs.sum(axis=0)
    order = []
    for _ in range(len(arcs)):
        ready = int(np.argmax(waiting_for == 0))
        order.append(ready)
        waiting_for = waiting_for - arcs[ready]
        waiting_for[ready] = -1
    return order
