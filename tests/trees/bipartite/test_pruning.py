"""Pruning by penalised AUC."""

import itertools

import numpy as np
import pytest

import rankwright as rw
from rankwright.trees import TreeRank
from rankwright.trees.bipartite.pruning import choose_penalty, prune, strengths


@pytest.fixture(scope="module")
def tree():
    data = rw.datasets.make_rf10(80, random_state=1)
    return TreeRank(max_depth=3, max_depth_leaf=1, min_samples_leaf=3).fit(data.X, data.y).tree_


def subtrees(tree, cell=0):
    """Yield the sets of split cells of all subtrees with the same root."""
    yield frozenset()
    left = int(tree.cells["left"][cell])
    if left >= 0:
        for a, b in itertools.product(subtrees(tree, left), subtrees(tree, left + 1)):
            yield frozenset({cell}) | a | b


def test_pruning_maximises_the_auc_less_the_penalty(tree):
    gains = tree.gains()
    candidates = list(subtrees(tree))
    assert len(candidates) > 10
    for penalty in np.concatenate([[0.0], np.linspace(1e-4, 0.2, 50)]):
        pruned = prune(tree, penalty)
        found = pruned.gains().sum() - penalty * pruned.is_leaf.sum()
        best = max(
            sum(gains[c] for c in splits) - penalty * (len(splits) + 1) for splits in candidates
        )
        assert found == pytest.approx(best, abs=1e-12)


def test_pruned_trees_are_nested_and_rank_alike(tree):
    data = rw.datasets.make_rf10(80, random_state=1)
    X = data.X.to_numpy()
    for penalty in np.unique(strengths(tree)[~tree.is_leaf]):
        pruned = prune(tree, penalty)
        auc = rw.metrics.auc(data.y, pruned.scores()[pruned.apply(X)])
        assert auc == pytest.approx(0.5 + pruned.gains().sum())
        # Rows apart in the pruned tree stand in the same order in the whole one.
        small, large = pruned.scores()[pruned.apply(X)], tree.scores()[tree.apply(X)]
        for i, j in itertools.combinations(range(len(X)), 2):
            assert small[i] == small[j] or (small[i] < small[j]) == (large[i] < large[j])
    assert prune(tree, np.inf).cells.size == 1


def test_the_whole_path_of_a_fold_is_found_at_once(tree):
    data = rw.datasets.make_rf10(200, random_state=2)
    X, y = data.X.to_numpy(), data.y
    fold = TreeRank(max_depth=3, max_depth_leaf=1, min_samples_leaf=3).fit(X[:100], y[:100]).tree_
    held_out, labels = X[100:], y[100:]
    from rankwright.trees.bipartite.nodes import auc_gains, cell_masses

    ends = fold.apply(held_out)
    gains = auc_gains(
        fold.cells, cell_masses(fold.cells, ends, 1 - labels), cell_masses(fold.cells, ends, labels)
    )
    pruning = choose_penalty(tree, [(fold, gains)])
    for penalty, auc in zip(pruning.penalties, pruning.aucs, strict=True):
        pruned = prune(fold, penalty)
        expected = rw.metrics.auc(labels, pruned.scores()[pruned.apply(held_out)])
        assert auc == pytest.approx(expected)
    assert pruning.aucs.max() == pytest.approx(
        pruning.aucs[list(pruning.penalties).index(pruning.chosen)]
    )


def test_cross_validation_finds_the_size_of_a_clear_rule():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    y = rng.random(300) < np.where(X[:, 0] > 0, 0.9, 0.1)
    model = TreeRank(prune="cv", max_depth_leaf=1, random_state=0).fit(X, y)
    assert model.tree_.cells.size == 3
    assert TreeRank(max_depth_leaf=1).fit(X, y).tree_.cells.size > 10
    assert model.pruning_.aucs.max() > 0.8


def test_pruning_needs_two_rows_of_each_class():
    with pytest.raises(ValueError, match="two rows of each class"):
        TreeRank(prune="cv").fit([[1.0], [2.0], [3.0]], [0, 0, 1])
