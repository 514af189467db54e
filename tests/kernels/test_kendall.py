import itertools

import numpy as np
import pytest

from rankwright.kernels import kendall, sorting

# In Python the hash's multiplication warns that it wraps, as it is meant to.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")


@pytest.fixture(params=["compiled", "python"])
def kernels(request, monkeypatch):
    names = ("kendall_counts", "dominated_weight", "short_counts", "tied_weights")
    if request.param == "compiled":
        return tuple(getattr(kendall, name) for name in names)
    for name in ("find_slot", "sort_by_key", "sort_by_insertion", "merge", "merge_halves"):
        monkeypatch.setattr(sorting, name, getattr(sorting, name).py_func)
    counts = ("count_inversions", "count_with_few", "count_with_many", "tied_pairs")
    for name in ("ordered_bits", "rank_few", "sort_by_key", *counts):
        monkeypatch.setattr(kendall, name, getattr(kendall, name).py_func)
    return tuple(getattr(kendall, name).py_func for name in names)


@pytest.mark.parametrize("way", [0, 2], ids=["sorted", "short"])
@pytest.mark.parametrize("n_values", [1, 3, 20, 1000])
def test_kendall_counts_every_group_by_itself(kernels, n_values, way):
    rng = np.random.default_rng(n_values)
    offsets = np.array([0, 0, 1, 3, 90, 95])
    x, y = rng.integers(-n_values, n_values, (2, 95)).astype(float)
    counts = kernels[way](x, y, offsets)
    for group, (low, high) in enumerate(itertools.pairwise(offsets)):
        expected = [0, 0, 0, 0]
        for i in range(low, high):
            for j in range(low, i):
                expected[0] += (x[i] - x[j]) * (y[i] - y[j]) < 0
                expected[1] += x[i] == x[j]
                expected[2] += y[i] == y[j]
                expected[3] += x[i] == x[j] and y[i] == y[j]
        assert counts[group].tolist() == expected


@pytest.mark.parametrize(("few_x", "few_y"), [(True, True), (True, False), (False, True)])
def test_kendall_counts_alike_with_few_and_with_many_values(kernels, few_x, few_y):
    n = kendall.FEW + 200
    rng = np.random.default_rng(0)
    x, y = (rng.integers(-9, 9, n) * 0.1 if few else rng.normal(size=n) for few in (few_x, few_y))
    ordered = np.sign(np.subtract.outer(x, x)), np.sign(np.subtract.outer(y, y))
    expected = [
        (ordered[0] * ordered[1] < 0).sum() // 2,
        ((ordered[0] == 0).sum() - n) // 2,
        ((ordered[1] == 0).sum() - n) // 2,
        (((ordered[0] == 0) & (ordered[1] == 0)).sum() - n) // 2,
    ]
    assert kernels[0](x, y, np.array([0, n]))[0].tolist() == expected


def test_dominated_weight_sums_what_is_below_in_both(kernels):
    rng = np.random.default_rng(0)
    first = rng.integers(0, 6, 40).astype(float)
    ranks = np.unique(rng.integers(0, 6, 40), return_inverse=True)[1]
    weights = rng.integers(0, 5, 40).astype(float)
    expected = [weights[(first < first[i]) & (ranks < ranks[i])].sum() for i in range(40)]
    assert kernels[1](np.argsort(first), first, ranks, weights).tolist() == expected


def test_tied_weights_are_those_of_all_pairs(kernels):
    rng = np.random.default_rng(0)
    ranks, others = np.sort(rng.integers(0, 6, 40)), rng.integers(0, 4, 40)
    others = others[np.lexsort([others, ranks])]
    weights = rng.integers(0, 5, 40).astype(float)
    tied, alike = np.equal.outer(ranks, ranks), np.equal.outer(others, others)
    pairs = np.triu(np.outer(weights, weights), 1)
    assert kernels[3](ranks, others, weights) == (
        pairs[tied & ~alike].sum(),
        pairs[tied & alike].sum(),
    )
