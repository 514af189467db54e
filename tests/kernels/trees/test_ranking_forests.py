"""The kernels of ranking forests, compiled and as plain Python."""

import itertools

import numpy as np
import pytest

from rankwright.kernels.insertion import insert_items
from rankwright.kernels.trees import ranking_trees
from rankwright.kernels.trees.cells import find_cells
from rankwright.kernels.trees.out_of_bag import MAJORITY, MEAN, MEDIAN, compare_pairs
from rankwright.kernels.trees.ranking_trees import CUT, grow_ranking_tree
from rankwright.trees.binning import bin_features
from rankwright.trees.bipartite import growing
from rankwright.trees.growth import Growth
from rankwright.trees.rows import Labels, TrainingRows

RNG = np.random.default_rng(0)


def disagreement(place, places, values, votes, weights):
    """Sum the disagreements of the voters with a new item at some place."""
    total = 0.0
    for k, other in enumerate(places):
        for b in range(votes.shape[1]):
            said, shown = np.sign(votes[k, b] - values[b]), np.sign(place - other)
            total += weights[k] * (1.0 if said * shown < 0 else 0.5 * (said != shown))
    return total


@pytest.mark.parametrize("run", [insert_items, insert_items.py_func])
def test_an_item_is_inserted_where_voters_disagree_least(run):
    for _ in range(30):
        n_items, n_voters = RNG.integers(1, 6), RNG.integers(1, 5)
        votes = RNG.integers(0, 4, size=(n_items, n_voters)).astype(float)
        buckets = np.unique(np.sort(RNG.integers(0, 3, size=n_items)), return_inverse=True)[1]
        weights = RNG.random(n_items)
        values = RNG.integers(0, 4, size=(3, n_voters)).astype(float)
        places = np.empty(3)
        run(values, votes, buckets.astype(np.int64), weights, places)
        for row, place in zip(values, places, strict=True):
            options = np.arange(-0.5, buckets.max() + 1, 0.5)
            costs = [disagreement(option, buckets, row, votes, weights) for option in options]
            found = disagreement(place, buckets, row, votes, weights)
            assert found == pytest.approx(min(costs))


@pytest.mark.parametrize("run", [compare_pairs, compare_pairs.py_func])
@pytest.mark.parametrize("rule", [MEAN, MEDIAN, MAJORITY])
def test_pairs_are_compared_by_the_trees_that_saw_neither(run, rule):
    values, unseen = RNG.integers(0, 4, size=(8, 5)) / 4, RNG.random((8, 5)) < 0.5
    weights = RNG.random(8)
    positives, negatives = np.arange(4), np.arange(4, 8)
    won = total = compared = votes = 0
    for i, j in itertools.product(positives, negatives):
        both = unseen[i] & unseen[j]
        if both.any():
            mine, theirs = values[i][both], values[j][both]
            lead = {
                MEAN: mine.mean() - theirs.mean(),
                MEDIAN: np.median(mine) - np.median(theirs),
                MAJORITY: np.sign(mine - theirs).sum(),
            }[rule]
            won += weights[i] * weights[j] * (0.5 if abs(lead) < 1e-12 else lead > 0)
            total += weights[i] * weights[j]
            compared += 1
            votes += both.sum()
    found = run(values, unseen, weights, positives, negatives, rule)
    np.testing.assert_allclose(found, (won, total, compared, votes))


def _grow_in_python(cells, cuts, category_sets, master, limits, *arrays):
    records = [np.array([r], dtype=r.dtype).view(np.recarray)[0] for r in (master, limits)]
    *others, room, pool, state = arrays
    room = room._replace(nodes=room.nodes.view(np.recarray))
    return grow_ranking_tree.py_func(
        cells.view(np.recarray), cuts.view(np.recarray), category_sets, *records, *others, room,
        pool, state,
    )  # fmt: skip


def test_the_compiled_growth_equals_the_plain_one(monkeypatch):
    X = RNG.normal(size=(60, 2))
    X[:, 1] = RNG.integers(0, 3, size=60)
    X[:5, 0] = np.nan
    y = (RNG.random(60) < 0.5).astype(np.int32)
    bins = bin_features(X, np.array([False, True]), 255)
    data = TrainingRows(X, bins, {}, Labels(y, np.array([0.0, 1.0])), None, np.arange(60), 60)
    for splitter in ("hist", "random"):
        leaf = Growth(criterion="gini", splitter=splitter, max_depth=3, max_features=1)
        growth = growing.RankingGrowth(3, 2, 2, leaf)
        compiled = growing.grow_ranking(data, growth, seed=1)
        with monkeypatch.context() as patch:
            patch.setattr(growing, "grow_ranking_tree", _grow_in_python)
            patch.setattr(ranking_trees, "_enlarge", ranking_trees._enlarge.py_func)
            plain = growing.grow_ranking(data, growth, seed=1)
        np.testing.assert_array_equal(compiled.cells, plain.cells)
        np.testing.assert_array_equal(compiled.splits.cuts, plain.splits.cuts)


def test_without_cuts_all_rows_are_in_the_first_cell():
    cells = np.empty(3, dtype=np.int32)
    for run in (find_cells, find_cells.py_func):
        cells[:] = 9
        run(np.zeros((3, 1)), np.empty(0, dtype=CUT), np.zeros((0, 256), dtype=np.bool_), cells)
        assert cells.tolist() == [0, 0, 0]
