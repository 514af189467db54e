import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.kernels.trees.pruning import weakest_links


@st.composite
def trees(draw):
    """A random tree, children after parents, with costs that splits never raise."""
    left, cost = [-1], [float(draw(st.integers(0, 40)))]
    for _ in range(draw(st.integers(0, 8))):
        leaves = [node for node, child in enumerate(left) if child < 0]
        node = draw(st.sampled_from(leaves))
        shared = draw(st.integers(0, int(cost[node])))
        first = draw(st.integers(0, shared))
        left[node] = len(left)
        left += [-1, -1]
        cost += [float(first), float(shared - first)]
    return np.array(left), np.array(cost)


def parents_of(left):
    parents = np.full(left.size, -1)
    for node, child in enumerate(left):
        if child >= 0:
            parents[[child, child + 1]] = node
    return parents


def best_penalised_cost(left, cost, alpha, node=0):
    """The least cost plus alpha times leaves over all pruned subtrees."""
    as_leaf = cost[node] + alpha
    if left[node] < 0:
        return as_leaf
    children = (left[node], left[node] + 1)
    return min(as_leaf, sum(best_penalised_cost(left, cost, alpha, c) for c in children))


def penalised_cost(left, cost, alphas, alpha, node=0):
    """The same for the tree that keeps the splits of larger alpha."""
    if left[node] < 0 or alphas[node] <= alpha:
        return cost[node] + alpha
    children = (left[node], left[node] + 1)
    return sum(penalised_cost(left, cost, alphas, alpha, c) for c in children)


@pytest.mark.parametrize("links", [weakest_links, weakest_links.py_func])
@settings(max_examples=60, deadline=None)
@given(tree=trees(), alpha=st.floats(0, 50))
def test_the_pruned_tree_has_the_least_penalised_cost(links, tree, alpha):
    left, cost = tree
    alphas = np.full(left.size, -np.inf)
    links(left, parents_of(left), cost, alphas)
    expected = best_penalised_cost(left, cost, alpha)
    assert penalised_cost(left, cost, alphas, alpha) == pytest.approx(expected)


@settings(max_examples=40, deadline=None)
@given(tree=trees())
def test_a_split_is_never_stronger_than_the_one_above_it(tree):
    left, cost = tree
    alphas = np.full(left.size, -np.inf)
    weakest_links(left, parents_of(left), cost, alphas)
    inner = np.flatnonzero(left >= 0)
    assert np.isfinite(alphas[inner]).all()
    for node in inner:
        assert alphas[left[node]] <= alphas[node]
        assert alphas[left[node] + 1] <= alphas[node]
