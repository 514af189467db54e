from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.data import levels
from rankwright.data.blocks import pair_blocks
from rankwright.data.levels import sort_levels
from rankwright.kernels.level_trees import split_levels
from rankwright.kernels.ranges import range_sums


def listed(blocks):
    """All pairs the blocks stand for, as (better, worse) rows of the data."""
    pairs = []
    for i in range(blocks.order.size):
        pairs += [(i, k) for k in range(blocks.direct_start[i], blocks.worse_end[i])]
    for low, high in blocks.blocks:
        worse, better = range(*blocks.nodes[low, :2]), range(*blocks.nodes[high, :2])
        pairs += [(i, k) for i in better for k in worse]
    return [(int(blocks.order[i]), int(blocks.order[k])) for i, k in pairs]


def brute_force(y, groups, adjacent):
    pairs = []
    for start, end in pairwise(groups):
        for i in range(start, end):
            for k in range(start, end):
                between = (y[start:end] < y[i]) & (y[start:end] > y[k])
                if y[i] > y[k] and not (adjacent and between.any()):
                    pairs.append((i, k))
    return pairs


LISTS = st.lists(st.lists(st.integers(0, 6), min_size=1, max_size=30), min_size=1, max_size=4)


def blocks_of(grades, leaf_rows, adjacent):
    """The rows of lists of grades, where lists begin, and the blocks of their pairs."""
    y = np.array([grade for group in grades for grade in group], dtype=float)
    groups = np.cumsum([0] + [len(group) for group in grades])
    return y, groups, pair_blocks(y, groups, "adjacent" if adjacent else "all", leaf_rows)


@given(LISTS, st.integers(1, 8), st.booleans())
@settings(max_examples=150, deadline=None)
def test_every_pair_is_met_exactly_once(grades, leaf_rows, adjacent):
    y, groups, blocks = blocks_of(grades, leaf_rows, adjacent)
    assert sorted(listed(blocks)) == sorted(brute_force(y, groups, adjacent))


@given(LISTS, st.booleans(), st.integers(0, 2**32))
@settings(max_examples=100, deadline=None)
def test_the_weight_below_a_row_is_that_of_the_rows_it_is_better_than(grades, adjacent, seed):
    y, groups, blocks = blocks_of(grades, 8, adjacent)
    weights = 10.0 ** np.random.default_rng(seed).integers(-30, 30, y.size)
    expected = np.zeros(y.size)
    for better, worse in brute_force(y, groups, adjacent):
        expected[better] += weights[worse]
    below = blocks.weight_below(weights[blocks.order])
    np.testing.assert_allclose(below, expected[blocks.order], rtol=1e-12)


def test_sums_of_ranges_are_those_of_the_uncompiled_kernel():
    values, starts = np.array([1e20, 1.0, 2.0, 4.0]), np.array([0, 0, 1, 1, 3])
    ends = np.array([0, 1, 2, 4, 3])
    for run in (range_sums, range_sums.py_func):
        assert run(values, starts, ends).tolist() == [0.0, 1e20, 1.0, 7.0, 0.0]


@given(LISTS, st.integers(1, 4), st.booleans())
@settings(max_examples=100, deadline=None)
def test_trees_tell_the_rows_nodes_and_blocks_of_one_run_of_levels(grades, leaf_rows, adjacent):
    _, groups, blocks = blocks_of(grades, leaf_rows, adjacent)
    assert blocks.groups is groups
    behind = 0, 0
    for start, end, node, last_node, block, last_block in blocks.trees.tolist():
        assert (node, block) == behind
        behind = last_node, last_block
        nodes, pairs = blocks.nodes[node:last_node], blocks.blocks[block:last_block]
        leaves = [range(*leaf[:2]) for leaf in nodes[nodes[:, 3] == 1].tolist()]
        assert sorted(row for leaf in leaves for row in leaf) == [*range(start, end)]
        assert ((pairs >= node) & (pairs < last_node)).all()
        assert set(nodes[:, 3]) <= {0, 1}
        assert adjacent == (nodes[:, 2] == -1).all() or len(nodes) == 1
    assert behind == (len(blocks.nodes), len(blocks.blocks))


@pytest.mark.parametrize("adjacent", [False, True])
def test_a_short_group_between_large_ones_has_pairs_of_its_own(adjacent):
    rng = np.random.default_rng(0)
    grades = [rng.integers(0, 4, size=size).tolist() for size in (16, 3, 12, 1, 16)]
    y, groups, blocks = blocks_of(grades, 4, adjacent)
    assert sorted(listed(blocks)) == sorted(brute_force(y, groups, adjacent))


@pytest.mark.parametrize(
    ("pairs", "sizes", "has_direct"),
    [
        ("all", [2, 1], True),
        ("all", [2, 2], False),
        ("adjacent", [3, 3], True),
        ("adjacent", [5, 2], False),
    ],
)
def test_two_levels_meet_row_by_row_if_they_are_short_only(pairs, sizes, has_direct):
    y = np.repeat([0.0, 1.0], sizes)
    assert pair_blocks(y, np.array([0, y.size]), pairs, 3).has_direct is has_direct
    assert pair_blocks(y, np.array([0, y.size])).has_direct


@given(st.lists(st.integers(0, 9), min_size=2, max_size=60), st.integers(1, 8), st.booleans())
@settings(max_examples=100, deadline=None)
def test_worse_ranges_are_all_pairs_of_a_row(grades, leaf_rows, adjacent):
    y, groups = np.array(grades, dtype=float), np.array([0, len(grades)])
    blocks = pair_blocks(y, groups, "adjacent" if adjacent else "all", leaf_rows)
    count = (blocks.worse_end - blocks.worse_start).sum()
    assert count == len(brute_force(y, groups, adjacent))


def test_children_and_their_blocks_come_before_parents():
    blocks = pair_blocks(np.random.default_rng(0).normal(size=500), np.array([0, 500]), "all", 16)
    parents = blocks.nodes[:, 2]
    inner = parents >= 0
    assert np.all(parents[inner] > np.flatnonzero(inner))
    merged = {int(blocks.nodes[low, 2]) for low, _ in blocks.blocks}
    assert merged == set(np.flatnonzero(blocks.nodes[:, 3] == 0).tolist())


def test_a_single_level_is_never_split():
    y = np.repeat([0.0, 1.0, 2.0], [400, 3, 300])
    blocks = pair_blocks(y, np.array([0, y.size]), "all", 16)
    leaves = blocks.nodes[blocks.nodes[:, 3] == 1]
    assert {(0, 400), (403, 703)} <= {tuple(leaf[:2]) for leaf in leaves}


def test_an_unknown_rule_is_named():
    with pytest.raises(ValueError, match=r"pairs='some'; choose from \['adjacent', 'all'\]"):
        pair_blocks(np.arange(3.0), np.array([0, 3]), "some")


def test_levels_are_split_as_by_the_uncompiled_kernel():
    offsets = np.r_[0, np.cumsum(np.random.default_rng(0).integers(1, 40, size=200))]
    found = []
    for run in (split_levels, split_levels.py_func):
        none = np.empty((0, 4), dtype=np.int64), np.empty((0, 2), dtype=np.int64)
        count = run(offsets, 3, 190, 50, 7, *none)
        nodes, blocks = np.zeros((count, 4), dtype=np.int64), np.zeros((count // 2, 2), np.int64)
        assert run(offsets, 3, 190, 50, 7, nodes, blocks) == count
        found.append((nodes, blocks))
    np.testing.assert_array_equal(found[0][0], found[1][0])
    np.testing.assert_array_equal(found[0][1], found[1][1])


def test_many_rows_are_sorted_as_few_are(monkeypatch):
    y = np.random.default_rng(0).integers(-3, 3, size=500) * 0.1
    by_comparisons = sort_levels(y, np.array([0, 500])).order
    monkeypatch.setattr(levels, "MANY_ROWS", 100)
    np.testing.assert_array_equal(sort_levels(y, np.array([0, 500])).order, by_comparisons)


def test_short_levels_behind_a_long_group_meet_row_by_row():
    y = np.r_[np.zeros(100), 0.0, 0.0, 1.0, 1.0]
    assert pair_blocks(y, np.array([0, 100, 104]), "adjacent", 3).has_direct
