"""How far voters are from a ranking, and what they say of each item, voter after voter.

``positions`` is (voters, items): 1 is best, ties share the mean position, NaN where a voter leaves
an item out. Twice a position is a whole number, and so the number of a place on a voter's list.
"""

import numpy as np

from rankwright.kernels.compile import kernel

__all__ = ["borda_shares", "kendall_distances", "places_among_ranked"]


@kernel
def kendall_distances(order, ranking, positions, weights, penalty):
    """Return for each voter the weight of the pairs ordered oppositely, those tied once at penalty.

    ``order`` lists the items by ascending ``ranking``. The items passed stand in a Fenwick tree by
    the voter's place, the worst first: it gives the weight of those that the voter places behind,
    without a difference that rounding could leave above zero.
    """
    m, n = positions.shape
    n_places = 2 * n + 2
    distances = np.zeros(m)
    tree = np.zeros(n_places + 1)
    level = np.zeros(n_places)  # the weight passed at each place
    in_run = np.zeros(n_places)  # that of the present run of ties
    for voter in range(m):
        tree[:] = 0.0
        level[:] = 0.0
        opposite, tied_once = 0.0, 0.0
        start = 0
        while start < n:
            stop = start
            tied_here = 0.0
            while stop < n and ranking[order[stop]] == ranking[order[start]]:
                item = order[stop]
                stop += 1
                if np.isnan(positions[voter, item]):
                    continue
                place = int(2 * positions[voter, item])
                weight = weights[item]
                behind = 0.0
                node = n_places - 1 - place
                while node > 0:
                    behind += tree[node]
                    node &= node - 1
                opposite += weight * behind
                tied_once += weight * (level[place] + (tied_here - in_run[place]))
                in_run[place] += weight
                tied_here += weight
            for k in range(start, stop):
                item = order[k]
                if not np.isnan(positions[voter, item]):
                    place = int(2 * positions[voter, item])
                    in_run[place] = 0.0
                    level[place] += weights[item]
                    node = n_places - place
                    while node <= n_places:
                        tree[node] += weights[item]
                        node += node & -node
            start = stop
        distances[voter] = opposite + penalty * tied_once
    return distances


@kernel
def places_among_ranked(order, ranking, positions):
    """Return the ranking's positions among the items of each voter: (voters, items), NaN elsewhere.

    ``order`` lists the items by ascending ``ranking``; ties share the mean position.
    """
    m, n = positions.shape
    among = np.full((m, n), np.nan)
    for voter in range(m):
        passed = 0
        start = 0
        while start < n:
            stop = start
            count = 0
            while stop < n and ranking[order[stop]] == ranking[order[start]]:
                count += not np.isnan(positions[voter, order[stop]])
                stop += 1
            for k in range(start, stop):
                if not np.isnan(positions[voter, order[k]]):
                    among[voter, order[k]] = passed + (count + 1) / 2
            passed += count
            start = stop
    return among


@kernel
def borda_shares(positions, weights):
    """Return the share of the other items' weight that each voter places ahead of each item.

    Of the items that the voter ranks; half of what is tied counts as ahead, and 1/2 stands where
    there is no other item. NaN where a voter leaves an item out.
    """
    m, n = positions.shape
    shares = np.full((m, n), np.nan)
    mass = np.zeros(2 * n + 2)
    ahead = np.zeros(2 * n + 2)
    for voter in range(m):
        mass[:] = 0.0
        total = 0.0
        for i in range(n):
            if not np.isnan(positions[voter, i]):
                mass[int(2 * positions[voter, i])] += weights[i]
                total += weights[i]
        passed = 0.0
        for place in range(len(mass)):
            ahead[place] = passed
            passed += mass[place]
        for i in range(n):
            if not np.isnan(positions[voter, i]):
                place = int(2 * positions[voter, i])
                others = total - weights[i]
                before = ahead[place] + (mass[place] - weights[i]) / 2
                shares[voter, i] = before / others if others > 0 else 0.5
    return shares
