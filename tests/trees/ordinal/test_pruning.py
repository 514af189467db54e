import numpy as np
import pytest

import rankwright as rw
from rankwright.trees import OrdinalTree
from rankwright.trees.ordinal.pruning import node_losses, prune, strengths


@pytest.fixture(scope="module")
def noisy():
    return rw.datasets.make_ordinal_squares(800, noise=0.6, n_noise_features=2, random_state=1)


@pytest.fixture(scope="module")
def fresh():
    return rw.datasets.make_ordinal_squares(4000, noise=0.6, n_noise_features=2, random_state=2)


@pytest.mark.parametrize("by", ["alpha", "depth"])
@pytest.mark.parametrize("cost", ["rank_loss", "impurity"])
def test_the_size_chosen_by_cross_validation_beats_the_full_tree(noisy, fresh, by, cost):
    full = OrdinalTree().fit(noisy.X, noisy.y)
    pruned = OrdinalTree(prune="cv", prune_by=by, prune_cost=cost, random_state=0)
    pruned.fit(noisy.X, noisy.y)
    assert pruned.tree_.nodes.size < full.tree_.nodes.size / 2
    assert pruned.rank_loss(fresh.X, fresh.y) < full.rank_loss(fresh.X, fresh.y)
    assert pruned.pruning_.losses.min() < pruned.pruning_.losses.max()


def test_pruning_to_a_depth_is_growing_to_it(noisy):
    pruned = OrdinalTree(prune="cv", prune_by="depth", random_state=0).fit(noisy.X, noisy.y)
    depth = int(pruned.pruning_.chosen)
    grown = OrdinalTree(max_depth=depth).fit(noisy.X, noisy.y)
    assert pruned.tree_.nodes["depth"].max() == depth
    np.testing.assert_array_equal(pruned.predict_proba(noisy.X), grown.predict_proba(noisy.X))


def test_cross_validated_losses_are_those_of_trees_grown_to_each_depth(noisy):
    """One pass over the folds' trees gives what growing a tree for every depth and fold would."""
    from sklearn.model_selection import KFold

    model = OrdinalTree(prune="cv", prune_by="depth", random_state=3).fit(noisy.X, noisy.y)
    rng = np.random.RandomState(3)
    rng.randint(2**31)
    X, y = noisy.X.to_numpy(), noisy.y
    folds = list(KFold(5, shuffle=True, random_state=rng).split(X))
    # The folds share the bins of all rows; with as many bins as values a fold's tree is its own.
    few = np.round(X, 2)
    model = OrdinalTree(prune="cv", prune_by="depth", random_state=3).fit(few, y)
    for depth, loss in zip(model.pruning_.candidates, model.pruning_.losses, strict=True):
        if not 1 <= depth <= 5:
            continue
        total = 0.0
        for kept, held_out in folds:
            tree = OrdinalTree(max_depth=int(depth)).fit(few[kept], y[kept])
            total += np.abs(tree.predict(few[held_out]) - y[held_out]).sum()
        assert loss == pytest.approx(total / len(y), abs=0.01)


def test_an_alpha_prunes_what_saves_less_for_each_leaf(noisy):
    sizes = [
        OrdinalTree(ccp_alpha=alpha).fit(noisy.X, noisy.y).tree_.nodes.size
        for alpha in (0.0, 0.001, 0.01, 0.1, 10.0)
    ]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[2] > sizes[-1] == 1


def test_the_pruned_tree_minimises_loss_plus_alpha_times_leaves(noisy):
    model = OrdinalTree(max_depth=6).fit(noisy.X, noisy.y)
    tree, values = model.tree_, model.label_values_
    strength = strengths(tree, values, by="alpha", cost="rank_loss")
    losses = node_losses(tree.values, tree, values) / tree.nodes["weight"][0]

    def least(node, alpha):
        left = tree.nodes["left"][node]
        if left < 0:
            return losses[node] + alpha
        return min(losses[node] + alpha, least(left, alpha) + least(left + 1, alpha))

    for alpha in (0.0005, 0.002, 0.01):
        pruned = prune(tree, strength, alpha)
        leaves = pruned.is_leaf
        found = node_losses(pruned.values, pruned, values)[leaves].sum() / tree.nodes["weight"][0]
        assert found + alpha * leaves.sum() == pytest.approx(least(0, alpha))


def test_pruning_takes_groups_and_tiny_data(noisy):
    groups = np.arange(len(noisy.y)) % 40
    model = OrdinalTree(prune="cv", max_depth=4, random_state=0)
    assert model.fit(noisy.X, noisy.y, groups).tree_.nodes.size >= 1
    for n_rows in (1, 2, 3):
        small = OrdinalTree(prune="cv", random_state=0).fit(noisy.X[:n_rows], noisy.y[:n_rows])
        assert np.isfinite(small.decision_function(noisy.X)).all()
