"""Assign rows to columns, one to one, at the least cost: one shortest augmenting path for each row.

Costs less the multipliers, ``costs[i, j] - u[i] - v[j]``, are never negative, and 0 where row i has
column j. From multipliers of zero and costs that are not negative, the sum of ``u`` and ``v`` is a
bound below every assignment at any time (Crouse, "On implementing 2D rectangular assignment
algorithms", 2016: SciPy's algorithm, which can't be stopped on its way).
"""

import numpy as np

from rankwright.kernels.compile import kernel

__all__ = ["assign"]


@kernel
def assign(row, costs, u, v, column_of, row_of):
    """Give the row a column, and move other rows to other columns where that costs least.

    ``column_of`` and ``row_of`` hold -1 for what is not assigned.
    """
    n = costs.shape[1]
    came_from = np.empty(n, dtype=np.int64)  # the row before the column on the shortest path
    distance = np.full(n, np.inf)
    columns = np.arange(n - 1, -1, -1)  # those still to be reached, then those reached
    left = n
    i, reach, free = row, 0.0, -1
    while free < 0:
        nearest, at = np.inf, 0
        for k in range(left):
            j = columns[k]
            through = reach + costs[i, j] - u[i] - v[j]
            if through < distance[j]:
                distance[j] = through
                came_from[j] = i
            if distance[j] < nearest or (distance[j] == nearest and row_of[j] < 0):
                nearest, at = distance[j], k
        reach, left = nearest, left - 1
        j = columns[at]
        columns[at], columns[left] = columns[left], j
        if row_of[j] < 0:
            free = j
        else:
            i = row_of[j]
    u[row] += reach
    for k in range(left, n):
        j = columns[k]
        v[j] -= reach - distance[j]
        if j != free:
            u[row_of[j]] += reach - distance[j]
    j, i = free, -1
    while i != row:
        i = came_from[j]
        row_of[j] = i
        column_of[i], j = j, column_of[i]
