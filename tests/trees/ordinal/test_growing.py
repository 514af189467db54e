"""Grown trees against brute force, and what must leave them unchanged."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwright.kernels.trees import impurity
from rankwright.kernels.trees.growing import grow
from rankwright.trees import growth as growth_module
from rankwright.trees.binning import bin_features
from rankwright.trees.criteria import CRITERIA, PAIR_CRITERIA
from rankwright.trees.growth import Growth
from rankwright.trees.ordinal import growing
from rankwright.trees.ordinal.growing import grow_tree
from rankwright.trees.rows import Labels

SHAPE = ("feature", "left", "depth", "default_left", "category_set", "label")


def problem(seed, *, n=30, d=3, k=4, missing=0.0, categorical=False, weighted=False):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 7, size=(n, d)).astype(float)
    X[rng.random((n, d)) < missing] = np.nan
    is_category = np.zeros(d, dtype=bool)
    if categorical:
        is_category[0] = True
        X[:, 0] = rng.integers(0, 5, size=n)
    values = np.sort(rng.choice(20, size=k, replace=False)).astype(float)
    codes = rng.integers(0, k, size=n).astype(np.int32)
    weights = rng.integers(1, 4, size=n).astype(float) if weighted else None
    return X, is_category, Labels(codes, values), weights


def tree_on(X, is_category, labels, weights=None, *, exact=False, **growth):
    bins = bin_features(X, is_category, 10_000 if exact else 255, weights)
    splitter = "exact" if exact else "hist"
    return grow_tree(bins, labels, Growth(**{"splitter": splitter} | growth), weights=weights)


def assert_same_shape(first, second):
    for field in SHAPE:
        np.testing.assert_array_equal(first.nodes[field], second.nodes[field], err_msg=field)
    np.testing.assert_allclose(
        first.nodes["decrease"], second.nodes["decrease"], rtol=1e-9, atol=1e-10
    )
    np.testing.assert_array_equal(first.nodes["threshold"], second.nodes["threshold"])


def rows_of_nodes(tree, X):
    """The rows that pass each node."""
    parents = {}
    for node in np.flatnonzero(tree.nodes["left"] >= 0):
        left = tree.nodes["left"][node]
        parents[left] = parents[left + 1] = node
    members = {node: [] for node in range(tree.nodes.size)}
    for row, leaf in enumerate(tree.apply(X)):
        node = leaf
        while True:
            members[node].append(row)
            if node == 0:
                break
            node = parents[node]
    return members


def label_cost(counts, values, code):
    """Impurity in the form that adds up over leaves, by the kernels that a split asks."""
    if not counts.any():
        return 0.0
    gaps, total = np.diff(values), counts.sum()
    statistic, _ = impurity.side_statistics(code, counts, counts, gaps, total, total)
    return impurity.node_cost(code, statistic, total)


@pytest.mark.parametrize(("criterion", "cost"), [("ranking", 7.0), ("ordinal_gini", 1.75)])
def test_the_cost_of_labels_is_the_one_counted_by_hand(criterion, cost):
    """2·1·1 + 2·1·2 + 1·1·1, and as much divided by the number of rows."""
    assert label_cost(np.array([2.0, 1, 1]), np.arange(3.0), CRITERIA[criterion]) == cost


def cost_of(rows, labels, weights, criterion, groups):
    """The cost of a set of rows; with groups, of the pairs inside them."""
    rows = np.asarray(rows)
    weight = np.ones(labels.codes.size) if weights is None else weights
    if groups is None:
        counts = np.bincount(labels.codes[rows], weight[rows], minlength=labels.values.size)
        return label_cost(counts, labels.values, CRITERIA[criterion])
    y = labels.values[labels.codes]
    pairs = sum(
        weight[i] * weight[j] * abs(y[i] - y[j])
        for i, j in itertools.combinations(rows, 2)
        if groups[i] == groups[j]
    )
    return pairs if criterion == "ranking" else pairs / weight[rows].sum()


def candidate_splits(X, is_category, rows, labels, weights):
    """All splits of some rows that a tree may choose from."""
    weight = np.ones(labels.codes.size) if weights is None else weights
    y = labels.values[labels.codes]
    for j in range(X.shape[1]):
        x = X[rows, j]
        if is_category[j]:
            means = {c: np.average(y[rows[x == c]], weights=weight[rows[x == c]]) for c in set(x)}
            ordered = sorted(means, key=lambda c: (means[c], c))
            sides = [np.isin(x, ordered[:size]) for size in range(1, len(ordered))]
        else:
            present = np.unique(x[~np.isnan(x)])
            sides = [x <= value for value in present]
            sides += [(x <= value) | np.isnan(x) for value in present]
        yield from (side for side in sides if 0 < side.sum() < len(rows))


CASES = st.fixed_dictionaries(
    {
        "seed": st.integers(0, 10_000),
        "missing": st.sampled_from([0.0, 0.3]),
        "categorical": st.booleans(),
        "weighted": st.booleans(),
    }
)


@pytest.mark.parametrize("criterion", sorted(CRITERIA))
@pytest.mark.parametrize("exact", [False, True])
@settings(max_examples=12, deadline=None)
@given(case=CASES, min_leaf=st.sampled_from([1, 4]))
def test_every_split_decreases_the_cost_as_much_as_any_could(criterion, exact, case, min_leaf):
    X, is_category, labels, weights = problem(**case)
    growth = {"criterion": criterion, "min_samples_leaf": min_leaf, "max_depth": 4}
    tree = tree_on(X, is_category, labels, weights, exact=exact, **growth)
    members = rows_of_nodes(tree, X)
    for node, rows in members.items():
        rows = np.array(rows)
        cost = cost_of(rows, labels, weights, criterion, None)
        assert tree.nodes["cost"][node] == pytest.approx(cost, abs=1e-9)
        best = max(
            (
                cost
                - cost_of(rows[side], labels, weights, criterion, None)
                - cost_of(rows[~side], labels, weights, criterion, None)
                for side in candidate_splits(X, is_category, rows, labels, weights)
                if min(side.sum(), (~side).sum()) >= min_leaf
            ),
            default=0.0,
        )
        if tree.nodes["left"][node] >= 0:
            assert tree.nodes["decrease"][node] == pytest.approx(best, abs=1e-8)
        elif tree.nodes["depth"][node] < 4:
            assert best <= 1e-8


@pytest.mark.parametrize("criterion", sorted(PAIR_CRITERIA))
@settings(max_examples=15, deadline=None)
@given(case=CASES)
def test_with_groups_every_split_is_the_best_for_pairs_inside_groups(criterion, case):
    X, is_category, labels, weights = problem(**case)
    offsets = np.array([0, 4, 11, 12, 30])
    groups = np.repeat(np.arange(4), np.diff(offsets))
    labels = Labels(labels.codes, labels.values, offsets)
    tree = tree_on(X, is_category, labels, weights, criterion=criterion, max_depth=3)
    for node, rows in rows_of_nodes(tree, X).items():
        rows = np.array(rows)
        cost = cost_of(rows, labels, weights, criterion, groups)
        assert tree.nodes["cost"][node] == pytest.approx(cost, abs=1e-9)
        if tree.nodes["left"][node] < 0:
            continue
        best = max(
            cost
            - cost_of(rows[side], labels, weights, criterion, groups)
            - cost_of(rows[~side], labels, weights, criterion, groups)
            for side in candidate_splits(X, is_category, rows, labels, weights)
        )
        assert tree.nodes["decrease"][node] == pytest.approx(best, abs=1e-8)


@pytest.mark.parametrize("criterion", sorted(CRITERIA))
@settings(max_examples=25, deadline=None)
@given(case=CASES, max_leaf_nodes=st.sampled_from([None, 6]), n=st.sampled_from([8, 60, 700]))
def test_histograms_and_exact_sweeps_grow_the_same_tree(criterion, case, max_leaf_nodes, n):
    arguments = problem(**case, n=n)
    growth = {"criterion": criterion, "max_leaf_nodes": max_leaf_nodes, "min_samples_leaf": 2}
    assert_same_shape(tree_on(*arguments, **growth), tree_on(*arguments, exact=True, **growth))


@pytest.mark.parametrize("exact", [False, True])
@settings(max_examples=15, deadline=None)
@given(case=CASES)
def test_the_order_of_the_rows_does_not_matter(exact, case):
    X, is_category, labels, weights = problem(**case)
    order = np.random.default_rng(1).permutation(len(X))
    shuffled = Labels(labels.codes[order], labels.values)
    assert_same_shape(
        tree_on(X, is_category, labels, weights, exact=exact),
        tree_on(
            X[order],
            is_category,
            shuffled,
            None if weights is None else weights[order],
            exact=exact,
        ),
    )


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("criterion", ["ordinal_gini", "ranking", "absolute"])
@settings(max_examples=10, deadline=None)
@given(case=CASES)
def test_a_weight_is_a_number_of_copies(exact, criterion, case):
    X, is_category, labels, weights = problem(**case | {"weighted": True})
    copies = np.repeat(np.arange(len(X)), weights.astype(int))
    assert_same_shape(
        tree_on(X, is_category, labels, weights, exact=exact, criterion=criterion),
        tree_on(
            X[copies],
            is_category,
            Labels(labels.codes[copies], labels.values),
            exact=exact,
            criterion=criterion,
        ),
    )


@settings(max_examples=15, deadline=None)
@given(case=CASES)
def test_monotone_transforms_of_a_feature_do_not_matter(case):
    X, is_category, labels, weights = problem(**case | {"categorical": False})
    transformed = np.sign(X) * np.exp(X) - 5.0
    first = tree_on(X, is_category, labels, weights)
    second = tree_on(transformed, is_category, labels, weights)
    for field in SHAPE:
        np.testing.assert_array_equal(first.nodes[field], second.nodes[field])
    np.testing.assert_array_equal(first.apply(X), second.apply(transformed))


@pytest.mark.parametrize("splitter", ["hist", "random"])
def test_the_loop_in_plain_python_grows_the_same_tree(monkeypatch, splitter):
    X, is_category, labels, weights = problem(3, missing=0.2, categorical=True, weighted=True)
    growth = {"splitter": splitter, "max_features": 2}
    compiled = tree_on(X, is_category, labels, weights, **growth)
    monkeypatch.setattr(growing, "grow", _grow_in_python)
    assert_same_shape(tree_on(X, is_category, labels, weights, **growth), compiled)


def test_sweeps_in_plain_python_grows_the_same_tree(monkeypatch):
    arguments = problem(3, missing=0.2, categorical=True)
    compiled = tree_on(*arguments, exact=True)
    monkeypatch.setattr(growing, "grow", _grow_in_python)
    assert_same_shape(tree_on(*arguments, exact=True), compiled)


def _grow_in_python(grown, limits, *arrays):
    record = np.array([limits], dtype=limits.dtype).view(np.recarray)[0]
    return grow.py_func(grown._replace(nodes=grown.nodes.view(np.recarray)), record, *arrays)


def test_subtracted_histograms_grow_the_same_tree_as_counted_ones(monkeypatch):
    X, is_category, labels, weights = problem(5, n=5000, k=5, missing=0.1, weighted=True)
    bins = bin_features(X, is_category, 255, weights)
    whole = grow_tree(bins, labels, Growth(), weights=weights)
    # Two slots: most nodes lose theirs and are counted again.
    monkeypatch.setattr(growth_module, "POOL_BYTES", 0)
    assert_same_shape(grow_tree(bins, labels, Growth(), weights=weights), whole)
    assert_same_shape(
        grow_tree(bins, labels, Growth(max_leaf_nodes=5000), weights=weights),
        grow_tree(bins, labels, Growth(splitter="exact", max_leaf_nodes=5000), weights=weights),
    )


def test_growing_on_some_rows_is_growing_on_their_copy():
    X, is_category, labels, _ = problem(7, n=400, d=4)
    rows = np.sort(np.random.default_rng(0).choice(400, size=150, replace=False)).astype(np.int32)
    bins = bin_features(X, is_category, 255)
    subset = bin_features(X[rows], is_category, 255)
    chosen = Labels(labels.codes[rows], labels.values)
    for splitter in ("hist", "exact"):
        assert_same_shape(
            grow_tree(bins, labels, Growth(splitter=splitter), rows=rows),
            grow_tree(subset, chosen, Growth(splitter=splitter)),
        )


def test_best_first_makes_the_largest_decreases():
    X, is_category, labels, _ = problem(11, n=300)
    whole = tree_on(X, is_category, labels, max_leaf_nodes=300)
    few = tree_on(X, is_category, labels, max_leaf_nodes=8)
    assert (few.nodes["left"] < 0).sum() == 8
    order = np.argsort(np.where(whole.nodes["left"] < 0, 10**9, whole.nodes["left"]))
    made = np.sort(few.nodes["decrease"])[::-1][:7]
    np.testing.assert_allclose(np.sort(whole.nodes["decrease"][order[:7]])[::-1], made)
    np.testing.assert_array_equal(np.sort(made)[::-1], made)
    assert made.sum() >= tree_on(X, is_category, labels, max_depth=3).nodes["decrease"].sum()


def test_random_cuts_depend_on_the_seed_and_keep_the_limits():
    X, is_category, labels, weights = problem(13, n=500, missing=0.1, categorical=True)
    bins = bin_features(X, is_category, 255)
    growth = Growth(splitter="random", max_features=2, min_samples_leaf=5)
    first, again, other = (
        grow_tree(bins, labels, growth, weights=weights, seed=seed) for seed in (1, 1, 2)
    )
    assert_same_shape(first, again)
    assert (
        first.nodes.size != other.nodes.size
        or (first.nodes["feature"] != other.nodes["feature"]).any()
    )
    sizes = np.bincount(first.apply(X))
    assert sizes[sizes > 0].min() >= 5


def test_leaves_hold_the_label_weights_of_their_rows():
    X, is_category, labels, weights = problem(17, missing=0.2, weighted=True)
    tree = tree_on(X, is_category, labels, weights, max_depth=3)
    for node, rows in rows_of_nodes(tree, X).items():
        expected = np.bincount(labels.codes[rows], weights[rows], minlength=labels.values.size)
        np.testing.assert_allclose(tree.values[node], expected)


def test_more_labels_than_histograms_take_are_swept():
    rng = np.random.default_rng(0)
    X = rng.random((200, 2))
    codes = np.argsort(np.argsort(X[:, 0])).astype(np.int32)
    labels = Labels(codes, np.arange(200.0))
    tree = tree_on(X, np.zeros(2, dtype=bool), labels, max_depth=3)
    assert set(tree.nodes["feature"][tree.nodes["left"] >= 0]) == {0}
    assert_same_shape(tree, tree_on(X, np.zeros(2, dtype=bool), labels, exact=True, max_depth=3))
