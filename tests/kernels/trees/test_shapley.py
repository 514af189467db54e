from itertools import permutations

import numpy as np
import pytest

from rankwright.kernels.trees.shapley import add_tree_contributions

PLENTY = 10**6


def random_tree(rng, n_nodes, n_features, n_leaves=None):
    """Return features and the next nodes of two rows; leaves are shared if they are few."""
    n_leaves = n_nodes + 1 if n_leaves is None else n_leaves
    free = list(range(n_nodes + 1))
    rng.shuffle(free)
    children = np.empty((n_nodes, 2), dtype=np.int64)
    open_slots = [(0, 0), (0, 1)]
    for node in range(1, n_nodes):
        parent, side = open_slots.pop(rng.integers(len(open_slots)))
        children[parent, side] = node
        open_slots += [(node, 0), (node, 1)]
    for leaf, (parent, side) in enumerate(open_slots):
        children[parent, side] = ~(free[leaf] % n_leaves)
    rows = np.arange(n_nodes)
    high, low = (children[rows, rng.integers(2, size=n_nodes)] for _ in range(2))
    return rng.integers(n_features, size=n_nodes), high, low, rng.normal(size=n_leaves)


def score(tree, from_high):
    features, high, low, values = tree
    this = 0
    while this >= 0:
        this = high[this] if from_high[features[this]] else low[this]
    return values[~this]


def brute_force(tree, n_features):
    """Average what the score gains with each feature over all orders of replacement."""
    total = np.zeros(n_features)
    orders = list(permutations(range(n_features)))
    for order in orders:
        from_high = np.zeros(n_features, dtype=bool)
        before = score(tree, from_high)
        for j in order:
            from_high[j] = True
            after = score(tree, from_high)
            total[j] += after - before
            before = after
    return total / len(orders)


@pytest.mark.parametrize("walk", [add_tree_contributions, add_tree_contributions.py_func])
@pytest.mark.parametrize("n_leaves", [None, 3])
def test_the_walk_gives_the_shapley_values_of_all_orders(walk, n_leaves):
    rng = np.random.default_rng(0)
    for n_features in (1, 2, 5):
        for n_nodes in (1, 4, 12, 40):  # far more nodes than features: paths repeat them
            tree = random_tree(rng, n_nodes, n_features, n_leaves)
            found = np.zeros(n_features)
            assert walk(*tree, found, PLENTY) >= 0
            np.testing.assert_allclose(found, brute_force(tree, n_features), atol=1e-14)


def test_nodes_that_share_what_follows_are_walked_by_every_way():
    """Node 2 follows both sides of node 0 and of node 1, as cells of a ranking tree do."""
    features = np.array([0, 1, 2])
    high, low = np.array([1, 2, ~0]), np.array([2, ~1, ~1])
    found = np.zeros(3)
    tree = (features, high, low, np.array([1.0, 5.0]))
    add_tree_contributions(*tree, found, PLENTY)
    np.testing.assert_allclose(found, brute_force(tree, 3), atol=1e-15)


def test_values_of_many_features_on_one_path_do_not_overflow():
    """The item alone reaches leaf 1: a game in which all 400 features are needed."""
    n = 400
    following = np.append(np.arange(1, n), ~1)
    found = np.zeros(n)
    add_tree_contributions(
        np.arange(n), following, np.full(n, ~0), np.array([0.0, 1.0]), found, PLENTY
    )
    np.testing.assert_allclose(found, 1 / n, rtol=1e-12)


def test_the_walk_stops_when_the_steps_run_out():
    """Nodes 2i and 2i + 1 ask for feature i and both lead to the next two: 2^30 ways through."""
    n = 30
    features = np.repeat(np.arange(n), 2)
    high, low = 2 * features + 2, 2 * features + 3
    high[-2:], low[-2:] = ~0, ~1
    values = np.array([0.0, 1.0])
    assert add_tree_contributions(features, high, low, values, np.zeros(n), 1000) < 0
